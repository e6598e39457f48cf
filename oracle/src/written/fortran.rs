//! Plans as a program in Fortran: the same statements as in C, with helper functions written in C.

use std::fmt::Write;

use super::{
    Language,
    routine::routine,
    routine_name,
    statement::{Arg, Array, Buffer, Kind, List, Routine, Statement, Store},
};
use crate::{plan::Plan, reference::Expected};

/// Returns the source text: the subroutines and the main program.
pub(super) fn program(plans: &[Plan]) -> String {
    let mut text = String::new();
    for plan in plans {
        let expected = Expected::of(plan);
        for rank in 0..plan.ranks {
            let routine = routine(plan, &expected, rank, Language::Fortran);
            let _ = write!(text, "{}\n\n", subroutine(&routine_name(plan, rank), &routine, rank));
        }
    }
    text + &main_program(plans)
}

fn main_program(plans: &[Plan]) -> String {
    let mut text = String::from(
        "program plans\n  use mpi\n  implicit none\n  integer :: rank, ierror\n  \
         integer(8) :: plan\n  character(len=20) :: word\n  call MPI_Init(ierror)\n  \
         call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)\n  \
         call get_command_argument(1, word)\n  read (word, *) plan\n  \
         select case (plan * 16 + rank)\n",
    );
    for plan in plans {
        for rank in 0..plan.ranks {
            let number = plan.seed * 16 + u64::from(rank);
            let name = routine_name(plan, rank);
            let _ = writeln!(text, "  case ({number}_8)\n    call {name}()");
        }
    }
    text + "  case default\n    stop 2\n  end select\n  call MPI_Finalize(ierror)\nend program\n"
}

fn subroutine(name: &str, routine: &Routine, rank: u32) -> String {
    let mut text = format!(
        "recursive subroutine {name}()\n  use mpi\n  \
         use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer\n  implicit none\n"
    );
    text += "  external :: modular, compose\n  integer :: ierror\n  logical :: flag\n";
    for array in Array::ALL {
        let least = if array == Array::Comms { rank as usize + 2 } else { 0 };
        let last = routine.entries(array).max(least);
        let name = array.name();
        if array == Array::Statuses {
            let _ = writeln!(text, "  integer :: {name}(MPI_STATUS_SIZE, 0:{last})");
        } else {
            let _ = writeln!(text, "  integer :: {name}(0:{last})");
        }
    }
    routine.buffers.iter().for_each(|buffer| text += &declared(buffer));
    routine.lists.iter().for_each(|list| text += &listed(list));
    text += "  comms(0) = MPI_COMM_WORLD\n";
    let _ = writeln!(text, "  comms({}) = MPI_COMM_SELF", rank + 1);
    routine.statements.iter().for_each(|one| text += &statement(one));
    text + "end subroutine"
}

fn declared(buffer: &Buffer) -> String {
    let Buffer { name, bytes, store } = buffer;
    let last = bytes.max(&1) - 1;
    match store {
        Store::Stack => format!("  integer(1) :: {name}(0:{last})\n"),
        // Fortran has no thread-local variables.
        Store::Static | Store::ThreadLocal => format!("  integer(1), save :: {name}(0:{last})\n"),
        Store::Heap => format!("  integer(1), allocatable :: {name}(:)\n"),
        Store::Given => {
            format!("  type(c_ptr) :: {name}_base\n  integer(1), pointer :: {name}(:)\n")
        }
    }
}

fn listed(list: &List) -> String {
    let (kind, suffix) = match list.kind {
        Kind::Int | Kind::Type => ("integer", ""),
        Kind::Truth => ("logical", ""),
        Kind::Count => ("integer(MPI_COUNT_KIND)", "_MPI_COUNT_KIND"),
        Kind::Address => ("integer(MPI_ADDRESS_KIND)", "_MPI_ADDRESS_KIND"),
    };
    let value = |value: &i64| match list.kind {
        Kind::Truth => truth(*value != 0).to_string(),
        Kind::Int | Kind::Type | Kind::Count | Kind::Address => format!("{value}{suffix}"),
    };
    let mut entries: Vec<String> = list.values.iter().map(value).collect();
    entries.extend(list.types.iter().map(ToString::to_string));
    if entries.is_empty() {
        entries.push("0".into());
    }
    let (name, count) = (&list.name, entries.len());
    format!("  {kind} :: {name}({count}) = [{}]\n", entries.join(", "))
}

fn truth(truth: bool) -> &'static str {
    if truth { ".true." } else { ".false." }
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Step(number, text) => {
            let short: String = text.chars().take(80).collect();
            format!("  ! step {number}: {short}\n")
        }
        Statement::Call(name, args) => format!("  call MPI_{name}({}ierror)\n", of_mpi(name, args)),
        Statement::Until(name, args) => {
            let args = of_mpi(name, args);
            format!(
                "  flag = .false.\n  do while (.not. flag)\n    call MPI_{name}({args}ierror)\n  \
                 end do\n"
            )
        }
        Statement::Helper(name, args) => {
            let args: Vec<String> = args.iter().map(|arg| argument(arg, "_8")).collect();
            format!("  call {name}({})\n", args.join(", "))
        }
        Statement::Copy((to, at), (from, place)) => {
            format!("  {}({at}) = {}({place})\n", to.name(), from.name())
        }
        Statement::Take(name, bytes) => format!("  allocate({name}(0:{}))\n", bytes.max(&1) - 1),
        Statement::Give(name) => format!("  deallocate({name})\n"),
        Statement::Bind(_, 0) => String::new(),
        Statement::Bind(name, bytes) => {
            format!("  call c_f_pointer({name}_base, {name}, [{bytes}])\n  {name}(0:) => {name}\n")
        }
    }
}

/// Returns the arguments of an MPI function; some numbers are addresses.
fn of_mpi(name: &str, args: &[Arg]) -> String {
    let addresses = match name {
        "Type_create_resized" => 1..3,
        "Type_create_hvector" => 2..3,
        "Win_create" => 1..2,
        "Win_attach" => 2..3,
        "Win_allocate" | "Win_allocate_shared" => 0..1,
        "Put" | "Rput" | "Get" | "Rget" | "Accumulate" | "Raccumulate" | "Fetch_and_op" => 4..5,
        "Compare_and_swap" => 5..6,
        "Get_accumulate" | "Rget_accumulate" => 7..8,
        _ => 0..0,
    };
    let one = |(at, arg): (usize, &Arg)| {
        let suffix = if addresses.contains(&at) { "_MPI_ADDRESS_KIND" } else { "" };
        argument(arg, suffix) + ", "
    };
    args.iter().enumerate().map(one).collect()
}

fn argument(arg: &Arg, suffix: &str) -> String {
    match arg {
        Arg::Int(number) => format!("{number}{suffix}"),
        Arg::Truth(value) => truth(*value).into(),
        Arg::Word(word) => (*word).to_string(),
        Arg::Sum(words) => words.join(" + "),
        Arg::List(name) => name.clone(),
        Arg::Item(name, at) => format!("{name}({})", at + 1),
        Arg::Beyond(name, at, offset) => format!("{name}({}) + {offset}{suffix}", at + 1),
        Arg::Buffer(name, at) => format!("{name}({})", *at as i64),
        Arg::Base(name) => format!("{name}_base"),
        Arg::Nothing => "MPI_BOTTOM".into(),
        Arg::Entry(Array::Statuses, at) | Arg::Place(Array::Statuses, at) => {
            format!("statuses(1, {at})")
        }
        Arg::Entry(array, at) | Arg::Place(array, at) => format!("{}({at})", array.name()),
        Arg::Source(at) => format!("statuses(MPI_SOURCE, {at})"),
        Arg::Flag => "flag".into(),
        Arg::Hash(hash) => format!("{}_8", *hash as i64),
        Arg::Function(name) => (*name).to_string(),
    }
}
