//! Reads from the debug information of an object which pointers a variable holds, or leads to.

use std::rc::Rc;

use super::{
    debug::{Described, Reader},
    kind::Kind,
    types::place_of,
    units::EntryRef,
};

/// Most pointers that are followed one after the other.
const STEPS_MAX: usize = 3;
/// Most elements of an array of pointers that are looked at.
const ELEMENTS_MAX: u64 = 16;
/// Most types that are looked at for one variable.
const VISITS_MAX: usize = 512;
/// Most types inside each other, such as structures in structures.
const DEPTH: u32 = 32;

/// A pointer that a variable is or holds, or that is reached from it by other pointers.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    /// Offset of the first pointer in the variable, and of each further one in what the one before points to, in bytes.
    pub(super) path: Vec<u64>,
    /// What it points to.
    pub(super) target: Rc<Kind>,
    /// Whether it is a reference of C++.
    pub(super) is_reference: bool,
    /// Whether it is the descriptor of an array of Fortran.
    pub(super) is_descriptor: bool,
    /// Names of the members that lead to it, the outermost first.
    pub(super) members: Rc<[Rc<str>]>,
}

/// What is known so far of the pointers of a variable.
struct Walk {
    path: Vec<u64>,
    members: Vec<Rc<str>>,
    found: Vec<Pointer>,
    /// Number of types that may still be looked at.
    left: usize,
}

impl Walk {
    /// Does something at an offset from the place that has been reached.
    fn at(&mut self, offset: u64, then: impl FnOnce(&mut Self)) {
        let Some(before) = self.path.last().copied() else { return };
        self.set_last(before.saturating_add(offset));
        then(self);
        self.set_last(before);
    }

    fn set_last(&mut self, offset: u64) {
        if let Some(last) = self.path.last_mut() {
            *last = offset;
        }
    }
}

impl Reader<'_, '_> {
    /// Returns the pointers that variables of a type hold or lead to, as far as limits allow.
    pub(super) fn pointers(&self, of: EntryRef) -> Vec<Pointer> {
        let mut walk =
            Walk { path: vec![0], members: Vec::new(), found: Vec::new(), left: VISITS_MAX };
        self.follow(of, &mut walk, DEPTH);
        walk.found
    }

    fn follow(&self, of: EntryRef, walk: &mut Walk, depth: u32) {
        let (Some(left), Some(depth)) = (walk.left.checked_sub(1), depth.checked_sub(1)) else {
            return;
        };
        walk.left = left;
        let Some(bare) = self.bare(of) else { return };
        match bare.entry.tag() {
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => bare.point(walk, depth),
            gimli::DW_TAG_array_type if bare.reader.is_descriptor(&bare.entry) => {
                bare.point(walk, depth);
            }
            gimli::DW_TAG_array_type => {
                let Some(element) = bare.reader.type_of(&bare.entry) else { return };
                self.follow_elements(element, bare.elements().unwrap_or(1), walk, depth);
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                bare.follow_members(walk, depth);
            }
            _ => {}
        }
    }

    fn follow_elements(&self, element: EntryRef, count: u64, walk: &mut Walk, depth: u32) {
        let bytes = self.kind_of(element).map_or(0, |kind| kind.bytes());
        let known = if bytes == 0 { 1 } else { ELEMENTS_MAX };
        for index in 0..count.min(known) {
            let before = walk.found.len();
            walk.at(index * bytes, |walk| self.follow(element, walk, depth));
            if walk.found.len() == before {
                break;
            }
        }
    }
}

impl Described<'_, '_> {
    fn follow_members(&self, walk: &mut Walk, depth: u32) {
        let reader = self.reader;
        let Some(mut tree) = self.tree() else { return };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let part = child.entry();
            if let (Some(place), Some(of)) = (place_of(part), reader.type_of(part)) {
                // The base of a class has no name.
                let name = reader.name_of(part);
                let named = name.is_some();
                walk.members.extend(name);
                walk.at(place, |walk| reader.follow(of, walk, depth));
                if named {
                    walk.members.pop();
                }
            }
        }
    }

    /// Notes a pointer, or a descriptor of Fortran, and follows it.
    fn point(&self, walk: &mut Walk, depth: u32) {
        let Self { reader, entry: pointer } = self;
        let Some(of) = reader.type_of(pointer) else { return };
        if let Some(target) = reader.kind_of(of) {
            let tag = pointer.tag();
            let is_descriptor = tag == gimli::DW_TAG_array_type;
            let is_reference = !is_descriptor && tag != gimli::DW_TAG_pointer_type;
            let (path, members) = (walk.path.clone(), walk.members.as_slice().into());
            walk.found.push(Pointer { path, target, is_reference, is_descriptor, members });
        }
        if walk.path.len() < STEPS_MAX {
            walk.path.push(0);
            // Where a pointer points to pointers, there is often an array of them.
            let count = if reader.target(of).is_some() { ELEMENTS_MAX } else { 1 };
            reader.follow_elements(of, count, walk, depth);
            walk.path.pop();
        }
    }
}
