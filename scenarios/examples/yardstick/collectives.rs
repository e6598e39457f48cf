//! Collective operations: blocking, nonblocking and persistent, right and wrong in all their arguments.

use crate::program::{Action, Program, Statement, Term, Type, Who};

/// The part of a collective call that an argument is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    In,
    Out,
    Count,
    Counts,
    Places,
    Type,
    Op,
    Root,
    Comm,
}

/// How a collective operation is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Blocking,
    Nonblocking,
    Persistent,
}

struct Family {
    name: &'static str,
    /// One letter an argument, as in [`part`].
    arguments: &'static str,
    /// Which of its types and counts matter on a rank that is not the root.
    significant: Significant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Significant {
    All,
    First,
    Last,
}

/// The rank that is wrong, and never the root.
const ODD: u32 = 1;

const FAMILIES: [Family; 16] = [
    family("Barrier", "C", Significant::All),
    family("Bcast", "ictRC", Significant::All),
    family("Gather", "ictjctRC", Significant::First),
    family("Gatherv", "ictjndtRC", Significant::First),
    family("Scatter", "ictjctRC", Significant::Last),
    family("Scatterv", "indtjctRC", Significant::Last),
    family("Allgather", "ictjctC", Significant::All),
    family("Allgatherv", "ictjndtC", Significant::All),
    family("Alltoall", "ictjctC", Significant::All),
    family("Alltoallv", "indtjndtC", Significant::All),
    family("Reduce", "ijctoRC", Significant::All),
    family("Allreduce", "ijctoC", Significant::All),
    family("Reduce_scatter", "ijntoC", Significant::All),
    family("Reduce_scatter_block", "ijctoC", Significant::All),
    family("Scan", "ijctoC", Significant::All),
    family("Exscan", "ijctoC", Significant::All),
];

const fn family(name: &'static str, arguments: &'static str, significant: Significant) -> Family {
    Family { name, arguments, significant }
}

fn part(letter: char) -> Part {
    match letter {
        'i' => Part::In,
        'j' => Part::Out,
        'c' => Part::Count,
        'n' => Part::Counts,
        'd' => Part::Places,
        't' => Part::Type,
        'o' => Part::Op,
        'R' => Part::Root,
        _ => Part::Comm,
    }
}

/// The arguments of a sound call.
#[derive(Clone, Copy)]
struct Sound {
    memory: Type,
    op: &'static str,
    root: i64,
    count: i64,
    comm: Term,
}

impl Family {
    fn parts(&self) -> Vec<Part> {
        self.arguments.chars().map(part).collect()
    }

    fn has(&self, wanted: Part) -> bool {
        self.parts().contains(&wanted)
    }

    fn sound(&self, sound: Sound) -> Vec<Term> {
        let term = |part: Part| match part {
            Part::In => Term::Array("in"),
            Part::Out => Term::Array("out"),
            Part::Count => Term::Number(sound.count),
            Part::Counts => Term::Value("counts"),
            Part::Places => Term::Value("places"),
            Part::Type => Term::Type(sound.memory),
            Part::Op => Term::Constant(sound.op),
            Part::Root => Term::Number(sound.root),
            Part::Comm => sound.comm,
        };
        self.parts().into_iter().map(term).collect()
    }

    /// Returns the arguments with those of one kind replaced: all of them, or the significant ones.
    fn with(&self, sound: &[Term], wanted: Part, by: Term) -> Vec<Term> {
        let places: Vec<usize> =
            (0..).zip(self.parts()).filter(|(_, part)| *part == wanted).map(|(at, _)| at).collect();
        let chosen = match (self.significant, wanted) {
            (Significant::First, Part::Type | Part::Count) => &places[..1],
            (Significant::Last, Part::Type | Part::Count) => &places[places.len() - 1..],
            _ => &places[..],
        };
        let mut changed = sound.to_vec();
        chosen.iter().for_each(|at| changed[*at] = by);
        changed
    }
}

/// Returns the statements of one call.
fn called(form: Form, who: Who, name: &str, arguments: &[Term], marked: bool) -> Vec<Statement> {
    let begin = |name: String, rest: &[Term]| Statement {
        marked,
        ..Statement::call(who, name, &[arguments, rest].concat())
    };
    let end = |name: &str, arguments: &[Term]| Statement::call(who, name, arguments);
    let request = Term::Out("request");
    let wait = end("MPI_Wait", &[request, Term::Constant("MPI_STATUS_IGNORE")]);
    match form {
        Form::Blocking => vec![begin(format!("MPI_{name}"), &[])],
        Form::Nonblocking => {
            vec![begin(format!("MPI_I{}", name.to_lowercase()), &[request]), wait]
        }
        Form::Persistent => vec![
            begin(format!("MPI_{name}_init"), &[Term::Constant("MPI_INFO_NULL"), request]),
            end("MPI_Start", &[request]),
            wait,
            end("MPI_Request_free", &[request]),
        ],
    }
}

/// Returns all programs about collective operations.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for family in &FAMILIES {
        for form in [Form::Blocking, Form::Nonblocking, Form::Persistent] {
            sound(family, form, &mut all);
            for memory in [Type::Int, Type::Double] {
                wrong(family, form, memory, &mut all);
            }
        }
    }
    all
}

fn title(family: &Family, form: Form) -> String {
    match form {
        Form::Blocking => format!("MPI_{}", family.name),
        Form::Nonblocking => format!("MPI_I{}", family.name.to_lowercase()),
        Form::Persistent => format!("MPI_{}_init", family.name),
    }
}

fn sound(family: &Family, form: Form, all: &mut Vec<Program>) {
    let world = Term::Constant("MPI_COMM_WORLD");
    for (number, memory) in Type::ALL.into_iter().enumerate() {
        for ranks in [2, 3, 4] {
            let sound = Sound {
                memory,
                op: ["MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD"][number],
                root: i64::from(ranks) - 1 - (number as i64 % 2),
                count: if family.has(Part::Counts) { 4 } else { [4, 4, 0, 4][number] },
                comm: if number % 2 == 0 { world } else { Term::Value("copy") },
            };
            let arguments = family.sound(sound);
            let mut body = called(form, Who::All, family.name, &arguments, false);
            body.extend(called(form, Who::All, family.name, &arguments, false));
            all.push(Program {
                family: title(family, form),
                variant: format!("sound {number}"),
                ranks,
                memory,
                body,
                expected: vec!["ok"],
            });
        }
    }
}

/// A wrong argument: its name, the part that is replaced, by what, whether on all ranks, and the
/// verdict.
type Fault = (&'static str, Part, Term, bool, &'static str);

fn faults(memory: Type) -> Vec<Fault> {
    let null = |name| Term::Constant(name);
    vec![
        ("null communicator", Part::Comm, null("MPI_COMM_NULL"), true, "invalid-argument"),
        ("null datatype", Part::Type, null("MPI_DATATYPE_NULL"), true, "invalid-argument"),
        ("null operation", Part::Op, null("MPI_OP_NULL"), true, "invalid-argument"),
        ("negative count", Part::Count, Term::Number(-1), true, "invalid-argument"),
        ("root out of range", Part::Root, Term::Value("size"), true, "invalid-argument"),
        ("null send buffer", Part::In, Term::Null, true, "invalid-argument"),
        ("short send buffer", Part::In, Term::Tiny, true, "invalid-argument"),
        ("buffers overlap", Part::Out, Term::Array("in"), true, "invalid-argument"),
        ("another root", Part::Root, Term::Number(1), false, "parameter-matching"),
        ("another datatype", Part::Type, Term::Type(memory.other()), false, "parameter-matching"),
        ("another count", Part::Count, Term::Number(3), false, "parameter-matching"),
        ("other counts", Part::Counts, Term::Value("fewer"), false, "parameter-matching"),
        ("another operation", Part::Op, Term::Constant("MPI_MAX"), false, "parameter-matching"),
        ("another communicator", Part::Comm, Term::Value("copy"), false, "parameter-matching"),
    ]
}

fn wrong(family: &Family, form: Form, memory: Type, all: &mut Vec<Program>) {
    let comm = Term::Constant("MPI_COMM_WORLD");
    let arguments = family.sound(Sound { memory, op: "MPI_SUM", root: 0, count: 4, comm });
    let name = title(family, form);
    let mut push = |variant: &str, body: Vec<Statement>, expected: &[&'static str]| {
        all.push(Program {
            family: name.clone(),
            variant: variant.into(),
            ranks: 3,
            memory,
            body,
            expected: expected.to_vec(),
        });
    };
    let call = |who, arguments: &[Term], marked| called(form, who, family.name, arguments, marked);
    let sound = |who| call(who, &arguments, false);
    for (variant, wanted, by, everywhere, verdict) in faults(memory) {
        // The root's counts alone matter in these, and the odd rank is not the root.
        let idle = wanted == Part::Counts && matches!(family.name, "Gatherv" | "Scatterv");
        if !family.has(wanted) || idle || wanted == Part::Out && !family.has(Part::In) {
            continue;
        }
        let changed = family.with(&arguments, wanted, by);
        let body = match everywhere {
            true => call(Who::All, &changed, true),
            false => {
                let mut body = call(Who::Only(ODD), &changed, true);
                body.extend(sound(Who::Except(ODD)));
                body
            }
        };
        push(variant, body, &[verdict]);
    }
    push("missing on one rank", sound(Who::Except(ODD)), &["call-ordering"]);
    let other = |who| {
        let (name, list) = match family.name {
            "Barrier" => (
                "MPI_Bcast",
                vec![Term::Array("in"), Term::Number(4), Term::Type(memory), Term::Number(0), comm],
            ),
            _ => ("MPI_Barrier", vec![comm]),
        };
        Statement::call(who, name, &list)
    };
    if form == Form::Blocking {
        let mut body = vec![other(Who::Only(ODD))];
        body.extend(sound(Who::All));
        body.push(other(Who::Except(ODD)));
        push("in another order on one rank", body, &["call-ordering"]);
        return;
    }
    unfinished(family, form, &arguments, &mut push);
}

/// Adds programs whose operations are not completed, or whose buffers are used before that.
fn unfinished(
    family: &Family,
    form: Form,
    arguments: &[Term],
    push: &mut impl FnMut(&str, Vec<Statement>, &[&'static str]),
) {
    let sound = |who| called(form, who, family.name, arguments, false);
    let without = |gone: &str| {
        let mut body = sound(Who::All);
        body.retain(|statement| !statement.calls(gone));
        body[0].marked = true;
        body
    };
    if form == Form::Nonblocking {
        push("never completed", without("MPI_Wait"), &["request-lifecycle"]);
    } else {
        push("never freed", without("MPI_Request_free"), &["request-lifecycle", "resource-leak"]);
        push("never started", without("MPI_Start"), &["ok"]);
    }
    // A persistent operation is made before it is started.
    let at = if form == Form::Nonblocking { 1 } else { 2 };
    if family.has(Part::In) {
        let mut body = sound(Who::All);
        body.insert(at, Statement::of(Who::Only(0), Action::Write("in")));
        push("buffer written before the wait", body, &["local-concurrency"]);
    }
    if family.has(Part::Out) {
        let mut body = sound(Who::All);
        // The first rank receives nothing in an exclusive scan.
        let reader = if family.name == "Exscan" { 1 } else { 0 };
        body.insert(at, Statement::of(Who::Only(reader), Action::Read("out")));
        push("buffer read before the wait", body, &["local-concurrency"]);
    }
}
