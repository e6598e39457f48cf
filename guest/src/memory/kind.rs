//! What the debug information says of the memory of a variable.

use std::rc::Rc;

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A signed or unsigned integer, a truth value or an enumeration.
    Integer,
    /// A binary floating-point number.
    Float,
    /// The address of something whose type is known, in C and C++.
    Pointer,
    /// The address of a function, or, in an object of C++, that of a table of virtual ones.
    Code,
}

impl Class {
    /// Reports whether it is an address.
    pub(super) fn is_address(self) -> bool {
        match self {
            Self::Pointer | Self::Code => true,
            Self::Integer | Self::Float => false,
        }
    }
}

/// A number or a pointer in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The kind.
    pub class: Class,
    /// Size in bytes.
    pub bytes: u64,
    /// Name of its type in the source.
    pub name: Rc<str>,
}

/// A part of a type that has no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf<'a> {
    /// A number or a pointer.
    Number(&'a Number),
    /// A byte or a character.
    Byte,
    /// Something else that programs keep anything in, such as a union.
    Any,
}

/// The type of a piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(Number),
    /// Elements without gaps in between.
    Array {
        element: Rc<Self>,
        bytes: u64,
    },
    /// Members with their offsets in bytes.
    Struct {
        members: Vec<(u64, Rc<Self>)>,
        bytes: u64,
    },
    /// Characters, `void *`, unions and bit fields: programs keep anything there.
    Any {
        bytes: u64,
    },
}

impl Kind {
    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Number(number) => number.bytes,
            Self::Array { bytes, .. } | Self::Struct { bytes, .. } | Self::Any { bytes } => *bytes,
        }
    }

    /// Reports whether this is a structure, to which other data may belong.
    pub(super) fn is_structure(&self) -> bool {
        match self {
            Self::Struct { .. } => true,
            Self::Number(_) | Self::Array { .. } | Self::Any { .. } => false,
        }
    }

    /// Reports whether this is a pointer. Memory that begins with one may hold other data behind it: programs allocate the
    /// pointers to the rows of a matrix and the rows in one block.
    pub(super) fn is_pointer(&self) -> bool {
        match self {
            Self::Number(number) => number.class.is_address(),
            Self::Array { .. } | Self::Struct { .. } | Self::Any { .. } => false,
        }
    }

    /// Returns the first parts without parts, at most `most`, with their offsets in bytes.
    pub(super) fn leaves(&self, most: usize) -> Vec<(u64, Leaf<'_>)> {
        let mut found = Vec::new();
        self.gather_leaves(0, most, &mut found);
        found
    }

    /// Reports whether it begins with a number or a pointer.
    pub(super) fn begins_with_number(&self) -> bool {
        matches!(self.leaves(1).first(), Some((_, Leaf::Number(_))))
    }

    fn gather_leaves<'a>(&'a self, at: u64, most: usize, found: &mut Vec<(u64, Leaf<'a>)>) {
        if found.len() >= most {
            return;
        }
        match self {
            Self::Number(number) => found.push((at, Leaf::Number(number))),
            Self::Any { bytes: 1 } => found.push((at, Leaf::Byte)),
            Self::Any { .. } => found.push((at, Leaf::Any)),
            Self::Array { element, bytes } => {
                let count = bytes / element.bytes().max(1);
                for index in 0..count.min(most as u64) {
                    element.gather_leaves(at + index * element.bytes(), most, found);
                }
            }
            Self::Struct { members, .. } => {
                for (offset, kind) in members {
                    kind.gather_leaves(at + offset, most, found);
                }
            }
        }
    }

    /// Returns the number that holds the byte at an offset, and the offset of the byte in it. `None`
    /// for memory that may hold anything, and between members.
    pub(super) fn at(&self, offset: u64) -> Option<(&Number, u64)> {
        match self {
            Self::Number(number) => (offset < number.bytes).then_some((number, offset)),
            Self::Array { element, bytes } => {
                let each = element.bytes().max(1);
                if offset < *bytes { element.at(offset % each) } else { None }
            }
            Self::Struct { members, .. } => {
                let inside =
                    |(at, kind): &&(u64, Rc<Self>)| (*at..at + kind.bytes()).contains(&offset);
                // An empty base class lies where the first member does.
                members.iter().filter(inside).find_map(|(at, kind)| kind.at(offset - at))
            }
            Self::Any { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(class: Class, bytes: u64) -> Rc<Kind> {
        Rc::new(Kind::Number(Number { class, bytes, name: "number".into() }))
    }

    #[test]
    fn numbers_are_found_in_members_and_elements() {
        let pair = Rc::new(Kind::Struct {
            members: vec![(0, number(Class::Integer, 4)), (8, number(Class::Float, 8))],
            bytes: 16,
        });
        let pairs = Kind::Array { element: pair, bytes: 48 };
        let at = |offset| pairs.at(offset).map(|(number, inside)| (number.class, inside));
        assert_eq!(at(0), Some((Class::Integer, 0)));
        assert_eq!(at(18), Some((Class::Integer, 2)));
        assert_eq!(at(4), None, "the gap between the members");
        assert_eq!(at(41), Some((Class::Float, 1)));
        assert_eq!(at(48), None, "past the end");
        assert_eq!(Kind::Any { bytes: 8 }.at(0), None);
    }

    #[test]
    fn leaves_are_found_in_their_order_up_to_a_limit() {
        let byte = Rc::new(Kind::Any { bytes: 1 });
        let name = Rc::new(Kind::Array { element: byte, bytes: 2 });
        let members = vec![(0, number(Class::Integer, 4)), (4, name), (8, number(Class::Float, 8))];
        let named = Rc::new(Kind::Struct { members, bytes: 16 });
        let all = Kind::Array { element: named, bytes: 32 };
        let places = |most| all.leaves(most).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(places(6), [0, 4, 5, 8, 16, 20]);
        assert_eq!(places(1), [0]);
        assert_eq!(all.leaves(3)[1].1, Leaf::Byte);
    }

    #[test]
    fn a_member_is_found_behind_an_empty_base() {
        let empty = Rc::new(Kind::Struct { members: Vec::new(), bytes: 1 });
        let members = vec![(0, empty), (0, number(Class::Pointer, 8))];
        let container = Kind::Struct { members, bytes: 8 };
        assert_eq!(container.at(0).map(|(number, _)| number.class), Some(Class::Pointer));
    }
}
