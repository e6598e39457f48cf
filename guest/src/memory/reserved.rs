//! Vectors of C++ whose elements end before the memory that a call uses: the room behind them is reserved, and what is written
//! there is lost as soon as elements are added.

use super::{
    Begin, Extent, FRAMES_MAX, Frame, Misfit, Object, Site, Storage, Variable, frames, heap,
};
use crate::{
    libc::{errno, rank::Rank},
    site,
};

/// The words of a vector: where its elements begin and end, and where its memory ends.
const WORDS: [usize; 3] = [0, 8, 16];

/// Returns what is wrong with memory in a heap block that is a vector's, which the statement of the running call names.
pub(super) fn behind_elements(address: usize, bytes: u64) -> Option<Misfit> {
    let rank = Rank::current()?;
    errno::keeping(|| {
        let block = heap::holding(address)?;
        let frame = frames(rank, 1).pop()?;
        frame.scope.variables.iter().find_map(|variable| {
            let [start, end, limit] = words_of(&frame, variable)?;
            let is_vector = start == block.start && limit == block.start + block.bytes;
            let is_ordered = start <= end && end < limit;
            if !is_vector || !is_ordered || !frame.names(&variable.name) {
                return None;
            }
            let left = end.saturating_sub(address) as u64;
            (left < bytes).then(|| Misfit {
                object: vector(&frame, variable, (start, end)),
                begin: Begin::Reserved { left },
            })
        })
    })
}

/// Returns the words of a variable that may be a vector.
fn words_of(frame: &Frame, variable: &Variable) -> Option<[usize; 3]> {
    let elements = variable.elements.as_ref().filter(|_| !frame.scope.is_fortran)?;
    let is_container = match elements.extent {
        Extent::All => true,
        Extent::First | Extent::Dynamic { .. } => false,
    };
    let at = match elements.elsewhere {
        true => frame.pointer(variable),
        // What a function returns may lie where its caller wants it.
        false => frame.place_of(variable).or_else(|| frame.pointer(variable)),
    };
    let at = at.filter(|_| is_container)?;
    let [start, end, limit] = WORDS.map(|word| heap::word_at(at.checked_add(word)?));
    Some([start?, end?, limit?])
}

fn vector(frame: &Frame, variable: &Variable, (start, end): (usize, usize)) -> Object {
    let place = site::of_code(frame.code).unwrap_or(Site::UNKNOWN);
    Object {
        storage: Storage::Heap,
        name: variable.name.clone(),
        start,
        bytes: (end - start) as u64,
        place: Site { line: variable.line, column: 1, ..place },
        end,
        contents: None,
        depth: FRAMES_MAX,
    }
}
