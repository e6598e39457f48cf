//! Cuts a schedule between ranks, so that several threads read it.

use super::lines::Lines;

/// The least size of a piece, in bytes: less is read sooner than a thread starts.
const PIECE_MIN: usize = 1 << 20;

/// Lines of a schedule that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub text: &'a str,
    /// Number of its first line in the file.
    pub line: u32,
}

/// Cuts a text after lines that end a rank, into at most `count` pieces of about the same size.
///
/// How it is cut has no effect on what is read: ranks are not nested, so that each of these lines ends a rank or
/// is a mistake of the piece in front of the cut.
pub(super) fn pieces(whole: Piece<'_>, count: usize) -> Vec<Piece<'_>> {
    // What looks like the end of a rank may be inside a comment of several lines.
    if whole.text.contains("/*") {
        return vec![whole];
    }
    pieces_of(whole, (whole.text.len() / count.max(1)).max(PIECE_MIN))
}

/// Cuts a text into pieces of at least `size` bytes, except for the last one.
fn pieces_of(whole: Piece<'_>, size: usize) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let Piece { text: mut rest, mut line } = whole;
    while let Some(end) = end_of_rank(rest, size) {
        let (text, following) = rest.split_at(end);
        all.push(Piece { text, line });
        line += text.bytes().filter(|byte| *byte == b'\n').count() as u32;
        rest = following;
    }
    all.push(Piece { text: rest, line });
    all
}

/// Returns the place after the first line that ends a rank and is not within the first `from` bytes, if text
/// follows it.
fn end_of_rank(text: &str, from: usize) -> Option<usize> {
    let newline = |from: usize| {
        let rest = text.as_bytes().get(from..)?;
        Some(from + rest.iter().position(|byte| *byte == b'\n')? + 1)
    };
    let mut first = newline(from)?;
    loop {
        let next = newline(first).filter(|next| *next < text.len())?;
        if is_end_of_rank(&text[first..next]) {
            return Some(next);
        }
        first = next;
    }
}

/// Returns whether the last statement of a line ends a rank, so that none goes on after the line.
fn is_end_of_rank(line: &str) -> bool {
    let mut statements = Lines::new(line, 1);
    let mut ends = false;
    while let Some(statement) = statements.next() {
        ends = statement.text == b"}" || ends && statement.text.is_empty();
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "rank 0 {\na: calc 1\n} // done\n\nrank 1 {\n  }\nrank 2 {\n}\n";

    #[test]
    fn a_text_is_cut_after_the_ends_of_ranks() {
        let whole = Piece { text: TEXT, line: 2 };
        let lines = |size| pieces_of(whole, size).iter().map(|it| it.line).collect::<Vec<_>>();
        assert_eq!(lines(1), [2, 5, 8]);
        assert_eq!(lines(20), [2, 8]);
        assert_eq!(lines(1000), [2]);
        assert_eq!(pieces(whole, 8), [whole], "small files are one piece");
    }

    proptest! {
        #[test]
        fn pieces_are_the_text(
            lines in prop::collection::vec(
                prop::sample::select(vec!["}", "} # end", "rank 0 {", "} rank 1 {", "rank 0 { }", "", "a: calc 5", "é: calc 5", "x}"]),
                0..30,
            ),
            size in 0..60usize,
        ) {
            let text = lines.join("\n");
            let all = pieces_of(Piece { text: &text, line: 1 }, size);
            prop_assert_eq!(all.iter().map(|it| it.text).collect::<String>(), text.clone());
            let mut line = 1;
            for piece in all {
                prop_assert_eq!(piece.line, line);
                line += piece.text.matches('\n').count() as u32;
            }
        }
    }
}
