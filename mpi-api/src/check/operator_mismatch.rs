//! WT0008: ranks disagree on the reduction operation.

use crate::object::op::Operator;

/// Returns the texts for the reduction operations of two calls that disagree.
pub(crate) fn operators(mine: Option<Operator>, theirs: Option<Operator>) -> [String; 2] {
    match (mine, theirs) {
        (Some(Operator::Own(mine, _)), Some(Operator::Own(theirs, _))) if mine != theirs => {
            let text = |commutative| match commutative {
                true => "an operation that is created as commutative".into(),
                false => "one that is not".into(),
            };
            [text(mine), text(theirs)]
        }
        (Some(Operator::Own(..)), Some(Operator::Own(..))) => {
            ["a user operation".into(), "one of another function".into()]
        }
        _ => [mine, theirs].map(|operation| match operation {
            Some(Operator::Predefined(_, name)) => name.into(),
            Some(Operator::Own(..)) => "a user operation".into(),
            None => String::new(),
        }),
    }
}
