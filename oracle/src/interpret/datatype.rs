//! Layouts as MPI datatypes.

use mpi_api::{
    call::{Layout as Cost, Reply, Runs, TypeCall},
    object::{
        datatype::{Datatype, Order},
        signature::Signature,
    },
};

use super::Rank;
use crate::{
    layout::{Layout, Shape},
    plan::{Part, Style},
};

impl Rank<'_> {
    fn make_type(&self, part: Option<Part>) -> u32 {
        let Reply::Object(id) = self.call(TypeCall::Create) else { panic!("a datatype") };
        self.types.borrow_mut().push((part, id));
        id
    }

    fn free_type(&self, id: u32) {
        self.types.borrow_mut().retain(|(_, other)| *other != id);
        self.call(TypeCall::Free(id));
    }

    /// Constructs the type that [`Operator::Compose`](crate::plan::Operator::Compose) combines.
    pub(super) fn make_pair(&self) {
        let id = self.make_type(None);
        self.call(TypeCall::Commit(id));
    }

    /// Constructs the datatype of a part before its first use.
    pub(super) fn need_type(&self, part: Part) {
        if !self.typed.borrow_mut().insert(part) {
            return;
        }
        let layout = match part {
            Part::Sent(id) => &self.plan.messages[id].sent_from,
            Part::Received(id) => &self.plan.messages[id].received_into,
            Part::Taken(_) => unreachable!("collectives have basic types"),
        };
        self.construct(layout, Some(part));
    }

    /// Constructs the datatype of a layout, and returns its number unless it is a basic type.
    fn construct(&self, layout: &Layout, part: Option<Part>) -> Option<u32> {
        let unit = (!layout.is_basic()).then(|| {
            let fields = self.make_type(None);
            let unit = self.make_type(part);
            self.free_type(fields);
            unit
        });
        let made = if layout.shape == Shape::One {
            unit
        } else {
            let made = self.make_type(part);
            if let Some(unit) = unit {
                self.free_type(unit);
            }
            Some(made)
        };
        if let Some(made) = made {
            self.call(TypeCall::Commit(made));
        }
        made
    }

    /// Constructs the datatypes of layouts, makes a call with them and frees them.
    pub(super) fn with_types<T>(&self, layouts: &[&Layout], call: impl FnOnce() -> T) -> T {
        let made: Vec<u32> =
            layouts.iter().filter_map(|layout| self.construct(layout, None)).collect();
        let result = call();
        made.into_iter().for_each(|id| self.free_type(id));
        result
    }

    /// Frees the datatype of a part as soon as the plan allows it, in some cases.
    pub(super) fn forget_type(&self, part: Part, style: Style) {
        let known = self.types.borrow().iter().find(|(of, _)| *of == Some(part)).copied();
        if let Some((_, id)) = known
            && self.plan.forgets_type(part, style)
        {
            self.free_type(id);
        }
    }
}

/// Returns the datatype of one element.
fn element(layout: &Layout) -> Datatype {
    let types: Vec<Datatype> =
        layout.fields.iter().map(|(primitive, _)| Datatype::predefined(*primitive)).collect();
    let places: Vec<i64> = layout.fields.iter().map(|(_, at)| *at).collect();
    let unit = if layout.is_basic() {
        types[0].clone()
    } else {
        let lengths = vec![1; types.len()];
        Datatype::structure(&lengths, &places, &types)
            .and_then(|unit| unit.resized(0, layout.extent))
            .expect("a struct")
    };
    let split = |list: &[(u64, i64)]| -> (Vec<i64>, Vec<i64>) {
        list.iter().map(|(length, at)| (*length as i64, *at)).unzip()
    };
    let signed = |pair: [u64; 2]| pair.map(|value| value as i64);
    let made = match &layout.shape {
        Shape::One => Ok(unit),
        Shape::Row(units) => Datatype::contiguous(*units as i64, &unit),
        Shape::Vector { count, length, stride } => {
            Datatype::vector(*count as i64, *length as i64, *stride, &unit)
        }
        Shape::Hvector { count, length, stride } => {
            Datatype::hvector(*count as i64, *length as i64, *stride, &unit)
        }
        Shape::Indexed(list) => {
            let (lengths, places) = split(list);
            Datatype::indexed(&lengths, &places, &unit)
        }
        Shape::Hindexed(list) => {
            let (lengths, places) = split(list);
            Datatype::hindexed(&lengths, &places, &unit)
        }
        Shape::Block(length, places) => Datatype::indexed_block(*length as i64, places, &unit),
        Shape::Box { sizes, subsizes, starts, fortran } => {
            let order = if *fortran { Order::Fortran } else { Order::C };
            Datatype::subarray(&signed(*sizes), &signed(*subsizes), &signed(*starts), order, &unit)
        }
    };
    made.expect("a datatype")
}

/// Returns the data in memory, packed, with their type signature and the cost of packing.
pub(super) fn pack(layout: &Layout, memory: &[u8]) -> (Vec<u8>, Signature, Cost) {
    let (datatype, count) = (element(layout), layout.elements);
    let mut data = Vec::new();
    datatype
        .pack_slice(memory, layout.memory().0, count as usize, &mut data)
        .expect("inside the memory");
    (data, datatype.signature_of(count), cost(&datatype))
}

/// Returns the size of a receive buffer in bytes, with its type signature and the cost of
/// unpacking.
pub(super) fn room(layout: &Layout) -> (u64, Signature, Cost) {
    let datatype = element(layout);
    let bytes = datatype.size() * layout.elements;
    (bytes, datatype.signature_of(layout.elements), cost(&datatype))
}

/// Returns the bytes of a layout in the order of its data, joined where they touch.
pub(super) fn runs(layout: &Layout) -> Runs {
    let mut runs: Vec<(i64, u64)> = Vec::new();
    for (at, size) in layout.map() {
        match runs.last_mut() {
            Some((first, bytes)) if *first + *bytes as i64 == at => *bytes += size as u64,
            _ => runs.push((at, size as u64)),
        }
    }
    match runs[..] {
        [] => Runs::One(0, 0),
        [(at, bytes)] => Runs::One(at, bytes),
        _ => Runs::Many(runs.into()),
    }
}

/// Unpacks data into memory.
pub(super) fn unpack(layout: &Layout, data: &[u8], memory: &mut [u8]) {
    let used = element(layout)
        .unpack_slice(data, memory, layout.memory().0, layout.elements as usize)
        .expect("inside the memory");
    assert_eq!(used, data.len());
}

fn cost(datatype: &Datatype) -> Cost {
    if datatype.is_contiguous() { Cost::Dense } else { Cost::Strided }
}
