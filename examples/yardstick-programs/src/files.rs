//! Files.

use std::mem;

use windtunnel::mpi::{
    file::{File, OpenOptions},
    topology::SimpleCommunicator,
    traits::*,
};

use crate::cases::{Cases, Element, with_each_type};

/// Adds all programs about files.
pub(crate) fn add(cases: &mut Cases) {
    for ranks in [2, 3] {
        with_each_type!(each(cases, ranks));
    }
}

#[track_caller]
fn opened(world: &SimpleCommunicator) -> File {
    let options = OpenOptions::new().read(true).write(true).create(true).delete_on_close(true);
    options.open(world, "yardstick.data").expect("the file can be opened")
}

fn each<T: Element>(cases: &mut Cases, ranks: u32) {
    let bytes = mem::size_of::<T>() as i64;
    cases.add(("files", "a part for each rank"), ranks, &["ok"], move |world| {
        let file = opened(world);
        let at = i64::from(world.rank()) * 4 * bytes;
        assert_eq!(file.write_at_all(at, &[T::of(2); 4][..]), Ok(4));
        let mut back = [T::default(); 4];
        assert_eq!(file.read_at(at, &mut back[..]), Ok(4));
        assert!(back[3] == T::of(2));
        file.close().expect("the file can be closed");
    });
    cases.add(("files", "never closed"), ranks, &["resource-leak"], |world| {
        mem::forget(opened(world)); // here
    });
    cases.add(("files", "two writes to one place"), ranks, &["global-concurrency"], |world| {
        let file = opened(world);
        file.write_at(0, &[T::of(1); 4][..]).expect("written"); // here
        file.close().expect("the file can be closed");
    });
    cases.add(
        ("files", "a collective write left out by one rank"),
        ranks,
        &["call-ordering"],
        move |world| {
            let file = opened(world);
            if world.rank() != 1 {
                let at = i64::from(world.rank()) * 4 * bytes;
                drop(file.write_at_all(at, &[T::of(1); 4][..]));
            }
            file.close().expect("the file can be closed");
        },
    );
    cases.add(("files", "opened by some ranks only"), ranks, &["call-ordering"], |world| {
        if world.rank() != 1 {
            opened(world).close().expect("the file can be closed");
        }
    });
}
