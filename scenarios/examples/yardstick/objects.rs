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

fn all(name: &str, terms: &[Term]) -> Statement {
    Statement::all(name, terms)
}

fn objects() -> Vec<Object> {
    let world = Term::Constant("MPI_COMM_WORLD");
    let number = Term::Number;
    let (made, of) = (Term::Out("made"), Term::Out("type"));
    let barrier = || Some(all("MPI_Barrier", &[Term::Value("made")]));
    let sent = || {
        let terms = [Term::Array("in"), number(1), Term::Value("type"), number(0), world];
        Some(all("MPI_Bcast", &terms))
    };
    let comm = |family, make: Vec<Statement>, used| Object {
        family,
        make,
        free: "MPI_Comm_free",
        variable: "made",
        used,
    };
    let datatype = |family, terms: &[Term]| Object {
        family,
        make: vec![all(family, terms), all("MPI_Type_commit", &[of])],
        free: "MPI_Type_free",
        variable: "type",
        used: sent(),
    };
    let int = Term::Type(Type::Int);
    let group = |rest: Statement| vec![all("MPI_Comm_group", &[world, Term::Out("group")]), rest];
    vec![
        comm("MPI_Comm_dup", vec![all("MPI_Comm_dup", &[world, made])], barrier()),
        comm(
            "MPI_Comm_split",
            vec![all("MPI_Comm_split", &[world, number(0), number(0), made])],
            barrier(),
        ),
        comm(
            "MPI_Comm_split_type",
            vec![all(
                "MPI_Comm_split_type",
                &[
                    world,
                    Term::Constant("MPI_COMM_TYPE_SHARED"),
                    number(0),
                    Term::Constant("MPI_INFO_NULL"),
                    made,
                ],
            )],
            barrier(),
        ),
        datatype("MPI_Type_contiguous", &[number(3), int, of]),
        datatype("MPI_Type_vector", &[number(3), number(1), number(2), int, of]),
        datatype(
            "MPI_Type_indexed",
            &[number(3), Term::Value("fewer"), Term::Value("places"), int, of],
        ),
        datatype(
            "MPI_Type_create_indexed_block",
            &[number(3), number(2), Term::Value("places"), int, of],
        ),
        datatype("MPI_Type_dup", &[int, of]),
        Object {
            family: "MPI_Comm_group",
            make: vec![all("MPI_Comm_group", &[world, Term::Out("group")])],
            free: "MPI_Group_free",
            variable: "group",
            used: None,
        },
        Object {
            family: "MPI_Info_create",
            make: vec![all("MPI_Info_create", &[Term::Out("info")])],
            free: "MPI_Info_free",
            variable: "info",
            used: None,
        },
        Object {
            family: "MPI_Comm_create",
            make: {
                let mut make = group(all("MPI_Comm_create", &[world, Term::Value("group"), made]));
                make.push(all("MPI_Group_free", &[Term::Out("group")]));
                make
            },
            free: "MPI_Comm_free",
            variable: "made",
            used: barrier(),
        },
        Object {
            family: "MPI_Cart_create",
            make: vec![all(
                "MPI_Cart_create",
                &[world, number(1), Term::Value("counts"), Term::Value("one"), number(0), made],
            )],
            free: "MPI_Comm_free",
            variable: "made",
            used: None,
        },
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
    let free = || all(object.free, &[Term::Out(object.variable)]);
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
