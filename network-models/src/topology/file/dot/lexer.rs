//! [`Lexer`]: the tokens of a DOT file, with their lines.

use std::fmt;

use super::GraphFileError;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a number or a text in quotes. `plain` if it is not in quotes: then it may be a
    /// keyword.
    Name { text: String, plain: bool },
    /// `--` or `->`.
    Edge { arrow: bool },
    /// One of `{}[]=;,:+`.
    Sign(char),
    /// The end of the text.
    End,
}

impl Token {
    /// Returns whether the token is a keyword, which may be written in capitals.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Name { text, plain: true } if text.eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Name { text, .. } => write!(out, "`{text}`"),
            Self::Edge { arrow: true } => out.write_str("`->`"),
            Self::Edge { arrow: false } => out.write_str("`--`"),
            Self::Sign(sign) => write!(out, "`{sign}`"),
            Self::End => out.write_str("the end of the file"),
        }
    }
}

/// Divides a text into tokens.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// Line of the next character.
    line: usize,
    /// Whether the next character is the first one of its line.
    fresh: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, fresh: true }
    }

    /// Returns the line of the next token if blanks and comments have been skipped.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Moves over the first bytes.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        if !skipped.is_empty() {
            self.fresh = skipped.ends_with('\n');
        }
        self.rest = rest;
        skipped
    }

    /// Skips blanks, comments as in C and C++, and lines that begin with `#`.
    pub(super) fn skip_blanks(&mut self) -> Result<(), GraphFileError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.skip(blanks);
            let length = if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Err(GraphFileError::at(self.line, "the comment is not closed by `*/`"));
                };
                end + 2
            } else if self.rest.starts_with("//") || self.fresh && self.rest.starts_with('#') {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else {
                return Ok(());
            };
            self.skip(length);
        }
    }

    /// Returns the next token.
    pub(super) fn token(&mut self) -> Result<Token, GraphFileError> {
        self.skip_blanks()?;
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if self.rest.starts_with("--") || self.rest.starts_with("->") {
            return Ok(Token::Edge { arrow: self.skip(2) == "->" });
        }
        match first {
            '{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+' => {
                self.skip(1);
                Ok(Token::Sign(first))
            }
            '"' => self.quoted(),
            '<' => self.markup(),
            _ => self.plain(first),
        }
    }

    fn quoted(&mut self) -> Result<Token, GraphFileError> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((place, character)) = characters.next() {
            match character {
                '"' => {
                    self.skip(place + 1);
                    return Ok(Token::Name { text, plain: false });
                }
                '\\' => match characters.next() {
                    Some((_, '"')) => text.push('"'),
                    Some((_, '\n')) => {}
                    Some((_, other)) => text.extend(['\\', other]),
                    None => {}
                },
                other => text.push(other),
            }
        }
        Err(GraphFileError::at(self.line, "the text is not closed by `\"`"))
    }

    /// Reads a label in markup, `<…>`, whose brackets are balanced.
    fn markup(&mut self) -> Result<Token, GraphFileError> {
        let mut open = 0u32;
        for (place, character) in self.rest.char_indices() {
            match character {
                '<' => open += 1,
                '>' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let text = self.skip(place + 1).to_owned();
                return Ok(Token::Name { text, plain: false });
            }
        }
        Err(GraphFileError::at(self.line, "the text is not closed by `>`"))
    }

    fn plain(&mut self, first: char) -> Result<Token, GraphFileError> {
        let is_number = first.is_ascii_digit() || first == '.' || first == '-';
        let inside = |c: char| match is_number {
            true => c.is_ascii_digit() || c == '.',
            false => c.is_alphanumeric() || c == '_',
        };
        let behind = &self.rest[first.len_utf8()..];
        let length = first.len_utf8() + behind.find(|c| !inside(c)).unwrap_or(behind.len());
        if !is_number && !inside(first) || &self.rest[..length] == "-" {
            let reason =
                format!("`{first}` is not expected; names with such characters need quotes");
            return Err(GraphFileError::at(self.line, reason));
        }
        Ok(Token::Name { text: self.skip(length).to_owned(), plain: true })
    }
}
