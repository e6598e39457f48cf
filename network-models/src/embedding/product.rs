//! Mapping of grids to boxes of regular networks: every dimension of the grid gets whole dimensions
//! of the network or factors of them, and follows them by a Gray code.

use super::{
    Method,
    frame::Frame,
    gray::{Column, cycle, fold, path},
    measure::Machine,
    pattern::Pattern,
};

/// Most divisions of dimensions into factors that are tried.
const CUTS_MAX: usize = 64;
/// Most distances that are computed in total.
const WORK_MAX: usize = 1 << 23;

/// Number of mappings that are returned.
const KEPT: usize = 4;

/// A mapping: the slot of each place, and the method.
pub(super) type Found = (Vec<u32>, Method);

/// Returns the best of these mappings, those with the fewest hops first.
pub(super) fn best(pattern: &Pattern, machine: &Machine) -> Vec<Found> {
    let (Some(grid), Some(frame)) = (&pattern.grid, Frame::of(machine)) else { return Vec::new() };
    let floor = machine.floor(pattern);
    let mut work = 0;
    let mut best: Vec<((u64, u32), Found)> = Vec::new();
    'all: for cut in cuts(grid, &frame) {
        for turn in Turn::all(cut.is_whole(&frame)) {
            if work > WORK_MAX {
                break 'all;
            }
            let slots = place(grid, &frame, &cut, turn);
            let cost = machine.hops(&pattern.edges, &slots);
            work += pattern.edges.count();
            if best.iter().all(|(known, _)| *known != cost) {
                let at = best.partition_point(|(known, _)| *known < cost);
                best.insert(at, (cost, (slots, method(grid, &frame, &cut))));
                best.truncate(KEPT);
            }
            if cost == (floor, 1) {
                break 'all;
            }
        }
    }
    best.into_iter().map(|(_, found)| found).collect()
}

/// The factor of each dimension of the grid (first index) in each column of the box; the last
/// column is the slots of a node.
struct Cut(Vec<Vec<u32>>);

impl Cut {
    /// Returns whether every column of the network belongs to a single dimension.
    fn is_whole(&self, frame: &Frame) -> bool {
        let whole = |(at, column): (usize, &Column)| {
            self.0.iter().all(|factors| factors[at] == 1 || factors[at] == column.size)
        };
        frame.columns.iter().enumerate().all(whole)
    }
}

fn method(grid: &[(u32, bool)], frame: &Frame, cut: &Cut) -> Method {
    let folded = |(factors, (_, closed)): (&Vec<u32>, &(u32, bool))| {
        let mut taken = factors.iter().zip(&frame.columns).filter(|(factor, _)| **factor > 1);
        let alone = taken.next().filter(|_| taken.next().is_none());
        *closed && alone.is_some_and(|(_, column)| column.size > 2 && !column.ring)
    };
    match () {
        () if frame.inner > 1 || frame.tree => Method::Blocks,
        () if !cut.is_whole(frame) || cut.0.iter().zip(grid).any(folded) => Method::Folding,
        () => Method::GrayCode,
    }
}

/// Returns all ways to write the columns as products of one factor for each dimension.
fn cuts(grid: &[(u32, bool)], frame: &Frame) -> Vec<Cut> {
    let mut columns: Vec<u32> = frame.columns.iter().map(|column| column.size).collect();
    columns.push(frame.inner);
    let rest = grid.iter().map(|(size, _)| *size).collect();
    let mut search = Search { columns, found: Vec::new(), visited: 0 };
    search.column(rest, Vec::new());
    let turned = |factors: Vec<Vec<u32>>| {
        let row = |at: usize| factors.iter().map(|column| column[at]).collect();
        Cut((0..grid.len()).map(row).collect())
    };
    search.found.into_iter().map(turned).collect()
}

struct Search {
    columns: Vec<u32>,
    found: Vec<Vec<Vec<u32>>>,
    visited: usize,
}

impl Search {
    /// Divides the next column into factors that divide the remaining sizes of the dimensions.
    fn column(&mut self, rest: Vec<u32>, chosen: Vec<Vec<u32>>) {
        self.visited += 1;
        if self.found.len() == CUTS_MAX || self.visited > 64 * CUTS_MAX {
            return;
        }
        let Some(size) = self.columns.get(chosen.len()).copied() else {
            if rest.iter().all(|size| *size == 1) {
                self.found.push(chosen);
            }
            return;
        };
        let network = chosen.len() + 1 < self.columns.len();
        for factors in factorings(size, &rest) {
            // Equal columns of the network are interchangeable: one order of them is enough.
            let before = chosen.last().filter(|_| network);
            if before
                .is_some_and(|before| self.columns[chosen.len() - 1] == size && *before < factors)
            {
                continue;
            }
            let left = rest.iter().zip(&factors).map(|(size, factor)| size / factor).collect();
            let with = chosen.iter().cloned().chain([factors]).collect();
            self.column(left, with);
        }
    }
}

/// Returns all ways to write `size` as a product of divisors of `rest`, one of each; those in which
/// one divisor is the whole of `size` come first.
fn factorings(size: u32, rest: &[u32]) -> Vec<Vec<u32>> {
    let Some((first, others)) = rest.split_first() else {
        return if size == 1 { vec![Vec::new()] } else { Vec::new() };
    };
    let divides = |factor: &u32| size.is_multiple_of(*factor) && first.is_multiple_of(*factor);
    let mut all = Vec::new();
    for factor in (1..=size.min(*first)).filter(divides) {
        let below = factorings(size / factor, others);
        all.extend(below.into_iter().map(|rest| [&[factor][..], &rest].concat()));
    }
    all.sort_by_key(|factors| factors.iter().filter(|factor| **factor > 1).count());
    all
}

/// The choices that the factors leave open.
#[derive(Clone, Copy)]
struct Turn {
    /// Whether the first column varies most slowly in a walk.
    slow_first: bool,
    /// Whether the last dimension's places are adjacent in a column.
    near_last: bool,
    closing: Closing,
}

/// The way a periodic dimension closes on columns that it shares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// By a closed walk.
    Cycle,
    /// By a walk there and back.
    Fold,
    /// By an open walk with a jump at the end.
    Jump,
}

impl Turn {
    fn all(whole: bool) -> Vec<Self> {
        let both = [true, false];
        let closings: &[Closing] = match whole {
            true => &[Closing::Cycle],
            false => &[Closing::Cycle, Closing::Fold, Closing::Jump],
        };
        let mut all = Vec::new();
        for slow_first in both {
            for near_last in &both[..if whole { 1 } else { 2 }] {
                let turn = |closing: &Closing| Self {
                    slow_first,
                    near_last: *near_last,
                    closing: *closing,
                };
                all.extend(closings.iter().map(turn));
            }
        }
        all
    }
}

/// Returns the slot of each place of the grid.
fn place(grid: &[(u32, bool)], frame: &Frame, cut: &Cut, turn: Turn) -> Vec<u32> {
    let offsets: Vec<Vec<u32>> = (0..grid.len())
        .map(|at| walk(grid[at], &digits(frame, cut, at, turn), turn.closing))
        .collect();
    let numbers = offsets.iter().fold(vec![0], |slow, offsets| {
        let along = |base: &u32| offsets.iter().map(|offset| base + offset).collect::<Vec<u32>>();
        slow.iter().flat_map(along).collect()
    });
    numbers.into_iter().map(|number| frame.slots[number as usize]).collect()
}

/// A factor of a column that belongs to one dimension of the grid.
struct Digit {
    column: Column,
    /// Distance, in slot numbers of the box, of neighbouring values.
    stride: u32,
    /// Whether the factor is the whole column.
    whole: bool,
}

/// Returns the digits of a dimension over the columns of the network, slow to fast, and the one
/// within nodes.
fn digits(frame: &Frame, cut: &Cut, at: usize, turn: Turn) -> (Vec<Digit>, Digit) {
    let mut value = 1;
    let mut columns: Vec<(Column, u32)> = Vec::new();
    let inner = Column { size: frame.inner, ring: false };
    for column in frame.columns.iter().chain([&inner]).rev() {
        columns.push((*column, value));
        value *= column.size;
    }
    columns.reverse();
    let digit = |(number, (column, value)): (usize, &(Column, u32))| {
        let factors = cut.0.iter().enumerate();
        let nearer = factors.filter(|(other, _)| (*other > at) == turn.near_last && *other != at);
        let stride: u32 = nearer.map(|(_, factors)| factors[number]).product();
        let size = cut.0[at][number];
        let whole = size == column.size;
        let column = Column { size, ring: column.ring && whole };
        Digit { column, stride: stride * value, whole }
    };
    let mut digits: Vec<Digit> = columns.iter().enumerate().map(digit).collect();
    let within = digits.pop().expect("the column of the slots");
    digits.retain(|digit| digit.column.size > 1);
    if !turn.slow_first {
        digits.reverse();
    }
    (digits, within)
}

/// Returns what each coordinate of a dimension adds to the slot number in the box.
fn walk((size, closed): (u32, bool), digits: &(Vec<Digit>, Digit), closing: Closing) -> Vec<u32> {
    let (digits, within) = digits;
    let columns: Vec<Column> = digits.iter().map(|digit| digit.column).collect();
    let nodes = size / within.column.size;
    let alone = digits.len() == 1 && !digits[0].whole;
    let steps = match closing {
        Closing::Cycle if closed && !alone => cycle(&columns),
        Closing::Fold if closed => {
            let path = path(&columns);
            fold(nodes).into_iter().map(|at| path[at as usize]).collect()
        }
        _ => path(&columns),
    };
    let offset = |mut number: u32| {
        let mut offset = 0;
        for digit in digits.iter().rev() {
            offset += number % digit.column.size * digit.stride;
            number /= digit.column.size;
        }
        offset
    };
    let blocks = steps.into_iter().map(offset);
    let inside = |base: u32| (0..within.column.size).map(move |at| base + at * within.stride);
    blocks.flat_map(inside).collect()
}
