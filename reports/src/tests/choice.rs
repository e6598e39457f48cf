//! Tests of what helps to choose: the front, ranges, tables of two axes.

use super::*;
use crate::{
    analysis::{front, pivots, ranges},
    comparison::{Axis, Setting, Skipped, ranked},
    render::table::{pivot_tables, skipped_lines},
};

fn setting(axis: &str, value: &str, condition: bool) -> Setting {
    Setting { axis: axis.to_owned(), value: value.to_owned(), condition, varies: true }
}

/// Rows of three sizes with two algorithms each, whose times are given.
fn swept(times: [[u64; 2]; 3]) -> (Vec<Row>, Vec<Axis>) {
    let (sizes, names) = (["8", "1K", "64K"], ["ring", "tree"]);
    let mut rows = Vec::new();
    for (down, size) in sizes.iter().enumerate() {
        for (across, name) in names.iter().enumerate() {
            rows.push(Row {
                settings: vec![setting("bytes", size, true), setting("allreduce", name, false)],
                point: vec![down, across],
                ..row("torus:4x4", 16, times[down][across])
            });
        }
    }
    let axis = |name: &str, values: &[&str], numbers, condition| Axis {
        model: false,
        name: name.to_owned(),
        values: values.iter().map(ToString::to_string).collect(),
        numbers,
        condition,
    };
    let numbers = Some(vec![8.0, 1024.0, 65536.0]);
    (rows, vec![axis("bytes", &sizes, numbers, true), axis("allreduce", &names, None, false)])
}

#[test]
fn names_leave_out_axes_of_one_value() {
    let one = |name: &str, value: &str, condition| Setting {
        varies: false,
        ..setting(name, value, condition)
    };
    let settings = |algorithm: &str| {
        let eager = one("eager-limit", "4K", false);
        vec![one("bytes", "64K", true), eager, setting("allreduce", algorithm, false)]
    };
    let row_of = |name: &str, algorithm: &str, time| Row {
        settings: settings(algorithm),
        ..row(name, 16, time)
    };
    let sold = [row_of("torus:4x4", "ring", 100), row_of("mesh:4x4", "tree", 120)];
    let text = advice(&sold, "units", false);
    assert!(text.starts_with("With 16 ranks choose torus:4x4, allreduce=ring: "), "{text}");
    let unsold = [row_of("crossbar:16", "ring", 100), row_of("crossbar:16", "tree", 120)];
    let text = advice(&unsold, "units", false);
    assert!(text.starts_with("With 16 ranks choose allreduce=ring: "), "{text}");
    for text in [advice(&sold, "units", false), text] {
        assert!(!text.contains("bytes") && !text.contains("eager-limit"), "{text}");
    }
}

#[test]
fn the_front_leaves_out_what_is_beaten_and_what_nobody_sells() {
    let rows = [
        row("ring:16", 16, 180),
        row("torus:4x4", 16, 100),
        row("mesh:4x4", 16, 200),
        row("hypercube:4", 16, 101),
        row("crossbar:16", 16, 50),
    ];
    let names: Vec<&str> = front(&ranked(&rows)).iter().map(|row| row.topology.as_str()).collect();
    assert_eq!(names, ["torus:4x4", "ring:16"]);
    let text = advice(&rows, "units", false);
    assert!(text.contains("choose torus:4x4"), "{text}");
    assert!(text.contains("ring:16 costs less") && text.contains("80.0 % slower"), "{text}");
    assert!(
        text.contains("crossbar:16 would be 50.0 % faster (50.0 us), but one switch of 16 ports"),
        "{text}"
    );
    let text = advice(&rows[4..], "units", false);
    assert!(text.contains("nothing can be recommended"), "{text}");
}

#[test]
fn no_difference_is_called_zero_percent() {
    let rows = [row("mesh:4x4", 16, 100), row("torus:4x4", 16, 100)];
    let text = advice(&rows, "units", false);
    assert!(text.contains("choose mesh:4x4") && !text.contains("0.0 %"), "{text}");
    assert!(text.contains("torus:4x4 takes as long"), "{text}");
    assert!(text.contains("one program size"), "{text}");
}

#[test]
fn winners_have_ranges() {
    let (rows, _) = swept([[10, 20], [100, 100], [300, 200]]);
    let told: Vec<String> = ranges(&rows).iter().map(|range| range.sentence()).collect();
    assert_eq!(
        told,
        [
            "By bytes: allreduce=ring is fastest, or as fast, from 8 to 1K; allreduce=tree is fastest at 64K."
        ]
    );
    let text = advice(&rows, "units", false);
    assert!(text.starts_with("No choice is best in all 3 cases"), "{text}");
    let (rows, _) = swept([[10, 20], [100, 101], [200, 300]]);
    assert!(
        advice(&rows, "units", false)
            .starts_with("Choose allreduce=ring: it is fastest, or as fast, in all 3 cases.")
    );
    assert_eq!(ranges(&rows[..1]), []);
}

/// Rows of networks whose times with several sizes of messages are given.
fn networks(times: &[(&str, [u64; 2])]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, all) in times {
        for (size, time) in ["8", "64K"].into_iter().zip(all) {
            let settings = vec![setting("bytes", size, true)];
            rows.push(Row { settings, ..row(name, 16, *time) });
        }
    }
    rows
}

#[test]
fn costs_are_weighed_where_circumstances_vary() {
    // The torus is faster by 2 % and dearer, and the ring much slower.
    let close = networks(&[
        ("mesh:4x4", [102, 204]),
        ("torus:4x4", [100, 200]),
        ("ring:16", [180, 400]),
        ("crossbar:16", [50, 100]),
    ]);
    insta::assert_snapshot!(advice(&close, "units", false), @"Choose mesh:4x4: it costs 98.4 units (24 links, 48 ports) and is at most 2.0 % slower than the fastest in all 2 cases. By run time alone, of what is for sale, torus:4x4 is fastest, or as fast, in all of them. torus:4x4 costs 136 units; ring:16 costs 62.4 units, 54 % less, and is up to 100.0 % slower than the fastest. By bytes: of what is for sale, torus:4x4 is fastest from 8 to 64K.");
    // Nothing is within 5 % of the fastest everywhere.
    let mixed = networks(&[("mesh:4x4", [120, 200]), ("torus:4x4", [100, 220])]);
    insta::assert_snapshot!(advice(&mixed, "units", false), @"No choice is best in all 2 cases; fastest, or as fast, are mesh:4x4 in 1, torus:4x4 in 1. mesh:4x4 costs 98.4 units and is up to 20.0 % slower than the fastest; torus:4x4 costs 136 units and is up to 10.0 % slower than the fastest. By bytes: torus:4x4 is fastest at 8; mesh:4x4 is fastest at 64K.");
    // The fastest is the cheapest, too.
    let both = networks(&[("mesh:4x4", [100, 200]), ("torus:4x4", [101, 220])]);
    insta::assert_snapshot!(advice(&both, "units", false), @"Choose mesh:4x4: it is fastest, or as fast, in all 2 cases. mesh:4x4 costs 98.4 units. By bytes: mesh:4x4 is fastest from 8 to 64K.");
    let dear = networks(&[("mesh:4x4", [120, 240]), ("torus:4x4", [100, 200])]);
    insta::assert_snapshot!(advice(&dear, "units", false), @"Choose torus:4x4: it is fastest, or as fast, in all 2 cases. torus:4x4 costs 136 units; mesh:4x4 costs 98.4 units, 28 % less, and is up to 20.0 % slower than the fastest. By bytes: torus:4x4 is fastest from 8 to 64K.");
}

#[test]
fn ranks_are_a_range_too() {
    let of =
        |family: &str, ranks, time| Row { family: family.to_owned(), ..row(family, ranks, time) };
    let rows = [of("ring", 4, 10), of("ring", 16, 40), of("torus", 4, 11), of("torus", 16, 20)];
    let told: Vec<String> = ranges(&rows).iter().map(|range| range.sentence()).collect();
    assert_eq!(told, ["By ranks: ring is fastest at 4; torus is fastest at 16."]);
}

#[test]
fn a_range_says_that_something_faster_is_not_for_sale() {
    let of =
        |family: &str, ranks, time| Row { family: family.to_owned(), ..row(family, ranks, time) };
    let mut rows = vec![
        of("ring", 4, 10),
        of("ring", 16, 100),
        of("crossbar:4", 4, 10),
        of("crossbar:16", 16, 29),
    ];
    rows.iter_mut().skip(2).for_each(|row| row.family = "crossbar".to_owned());
    let told = |rows: &[Row]| -> Vec<String> {
        ranges(rows).iter().map(|range| range.sentence()).collect()
    };
    assert_eq!(told(&rows), ["By ranks: of what is for sale, ring is fastest from 4 to 16."]);
    let text = advice(&rows, "units", false);
    assert!(text.contains("faster") && text.contains("By ranks: of what is for sale,"), "{text}");
    // Nothing needs to be said if it is not faster.
    rows[3] = Row { makespan: rows[1].makespan, ..rows[3].clone() };
    assert_eq!(told(&rows), ["By ranks: ring is fastest from 4 to 16."]);
}

#[test]
fn models_that_disagree_in_a_case_are_told() {
    let (mut rows, _) = swept([[10, 20], [100, 120], [200, 300]]);
    let (other, _) = swept([[10, 20], [100, 120], [300, 200]]);
    rows.extend(other.into_iter().map(|row| Row { network: "packet".to_owned(), ..row }));
    let text = advice(&rows, "units", false);
    assert!(
        text.contains("The models (link, packet) agree on the winner in 2 of 3 cases"),
        "{text}"
    );
}

#[test]
fn two_axes_make_a_table() {
    let (mut rows, axes) = swept([[10, 20], [100, 100], [300, 200]]);
    rows[5].ending = Ending::Stalled;
    rows.remove(1);
    let found = pivots(&rows, &axes);
    insta::assert_snapshot!(pivot_tables(&rows, &axes, &found), @r"
    bytes \ allreduce      ring     tree
    8                  10.0 us         -
    1K                  100 us*  100 us*
    64K                 300 us   stalled
    * shortest run time of its row
    ");
    assert_eq!(pivots(&rows, &axes[..1]), []);
}

#[test]
fn reasons_are_told_once() {
    let left = |name: &str| Skipped { name: name.to_owned(), ranks: 8, reason: "no".to_owned() };
    assert_eq!(
        skipped_lines(&[left("ring"), left("mesh")]),
        "left out: ring with 8 ranks; mesh with 8 ranks: no\n"
    );
}

#[test]
fn runs_on_networks_that_nobody_sells_have_completed_all_the_same() {
    let named = |row: Row, size| Row { settings: vec![setting("bytes", size, true)], ..row };
    let rows = [
        named(row("crossbar:16", 16, 10), "8"),
        named(row("crossbar:17", 16, 11), "8"),
        named(row("crossbar:16", 16, 20), "64"),
        named(row("crossbar:17", 16, 21), "64"),
    ];
    let text = advice(&rows, "units", false);
    assert!(
        text.starts_with("There is nothing to choose from: no network that completed"),
        "{text}"
    );
}

#[test]
fn work_that_grows_with_the_ranks_is_judged_by_its_efficiency() {
    let rows = [row("torus:2x2", 4, 95), Row { efficiency: 0.95, ..row("torus:4x4", 16, 100) }];
    let text = advice(&rows, "units", true);
    assert!(text.contains("with 16 ranks: the weak efficiency is 95 %."), "{text}");
    assert!(!text.contains("--weak"), "{text}");
    assert!(advice(&rows, "units", false).contains("pay only if the work grows with them"));
}

#[test]
fn one_number_of_ranks_has_no_speedup() {
    let rows = [row("torus:4x4", 16, 100), row("mesh:4x4", 16, 102)];
    let text = table::comparison_table(&rows, false, "units");
    assert!(!text.contains("speed-up") && !text.contains("efficiency"), "{text}");
    let rows = [row("torus:4x4", 16, 100), row("mesh:2x4", 8, 102)];
    assert!(table::comparison_table(&rows, true, "units").contains("weak efficiency"));
}

#[test]
fn the_page_says_which_directions_cables_serve() {
    let page = |rows: Vec<Row>| html::comparison(&comparison(rows, Vec::new()));
    let two_way = page(vec![row("ring:16", 16, 2), row("torus:4x4", 16, 1)]);
    assert!(two_way.contains("each serving both directions."));
    let one_way = page(vec![row("omega:4x2", 16, 2), row("kautz:4x2", 16, 1)]);
    assert!(one_way.contains("each serving one direction."));
    let mixed = page(vec![row("omega:4x2", 16, 2), row("torus:4x4", 16, 1)]);
    assert!(mixed.contains("each serving both directions, but one direction in omega:4x2."));
}

#[test]
fn the_page_says_what_the_costs_are_made_of() {
    let rows = vec![row("ring:16", 16, 2), row("torus:4x4", 16, 1)];
    let page = html::comparison(&comparison(rows.clone(), Vec::new()));
    assert!(page.contains("A cable costs 1, 2 or 4 units"));
    let list = Some("prices.json".to_owned());
    let data = Comparison { price_list: list, ..comparison(rows, Vec::new()) };
    let page = html::comparison(&data);
    assert!(
        page.contains("Costs are those of the prices in prices.json.")
            && !page.contains("A cable costs")
    );
}

#[test]
fn all_that_are_as_fast_as_the_fastest_are_bold() {
    let rows = vec![
        row("mesh:2x2", 4, 2),
        row("torus:2x2", 4, 2),
        row("ring:4", 4, 3),
        row("torus:4x4", 16, 5),
        row("mesh:4x4", 16, 6),
    ];
    let page = html::comparison(&comparison(rows, Vec::new()));
    assert_eq!(page.matches("<tr class=\"best\">").count(), 3, "two with 4 ranks, one with 16");
}

#[test]
fn idle_nodes_are_told() {
    let rows = vec![row("fat-tree:16x2", 20, 2), row("ring:20", 20, 3), row("torus:4x6", 20, 3)];
    let told = "Idle, though costs count them: fat-tree:16x2, 20 ranks: 236 of 256 nodes; torus:4x6, 20 ranks: 4 of 24 nodes.";
    assert_eq!(table::idle_nodes(&rows).as_deref(), Some(told));
    assert!(html::comparison(&comparison(rows.clone(), Vec::new())).contains(told));
    assert_eq!(table::idle_nodes(&rows[1..2]), None);
}

#[test]
fn names_of_options_are_not_broken() {
    let rows = vec![row("ring:16", 16, 2), row("torus:4x4", 16, 1)];
    let page = html::comparison(&comparison(rows, Vec::new()));
    for option in ["--ranks-list", "--axis", "--prices"] {
        let all = page.matches(option).count();
        let whole = page.matches(&format!("<span class=\"word\">{option}")).count();
        assert_eq!((all > 0, all), (true, whole), "{option}");
    }
}
