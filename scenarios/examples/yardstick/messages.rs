//! Point-to-point communication: every way to send with every way to receive.

use crate::program::{Action, Program, Statement, Term, Type, Who};

/// The arguments of one end of a message.
#[derive(Clone, Copy)]
struct End {
    buffer: Term,
    count: i64,
    of: Term,
    peer: i64,
    tag: i64,
    comm: Term,
}

impl End {
    fn sound(buffer: &'static str, memory: Type, peer: i64) -> Self {
        let comm = Term::Constant("MPI_COMM_WORLD");
        Self { buffer: Term::Array(buffer), count: 4, of: Term::Type(memory), peer, tag: 7, comm }
    }

    fn terms(self) -> Vec<Term> {
        let Self { buffer, count, of, peer, tag, comm } = self;
        vec![buffer, Term::Number(count), of, Term::Number(peer), Term::Number(tag), comm]
    }

    /// Returns the arguments of a probe for the message.
    fn probe(self) -> Vec<Term> {
        vec![Term::Number(self.peer), Term::Number(self.tag), self.comm]
    }
}

const SENDS: [&str; 7] = [
    "MPI_Send",
    "MPI_Ssend",
    "MPI_Isend",
    "MPI_Issend",
    "MPI_Send_init",
    "MPI_Ssend_init",
    "MPI_Ibsend",
];
const RECEIVES: [&str; 5] = ["MPI_Recv", "MPI_Irecv", "MPI_Recv_init", "MPI_Probe", "MPI_Mprobe"];

const SENDER: u32 = 0;
const RECEIVER: u32 = 1;
const IGNORE: Term = Term::Constant("MPI_STATUS_IGNORE");
const REQUEST: Term = Term::Out("request");

/// Returns the statements of one end; the call that names the buffer is marked, if asked for.
fn statements(who: Who, name: &str, end: End, marked: bool) -> Vec<Statement> {
    let call = |name: &str, terms: &[Term]| Statement::call(who, name, terms);
    let main = |name: &str, terms: &[Term]| Statement { marked, ..call(name, terms) };
    let with = |rest: Term| [end.terms(), vec![rest]].concat();
    let wait = call("MPI_Wait", &[REQUEST, IGNORE]);
    match name {
        "MPI_Send" | "MPI_Ssend" => vec![main(name, &end.terms())],
        "MPI_Ibsend" => {
            // The attached buffer is an array that nothing else uses.
            let attach = call("MPI_Buffer_attach", &[Term::Array("out"), Term::Number(4096)]);
            let detach = call("MPI_Buffer_detach", &[Term::Array("out"), Term::Out("seen")]);
            vec![attach, main(name, &with(REQUEST)), wait, detach]
        }
        "MPI_Recv" => vec![main(name, &with(IGNORE))],
        "MPI_Probe" => {
            let probe = call(name, &[end.probe(), vec![IGNORE]].concat());
            vec![probe, main("MPI_Recv", &with(IGNORE))]
        }
        "MPI_Mprobe" => {
            let message = Term::Out("message");
            let probe = call(name, &[end.probe(), vec![message, IGNORE]].concat());
            let terms = [end.buffer, Term::Number(end.count), end.of, message, IGNORE];
            vec![probe, main("MPI_Mrecv", &terms)]
        }
        init if init.ends_with("_init") => vec![
            main(name, &with(REQUEST)),
            call("MPI_Start", &[REQUEST]),
            wait,
            call("MPI_Request_free", &[REQUEST]),
        ],
        _ => vec![main(name, &with(REQUEST)), wait],
    }
}

/// Returns all programs about messages.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for send in SENDS {
        for receive in RECEIVES {
            for (number, memory) in Type::ALL.into_iter().enumerate() {
                sound(send, receive, (number, memory), &mut all);
            }
            wrong(send, receive, &mut all);
        }
    }
    pairs(&mut all);
    all
}

fn sound(send: &str, receive: &str, (number, memory): (usize, Type), all: &mut Vec<Program>) {
    let comm = Term::Constant(["MPI_COMM_WORLD", "MPI_COMM_WORLD"][number % 2]);
    let count = [4, 1, 0, 4][number];
    let from = End { comm, count, ..End::sound("in", memory, i64::from(RECEIVER)) };
    // A receive may have more room than the message needs.
    let peer = if number == 1 { Term::Constant("MPI_ANY_SOURCE") } else { Term::Number(0) };
    let into = End { comm, count: 4, ..End::sound("out", memory, i64::from(SENDER)) };
    let mut body = statements(Who::Only(SENDER), send, from, false);
    for mut statement in statements(Who::Only(RECEIVER), receive, into, false) {
        if let Action::Call(name, terms) = &mut statement.action {
            let place = if name.contains("robe") { 0 } else { 3 };
            if terms.get(place) == Some(&Term::Number(0)) {
                terms[place] = peer;
            }
        }
        body.push(statement);
    }
    let ranks = 2 + number as u32 % 2;
    all.push(Program {
        family: format!("{send} to {receive}"),
        variant: format!("sound {number}"),
        ranks,
        memory,
        body,
        expected: vec!["ok"],
    });
}

fn wrong(send: &str, receive: &str, all: &mut Vec<Program>) {
    let memory = Type::Int;
    let from = End::sound("in", memory, i64::from(RECEIVER));
    let into = End::sound("out", memory, i64::from(SENDER));
    let mut push = |variant: &str, body: Vec<Statement>, expected: &[&'static str]| {
        all.push(Program {
            family: format!("{send} to {receive}"),
            variant: variant.into(),
            ranks: 2,
            memory,
            body,
            expected: expected.to_vec(),
        });
    };
    let both = |from: End, into: End, at_sender: bool| {
        let mut body = statements(Who::Only(SENDER), send, from, at_sender);
        body.extend(statements(Who::Only(RECEIVER), receive, into, !at_sender));
        body
    };
    let null = Term::Constant("MPI_DATATYPE_NULL");
    let nobody = Term::Constant("MPI_COMM_NULL");
    let copy = Term::Value("copy");
    let invalid: &[&'static str] = &["invalid-argument"];
    push("null datatype sent", both(End { of: null, ..from }, into, true), invalid);
    push("null datatype received", both(from, End { of: null, ..into }, false), invalid);
    push("negative count sent", both(End { count: -1, ..from }, into, true), invalid);
    push("negative count received", both(from, End { count: -1, ..into }, false), invalid);
    push("null buffer sent", both(End { buffer: Term::Null, ..from }, into, true), invalid);
    push("null buffer received", both(from, End { buffer: Term::Null, ..into }, false), invalid);
    push("short buffer sent", both(End { buffer: Term::Tiny, ..from }, into, true), invalid);
    push("short buffer received", both(from, End { buffer: Term::Tiny, ..into }, false), invalid);
    push("no such destination", both(End { peer: 99, ..from }, into, true), invalid);
    push("negative tag sent", both(End { tag: -7, ..from }, into, true), invalid);
    push("null communicator sent", both(End { comm: nobody, ..from }, into, true), invalid);
    let probes = receive.contains("robe");
    if !probes {
        push("no such source", both(from, End { peer: 99, ..into }, false), invalid);
        push(
            "null communicator received",
            both(from, End { comm: nobody, ..into }, false),
            invalid,
        );
    }
    let differ: &[&'static str] = &["parameter-matching"];
    push(
        "another datatype sent",
        both(End { of: Term::Type(Type::Float), ..from }, into, true),
        differ,
    );
    push(
        "another datatype received",
        both(from, End { of: Term::Type(Type::Float), ..into }, false),
        differ,
    );
    push("longer than the receive", both(from, End { count: 2, ..into }, false), differ);
    push("another communicator", both(End { comm: copy, ..from }, into, true), differ);
    push("another tag", both(End { tag: 8, ..from }, into, true), &["deadlock"]);
    push("sent to itself", both(End { peer: 0, ..from }, into, true), &["deadlock"]);
    push("never sent", statements(Who::Only(RECEIVER), receive, into, !probes), &["deadlock"]);
    let lost: &[&'static str] = if send.contains("Ss") || send.contains("Iss") {
        &["deadlock"]
    } else {
        &["call-ordering", "deadlock"]
    };
    push("never received", statements(Who::Only(SENDER), send, from, true), lost);
    lives(send, receive, (from, into), &mut push);
}

/// Adds faults in the life of requests.
fn lives(
    send: &str,
    receive: &str,
    (from, into): (End, End),
    push: &mut impl FnMut(&str, Vec<Statement>, &[&'static str]),
) {
    let without = |gone: &str, at_sender: bool| {
        let (who, name, end) = match at_sender {
            true => (Who::Only(SENDER), send, from),
            false => (Who::Only(RECEIVER), receive, into),
        };
        let mut body = statements(who, name, end, true);
        body.retain(|statement| !statement.calls(gone));
        body.extend(match at_sender {
            true => statements(Who::Only(RECEIVER), receive, into, false),
            false => statements(Who::Only(SENDER), send, from, false),
        });
        body
    };
    for (name, at_sender) in [(send, true), (receive, false)] {
        let end = if at_sender { "send" } else { "receive" };
        let own = statements(Who::All, name, if at_sender { from } else { into }, true);
        let is_wait = |statement: &Statement| statement.calls("MPI_Wait");
        let waits = own.iter().any(is_wait);
        let life: &[&'static str] = &["request-lifecycle"];
        if name.ends_with("_init") {
            let leak = &["request-lifecycle", "resource-leak"];
            push(&format!("{end} never freed"), without("MPI_Request_free", at_sender), leak);
            push(&format!("{end} never started"), without("MPI_Start", at_sender), life);
        } else if waits && name.starts_with("MPI_I") {
            push(&format!("{end} never completed"), without("MPI_Wait", at_sender), life);
        }
        if waits && name != "MPI_Ibsend" {
            let mut body = without("", at_sender);
            let at = body.iter().position(is_wait).expect("it waits");
            let who = body[at].who;
            // The buffer belongs to a persistent operation from its start.
            body[0].marked = false;
            body[at - 1].marked = true;
            body.insert(
                at,
                Statement::of(
                    who,
                    match at_sender {
                        true => Action::Write("in"),
                        false => Action::Read("out"),
                    },
                ),
            );
            push(&format!("{end} buffer used before the wait"), body, &["local-concurrency"]);
        }
    }
}

/// Adds programs in which two ranks send to each other.
fn pairs(all: &mut Vec<Program>) {
    let ends = |who: u32, send: &str, receive: &str, send_first: bool| {
        let peer = i64::from(1 - who);
        let mut first = statements(Who::Only(who), send, End::sound("in", Type::Int, peer), false);
        let mut second =
            statements(Who::Only(who), receive, End::sound("out", Type::Int, peer), false);
        if !send_first {
            std::mem::swap(&mut first, &mut second);
        }
        first.extend(second);
        first
    };
    for send in ["MPI_Send", "MPI_Ssend"] {
        for (orders, name) in [
            ([true, true], "both send first"),
            ([false, false], "both receive first"),
            ([true, false], "one sends first"),
        ] {
            let mut body = ends(0, send, "MPI_Recv", orders[0]);
            body.extend(ends(1, send, "MPI_Recv", orders[1]));
            let expected = match (orders, send) {
                ([true, true], "MPI_Send") => "buffering",
                ([true, false], _) => "ok",
                _ => "deadlock",
            };
            let family = format!("{send} and MPI_Recv in pairs");
            all.push(Program {
                family,
                variant: name.into(),
                ranks: 2,
                memory: Type::Int,
                body,
                expected: vec![expected],
            });
        }
    }
}
