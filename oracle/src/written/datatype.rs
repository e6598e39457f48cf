//! Layouts as statements that construct datatypes.

use mpi_api::object::signature::Primitive;

use super::{
    routine::Writer,
    statement::{Arg, Array, Kind},
};
use crate::layout::{Layout, Shape};

/// Returns the name of a basic type.
pub(super) fn name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::UInt8 => "MPI_UINT8_T",
        Primitive::Int16 => "MPI_INT16_T",
        Primitive::Int32 => "MPI_INT32_T",
        Primitive::Float32 => "MPI_FLOAT",
        Primitive::Float64 => "MPI_DOUBLE",
        Primitive::Int64 => "MPI_INT64_T",
        Primitive::Byte => "MPI_BYTE",
        other => unreachable!("no plan has data of type {other:?}"),
    }
}

impl Writer<'_> {
    /// Adds the construction of the datatype of one element.
    pub(super) fn element(&mut self, layout: &Layout, key: u64) -> Arg {
        let (unit, own) = self.unit(layout);
        if layout.shape == Shape::One {
            return own.map_or(unit, |at| self.commit(at));
        }
        let made = self.new_type();
        let place = Arg::Place(Array::Types, made);
        let (constructor, mut args) = self.shape(&layout.shape);
        args.extend([unit, place]);
        // The large count functions take other lists of counts than these.
        let lists = args.iter().any(|arg| matches!(arg, Arg::List(_)));
        let suffix = if !lists && self.wide(&[3, key]) { "_c" } else { "" };
        self.call(&format!("{constructor}{suffix}"), args);
        if let Some(unit) = own {
            self.free_type(unit);
        }
        self.commit(made)
    }

    fn commit(&mut self, at: usize) -> Arg {
        self.call("Type_commit", vec![Arg::Place(Array::Types, at)]);
        Arg::Entry(Array::Types, at)
    }

    /// Returns the datatype of a unit, and its entry unless it is a basic type.
    fn unit(&mut self, layout: &Layout) -> (Arg, Option<usize>) {
        if layout.is_basic() {
            return (Arg::Word(name(layout.fields[0].0)), None);
        }
        let count = layout.fields.len();
        let lengths = self.list(Kind::Int, vec![1; count]);
        let places = self.list(Kind::Address, layout.fields.iter().map(|(_, at)| *at));
        let types = layout.fields.iter().map(|(primitive, _)| name(*primitive)).collect();
        let types = self.list_of_types(types);
        let (fields, unit) = (self.new_type(), self.new_type());
        let fields_place = Arg::Place(Array::Types, fields);
        let args = vec![Arg::Int(count as i64), lengths, places, types, fields_place];
        self.call("Type_create_struct", args);
        let extent = Arg::Int(layout.extent);
        let (from, to) = (Arg::Entry(Array::Types, fields), Arg::Place(Array::Types, unit));
        self.call("Type_create_resized", vec![from, Arg::Int(0), extent, to]);
        self.free_type(fields);
        (Arg::Entry(Array::Types, unit), Some(unit))
    }

    /// Returns the type constructor, and its arguments before the old type.
    fn shape(&mut self, shape: &Shape) -> (&'static str, Vec<Arg>) {
        let count = |count: u64| Arg::Int(count as i64);
        match shape {
            Shape::One => unreachable!("a single unit needs no constructor"),
            Shape::Row(units) => ("Type_contiguous", vec![count(*units)]),
            Shape::Vector { count: blocks, length, stride } => {
                ("Type_vector", vec![count(*blocks), count(*length), Arg::Int(*stride)])
            }
            Shape::Hvector { count: blocks, length, stride } => {
                ("Type_create_hvector", vec![count(*blocks), count(*length), Arg::Int(*stride)])
            }
            Shape::Indexed(list) | Shape::Hindexed(list) => {
                let lengths = self.list(Kind::Int, list.iter().map(|(length, _)| *length as i64));
                let bytes = matches!(shape, Shape::Hindexed(_));
                let kind = if bytes { Kind::Address } else { Kind::Int };
                let places = self.list(kind, list.iter().map(|(_, at)| *at));
                let name = if bytes { "Type_create_hindexed" } else { "Type_indexed" };
                (name, vec![Arg::Int(list.len() as i64), lengths, places])
            }
            Shape::Block(length, places) => {
                let list = self.list(Kind::Int, places.iter().copied());
                let number = Arg::Int(places.len() as i64);
                ("Type_create_indexed_block", vec![number, count(*length), list])
            }
            Shape::Box { sizes, subsizes, starts, fortran } => {
                let mut args = vec![Arg::Int(2)];
                for list in [sizes, subsizes, starts] {
                    let list = self.list(Kind::Int, list.iter().map(|value| *value as i64));
                    args.push(list);
                }
                let order = if *fortran { "MPI_ORDER_FORTRAN" } else { "MPI_ORDER_C" };
                args.push(Arg::Word(order));
                ("Type_create_subarray", args)
            }
        }
    }
}
