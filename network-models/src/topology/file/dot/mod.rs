//! DOT, the language of Graphviz: nodes, edges, chains of edges, subgraphs and default attributes.
//!
//! The attributes `kind` of a node and `bandwidth`, `latency` and `cables` of an edge are read, others
//! are ignored unless they are misspelt ones of these. The reader keeps the line of every statement for messages, which the
//! parsers that were available as libraries do not.

mod lexer;

use std::collections::BTreeMap;

use self::lexer::{Lexer, Token};
use super::{
    GraphFileError,
    attribute::{self, Place},
    draft::{Cable, Draft, Undeclared},
    graphml::{role, set},
};

/// Most subgraphs inside each other.
const DEPTH_MAX: u32 = 64;

/// Returns whether a text begins as a DOT file does.
pub(super) fn is_dot(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let mut token = || lexer.token().unwrap_or(Token::End);
    let mut first = token();
    if first.is_word("strict") {
        first = token();
    }
    if !first.is_word("graph") && !first.is_word("digraph") {
        return false;
    }
    match token() {
        Token::Name { .. } => token() == Token::Sign('{'),
        other => other == Token::Sign('{'),
    }
}

/// Reads a DOT file with one graph.
pub(super) fn read(text: &str) -> Result<Draft, GraphFileError> {
    let mut lexer = Lexer::new(text);
    let next = lexer.token()?;
    let line = lexer.line();
    let draft = Draft::new(Undeclared::ByDegree);
    let mut reader = Reader { lexer, next, line, draft };
    while !reader.takes('{')? {
        reader.advance()?;
    }
    reader.statements(&Defaults::default(), 0, &mut Vec::new())?;
    match &reader.next {
        Token::End => Ok(reader.draft),
        other => Err(reader.unexpected(other, "the end of the file behind the graph")),
    }
}

type Attributes = BTreeMap<String, String>;

/// The attributes that later nodes and edges of a graph have.
#[derive(Clone, Default)]
struct Defaults {
    node: Attributes,
    edge: Attributes,
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    next: Token,
    /// Line in which the next token ends.
    line: usize,
    draft: Draft,
}

impl Reader<'_> {
    /// Returns the next token and reads the one after it.
    fn advance(&mut self) -> Result<Token, GraphFileError> {
        let token = self.lexer.token()?;
        self.line = self.lexer.line();
        Ok(std::mem::replace(&mut self.next, token))
    }

    /// Skips a sign, if it is next.
    fn takes(&mut self, sign: char) -> Result<bool, GraphFileError> {
        let found = self.next == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn unexpected(&self, token: &Token, expected: &str) -> GraphFileError {
        GraphFileError::at(self.line, format!("{token} is not expected here, but {expected}"))
    }

    /// Returns a name; several texts joined by `+` are one.
    fn name(&mut self, expected: &str) -> Result<String, GraphFileError> {
        let mut name = match self.advance()? {
            Token::Name { text, .. } => text,
            other => return Err(self.unexpected(&other, expected)),
        };
        while self.takes('+')? {
            name.push_str(&self.name("a text in quotes behind `+`")?);
        }
        Ok(name)
    }

    /// Reads statements up to the bracket that closes the graph, and appends the vertices that they
    /// name to `named`.
    fn statements(
        &mut self,
        outer: &Defaults,
        depth: u32,
        named: &mut Vec<u32>,
    ) -> Result<(), GraphFileError> {
        if depth > DEPTH_MAX {
            let reason = format!("there are more than {DEPTH_MAX} subgraphs inside each other");
            return Err(GraphFileError::at(self.line, reason));
        }
        let mut defaults = outer.clone();
        while !self.takes('}')? {
            if !self.takes(';')? {
                self.statement(&mut defaults, depth, named)?;
            }
        }
        Ok(())
    }

    fn statement(
        &mut self,
        defaults: &mut Defaults,
        depth: u32,
        named: &mut Vec<u32>,
    ) -> Result<(), GraphFileError> {
        for (word, place, target) in [
            ("graph", Place::Graph, None),
            ("node", Place::Vertex, Some(&mut defaults.node)),
            ("edge", Place::Cable, Some(&mut defaults.edge)),
        ] {
            if self.next.is_word(word) {
                self.advance()?;
                let attributes = self.attributes(place)?;
                target.into_iter().for_each(|target| target.extend(attributes.clone()));
                return Ok(());
            }
        }
        let line = self.line;
        let is_graph = self.next.is_word("subgraph") || self.next == Token::Sign('{');
        let mut ends = vec![self.operand(defaults, depth)?];
        if let ([Operand::Name(name)], false) = (&ends[..], is_graph)
            && self.takes('=')?
        {
            // An attribute of the graph.
            attribute::check(name, Place::Graph)
                .map_err(|reason| GraphFileError::at(line, reason))?;
            self.name("a value")?;
            return Ok(());
        }
        let mut arrows = Vec::new();
        while let Token::Edge { arrow } = self.next {
            self.advance()?;
            arrows.push(arrow);
            ends.push(self.operand(defaults, depth)?);
        }
        let place = if arrows.is_empty() && !is_graph { Place::Vertex } else { Place::Cable };
        let attributes = self.attributes(place)?;
        let mut vertices = Vec::new();
        for operand in ends {
            vertices.push(match operand {
                Operand::Name(name) => vec![self.vertex(line, &name, defaults)?],
                Operand::Graph(vertices) => vertices,
            });
        }
        match (&vertices[..], is_graph) {
            ([one], false) => {
                let kind = attributes.get("kind").map(|kind| role(line, kind)).transpose()?;
                kind.map_or(Ok(()), |role| self.draft.declare(line, one[0], role))?;
            }
            _ => self.edges(line, &vertices, &arrows, (&attributes, defaults))?,
        }
        named.extend(vertices.into_iter().flatten());
        Ok(())
    }

    /// Adds the edges of a chain.
    fn edges(
        &mut self,
        line: usize,
        chain: &[Vec<u32>],
        arrows: &[bool],
        (attributes, defaults): (&Attributes, &Defaults),
    ) -> Result<(), GraphFileError> {
        let mut cable = Cable::default();
        let value = |name: &str| attributes.get(name).or_else(|| defaults.edge.get(name));
        set(&mut cable, |name| value(name).map(String::as_str))
            .map_err(|reason| GraphFileError::at(line, reason))?;
        for (ends, arrow) in chain.windows(2).zip(arrows) {
            cable.arrow = *arrow;
            for (a, b) in ends[0].iter().flat_map(|a| ends[1].iter().map(move |b| (*a, *b))) {
                self.draft.join(line, a, b, cable)?;
            }
        }
        Ok(())
    }

    /// Returns the vertex with a name. A new one is of the kind that the defaults name.
    fn vertex(
        &mut self,
        line: usize,
        name: &str,
        defaults: &Defaults,
    ) -> Result<u32, GraphFileError> {
        if let Some(known) = self.draft.known(name) {
            return Ok(known);
        }
        let vertex = self.draft.vertex(line, name)?;
        if let Some(kind) = defaults.node.get("kind") {
            self.draft.presume(vertex, role(line, kind)?);
        }
        Ok(vertex)
    }

    /// Reads one end of an edge: a name with its ports, or a subgraph.
    fn operand(&mut self, defaults: &Defaults, depth: u32) -> Result<Operand, GraphFileError> {
        let is_graph = self.next.is_word("subgraph");
        if is_graph {
            self.advance()?;
            if self.next != Token::Sign('{') {
                self.name("the name of the subgraph or `{`")?;
            }
        }
        if self.takes('{')? {
            let mut vertices = Vec::new();
            self.statements(defaults, depth + 1, &mut vertices)?;
            vertices.sort_unstable();
            vertices.dedup();
            return Ok(Operand::Graph(vertices));
        }
        let name = self.name("the name of a node, `subgraph` or `}`")?;
        while !is_graph && self.takes(':')? {
            self.name("a port")?;
        }
        Ok(Operand::Name(name))
    }

    /// Reads lists of attributes in brackets, if there are any.
    fn attributes(&mut self, place: Place) -> Result<Attributes, GraphFileError> {
        let mut attributes = Attributes::new();
        while self.takes('[')? {
            while !self.takes(']')? {
                let line = self.line;
                let name = self.name("the name of an attribute or `]`")?;
                attribute::check(&name, place)
                    .map_err(|reason| GraphFileError::at(line, reason))?;
                let value = if self.takes('=')? { self.name("a value")? } else { "true".into() };
                attributes.insert(name, value);
                if !self.takes(',')? {
                    self.takes(';')?;
                }
            }
        }
        Ok(attributes)
    }
}

/// One end of an edge.
enum Operand {
    Name(String),
    /// The vertices of a subgraph.
    Graph(Vec<u32>),
}
