//! The partitions of a partitioned operation, and who owns each of them.

use std::{cell::RefCell, ffi::c_int};

use mpi_api::{call::Site, finding::CallPlace};

use super::{
    guard::{self, Memory},
    transfer::Part,
};
use crate::{
    constant::class,
    state::{Mpi, Partitions, State, argument},
};

impl Partitions {
    /// Creates `number` partitions of `count` elements each.
    pub(super) fn new(whole: Part, (number, count): (u64, i64), sends: bool) -> Self {
        let done = RefCell::new(vec![false; number as usize]);
        let owned = RefCell::new((0..number).map(|_| None).collect());
        Self { whole, count, sends, done, owned }
    }

    /// Reports whether the partitions are received.
    pub(crate) fn receives(&self) -> bool {
        !self.sends
    }

    /// Reports whether a partition was declared ready, or returned to the program.
    pub(super) fn is_done(&self, index: usize) -> bool {
        self.done.borrow()[index]
    }

    /// Records that a partition was declared ready, or returned to the program. Returns whether it
    /// was before.
    pub(super) fn set_done(&self, index: usize) -> bool {
        std::mem::replace(&mut self.done.borrow_mut()[index], true)
    }

    /// Returns a partition's part of the buffer.
    pub(super) fn part(&self, number: usize) -> Part {
        self.whole.at(number as i64 * self.count).with_count(self.count)
    }

    fn memory<'a>(&self, part: &'a Part) -> Memory<'a> {
        if self.sends { Memory::read(part) } else { Memory::written(part) }
    }

    /// Compares the whole buffer with the object of the program that holds it.
    pub(super) fn compare(&self, state: &State, by: CallPlace) -> Mpi {
        guard::compare(state, by, self.memory(&self.whole))
    }

    /// Starts a new round: the partitions of a receive belong to the operation until they arrive.
    pub(super) fn restart(&self, state: &State, site: Site) -> Mpi {
        let count = self.done.borrow().len();
        self.done.borrow_mut().fill(false);
        let receives = if self.sends { 0 } else { count };
        (0..receives).try_for_each(|index| {
            self.own(state, CallPlace { call: "MPI_Precv_init", site }, index)
        })
    }

    /// Claims a partition for the operation.
    pub(super) fn own(&self, state: &State, by: CallPlace, index: usize) -> Mpi {
        let part = self.part(index);
        let owned = guard::begin_again(state, by, self.memory(&part))?;
        self.owned.borrow_mut()[index] = Some(owned);
        Ok(())
    }

    /// Returns a partition to the program.
    pub(super) fn give_back_one(&self, state: &State, site: Site, index: usize) -> Mpi {
        let owned = self.owned.borrow_mut()[index].take();
        let Some(owned) = owned else { return Ok(()) };
        let part = self.part(index);
        let changed = guard::end(state, &owned, self.memory(&part));
        if changed { guard::changed(state, site, &owned) } else { Ok(()) }
    }

    /// Returns all partitions to the program, and reports changes of owned data.
    pub(super) fn give_back(&self, state: &State, site: Site) -> Mpi {
        let count = self.done.borrow().len();
        (0..count).try_for_each(|index| self.give_back_one(state, site, index))
    }

    /// Like [`Partitions::give_back`], without checking for changes.
    pub(super) fn release(&self, state: &State) {
        for (index, place) in self.owned.borrow_mut().iter_mut().enumerate() {
            if let Some(owned) = place.take() {
                owned.release(state, self.memory(&self.part(index)));
            }
        }
    }

    /// Writes received data to their places, except partitions that the program already has.
    pub(super) fn unpack(&self, bytes: &[u8]) {
        let each = self.part(0).bytes() as usize;
        if self.sends || each == 0 {
            return;
        }
        let mut done = self.done.borrow_mut();
        let missing = bytes.chunks(each).enumerate().filter(|(number, _)| !done[*number]);
        missing.for_each(|(number, data)| self.part(number).unpack(data));
        done.fill(true);
    }

    /// Returns the index of a partition that the program names.
    pub(super) fn index(&self, partition: c_int) -> Mpi<usize> {
        let count = self.done.borrow().len();
        let index = argument::below(count as u32, class::ARG, "partition", partition)?;
        Ok(index as usize)
    }
}
