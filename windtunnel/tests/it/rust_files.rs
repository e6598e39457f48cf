//! Files of programs in Rust.

use tempfile::TempDir;
use windtunnel::{
    Run,
    mpi::{
        datatype::UserDatatype,
        file::{self, OpenOptions, Whence},
        topology::SimpleCommunicator,
        traits::*,
    },
};

/// Runs a function on this number of ranks with a folder for its files.
fn with_files<T: Send + 'static>(
    ranks: u32,
    function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
) -> (TempDir, Vec<T>) {
    let folder = TempDir::new().expect("a folder");
    let run = Run::new(ranks).files(folder.path().display().to_string());
    let values = run.run(function).values;
    (folder, values)
}

#[test]
fn ranks_write_their_parts_and_read_others() {
    let (folder, read) = with_files(4, |world| {
        let rank = world.rank();
        let options = OpenOptions::new().read(true).write(true).create(true);
        let file = options.open(world, "parts").expect("it is opened");
        let mine = [10 * rank, 10 * rank + 1];
        assert_eq!(file.write_at_all(8 * i64::from(rank), &mine[..]), Ok(2));
        file.sync().expect("it is synchronised");
        world.barrier();
        file.sync().expect("it is synchronised");
        let mut next = [0; 2];
        let from = 8 * i64::from((rank + 1) % world.size());
        assert_eq!(file.read_at(from, &mut next[..]), Ok(2));
        assert_eq!(file.size(), Ok(32));
        let mut past = [7; 2];
        assert_eq!(file.read_at(28, &mut past[..]), Ok(1), "one is left at the end");
        assert_eq!(past, [31, 7]);
        file.close().expect("it is closed");
        next
    });
    assert_eq!(read, [[10, 11], [20, 21], [30, 31], [0, 1]]);
    let bytes = std::fs::read(folder.path().join("parts")).expect("it is there");
    let numbers: Vec<i32> =
        bytes.chunks(4).map(|four| i32::from_ne_bytes(four.try_into().expect("four"))).collect();
    assert_eq!(numbers, [0, 1, 10, 11, 20, 21, 30, 31]);
}

#[test]
fn views_deal_out_a_file() {
    let (folder, _) = with_files(3, |world| {
        let (rank, size) = (world.rank(), world.size());
        let options = OpenOptions::new().write(true).create(true).hint("cb_nodes", "1");
        let file = options.open(world, "comb").expect("it is opened");
        let hints = file.hints().expect("it has some");
        assert!(hints.contains(&("cb_nodes", "1".to_owned())), "{hints:?}");
        let byte = u8::equivalent_datatype();
        let comb = UserDatatype::vector(2, 1, size, &byte);
        file.set_view(rank as u64, &byte, &comb).expect("a view");
        assert_eq!(file.write_all(&[rank as u8, 10 + rank as u8][..]), Ok(2));
        assert_eq!(file.position(), Ok(2));
        assert_eq!(file.byte_offset(1), Ok(i64::from(rank + size)));
    });
    let bytes = std::fs::read(folder.path().join("comb")).expect("it is there");
    assert_eq!(bytes, [0, 1, 2, 10, 11, 12]);
}

#[test]
fn pointers_move() {
    let (folder, _) = with_files(2, |world| {
        let options = OpenOptions::new().read(true).write(true).create(true);
        let file = options.open(world, "log").expect("it is opened");
        let letters = vec![b'a' + world.rank() as u8; 1 + world.rank() as usize];
        assert_eq!(file.write_ordered(&letters[..]), Ok(letters.len()));
        assert_eq!(file.position_shared(), Ok(3));
        file.sync().expect("it is synchronised");
        world.barrier();
        file.sync().expect("it is synchronised");
        file.seek(-2, Whence::End).expect("it moves");
        let mut two = [0_u8; 2];
        assert_eq!(file.read(&mut two[..]), Ok(2));
        assert_eq!((&two, file.position()), (b"bb", Ok(3)));
        assert!(file.seek(-1, Whence::Start).is_err());
        file.seek_shared(0, Whence::Start).expect("it moves");
        file.set_size(1).expect("it is cut");
    });
    assert_eq!(std::fs::read(folder.path().join("log")).expect("it is there"), b"a");
}

#[test]
fn errors_are_values() {
    with_files(2, |world| {
        let missing = OpenOptions::new().read(true).open(world, "missing").err();
        let missing = missing.expect("there is no such file");
        assert!(missing.message.contains("missing"), "{missing:?}");
        let nothing = OpenOptions::new().open(world, "a").err().expect("no way to open it");
        assert!(nothing.message.contains("neither"), "{nothing:?}");
        let outside = OpenOptions::new().write(true).create(true).open(world, "../a").err();
        assert!(outside.expect("it leads out").message.contains("outside"));
        let file = OpenOptions::new().write(true).create(true).open(world, "a").expect("a file");
        assert!(file.read_at(0, &mut [0_u8; 4][..]).is_err(), "it is open for writing only");
        assert!(file.write_at(-1, &[0_u8; 4][..]).is_err(), "there is no such offset");
        drop(file);
        world.barrier();
        if world.rank() == 0 {
            file::delete(world, "a").expect("it is deleted");
            assert!(file::delete(world, "a").is_err(), "it is gone");
        }
    });
}

#[test]
fn races_on_files_are_found() {
    let folder = TempDir::new().expect("a folder");
    let run = Run::new(2).files(folder.path().display().to_string());
    let report = run.check(|world| {
        let file = OpenOptions::new().write(true).create(true).open(world, "same").expect("a file");
        file.write_at(0, &[world.rank()][..]).expect("it is written");
    });
    assert_eq!(report.verdict.word(), "global-concurrency", "{report:?}");
}

#[test]
fn files_that_stay_open_are_found() {
    let folder = TempDir::new().expect("a folder");
    let run = Run::new(2).files(folder.path().display().to_string());
    let options = OpenOptions::new().write(true).create(true);
    let line = line!() + 2;
    let report = run.check(move |world| {
        let kept = options.open(world, "kept").expect("a file");
        let closed = options.open(world, "closed").expect("a file");
        closed.close().expect("it is closed");
        std::mem::forget(kept);
    });
    assert_eq!(report.verdict.word(), "resource-leak", "{report:?}");
    assert_eq!(report.findings.len(), 1, "{report:?}");
    assert_eq!(report.findings[0].sites[0].site.map(|site| site.line), Some(line), "{report:?}");
}
