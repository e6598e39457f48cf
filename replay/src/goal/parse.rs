//! Reads schedules.

use std::{
    borrow::Cow,
    num::NonZero,
    panic::resume_unwind,
    thread::{self, ScopedJoinHandle, available_parallelism},
};

use sim_core::intern;
use thiserror::Error;

use super::{
    Action, Edge, Edges, Graph, Operation, Schedule,
    labels::Labels,
    lines::{Line, Lines, number},
    pieces::{Piece, pieces},
};

/// The largest number of ranks of a schedule.
const RANKS_MAX: u64 = mpi_api::run::RANKS_MAX as u64;

/// A mistake in a trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong and what is allowed.
    pub what: String,
}

/// What LogGOPSim writes for any source and any tag, besides -1.
const ANY: u64 = u32::MAX as u64;

/// The rank whose operations are being read, or that was read last.
#[derive(Default)]
struct Reading<'a> {
    rank: u64,
    labels: Labels<'a>,
    operations: Vec<Operation>,
    /// Edges as the file has them: line, operation, what it depends on, whether on the start only.
    needs: Vec<(u32, &'a [u8], &'a [u8], bool)>,
    /// Edges by the operations at which they begin.
    pairs: Vec<(u32, Edge)>,
}

/// What a piece of a schedule holds.
struct Contents {
    /// Ranks in the order of the file, each with the line at which it begins.
    ranks: Vec<(u32, u64, Graph)>,
    /// The first mistake; what comes after it is not read.
    problem: Option<Problem>,
}

pub(super) fn schedule(name: &str, text: &str) -> Result<Schedule, Problem> {
    let file = intern(name);
    let (count, rest) = number_of_ranks(text)?;
    let pieces = pieces(rest, available_parallelism().map_or(1, NonZero::get));
    let contents = |piece: &Piece| contents(file, piece, u64::from(count));
    let contents: Vec<Contents> = match pieces.as_slice() {
        [piece] => vec![contents(piece)],
        pieces => thread::scope(|scope| {
            let readers: Vec<_> =
                pieces.iter().map(|piece| scope.spawn(|| contents(piece))).collect();
            let joined = readers.into_iter().map(ScopedJoinHandle::join);
            joined.map(|read| read.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        }),
    };
    let mut ranks: Vec<Option<Graph>> = Vec::new();
    ranks.resize_with(count as usize, || None);
    for piece in contents {
        for (line, rank, graph) in piece.ranks {
            let place = &mut ranks[rank as usize];
            if place.is_some() {
                return Err(Problem { line, what: format!("rank {rank} is there already") });
            }
            *place = Some(graph);
        }
        if let Some(problem) = piece.problem {
            return Err(problem);
        }
    }
    let idle = || Graph { file, ..Graph::default() };
    Ok(Schedule { ranks: ranks.into_iter().map(|rank| rank.unwrap_or_else(idle)).collect() })
}

/// Reads `num_ranks N`, and returns N and what follows.
fn number_of_ranks(text: &str) -> Result<(u32, Piece<'_>), Problem> {
    let mut lines = Lines::new(text, 1);
    while let Some(first) = lines.next() {
        if first.text.is_empty() {
            continue;
        }
        let line = first.number;
        if let [b"num_ranks", count, ..] = first.words
            && let Some(ranks) = number(count).filter(|ranks| (1..=RANKS_MAX).contains(ranks))
        {
            // The first rank may follow in the same line.
            let end = count.as_ptr_range().end.addr() - text.as_ptr().addr();
            return Ok((ranks as u32, Piece { text: &text[end..], line }));
        }
        let what = format!("`num_ranks N` comes first, with N from 1 to {RANKS_MAX}");
        return Err(Problem { line, what });
    }
    Err(Problem { line: lines.last(), what: "`num_ranks N` comes first".into() })
}

/// Reads the ranks of a piece.
fn contents(file: &'static str, piece: &Piece, ranks: u64) -> Contents {
    let mut contents = Contents { ranks: Vec::new(), problem: None };
    contents.problem = read_ranks(file, piece, ranks, &mut contents.ranks).err();
    contents
}

fn read_ranks(
    file: &'static str,
    piece: &Piece,
    ranks: u64,
    read: &mut Vec<(u32, u64, Graph)>,
) -> Result<(), Problem> {
    let mut reading = Reading::default();
    let mut begun = None;
    let mut lines = Lines::new(piece.text, piece.line);
    while let Some(line) = lines.next() {
        if line.text.is_empty() {
            continue;
        }
        let number = line.number;
        match begun {
            None => {
                reading.rank =
                    beginning(&line, ranks).map_err(|what| Problem { line: number, what })?;
                begun = Some(number);
            }
            Some(first) if line.text == b"}" => {
                read.push((first, reading.rank, reading.graph(file)?));
                begun = None;
            }
            Some(_) => {
                reading.line(&line, ranks).map_err(|what| Problem { line: number, what })?;
            }
        }
    }
    let what = match begun {
        _ if lines.is_in_comment() => {
            "a comment that begins with `/*` does not end with `*/`".into()
        }
        Some(_) => format!("the operations of rank {} do not end with `}}`", reading.rank),
        None => return Ok(()),
    };
    Err(Problem { line: lines.last(), what })
}

/// Reads `rank N {`.
fn beginning(line: &Line<'_, '_>, ranks: u64) -> Result<u64, String> {
    let rank = match line.words {
        [b"rank", rank, b"{"] => number(rank),
        [rank, b"{"] => rank.strip_prefix(b"rank").and_then(number),
        _ => None,
    };
    match rank.filter(|_| line.label.is_none()) {
        None => Err(format!("`{}` is not the beginning of a rank, `rank N {{`", text(line.text))),
        Some(rank) if rank >= ranks => Err(format!("rank {rank} is not one of 0 to {}", ranks - 1)),
        Some(rank) => Ok(rank),
    }
}

impl<'a> Reading<'a> {
    /// Reads an operation or a dependency.
    fn line(&mut self, line: &Line<'_, 'a>, ranks: u64) -> Result<(), String> {
        let (operation, other, on_start) = match (line.label, line.words) {
            (None, [operation, b"requires", other]) => (*operation, *other, false),
            (None, [operation, b"irequires", other]) => (*operation, *other, true),
            (Some(_), _) | (None, [b"send" | b"recv" | b"calc", ..]) => {
                let action = action_of(line.words, ranks)
                    .or_else(|wrong| action_of(&respaced(line.words), ranks).map_err(|_| wrong))?;
                let place = self.operations.len() as u32;
                if let Some(label) = line.label
                    && !self.labels.insert(label, place)
                {
                    return Err(format!("the label {} is there already", text(label)));
                }
                let edges = Edges::default();
                self.operations.push(Operation { action, line: line.number, before: 0, edges });
                return Ok(());
            }
            (None, _) => {
                return Err(format!(
                    "`{}` is neither an operation, such as `l1: send 8b to 1 tag 0`, nor a \
                     dependency, such as `l2 requires l1`",
                    text(line.text)
                ));
            }
        };
        self.needs.push((line.number, operation, other, on_start));
        Ok(())
    }

    /// Resolves the labels, and makes room for the next rank.
    fn graph(&mut self, file: &'static str) -> Result<Graph, Problem> {
        let Self { rank, labels, operations, needs, pairs } = self;
        pairs.clear();
        for (line, operation, other, on_start) in needs.drain(..) {
            let place = |label: &[u8]| {
                let what = || format!("rank {rank} has no label {}", text(label));
                labels.get(label).ok_or_else(|| Problem { line, what: what() })
            };
            let to = place(operation)?;
            let calculates = operations[to as usize].action.calculates();
            pairs.push((place(other)?, Edge { to, on_start, calculates, sole: false }));
        }
        // Stable, so that the order of the file remains.
        pairs.sort_by_key(|(from, _)| *from);
        for (from, edge) in pairs.iter() {
            operations[*from as usize].edges.end += 1;
            operations[edge.to as usize].before += 1;
        }
        let mut first = 0;
        for Operation { edges, .. } in operations.iter_mut() {
            *edges = Edges { first, end: first + edges.end };
            first = edges.end;
        }
        let sole = |to: u32| operations[to as usize].before == 1;
        let edges = pairs.iter().map(|(_, edge)| Edge { sole: sole(edge.to), ..*edge }).collect();
        let graph = Graph { operations: operations.as_slice().into(), edges, file };
        labels.clear();
        operations.clear();
        match graph.in_a_circle() {
            Some(place) => {
                let line = graph.operations[place].line;
                let what = format!("the operation of rank {rank} depends on itself through others");
                Err(Problem { line, what })
            }
            None => Ok(graph),
        }
    }
}

impl Graph {
    /// Returns an operation that can never start, if there is one.
    fn in_a_circle(&self) -> Option<usize> {
        let mut before: Vec<u32> = self.operations.iter().map(|it| it.before).collect();
        let free = |before: &[u32], place: usize| before[place] == 0;
        let mut ready: Vec<usize> =
            (0..before.len()).filter(|place| free(&before, *place)).collect();
        while let Some(place) = ready.pop() {
            for edge in self.after(self.operations[place].edges) {
                let to = edge.to as usize;
                before[to] -= 1;
                if before[to] == 0 {
                    ready.push(to);
                }
            }
        }
        before.iter().position(|left| *left > 0)
    }

    /// Returns the edges that begin at an operation.
    pub(super) fn after(&self, edges: Edges) -> &[Edge] {
        &self.edges[edges.first as usize..edges.end as usize]
    }
}

impl Action {
    /// Returns whether it takes time of the processor.
    pub(super) fn calculates(self) -> bool {
        match self {
            Self::Calculate(_) => true,
            Self::Send { .. } | Self::Receive { .. } => false,
        }
    }
}

/// Returns part of the file as text, for a message.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Divides words between letters and digits, and joins a size or a time with its unit: spaces mean nothing there, as in
/// `send 8 b to1`.
fn respaced<'a>(words: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let same = |one: &u8, other: &u8| one.is_ascii_alphabetic() == other.is_ascii_alphabetic();
    let parts = words.iter().flat_map(|word| word.chunk_by(same));
    let mut parts: Vec<&[u8]> = parts.collect();
    if matches!(parts.get(2), Some(&(b"b" | b"ns"))) {
        parts.remove(2);
    }
    parts
}

/// Reads what an operation does.
fn action_of(words: &[&[u8]], ranks: u64) -> Result<Action, String> {
    let [what, amount] = [0, 1].map(|place| words.get(place).copied().unwrap_or_default());
    let rest = words.get(2..).unwrap_or_default();
    let (sends, joint) = match what {
        b"calc" => {
            let time = number(amount.strip_suffix(b"ns").unwrap_or(amount)).ok_or_else(|| {
                let amount = text(amount);
                format!("`{amount}` is no time: `calc` takes whole nanoseconds, as in `calc 500`")
            })?;
            places(rest)?;
            return Ok(Action::Calculate(time));
        }
        b"send" => (true, "to"),
        b"recv" => (false, "from"),
        _ => return Err(format!("`{}` is no operation: send, recv or calc", text(what))),
    };
    let bytes = number(amount.strip_suffix(b"b").unwrap_or(amount)).ok_or_else(|| {
        let (what, amount) = (text(what), text(amount));
        format!("`{amount}` is no size: `{what}` takes bytes, as in `{what} 8b {joint} 1`")
    })?;
    let [found, peer] = [0, 1].map(|place| rest.get(place).copied().unwrap_or_default());
    if found != joint.as_bytes() {
        return Err(format!("after the size of `{}` comes `{joint}` with a rank", text(what)));
    }
    let peer = match number(peer) {
        Some(rank) if rank < ranks => Some(rank as u32),
        Some(ANY) if !sends => None,
        None if !sends && matches!(peer, b"any" | b"ANY" | b"-1") => None,
        _ => {
            let (peer, most) = (text(peer), ranks - 1);
            let any = if sends { "" } else { ", nor `any`" };
            return Err(format!("`{peer}` is not one of the ranks 0 to {most}{any}"));
        }
    };
    let tag = places(rest.get(2..).unwrap_or_default())?;
    Ok(match peer {
        Some(to) if sends => Action::Send { to, tag: tag.unwrap_or(0), bytes },
        from => {
            Action::Receive { from, tag: Some(tag.unwrap_or(0)).filter(|tag| *tag >= 0), bytes }
        }
    })
}

/// Reads `tag T`, `cpu C` and `nic N`, in any order, and returns the tag.
fn places(words: &[&[u8]]) -> Result<Option<i32>, String> {
    let mut tag = None;
    for pair in words.chunks(2) {
        let (word, value) = (pair[0], pair.get(1).copied().unwrap_or_default());
        let (digits, sign) = value.strip_prefix(b"-").map_or((value, 1), |digits| (digits, -1));
        if !matches!(word, b"tag" | b"cpu" | b"nic") {
            return Err(format!("`{}` is none of tag, cpu and nic", text(word)));
        }
        let number = match number(digits) {
            Some(ANY) => Some(-1),
            number => number.and_then(|number| i32::try_from(number).ok()),
        };
        let number = number.ok_or_else(|| {
            let (word, value) = (text(word), text(value));
            format!("`{value}` is no {word}: `{word}` takes a whole number up to {}", i32::MAX)
        })?;
        if word == b"tag" {
            tag = Some(sign * number);
        }
    }
    Ok(tag)
}
