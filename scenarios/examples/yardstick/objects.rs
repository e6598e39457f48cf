//! Communicators, datatypes, groups and other objects: made, freed, used after that.

use crate::program::{Program, Statement, Term, Type, Who};

/// How an object is made, by which variable it is known, and how it is freed and used.
struct Object {
    family: &'static str,
    make: Vec<Statement>,
    free: &'static str,
    variable: &'static str,
    used: Option<Statement>,
}

const WORLD: Term = Term::Constant("MPI_COMM_WORLD");

fn all_ranks(name: &str, terms: &[Term]) -> Statement {
    Statement::all(name, terms)
}

fn objects() -> Vec<Object> {
    let mut all = communicators();
    all.extend(datatypes());
    all.extend([
        Object {
            family: "MPI_Comm_group",
            make: vec![group()],
            free: "MPI_Group_free",
            variable: "group",
            used: None,
        },
        Object {
            family: "MPI_Info_create",
            make: vec![all_ranks("MPI_Info_create", &[Term::Out("info")])],
            free: "MPI_Info_free",
            variable: "info",
            used: None,
        },
    ]);
    all
}
/// Returns the statement that makes the group of all ranks.
fn group() -> Statement {
    all_ranks("MPI_Comm_group", &[WORLD, Term::Out("group")])
}

fn communicators() -> Vec<Object> {
    let (number, made) = (Term::Number, Term::Out("made"));
    let (shared, no_info) =
        (Term::Constant("MPI_COMM_TYPE_SHARED"), Term::Constant("MPI_INFO_NULL"));
    let barrier = || Some(all_ranks("MPI_Barrier", &[Term::Value("made")]));
    let comm = |family, terms: &[Term], used| Object {
        family,
        make: vec![all_ranks(family, terms)],
        free: "MPI_Comm_free",
        variable: "made",
        used,
    };
    let create = all_ranks("MPI_Comm_create", &[WORLD, Term::Value("group"), made]);
    let grid = [WORLD, number(1), Term::Value("counts"), Term::Value("one"), number(0), made];
    vec![
        comm("MPI_Comm_dup", &[WORLD, made], barrier()),
        comm("MPI_Comm_split", &[WORLD, number(0), number(0), made], barrier()),
        comm("MPI_Comm_split_type", &[WORLD, shared, number(0), no_info, made], barrier()),
        Object {
            make: vec![group(), create, all_ranks("MPI_Group_free", &[Term::Out("group")])],
            ..comm("MPI_Comm_create", &[], barrier())
        },
        comm("MPI_Cart_create", &grid, None),
    ]
}

fn datatypes() -> Vec<Object> {
    let (number, of, int) = (Term::Number, Term::Out("type"), Term::Type(Type::Int));
    let (lengths, places) = (Term::Value("fewer"), Term::Value("places"));
    let datatype = |family, terms: &[Term]| {
        let sent = [Term::Array("in"), number(1), Term::Value("type"), number(0), WORLD];
        Object {
            family,
            make: vec![all_ranks(family, terms), all_ranks("MPI_Type_commit", &[of])],
            free: "MPI_Type_free",
            variable: "type",
            used: Some(all_ranks("MPI_Bcast", &sent)),
        }
    };
    vec![
        datatype("MPI_Type_contiguous", &[number(3), int, of]),
        datatype("MPI_Type_vector", &[number(3), number(1), number(2), int, of]),
        datatype("MPI_Type_indexed", &[number(3), lengths, places, int, of]),
        datatype("MPI_Type_create_indexed_block", &[number(3), number(2), places, int, of]),
        datatype("MPI_Type_dup", &[int, of]),
    ]
}

/// Returns all programs about objects.
pub(crate) fn programs() -> Vec<Program> {
    let mut found = Vec::new();
    for object in objects() {
        for ranks in [2, 3, 4] {
            add(&object, ranks, &mut found);
        }
    }
    found
}

fn add(object: &Object, ranks: u32, found: &mut Vec<Program>) {
    // A Cartesian grid of 4 ranks needs as many.
    if object.family == "MPI_Cart_create" && ranks < 4 {
        return;
    }
    let free = || all_ranks(object.free, &[Term::Out(object.variable)]);
    let mut push = |variant: &str, body: Vec<Statement>, expected: &'static str| {
        found.push(Program {
            family: object.family.into(),
            variant: variant.into(),
            ranks,
            memory: Type::Int,
            body,
            expected: vec![expected],
        });
    };
    let used = || object.used.clone().into_iter();
    let make = || object.make.clone();
    let body = |more: Vec<Statement>| make().into_iter().chain(more).collect::<Vec<_>>();
    push("sound", body(used().chain([free()]).collect()), "ok");
    let mut kept = body(used().collect());
    kept[0].marked = object.family != "MPI_Comm_create";
    push("never freed", kept, "resource-leak");
    let again = Statement { marked: true, ..free() };
    push("freed twice", body(vec![free(), again]), "invalid-argument");
    if let Some(used) = object.used.clone() {
        push(
            "used after it was freed",
            body(vec![free(), Statement { marked: true, ..used }]),
            "invalid-argument",
        );
    }
    let kept_by_one = Statement { who: Who::Except(1), ..free() };
    if object.variable != "made" {
        push("freed by some ranks only", body(vec![kept_by_one]), "resource-leak");
    }
}
