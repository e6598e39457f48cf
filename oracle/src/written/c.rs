//! Plans as a program in C with a routine for each rank of each plan; its argument selects the
//! plan.

use std::fmt::Write;

use super::{
    Language,
    routine::routine,
    routine_name,
    statement::{Arg, Array, Buffer, Kind, List, Routine, Statement, Store},
};
use crate::{plan::Plan, reference::Expected};

/// Returns the source text: the routines and the main function.
pub(super) fn program(plans: &[Plan]) -> String {
    let mut text = String::new();
    for plan in plans {
        let expected = Expected::of(plan);
        for rank in 0..plan.ranks {
            let routine = routine(plan, &expected, rank, Language::C);
            let _ = write!(text, "\n{}", function(&routine_name(plan, rank), &routine, rank));
        }
    }
    text + &main_function(plans)
}

fn main_function(plans: &[Plan]) -> String {
    let mut text = String::from(
        "\nint main(int argc, char **argv) {\n    int rank;\n    long plan = -1;\n    \
         MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    \
         if (argc > 1) {\n        plan_name = argv[1];\n        plan = atol(argv[1]);\n    }\n    \
         switch (plan * 16 + rank) {\n",
    );
    for plan in plans {
        for rank in 0..plan.ranks {
            let number = plan.seed * 16 + u64::from(rank);
            let name = routine_name(plan, rank);
            let _ = writeln!(text, "    case {number}:\n        {name}();\n        break;");
        }
    }
    text + "    default:\n        fprintf(stderr, \"there is no such plan\\n\");\n        \
            return 2;\n    }\n    MPI_Finalize();\n    return 0;\n}\n"
}

/// Returns the C type of an array's elements.
fn type_of(array: Array) -> &'static str {
    match array {
        Array::Comms => "MPI_Comm",
        Array::Requests | Array::Waiting => "MPI_Request",
        Array::Statuses => "MPI_Status",
        Array::Types => "MPI_Datatype",
        Array::Ops => "MPI_Op",
        Array::Groups => "MPI_Group",
        Array::Windows => "MPI_Win",
    }
}

fn function(name: &str, routine: &Routine, rank: u32) -> String {
    let mut text = format!("static void {name}(void) {{\n");
    for array in Array::ALL {
        let least = if array == Array::Comms { rank as usize + 2 } else { 0 };
        let entries = routine.entries(array).max(least);
        if entries > 0 {
            let _ = writeln!(text, "    {} {}[{entries}];", type_of(array), array.name());
        }
    }
    let flag = |arg: &Arg| matches!(arg, Arg::Flag);
    let flagged = routine.statements.iter().any(|statement| match statement {
        Statement::Call(_, args) | Statement::Until(_, args) => args.iter().any(flag),
        _ => false,
    });
    if flagged {
        text += "    int flag = 0;\n";
    }
    routine.buffers.iter().for_each(|buffer| text += &declared(buffer));
    routine.lists.iter().for_each(|list| text += &listed(list));
    let _ = writeln!(text, "    comms[0] = MPI_COMM_WORLD;");
    let _ = writeln!(text, "    comms[{}] = MPI_COMM_SELF;", rank + 1);
    routine.statements.iter().for_each(|one| text += &statement(one));
    text + "}\n"
}

fn declared(buffer: &Buffer) -> String {
    let Buffer { name, bytes, store } = buffer;
    match store {
        Store::Stack => format!("    unsigned char {name}[{bytes}];\n"),
        Store::Static => format!("    static unsigned char {name}[{bytes}];\n"),
        Store::ThreadLocal => format!("    static __thread unsigned char {name}[{bytes}];\n"),
        Store::Heap | Store::Given => format!("    unsigned char *{name};\n"),
    }
}

fn listed(list: &List) -> String {
    let kind = match list.kind {
        Kind::Int | Kind::Truth => "int",
        Kind::Count => "MPI_Count",
        Kind::Address => "MPI_Aint",
        Kind::Type => "MPI_Datatype",
    };
    let numbers = list.values.iter().map(ToString::to_string);
    let words = list.types.iter().map(ToString::to_string);
    let mut entries: Vec<String> = numbers.chain(words).collect();
    if entries.is_empty() {
        entries.push("0".into());
    }
    format!("    {kind} {}[] = {{{}}};\n", list.name, entries.join(", "))
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Step(number, text) => format!("    /* step {number}: {text} */\n"),
        Statement::Call(name, args) => format!("    MPI_{name}({});\n", arguments(args)),
        Statement::Until(name, args) => {
            let args = arguments(args);
            format!("    for (flag = 0; !flag;)\n        MPI_{name}({args});\n")
        }
        Statement::Helper(name, args) => format!("    {name}({});\n", arguments(args)),
        Statement::Copy((to, at), (from, place)) => {
            format!("    {}[{at}] = {}[{place}];\n", to.name(), from.name())
        }
        Statement::Take(name, bytes) => format!("    {name} = malloc({bytes});\n"),
        Statement::Give(name) => format!("    free({name});\n"),
        // MPI has written to the pointer itself.
        Statement::Bind(..) => String::new(),
    }
}

fn arguments(args: &[Arg]) -> String {
    args.iter().map(argument).collect::<Vec<String>>().join(", ")
}

fn argument(arg: &Arg) -> String {
    match arg {
        Arg::Int(number) => number.to_string(),
        Arg::Truth(truth) => i32::from(*truth).to_string(),
        Arg::Word(word) => (*word).to_string(),
        Arg::Sum(words) => words.join(" + "),
        Arg::List(name) | Arg::Buffer(name, 0) => name.clone(),
        Arg::Item(name, at) => format!("&{name}[{at}]"),
        Arg::Beyond(name, at, offset) => format!("{name}[{at}] + {offset}"),
        Arg::Buffer(name, at) => format!("{name} + {at}"),
        Arg::Base(name) => format!("&{name}"),
        Arg::Nothing => "NULL".into(),
        Arg::Entry(array, at) => format!("{}[{at}]", array.name()),
        Arg::Place(array, at) => format!("&{}[{at}]", array.name()),
        Arg::Source(at) => format!("statuses[{at}].MPI_SOURCE"),
        Arg::Flag => "&flag".into(),
        Arg::Hash(hash) => format!("0x{hash:x}u"),
        Arg::Function(name) => (*name).to_string(),
    }
}
