//! A test that calls and replies are values: each of them survives being written and read.

use std::{fmt::Debug, rc::Rc};

use serde::{Serialize, de::DeserializeOwned};

pub(crate) use self::calls::operations;
use self::{parts::site, replies::replies};
use super::*;
use crate::object::{op::Op, signature::Primitive};

/// Returns the examples, each checked against the pattern of its variant. The patterns together
/// must be exhaustive, so that a variant without an example does not compile.
macro_rules! each_variant {
    ($type:ty { $($pattern:pat => $example:expr,)* }) => {{
        #[allow(dead_code, reason = "only compiled")]
        fn exhaustive(value: &$type) {
            match value { $($pattern => (),)* }
        }
        vec![$({
            let example: $type = $example;
            assert!(matches!(example, $pattern), "{} is another variant", stringify!($example));
            example
        },)*]
    }};
}

mod calls;
mod parts;
mod replies;

/// Writes a value, reads it, and checks that nothing has changed.
fn crosses<T: Serialize + DeserializeOwned + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("a value can be written");
    let read: T = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(format!("{read:?}"), format!("{value:?}"));
    let again = serde_json::to_string(&read).expect("a value can be written");
    assert_eq!(again, text);
}

#[test]
fn every_call_and_every_reply_is_a_value() {
    for operation in operations() {
        crosses(&Call { site: site(), operation });
    }
    replies().iter().for_each(crosses);
}

#[test]
fn a_function_is_known_by_number_on_the_side_of_the_ranks() {
    let op = Op::user(true, Rc::new(|left, right| right.copy_from_slice(left)));
    let text = serde_json::to_string(&op).expect("a number can be written");
    let read: Op = serde_json::from_str(&text).expect("a number can be read");
    let mut result = [0];
    read.apply(Primitive::Byte, &[5], &mut result);
    assert_eq!(result, [5]);
}

/// Every call is written to the stack of its rank and read there: the families must not make it
/// larger than its largest member, a send with a receive.
#[test]
fn families_add_nothing_to_the_size_of_a_call() {
    let message = size_of::<(Outgoing, Incoming)>();
    assert_eq!(size_of::<MessageCall>(), message);
    assert_eq!(size_of::<Operation>(), message);
    assert_eq!(size_of::<Call>(), message + size_of::<Site>());
    assert!(size_of::<Call>() <= 144, "{} bytes", size_of::<Call>());
    assert!(size_of::<Reply>() <= 40, "{} bytes", size_of::<Reply>());
}
