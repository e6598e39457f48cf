//! The last part of a stream of output.

/// Most bytes that are kept.
const KEPT: usize = 4096;

/// The last bytes of a stream.
#[derive(Default)]
pub(crate) struct Tail {
    bytes: Vec<u8>,
    /// Whether earlier bytes were dropped.
    cut: bool,
}

impl Tail {
    /// Appends the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
            self.cut = true;
        }
    }

    /// Returns the text, from the beginning of a line if earlier text was dropped.
    pub(crate) fn text(&self) -> String {
        let mut kept = &self.bytes[self.bytes.len().saturating_sub(KEPT)..];
        if self.cut || kept.len() < self.bytes.len() {
            let line = kept.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            kept = &kept[line..];
        }
        String::from_utf8_lossy(kept).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = Tail::default();
        tail.push(b"first\n");
        assert_eq!(tail.text(), "first\n");
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        let text = tail.text();
        assert!(text.len() <= KEPT && text.ends_with("line 9999\n"));
        assert!(text.starts_with("line "), "{text}");
    }
}
