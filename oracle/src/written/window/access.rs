//! Accesses as statements.

use super::{
    super::{
        datatype,
        routine::Writer,
        statement::{Arg, Array},
    },
    in_name, out_name, this,
};
use crate::{
    layout::Layout,
    plan::window::{Access, Flavor, Kind, Update, Window},
};

fn operation(update: Update) -> Arg {
    Arg::Word(match update {
        Update::Sum => "MPI_SUM",
        Update::Max => "MPI_MAX",
        Update::Xor => "MPI_BXOR",
        Update::Replace => "MPI_REPLACE",
        Update::NoOp => "MPI_NO_OP",
    })
}

/// The buffers of the origin: that with the data and that for the result.
struct Buffers {
    from: Arg,
    into: Arg,
}

impl Writer<'_> {
    pub(super) fn access(&mut self, window: &Window, id: usize) {
        let access = &window.accesses[id];
        let key = window.key * 1000 + id as u64;
        let buffers = Buffers {
            from: self.side(&out_name(window, id), &access.from, [key, 0, 11]),
            into: self.side(&in_name(window, id), &access.into, [key, 0, 12]),
        };
        let at = (access.at / window.unit) as i64;
        let place = match window.flavor {
            Flavor::Dynamic => Arg::Beyond(self.bases.clone(), access.target as usize, at),
            Flavor::Create | Flavor::Allocate | Flavor::Shared => Arg::Int(at),
        };
        let place = [Arg::Int(access.target.into()), place];
        let before = self.types.len();
        let mut args = if access.kind.is_single() {
            self.single(window, id, buffers, place)
        } else {
            self.several(access, key, buffers, place)
        };
        args.push(this());
        let name = match access.kind {
            Kind::Put => "Put",
            Kind::Get => "Get",
            Kind::Accumulate(_) => "Accumulate",
            Kind::GetAccumulate(_) => "Get_accumulate",
            Kind::FetchAndOp(_) => "Fetch_and_op",
            Kind::CompareAndSwap(_) => "Compare_and_swap",
        };
        if access.request {
            let at = self.new_requests(1);
            self.one_sided.insert(id, at);
            args.push(Arg::Place(Array::Requests, at));
            let name = format!("R{}{}", name[..1].to_lowercase(), &name[1..]);
            self.counted(&name, args, &[21, key]);
        } else if access.kind.is_single() {
            self.call(name, args);
        } else {
            self.counted(name, args, &[21, key]);
        }
        let made = self.types[before..].to_vec();
        made.into_iter().for_each(|at| self.free_type(at));
    }

    /// Returns the arguments of a function with counts and datatypes, but for the window.
    fn several(
        &mut self,
        access: &Access,
        key: u64,
        Buffers { from, into }: Buffers,
        place: [Arg; 2],
    ) -> Vec<Arg> {
        let mut types: Vec<Arg> = Vec::new();
        for (at, layout) in (7000 + 3 * key..).zip(access.typed()) {
            types.push(self.element(layout, at));
        }
        let sides = match access.kind {
            Kind::Get => vec![(into, &access.into)],
            Kind::GetAccumulate(_) => vec![(from, &access.from), (into, &access.into)],
            _ => vec![(from, &access.from)],
        };
        let count = |layout: &Layout| Arg::Int(layout.elements as i64);
        let mut args = Vec::new();
        for ((buffer, layout), datatype) in sides.into_iter().zip(&types) {
            args.extend([buffer, count(layout), datatype.clone()]);
        }
        args.extend(place);
        args.push(count(&access.there));
        args.extend(types.pop());
        args.extend(access.kind.update().map(operation));
        args
    }

    /// Returns the arguments of a function for one element, but for the window.
    fn single(
        &mut self,
        window: &Window,
        id: usize,
        Buffers { from, into }: Buffers,
        place: [Arg; 2],
    ) -> Vec<Arg> {
        let access = &window.accesses[id];
        let datatype = Arg::Word(datatype::name(access.primitive));
        let mut args = vec![from];
        if let Kind::CompareAndSwap(wanted) = access.kind {
            let compared = self.buffer(&format!("compared{}_{id}", window.key), 8);
            let size = Arg::Int(access.primitive.size() as i64);
            self.helper("word", vec![compared.clone(), size, Arg::Hash(wanted)]);
            args.push(compared);
        }
        args.extend([into, datatype]);
        args.extend(place);
        args.extend(access.kind.update().map(operation));
        args
    }

    /// Adds a buffer of the origin with its first contents, and returns the address of displacement 0.
    fn side(&mut self, name: &str, layout: &Layout, key: [u64; 3]) -> Arg {
        let (origin, length) = layout.memory();
        let place = self.origin(name, origin, length);
        self.fill_memory(name, origin, length, key);
        place
    }
}
