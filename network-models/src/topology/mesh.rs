//! `mesh` and `torus`: grids of any number of dimensions.

use super::{BadSizes, Plan, Sizes, TopologyDescription, TopologyKind, grid::Grid};

/// The topology `mesh`: a grid with open ends.
#[derive(Debug)]
pub(super) struct Mesh;

/// The topology `torus`: a grid with joined ends.
#[derive(Debug)]
pub(super) struct Torus;

impl TopologyKind for Mesh {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "mesh",
            syntax: "mesh[:AxBx..]",
            sizes: "AxBx..",
            summary: "grid of any number of dimensions, dimension-order routing",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        plan(sizes, needed, false)
    }
}

impl TopologyKind for Torus {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "torus",
            syntax: "torus[:AxBx..]",
            sizes: "AxBx..",
            summary: "grid of any number of dimensions whose ends are joined; 2 virtual channels",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        plan(sizes, needed, true)
    }
}

fn plan(sizes: Sizes, needed: u32, closed: bool) -> Result<Plan, BadSizes> {
    let mut dims = sizes.many()?;
    if dims.is_empty() {
        dims = square(needed);
    }
    let text: Vec<String> = dims.iter().map(u32::to_string).collect();
    let nodes = dims.iter().fold(1u64, |nodes, size| nodes.saturating_mul(u64::from(*size)));
    Ok(Plan::new(text.join("x"), nodes, move || Grid { dims, closed }))
}

/// Returns the most square two sizes with room for `needed`: an exact product if one is within a
/// factor of four of square.
fn square(needed: u32) -> Vec<u32> {
    let root = (1..).find(|side: &u32| u64::from(*side).pow(2) >= u64::from(needed)).unwrap_or(1);
    let fits = |rows: &u32| rows * rows <= needed && needed.is_multiple_of(*rows);
    let exact = (1..=root.min(65_535)).rev().find(fits);
    match exact {
        Some(rows) if needed / rows <= 4 * rows => vec![rows, needed / rows],
        _ => vec![needed.div_ceil(root), root],
    }
}

#[cfg(test)]
mod tests {
    use super::square;
    use crate::topology::testing::{along, around, check, different, verify};

    #[test]
    fn closed_forms() {
        // Of an odd number of places the layer in the middle is halved in the same way.
        let halves = |k: u64, n: u32| {
            if k.is_multiple_of(2) { k.pow(n - 1) } else { (k.pow(n) - 1) / (k - 1) }
        };
        for k in [3u32, 4, 5, 8] {
            let (nodes, side, cut) = (k * k, u64::from(k), halves(k.into(), 2));
            let mean = different(2.0 * along(k), nodes);
            check(&format!("mesh:{k}x{k}"), 2 * side * (side - 1), 4, 2 * (k - 1), mean, cut);
            let mean = different(2.0 * around(k), nodes);
            check(&format!("torus:{k}x{k}"), 2 * side * side, 4, 2 * (k / 2), mean, 2 * cut);
            let (nodes, mean) = (k * k * k, different(3.0 * around(k), k * k * k));
            let (name, bisection) = (format!("torus:{k}x{k}x{k}"), 2 * halves(side, 3));
            check(&name, 3 * u64::from(nodes), 6, 3 * (k / 2), mean, bisection);
        }
        for n in 3..=6u32 {
            let (nodes, mean) = (3u32.pow(n), different(f64::from(n) * around(3), 3u32.pow(n)));
            let (sizes, bisection) = (vec!["3"; n as usize].join("x"), 2 * halves(3, n));
            check(&format!("torus:{sizes}"), u64::from(n * nodes), 2 * n, n, mean, bisection);
            let mean = different(f64::from(n) * along(3), nodes);
            let links = u64::from(n * 2 * (nodes / 3));
            check(&format!("mesh:{sizes}"), links, 2 * n, 2 * n, mean, bisection / 2);
        }
        let mean = different(along(2) + along(3) + along(4), 24);
        check("mesh:2x3x4", 12 + 16 + 18, 5, 1 + 2 + 3, mean, 6);
    }

    #[test]
    fn routes() {
        verify(&["mesh:2x3x2x3", "mesh:2x2x3x2x2", "torus:3x4x2x3", "torus:2x3x2x3x2"]);
        verify(&["mesh:2x2x2x2x2x3", "torus:3x2x4x2x1x3"]);
        verify(&["mesh:3x4", "mesh:2x3x2", "torus:4x4", "torus:3x5", "torus:2x2", "torus:1x3"]);
    }

    #[test]
    fn sizes_left_out_are_nearly_square() {
        assert_eq!([square(1), square(12), square(64)], [[1, 1], [3, 4], [8, 8]]);
        assert_eq!(square(13), [4, 4], "13x1 is too long");
    }
}
