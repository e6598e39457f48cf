//! Random data layouts of a message with a given number of units.

use mpi_api::object::signature::Primitive;

use super::{Builder, Feature};
use crate::layout::{Layout, Shape};

const TYPES: [Primitive; 6] = [
    Primitive::UInt8,
    Primitive::Int16,
    Primitive::Int32,
    Primitive::Float64,
    Primitive::Int64,
    Primitive::Byte,
];

impl Builder {
    /// Returns the basic types of a unit.
    pub(super) fn types(&mut self) -> Vec<Primitive> {
        let count = if self.on(Feature::Derived) { self.range(1, 4) } else { 1 };
        (0..count).map(|_| self.pick(&TYPES)).collect()
    }

    /// Returns a number of units: usually small, rarely 0, sometimes beyond every eager limit.
    pub(super) fn units(&mut self) -> u64 {
        match self.below(20) {
            0 => 0,
            1 => self.range(100, 400),
            2..6 => self.range(5, 40),
            _ => self.range(1, 6),
        }
    }

    /// Returns a layout of `units` units; a sender's layout may contain a unit twice.
    pub(super) fn layout(&mut self, types: &[Primitive], units: u64, sends: bool) -> Layout {
        let derived = self.on(Feature::Derived) && !self.one_in(4);
        let mut at = 0;
        let mut fields = Vec::new();
        for primitive in types {
            at += if derived { self.below(3) as i64 * 4 } else { 0 };
            fields.push((*primitive, at));
            at += primitive.size() as i64;
        }
        let extent = at + if derived { self.below(3) as i64 * 4 } else { 0 };
        let divisors: Vec<u64> = (1..=units).filter(|n| units.is_multiple_of(*n)).collect();
        if !derived || units == 0 {
            return Layout { fields, extent, shape: Shape::One, elements: units };
        }
        let per = self.pick(&divisors);
        let shape = self.shape(per, extent, sends);
        Layout { fields, extent, shape, elements: units / per }
    }

    fn shape(&mut self, units: u64, extent: i64, sends: bool) -> Shape {
        let divisors: Vec<u64> = (1..=units).filter(|n| units.is_multiple_of(*n)).collect();
        let length = self.pick(&divisors);
        let count = units / length;
        match self.below(8) {
            0 if units == 1 => Shape::One,
            1 => Shape::Vector { count, length, stride: self.stride(length, sends) },
            2 => {
                let stride = self.stride(length, sends) * extent;
                let more = self.below(3) as i64 * 4 * stride.signum();
                Shape::Hvector { count, length, stride: stride + more }
            }
            3 => Shape::Indexed(self.list(units, 1)),
            4 => Shape::Hindexed(self.list(units, extent)),
            5 => {
                let mut places: Vec<i64> = Vec::new();
                let mut at = -(self.below(4) as i64);
                for _ in 0..count {
                    places.push(at);
                    at += length as i64 + self.below(3) as i64;
                }
                self.shuffle(&mut places);
                Shape::Block(length, places)
            }
            6 => {
                let subsizes = [count, length];
                let starts = [self.below(3), self.below(3)];
                let sizes = [0, 1].map(|at| subsizes[at] + starts[at] + at as u64);
                Shape::Box { sizes, subsizes, starts, fortran: self.one_in(2) }
            }
            _ => Shape::Row(units),
        }
    }

    /// Returns the distance between blocks in units: sometimes negative and, for senders, sometimes
    /// so small that blocks overlap.
    fn stride(&mut self, length: u64, sends: bool) -> i64 {
        let length = length as i64;
        match self.below(4) {
            0 => -(length + self.below(3) as i64),
            1 if sends => self.below(length as u64) as i64,
            _ => length + self.below(3) as i64,
        }
    }

    /// Returns blocks that do not overlap, in random order, with displacements in multiples of
    /// `unit`.
    fn list(&mut self, units: u64, unit: i64) -> Vec<(u64, i64)> {
        let (mut left, mut at) = (units, self.below(3) as i64 - 1);
        let mut list = Vec::new();
        while left > 0 {
            let length = self.range(1, left + 1);
            list.push((length, at * unit));
            at += length as i64 + self.below(3) as i64;
            left -= length;
        }
        if self.one_in(4) {
            list.push((0, at * unit));
        }
        self.shuffle(&mut list);
        list
    }
}
