//! Finds out which blocks of a function share instructions: where blocks end alike, optimising compilers keep one copy
//! of the end, which all of them jump to. The debug information says that it belongs to one of them.

use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Addresses of code.
pub(super) type Ranges = Vec<Range<u64>>;

fn hold(ranges: &[Range<u64>], address: u64) -> bool {
    ranges.iter().any(|range| range.contains(&address))
}

/// An instruction of a function.
struct Instruction {
    address: u64,
    /// Whether the next one is executed only if something jumps to it.
    ends: bool,
}

/// The instructions of a function and the jumps between them.
pub(super) struct Flow {
    instructions: Vec<Instruction>,
    /// Addresses of jumps by their targets.
    jumps: FxHashMap<u64, Vec<u64>>,
}

impl Flow {
    /// Decodes the code of a function, which begins at this address.
    pub(super) fn new(code: &[u8], address: u64) -> Self {
        let decoder = Decoder::with_ip(64, code, address, DecoderOptions::NONE);
        let mut jumps: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
        let mut instructions = Vec::new();
        for decoded in decoder {
            let is_near = decoded.op0_kind() == OpKind::NearBranch64;
            if is_near && decoded.mnemonic() != Mnemonic::Call {
                jumps.entry(decoded.near_branch_target()).or_default().push(decoded.ip());
            }
            let ends = matches!(decoded.mnemonic(), Mnemonic::Jmp | Mnemonic::Ret | Mnemonic::Ud2);
            instructions.push(Instruction { address: decoded.ip(), ends });
        }
        Self { instructions, jumps }
    }

    /// Returns for each of `others` whether the instruction at an address, which is in the block `own`, may be executed
    /// for that block as well.
    pub(super) fn are_merged(
        &self,
        address: u64,
        own: &[Range<u64>],
        others: &[Ranges],
    ) -> Vec<bool> {
        let mut merged = vec![false; others.len()];
        let mut own = own.to_vec();
        // A block may share its end with one that shares its own end with the next.
        while let Some(more) = self.joined(address, &own, others, &merged) {
            merged[more] = true;
            own.extend(others[more].iter().cloned());
        }
        merged
    }

    /// Returns a block that is not merged yet and joins `own` on the way to an address.
    fn joined(
        &self,
        address: u64,
        own: &[Range<u64>],
        others: &[Ranges],
        merged: &[bool],
    ) -> Option<usize> {
        let mut seen = FxHashSet::default();
        let mut open = vec![address];
        while let Some(address) = open.pop() {
            let start = self.start_of(address)?;
            if !seen.insert(start) {
                continue;
            }
            let before = self.before(start);
            let (inside, outside): (Vec<u64>, Vec<u64>) =
                before.into_iter().partition(|from| hold(own, *from));
            if !inside.is_empty() {
                let joins = |at: &usize| {
                    !merged[*at] && outside.iter().any(|from| hold(&others[*at], *from))
                };
                if let Some(found) = (0..others.len()).find(joins) {
                    return Some(found);
                }
            }
            open.extend(inside);
        }
        None
    }

    /// Returns the index of the first of the instructions that are executed one after the other up to an address.
    fn start_of(&self, address: u64) -> Option<usize> {
        let last = self.instructions.partition_point(|at| at.address <= address).checked_sub(1)?;
        let starts = |index: &usize| {
            *index == 0
                || self.instructions[*index - 1].ends
                || self.jumps.contains_key(&self.instructions[*index].address)
        };
        (0..=last).rev().find(starts)
    }

    /// Returns the addresses of the instructions after which one may be executed.
    fn before(&self, index: usize) -> Vec<u64> {
        let mut before =
            self.jumps.get(&self.instructions[index].address).cloned().unwrap_or_default();
        let previous = index.checked_sub(1).map(|previous| &self.instructions[previous]);
        before.extend(previous.filter(|previous| !previous.ends).map(|previous| previous.address));
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 0 a block that falls through, at 2 and 5 blocks that jump to its end, at 8 the end, at 10 another block.
    const CODE: [u8; 12] = [
        0x90, 0x90, // 0: nop; nop
        0x90, 0xeb, 0x03, // 2: nop; jmp 8
        0x90, 0xeb, 0x00, // 5: nop; jmp 8
        0x90, 0xc3, // 8: nop; ret
        0x90, 0xc3, // 10: nop; ret
    ];

    /// Reports which of `others` share an instruction of the block `own` with it.
    fn merged(code: &[u8], address: u64, own: Range<u64>, others: &[Range<u64>]) -> Vec<bool> {
        let others: Vec<Ranges> =
            others.iter().map(|range| Vec::from_iter([range.clone()])).collect();
        Flow::new(code, 0).are_merged(address, std::slice::from_ref(&own), &others)
    }

    #[test]
    fn blocks_that_jump_into_the_end_of_another_one_share_it() {
        assert_eq!(merged(&CODE, 8, 5..10, &[0..2, 2..5, 10..12]), [false, true, false]);
    }

    #[test]
    fn a_block_that_comes_before_another_one_does_not_share_it() {
        let others = std::slice::from_ref(&(0..2));
        assert_eq!(merged(&[0x90, 0x90, 0x90, 0xc3], 3, 2..4, others), [false]);
        // Not even if something jumps to the start of the other one.
        let others = std::slice::from_ref(&(2..3));
        assert_eq!(merged(&[0xeb, 0x01, 0x90, 0x90, 0xc3], 4, 3..5, others), [false]);
    }

    #[test]
    fn ends_of_ends_are_followed() {
        // 0: nop; jmp 3. 3: nop; jmp 9. 6: nop; jmp 9. 9: ret, of the block at 6.
        let code = [0x90, 0xeb, 0x00, 0x90, 0xeb, 0x03, 0x90, 0xeb, 0x00, 0xc3];
        assert_eq!(merged(&code, 9, 6..10, &[0..3, 3..6]), [false, true]);
        // 0: nop; jmp 4. 3: nop; 4: nop; jmp 10. 7: nop; jmp 10. 10: ret.
        let code = [0x90, 0xeb, 0x01, 0x90, 0x90, 0xeb, 0x03, 0x90, 0xeb, 0x00, 0xc3];
        assert_eq!(merged(&code, 10, 7..11, &[0..3, 3..7]), [true, true]);
    }
}
