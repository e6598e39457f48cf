//! Vectors of C++ whose elements end before the memory that a call uses: the room behind them is reserved, and what is written
//! there is lost as soon as elements are added.

use super::{
    Begin, Extent, FRAMES_MAX, Frame, Misfit, Object, Storage, Variable, heap, innermost_frame,
};
use crate::libc::{errno, heap::HeapBlock, rank::Rank};

/// Offsets of the words of a vector behind the one that says where its elements begin: where these end, and where its memory
/// ends.
const ENDS: [usize; 2] = [8, 16];

/// Returns what is wrong with memory in a heap block that is a vector's, which the statement of the running call names.
pub(super) fn behind_elements(address: usize, bytes: u64) -> Option<Misfit> {
    let rank = Rank::current()?;
    errno::keeping(|| {
        let block = heap::holding(address)?;
        let frames = innermost_frame(rank)?;
        let frame = &frames[0];
        frame.scope.variables.iter().find_map(|variable| {
            let end = end_of_elements(frame, variable, &block)?;
            let left = end.saturating_sub(address) as u64;
            (left < bytes && frame.names(&variable.name)).then(|| Misfit {
                object: vector(frame, variable, (block.start, end)),
                begin: Begin::Reserved { left },
            })
        })
    })
}

/// Returns where the elements of a vector end, if a variable is one whose memory is a block, and more than they take.
fn end_of_elements(frame: &Frame, variable: &Variable, block: &HeapBlock) -> Option<usize> {
    let elements = variable.elements.as_ref().filter(|_| !frame.scope.is_fortran)?;
    match elements.extent {
        Extent::All => {}
        Extent::First | Extent::Dynamic { .. } => return None,
    }
    // What a function returns may lie where its caller wants it.
    let at = frame.structure(variable, elements).or_else(|| frame.pointer(variable))?;
    if heap::word_at(at)? != block.start {
        return None;
    }
    let [end, limit] = ENDS.map(|word| heap::word_at(at.checked_add(word)?));
    let is_whole = limit? == block.start + block.bytes;
    end.filter(|end| is_whole && (block.start..block.start + block.bytes).contains(end))
}

fn vector(frame: &Frame, variable: &Variable, (start, end): (usize, usize)) -> Object {
    Object {
        storage: Storage::Heap,
        name: variable.name.clone(),
        start,
        bytes: (end - start) as u64,
        place: frame.declaration(variable),
        end,
        contents: None,
        depth: FRAMES_MAX,
    }
}
