//! Makes thread-local variables of a program private per rank.
//!
//! In an executable, thread-local variables lie at fixed distances from the thread pointer, which
//! all ranks of a host thread share. With `-mno-tls-direct-seg-refs`, every access first reads that
//! pointer by an instruction of nine bytes, which is replaced here by a read of a word of the image
//! that holds the rank's own pointer.

use memchr::{memchr, memchr_iter};

use super::elf::Elf;

/// The prefix of an access by the thread pointer, `%fs`.
const PREFIX: u8 = 0x64;

/// Length of `mov %fs:0, reg` and `add %fs:0, reg` in bytes.
const LENGTH: usize = 9;

/// Replaces the reads of the thread pointer by reads of the word at `word` (an address relative to
/// the object). Returns false if variables are accessed in a way that cannot be replaced.
pub(crate) fn redirect_thread_pointer(object: &mut Elf, word: usize) -> bool {
    let own = object.tls.as_ref();
    let lowest = own.map_or(0, |tls| -(tls.bytes.next_multiple_of(tls.align) as i64));
    for segment in object.segments.iter().filter(|segment| segment.executable) {
        let end = segment.end.min(object.bytes.len());
        let mut next = segment.start;
        while let Some(found) = memchr(PREFIX, object.bytes.get(next..end).unwrap_or_default()) {
            let at = next + found;
            if at + LENGTH > end {
                break;
            }
            if let Some(register) = thread_pointer_read(&object.bytes[at..at + LENGTH]) {
                let distance = word as i64 - (at as i64 + 7);
                let [rex, opcode] = [object.bytes[at + 1], object.bytes[at + 2]];
                object.file = None;
                let code = &mut object.bytes[at..at + LENGTH];
                code[..3].copy_from_slice(&[rex, opcode, register | 0x05]);
                code[3..7].copy_from_slice(&(distance as i32).to_le_bytes());
                code[7..].copy_from_slice(&[0x66, 0x90]);
            } else if direct_access(&object.bytes[at..end], lowest) {
                return false;
            }
            next = at + 1;
        }
    }
    true
}

/// Reports whether code reads the thread pointer, as an access to thread-local variables may.
pub(crate) fn reads_thread_pointer(object: &Elf) -> bool {
    object.code().any(|code| {
        let mut reads = memchr_iter(PREFIX, code).filter_map(|at| code.get(at..at + LENGTH));
        reads.any(|code| thread_pointer_read(code).is_some())
    })
}

/// Returns the register field of `64 REX.W (8b|03) modrm 25 00000000`.
fn thread_pointer_read(code: &[u8]) -> Option<u8> {
    let rex = matches!(code[1], 0x48 | 0x4c);
    let load = matches!(code[2], 0x8b | 0x03);
    let plain = code[3] & 0xc7 == 0x04 && code[4] == 0x25;
    (rex && load && plain && code[5..9] == [0; 4]).then_some(code[3] & 0x38)
}

/// Recognises an access at a fixed distance below the thread pointer: a `%fs` prefix, at most four
/// bytes of prefixes and opcode, an absolute address.
fn direct_access(code: &[u8], lowest: i64) -> bool {
    (2..=5).any(|place| {
        let Some(window) = code.get(place..place + 6) else { return false };
        let address = i32::from_le_bytes([window[2], window[3], window[4], window[5]]);
        window[0] & 0xc7 == 0x04 && window[1] == 0x25 && (lowest..0).contains(&i64::from(address))
    })
}
