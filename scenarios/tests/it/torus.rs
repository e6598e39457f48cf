//! A torus is never slower than the mesh inside it, for any of the built-in programs.

use mpi_api::outcome::Ending;
use scenarios::{
    program,
    scenario::{Request, Scenario},
};

/// Returns the time of a program under `link`; `None` if it does not run on this many ranks or does not
/// end.
fn time(name: &str, ranks: u32, topology: &str) -> Option<u64> {
    let request = Request {
        topology: Some(topology.into()),
        network: Some("link".into()),
        ..Request::new(name, ranks)
    };
    let scenario: Scenario = request.resolve().ok()?;
    let result = scenario.run(None).expect("nothing is measured").result;
    (result.ending == Ending::Completed).then(|| result.makespan.as_ps())
}

#[test]
fn a_torus_is_never_slower_than_the_mesh_inside_it_for_any_program() {
    let mut compared = 0;
    for program in program::all() {
        for (ranks, mesh, torus) in [
            (16, "mesh:4x4", "torus:4x4"),
            (16, "linear:16", "ring:16"),
            (64, "mesh:8x8", "torus:8x8"),
            (64, "mesh:4x4x4", "torus:4x4x4"),
            (64, "linear:64", "ring:64"),
        ] {
            let Some(on_mesh) = time(program.name, ranks, mesh) else { continue };
            let on_torus = time(program.name, ranks, torus).expect("it ends on the mesh");
            assert!(on_torus <= on_mesh, "{} on {torus}: {on_torus}, {on_mesh}", program.name);
            compared += 1;
        }
    }
    assert!(compared >= 100, "{compared}");
}
