//! Reads types from the debug information of an object.

use std::rc::Rc;

use gimli::{AttributeValue, Operation};

use super::{
    debug::{Described, Entry, Reader},
    kind::{Class, Kind, Number},
    units::EntryRef,
};
use crate::site::table::is_fortran;

/// Of how many objects a pointer in a structure tells what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Of all objects behind the first: the pointer belongs to a container.
    All,
    /// Of the first. It may be of a type that extends that of the pointer, and be the head of other data.
    First,
    /// Of all objects if their type is not longer than the declared one, otherwise of the part of the first that the declared
    /// type describes. The size of the type is in a table; its address lies at this offset in the structure, in bytes.
    Dynamic {
        /// The offset.
        table: u64,
    },
}

/// The pointer that a structure begins with.
struct First {
    /// The innermost structure that begins with it.
    of: EntryRef,
    /// Its type.
    pointer: EntryRef,
    /// The type that it points to.
    target: EntryRef,
}

/// Most types that are followed from one to the next.
const DEPTH: u32 = 32;

impl<'a, 'b> Reader<'a, 'b> {
    /// Returns the type that an entry names.
    pub(super) fn type_of(&self, entry: &Entry<'a>) -> Option<EntryRef> {
        self.referred_by(entry, gimli::DW_AT_type)
    }

    /// Returns the name of an entry.
    pub(super) fn name_of(&self, entry: &Entry<'a>) -> Option<Rc<str>> {
        Some(self.text(entry, gimli::DW_AT_name)?.into())
    }

    /// Returns the type of the elements of an array type.
    pub(super) fn element(&self, of: EntryRef) -> Option<EntryRef> {
        let Described { reader, entry } = self.entry(of)?;
        (entry.tag() == gimli::DW_TAG_array_type).then(|| reader.type_of(&entry)).flatten()
    }

    /// Reports whether a type is that of arrays.
    pub(super) fn is_array(&self, of: EntryRef) -> bool {
        self.bare(of).is_some_and(|bare| bare.entry.tag() == gimli::DW_TAG_array_type)
    }

    /// Returns the entry of a type without its qualifiers and other names.
    pub(super) fn bare(&self, of: EntryRef) -> Option<Described<'a, 'b>> {
        let mut at = of;
        for _ in 0..DEPTH {
            let found = self.entry(at)?;
            if !is_qualifier(found.entry.tag()) {
                return Some(found);
            }
            at = found.reader.type_of(&found.entry)?;
        }
        None
    }

    /// Returns the type that a pointer points to.
    pub(super) fn target(&self, of: EntryRef) -> Option<EntryRef> {
        let Described { reader, entry } = self.bare(of)?;
        match entry.tag() {
            gimli::DW_TAG_pointer_type => reader.type_of(&entry),
            gimli::DW_TAG_array_type if reader.is_descriptor(&entry) => reader.type_of(&entry),
            _ => None,
        }
    }

    /// Returns the type that a reference or a pointer refers to.
    pub(super) fn referred(&self, of: EntryRef) -> Option<EntryRef> {
        let Described { reader, entry } = self.bare(of)?;
        match entry.tag() {
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => reader.type_of(&entry),
            _ => None,
        }
    }

    /// Returns the type that the first word of a structure points to, such as that of a vector of C++, and of how many
    /// objects there it tells.
    pub(super) fn target_of_first(&self, of: EntryRef) -> Option<(EntryRef, Extent)> {
        let First { of, pointer, target } = self.first(of, DEPTH)?;
        Some((target, self.extent(of, pointer, target)))
    }

    /// Returns the pointer that a structure begins with.
    fn first(&self, of: EntryRef, depth: u32) -> Option<First> {
        let depth = depth.checked_sub(1)?;
        let bare = self.bare(of)?;
        if !matches!(bare.entry.tag(), gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type) {
            return None;
        }
        let of = bare.at();
        // A base without members, such as an allocator, lies where the first member does.
        bare.part(|part| {
            let pointer = bare.reader.type_of(part).filter(|_| place_of(part) == Some(0))?;
            let itself = self.target(pointer).map(|target| First { of, pointer, target });
            itself.or_else(|| self.first(pointer, depth))
        })
    }

    /// Returns of how many objects the first member of a structure tells, which has the type `first` and points to objects of
    /// the type `target`.
    fn extent(&self, of: EntryRef, first: EntryRef, target: EntryRef) -> Extent {
        let is_array = self.bare(first).is_some_and(|it| it.reader.is_descriptor(&it.entry));
        self.dynamic_type(of).unwrap_or(match is_array || self.has_end(of, target) {
            true => Extent::All,
            false => Extent::First,
        })
    }

    /// Returns the extent of a structure that is a polymorphic variable or component of Fortran.
    fn dynamic_type(&self, of: EntryRef) -> Option<Extent> {
        let of = self.entry(of)?;
        let table = |part: &Entry<'a>| {
            let is_table = of.reader.name_of(part).is_some_and(|name| *name == *"_vptr");
            let table = place_of(part).filter(|_| is_table)?;
            Some(Extent::Dynamic { table })
        };
        of.reader.is_fortran().then(|| of.part(table)).flatten()
    }

    /// Reports whether the second word of a structure is a pointer to the same type as the first: the end of the array that
    /// begins at the first. Two pointers to elements of a list, which begin with a pointer to the next one, are no array.
    fn has_end(&self, of: EntryRef, target: EntryRef) -> bool {
        let bare = |of| self.bare(of).map(|bare| bare.at());
        let next = self.first(target, DEPTH).and_then(|first| bare(first.target));
        if next.is_some() && next == bare(target) {
            return false;
        }
        let Some(of) = self.entry(of) else { return false };
        let end = |part: &Entry<'a>| {
            let of = of.reader.type_of(part).filter(|_| place_of(part) == Some(8))?;
            (bare(self.target(of)?)? == bare(target)?).then_some(())
        };
        of.part(end).is_some()
    }

    /// Returns whether a variable of this array type is a descriptor whose first word points to the elements: an
    /// allocatable array of Fortran, or a pointer to one.
    pub(super) fn is_descriptor(&self, entry: &Entry<'a>) -> bool {
        let Some(AttributeValue::Exprloc(place)) = entry.attr_value(gimli::DW_AT_data_location)
        else {
            return false;
        };
        let mut operations = place.operations(self.unit.encoding());
        let mut next = || operations.next().ok().flatten();
        matches!(next(), Some(Operation::PushObjectAddress))
            && matches!(next(), Some(Operation::Deref { .. }))
            && next().is_none()
    }

    /// Returns the kind of a type, if its size is known.
    pub(super) fn kind_of(&self, of: EntryRef) -> Option<Rc<Kind>> {
        self.kind(of, DEPTH)
    }

    fn kind(&self, of: EntryRef, depth: u32) -> Option<Rc<Kind>> {
        let depth = depth.checked_sub(1)?;
        let found = self.entry(of)?;
        let Described { reader, entry } = &found;
        let bytes = || entry.attr_value(gimli::DW_AT_byte_size)?.udata_value();
        let number = |class, bytes| {
            let name = reader.name_of(entry).unwrap_or_default();
            Kind::Number(Number { class, bytes, name })
        };
        Some(Rc::new(match entry.tag() {
            gimli::DW_TAG_typedef if reader.is_for_anything(entry) => {
                Kind::Any { bytes: reader.kind(reader.type_of(entry)?, depth)?.bytes() }
            }
            tag if is_qualifier(tag) => return reader.kind(reader.type_of(entry)?, depth),
            gimli::DW_TAG_base_type => {
                let bytes = bytes()?;
                let encoding = entry.attr_value(gimli::DW_AT_encoding);
                let AttributeValue::Encoding(encoding) = encoding? else { return None };
                match encoding {
                    gimli::DW_ATE_float => number(Class::Float, bytes),
                    gimli::DW_ATE_complex_float => {
                        Kind::Array { element: Rc::new(number(Class::Float, bytes / 2)), bytes }
                    }
                    gimli::DW_ATE_signed | gimli::DW_ATE_unsigned | gimli::DW_ATE_boolean
                        if bytes > 1 =>
                    {
                        number(Class::Integer, bytes)
                    }
                    _ => Kind::Any { bytes },
                }
            }
            gimli::DW_TAG_enumeration_type => match bytes()? {
                1 => Kind::Any { bytes: 1 },
                bytes => number(Class::Integer, bytes),
            },
            gimli::DW_TAG_array_type if reader.is_descriptor(entry) => Kind::Any { bytes: 8 },
            gimli::DW_TAG_array_type => {
                let element = reader.kind(reader.type_of(entry)?, depth)?;
                let bytes = found.elements()?.checked_mul(element.bytes())?;
                Kind::Array { element, bytes }
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                let bytes = bytes()?;
                match found.members(depth) {
                    Some(members) => Kind::Struct { members, bytes },
                    None => Kind::Any { bytes },
                }
            }
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                let bytes = bytes().unwrap_or(8);
                match reader.pointer_name(entry, DEPTH) {
                    _ if reader.is_to_function(entry) => {
                        let name = "a pointer to a function".into();
                        Kind::Number(Number { class: Class::Code, bytes, name })
                    }
                    Some(name) => {
                        Kind::Number(Number { class: Class::Pointer, bytes, name: name.into() })
                    }
                    None => Kind::Any { bytes },
                }
            }
            _ => Kind::Any { bytes: bytes()? },
        }))
    }

    /// Reports whether a type exists for its alignment only: storage of it may hold anything.
    fn is_for_anything(&self, entry: &Entry<'a>) -> bool {
        self.name_of(entry).is_some_and(|name| *name == *"max_align_t")
    }

    /// Reports whether a type is that of pointers of C and C++ to functions.
    fn is_to_function(&self, pointer: &Entry<'a>) -> bool {
        let target = self.type_of(pointer).and_then(|target| self.bare(target));
        let is_function =
            target.is_some_and(|target| target.entry.tag() == gimli::DW_TAG_subroutine_type);
        is_function && !self.is_fortran()
    }

    /// Returns the name of a type of pointers of C and C++ to something with a name. `None` for others: programs keep
    /// anything in a `void *`, a pointer to a type without a definition is a handle, and what Fortran calls a variable may be a
    /// pointer here.
    fn pointer_name(&self, pointer: &Entry<'a>, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if pointer.tag() != gimli::DW_TAG_pointer_type || self.is_fortran() {
            return None;
        }
        let Described { reader, entry: target } = self.bare(self.type_of(pointer)?)?;
        if target.attr_value(gimli::DW_AT_declaration).is_some() {
            return None;
        }
        if target.tag() == gimli::DW_TAG_pointer_type {
            return reader.pointer_name(&target, depth).map(|name| format!("{name}*"));
        }
        reader.name_of(&target).map(|name| format!("{name} *"))
    }

    /// Returns where the last index of an array of variable length in C is kept, as an offset from the frame base.
    pub(super) fn last_index(&self, of: EntryRef) -> Option<i64> {
        let bare = self.bare(of)?;
        let reader = bare.reader;
        if bare.entry.tag() != gimli::DW_TAG_array_type || reader.is_fortran() {
            return None;
        }
        let mut tree = bare.tree()?;
        let mut children = tree.root().ok()?.children();
        let bound = children.next().ok()??.entry().attr_value(gimli::DW_AT_upper_bound)?;
        let AttributeValue::Exprloc(bound) = bound else { return None };
        let mut operations = bound.operations(reader.unit.encoding());
        let mut next = || operations.next().ok().flatten();
        match (next(), next(), next()) {
            (Some(Operation::FrameOffset { offset }), Some(Operation::Deref { .. }), None) => {
                // Only arrays of one dimension.
                children.next().ok()?.is_none().then_some(offset)
            }
            _ => None,
        }
    }

    /// Returns the lower bound of arrays that name none.
    fn first_index(&self) -> i64 {
        i64::from(self.is_fortran())
    }

    /// Reports whether the compilation unit is Fortran.
    pub(super) fn is_fortran(&self) -> bool {
        let root = self.unit.entry(self.unit.header.root_offset()).ok();
        let language = root.and_then(|root| root.attr_value(gimli::DW_AT_language));
        matches!(language, Some(AttributeValue::Language(language)) if is_fortran(language))
    }

    /// Returns the pointer to the virtual functions of an object of C++, if a member is that.
    fn table_of_functions(&self, member: &Entry<'a>) -> Option<Number> {
        let is_table = self.name_of(member)?.starts_with("_vptr") && !self.is_fortran();
        let name = "a pointer to virtual functions".into();
        is_table.then_some(Number { class: Class::Code, bytes: 8, name })
    }
}

impl<'a> Described<'a, '_> {
    /// Returns the first value that a function has for a part of a structure.
    fn part<T>(&self, find: impl Fn(&Entry<'a>) -> Option<T>) -> Option<T> {
        let mut tree = self.tree()?;
        let mut children = tree.root().ok()?.children();
        while let Some(child) = children.next().ok()? {
            let found = find(child.entry());
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the number of elements of an array whose bounds are constants.
    pub(super) fn elements(&self) -> Option<u64> {
        let mut tree = self.tree()?;
        let mut children = tree.root().ok()?.children();
        let (mut elements, mut known) = (1u64, false);
        while let Some(child) = children.next().ok()? {
            let entry = child.entry();
            if entry.tag() != gimli::DW_TAG_subrange_type {
                continue;
            }
            let bound = |name| entry.attr_value(name).map(|bound| bound.sdata_value());
            let count = match (bound(gimli::DW_AT_count), bound(gimli::DW_AT_upper_bound)) {
                (Some(count), _) => count?,
                (None, Some(last)) => {
                    let first = match bound(gimli::DW_AT_lower_bound) {
                        Some(first) => first?,
                        None => self.reader.first_index(),
                    };
                    widened(last?, entry)? - first + 1
                }
                (None, None) => return None,
            };
            elements = elements.checked_mul(u64::try_from(count).ok()?)?;
            known = true;
        }
        known.then_some(elements)
    }

    /// Returns the members of a structure; `None` if it ends in an array without a length.
    fn members(&self, depth: u32) -> Option<Vec<(u64, Rc<Kind>)>> {
        let mut tree = self.tree()?;
        let mut children = tree.root().ok()?.children();
        let mut members = Vec::new();
        while let Some(child) = children.next().ok()? {
            let entry = child.entry();
            let Some(place) = place_of(entry) else { continue };
            let kind = match self.reader.table_of_functions(entry) {
                Some(table) => Rc::new(Kind::Number(table)),
                None => self.reader.kind(self.reader.type_of(entry)?, depth)?,
            };
            members.push((place, kind));
        }
        Some(members)
    }
}

/// Returns the offset of a part of a structure in bytes; `None` for bit fields, and for whatever is no part of it, such as a
/// static member.
pub(super) fn place_of(entry: &Entry<'_>) -> Option<u64> {
    let is_part = matches!(entry.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance);
    let bits = [gimli::DW_AT_bit_size, gimli::DW_AT_data_bit_offset];
    if !is_part || bits.iter().any(|name| entry.attr_value(*name).is_some()) {
        return None;
    }
    let place = entry.attr_value(gimli::DW_AT_data_member_location)?;
    let AttributeValue::Exprloc(expression) = place else { return place.udata_value() };
    // The oldest edition has an expression that adds the offset.
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 2 };
    let mut operations = expression.operations(encoding);
    match (operations.next().ok()??, operations.next().ok()?) {
        (Operation::PlusConstant { value }, None) => Some(value),
        _ => None,
    }
}

/// Returns an upper bound that its form stores in fewer bytes than it has: one without a sign.
fn widened(bound: i64, entry: &Entry<'_>) -> Option<i64> {
    match entry.attr_value(gimli::DW_AT_upper_bound)? {
        AttributeValue::Data1(value) => Some(i64::from(value)),
        AttributeValue::Data2(value) => Some(i64::from(value)),
        AttributeValue::Data4(value) => Some(i64::from(value)),
        _ => Some(bound),
    }
}

fn is_qualifier(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type
    )
}
