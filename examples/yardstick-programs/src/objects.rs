//! Communicators, datatypes and other objects that are never freed.

use std::mem;

use windtunnel::mpi::{
    datatype::UserDatatype,
    topology::{Color, SimpleCommunicator},
    traits::*,
};

use crate::cases::{Cases, Element, with_each_type};

/// Adds all programs about objects.
pub(crate) fn add(cases: &mut Cases) {
    for ranks in [2, 3, 4] {
        communicators(cases, ranks);
        with_each_type!(datatypes(cases, ranks));
    }
}

fn communicators(cases: &mut Cases, ranks: u32) {
    let leak = &["resource-leak"];
    cases.add(("duplicate", "never freed"), ranks, leak, |world| {
        mem::forget(world.duplicate()); // here
    });
    cases.add(("duplicate", "sound"), ranks, &["ok"], |world| world.duplicate().barrier());
    cases.add(("split_by_color", "never freed"), ranks, leak, |world| {
        mem::forget(world.split_by_color(Color::with_value(world.rank() % 2))); // here
    });
    cases.add(("split_by_color", "sound"), ranks, &["ok"], |world| {
        let color = if world.rank() == 0 { Color::undefined() } else { Color::with_value(1) };
        if let Some(part) = world.split_by_color(color) {
            part.barrier();
        }
    });
    cases.add(("split_by_subgroup", "sound"), ranks, &["ok"], |world: &SimpleCommunicator| {
        let group = world.group().include(&[0, 1]);
        if let Some(pair) = world.split_by_subgroup_collective(&group) {
            pair.barrier();
        }
    });
    cases.add(("split_by_subgroup", "called by the group alone"), ranks, &["ok"], |world| {
        let group = world.group().include(&[0, 1]);
        if world.rank() < 2 {
            world.split_by_subgroup(&group).expect("a member").barrier();
        }
    });
    if ranks > 2 {
        cases.add(
            ("split_by_subgroup", "collective, called by the group alone"),
            ranks,
            &["call-ordering"],
            |world| {
                let group = world.group().include(&[0, 1]);
                if world.rank() < 2 {
                    world.split_by_subgroup_collective(&group).expect("a member").barrier();
                }
            },
        );
    }
    cases.add(("create_cartesian_communicator", "never freed"), ranks, leak, |world| {
        mem::forget(world.create_cartesian_communicator(&[2, 1], &[true, false], false)); // here
    });
    cases.add(("create_cartesian_communicator", "sound"), ranks, &["ok"], |world| {
        if let Some(grid) = world.create_cartesian_communicator(&[2], &[true], false) {
            grid.barrier();
        }
    });
    cases.add(("duplicate", "missing on one rank"), ranks, &["call-ordering"], |world| {
        if world.rank() != 1 {
            drop(world.duplicate());
        }
    });
}

fn datatypes<T: Element>(cases: &mut Cases, ranks: u32) {
    let leak = &["resource-leak"];
    let make: [(&str, fn() -> UserDatatype); 3] = [
        ("contiguous", || UserDatatype::contiguous(3, &T::equivalent_datatype())),
        ("vector", || UserDatatype::vector(3, 1, 2, &T::equivalent_datatype())),
        ("indexed", || UserDatatype::indexed(&[1, 2], &[0, 4], &T::equivalent_datatype())),
    ];
    for (name, make) in make {
        let variant = format!("never freed {}", std::any::type_name::<T>());
        cases.add((name, &variant), ranks, leak, move |world| {
            mem::forget(make());
            world.barrier();
        });
        let variant = format!("sound {}", std::any::type_name::<T>());
        cases.add((name, &variant), ranks, &["ok"], move |world| {
            drop(make().dup());
            world.barrier();
        });
    }
}
