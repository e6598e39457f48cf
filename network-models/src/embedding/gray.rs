//! Walks over the places of a grid: Gray codes of mixed radix, open and closed.

/// One dimension of the grid that a walk visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Number of places along the dimension.
    pub(super) size: u32,
    /// Whether the two ends are adjacent.
    pub(super) ring: bool,
}

/// Returns a walk over all places of the product (row-major), in which consecutive places are
/// adjacent: the reflected Gray code.
pub(super) fn path(columns: &[Column]) -> Vec<u32> {
    columns.iter().fold(vec![0], |slow, column| {
        let size = column.size;
        let along = |(turn, base): (usize, u32)| {
            (0..size).map(move |at| base * size + if turn % 2 == 0 { at } else { size - 1 - at })
        };
        slow.into_iter().enumerate().flat_map(along).collect()
    })
}

/// Returns a closed walk over all places of the product, in which consecutive places, and the last
/// and the first, are adjacent. If there is no such walk, one step has length two; on an open line,
/// every step has length at most two.
pub(super) fn cycle(columns: &[Column]) -> Vec<u32> {
    let turning = |column: &Column| column.size.is_multiple_of(2);
    let found = columns.iter().position(turning);
    let found = found.or_else(|| columns.iter().position(|column| column.ring));
    let Some(at) = found.or((!columns.is_empty()).then_some(0)) else { return vec![0] };
    let (column, mut rest) = (columns[at], columns.to_vec());
    rest.remove(at);
    if rest.is_empty() {
        return if column.ring { (0..column.size).collect() } else { fold(column.size) };
    }
    let across = path(&rest);
    let (rows, width) = (column.size, across.len() as u32);
    let comb = match () {
        () if turning(&column) => comb(rows, width),
        () if column.ring => return places(columns, at, &across, &around(width, rows)),
        () => with_odd_row(comb(rows - 1, width)),
    };
    places(columns, at, &across, &comb)
}

/// Returns a walk along an open line and back: each step, including the closing one, has length at
/// most two.
pub(super) fn fold(size: u32) -> Vec<u32> {
    (0..size).step_by(2).chain((0..size).skip(1).step_by(2).rev()).collect()
}

/// Returns the walk along the first row and back through the other rows, whose number is odd, as
/// (row, place in it).
fn comb(rows: u32, width: u32) -> Vec<(u32, u32)> {
    let along = (0..width).map(|at| (0, at));
    let back = (1..rows).flat_map(|row| {
        (1..width).map(move |at| (row, if row % 2 == 1 { width - at } else { at }))
    });
    along.chain(back).chain((1..rows).rev().map(|row| (row, 0))).collect()
}

/// Adds a row before the first one. Its places, whose number is odd, are inserted between those of
/// the first row: one of them diagonally, the others in pairs.
fn with_odd_row(comb: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let slipped = comb.into_iter().flat_map(|(row, at)| {
        let (own, above) = ((row + 1, at), (0, at));
        let first_row = row == 0;
        match at {
            0 if first_row => vec![own, above],
            _ if first_row && at % 2 == 1 => vec![own, above],
            _ if first_row => vec![above, own],
            _ => vec![own],
        }
    });
    slipped.collect()
}

/// Returns a closed walk on a ring of columns, odd in number and in height: down the first column,
/// back and forth over the others, and up the last one, which is adjacent to the first. Steps are
/// (column, row).
fn around(height: u32, columns: u32) -> Vec<(u32, u32)> {
    let down = (0..height).map(|row| (0, row));
    let up = (0..height).flat_map(|turn| {
        (1..columns)
            .map(move |at| (if turn % 2 == 0 { at } else { columns - at }, height - 1 - turn))
    });
    down.chain(up).collect()
}

/// Converts (place in column `at`, place on the walk across the others) to places of the product.
fn places(columns: &[Column], at: usize, across: &[u32], walk: &[(u32, u32)]) -> Vec<u32> {
    let below: u32 = columns[at + 1..].iter().map(|column| column.size).product();
    let size = columns[at].size;
    let place = |(along, other): &(u32, u32)| {
        let other = across[*other as usize];
        (other / below * size + along) * below + other % below
    };
    walk.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(sizes: &[(u32, bool)]) -> Vec<Column> {
        sizes.iter().map(|(size, ring)| Column { size: *size, ring: *ring }).collect()
    }

    fn apart(columns: &[Column], mut a: u32, mut b: u32) -> u32 {
        let mut hops = 0;
        for Column { size, ring } in columns.iter().rev() {
            let along = (a % size).abs_diff(b % size);
            hops += if *ring { along.min(size - along) } else { along };
            (a, b) = (a / size, b / size);
        }
        hops
    }

    /// Returns the lengths of the steps, the closing one last; the walk visits every place.
    fn steps(columns: &[Column], walk: &[u32]) -> Vec<u32> {
        let mut visited = walk.to_vec();
        visited.sort_unstable();
        let count: u32 = columns.iter().map(|column| column.size).product();
        assert_eq!(visited, (0..count).collect::<Vec<_>>(), "{columns:?}");
        let next = |at: usize| walk[(at + 1) % walk.len()];
        walk.iter().enumerate().map(|(at, place)| apart(columns, *place, next(at))).collect()
    }

    #[test]
    fn two_by_two_is_the_binary_gray_code() {
        let code = path(&columns(&[(2, false); 4]));
        assert_eq!(code, (0..16).map(|at| at ^ at >> 1).collect::<Vec<u32>>());
    }

    #[test]
    fn paths_go_from_neighbour_to_neighbour() {
        for sizes in
            [&[(7, false)][..], &[(3, false), (5, true)], &[(4, true), (3, false), (2, false)]]
        {
            let columns = columns(sizes);
            let steps = steps(&columns, &path(&columns));
            assert!(steps[..steps.len() - 1].iter().all(|step| *step == 1), "{sizes:?}");
        }
    }

    #[test]
    fn cycles_close() {
        for sizes in [
            &[(5, true)][..],
            &[(2, false)],
            &[(2, false), (2, false), (2, false)],
            &[(4, false), (7, false)],
            &[(3, false), (6, false)],
            &[(3, false), (5, false), (2, false)],
            &[(3, true), (5, true)],
            &[(3, false), (5, true)],
            &[(5, true), (3, false), (3, false)],
            &[(3, true), (3, true), (5, true)],
        ] {
            let columns = columns(sizes);
            let steps = steps(&columns, &cycle(&columns));
            assert!(steps.iter().all(|step| *step == 1), "{sizes:?}: {steps:?}");
        }
    }

    #[test]
    fn an_odd_mesh_has_no_cycle_but_for_one_step_of_two() {
        for sizes in [&[(3, false), (3, false)][..], &[(5, false), (7, false)], &[(3, false); 3]] {
            let columns = columns(sizes);
            let steps = steps(&columns, &cycle(&columns));
            assert_eq!(steps.iter().sum::<u32>(), steps.len() as u32 + 1, "{sizes:?}: {steps:?}");
        }
    }

    #[test]
    fn a_line_is_folded() {
        assert_eq!(fold(7), [0, 2, 4, 6, 5, 3, 1]);
        assert_eq!(fold(6), [0, 2, 4, 5, 3, 1]);
        assert_eq!(cycle(&columns(&[(4, false)])), fold(4));
    }
}
