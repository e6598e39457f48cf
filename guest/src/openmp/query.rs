//! The functions by which programs ask for the state of OpenMP and change it (OpenMP 5.2, chapter 18),
//! in C and in Fortran. A Fortran procedure gets addresses of its arguments; those whose names end in
//! `_8_` have 8-byte arguments.
#![allow(unsafe_code, reason = "reads arguments of Fortran programs, writes variables of programs")]

use std::ffi::c_int;

use super::{
    environment::LEVELS,
    present::{present, settings},
    schedule::Schedule,
    settings::Controls,
    show,
    team::Member,
};
use crate::libc::{clock, host::Stream, thread};

fn controls() -> Controls {
    present().task.controls.get()
}

extern "C" fn thread_num() -> c_int {
    present().member.number as c_int
}

extern "C" fn num_threads() -> c_int {
    present().member.team.size as c_int
}

extern "C" fn max_threads() -> c_int {
    controls().threads as c_int
}

/// Returns the number of processors of the rank: the cores of its node, or, where the machine does not
/// say, as many as its regions have threads.
extern "C" fn num_procs() -> c_int {
    let rank = thread::caller().0;
    let cores = rank.host().processors(rank.number());
    cores.unwrap_or(settings(rank).common.threads) as c_int
}

extern "C" fn in_parallel() -> c_int {
    c_int::from(present().member.team.active > 0)
}

extern "C" fn dynamic() -> c_int {
    c_int::from(controls().dynamic)
}

extern "C" fn nested() -> c_int {
    let active = present().member.team.active;
    c_int::from(controls().levels > active.max(1))
}

extern "C" fn level() -> c_int {
    present().member.team.level as c_int
}

extern "C" fn active_level() -> c_int {
    present().member.team.active as c_int
}

extern "C" fn max_active_levels() -> c_int {
    controls().levels as c_int
}

extern "C" fn supported_active_levels() -> c_int {
    LEVELS as c_int
}

extern "C" fn thread_limit() -> c_int {
    controls().limit as c_int
}

extern "C" fn cancellation() -> c_int {
    c_int::from(settings(thread::caller().0).cancellation)
}

extern "C" fn in_final() -> c_int {
    c_int::from(present().task.is_final)
}

extern "C" fn max_task_priority() -> c_int {
    settings(thread::caller().0).priorities as c_int
}

extern "C" fn default_device() -> c_int {
    controls().device
}

extern "C" fn num_teams() -> c_int {
    present().member.team.league.0 as c_int
}

extern "C" fn team_num() -> c_int {
    present().member.team.league.1 as c_int
}

extern "C" fn max_teams() -> c_int {
    settings(thread::caller().0).teams.0 as c_int
}

extern "C" fn teams_thread_limit() -> c_int {
    settings(thread::caller().0).teams.1 as c_int
}

extern "C" fn zero() -> c_int {
    0
}

extern "C" fn one() -> c_int {
    1
}

extern "C" fn minus_one() -> c_int {
    -1
}

/// Returns the simulated time in seconds.
extern "C" fn wtime() -> f64 {
    clock::reading(libc::CLOCK_MONOTONIC).unwrap_or_default().as_secs_f64()
}

extern "C" fn wtick() -> f64 {
    1e-9
}

/// Applies a function to the member of the calling thread's team, or of one around it, at a level.
fn at_level(level: c_int, value: impl Fn(&Member) -> u32) -> c_int {
    let member = present().member;
    let level = u32::try_from(level).ok();
    level.and_then(|level| member.at_level(level)).map_or(-1, |member| value(&member) as c_int)
}

fn ancestor_thread_num(level: c_int) -> c_int {
    at_level(level, |member| member.number)
}

fn team_size(level: c_int) -> c_int {
    at_level(level, |member| member.team.size)
}

fn no_processors(_place: c_int) -> c_int {
    0
}

fn set_num_threads(count: c_int) {
    let threads = u32::try_from(count).unwrap_or(1).max(1);
    present().task.change(|controls| controls.threads = threads);
}

fn set_dynamic(value: c_int) {
    present().task.change(|controls| controls.dynamic = value != 0);
}

fn set_nested(value: c_int) {
    let levels = if value == 0 { 1 } else { LEVELS };
    present().task.change(|controls| controls.levels = levels);
}

fn set_max_active_levels(count: c_int) {
    if let Ok(levels) = u32::try_from(count) {
        present().task.change(|controls| controls.levels = levels.min(LEVELS));
    }
}

fn set_default_device(number: c_int) {
    present().task.change(|controls| controls.device = number.max(0));
}

/// Teams run one after the other, however many there may be at most.
fn ignore(_count: c_int) {}

fn display_env(verbose: c_int) {
    let rank = thread::caller().0;
    rank.write(Stream::Error, show::environment(settings(rank), verbose != 0).as_bytes());
}

unsafe extern "C" fn set_schedule(kind: u32, chunk: c_int) {
    let chunk = u64::try_from(chunk).unwrap_or(0);
    if let Some(schedule) = Schedule::numbered(kind, chunk) {
        present().task.change(|controls| controls.schedule = schedule);
    }
}

unsafe extern "C" fn get_schedule(kind: *mut u32, chunk: *mut c_int) {
    let schedule = controls().schedule;
    // SAFETY: the program passes two variables.
    unsafe {
        kind.write(schedule.number());
        chunk.write(schedule.chunk as c_int);
    }
}

unsafe extern "C" fn set_schedule_of(kind: *const u32, chunk: *const c_int) {
    // SAFETY: a Fortran program passes two variables.
    unsafe { set_schedule(kind.read(), chunk.read()) };
}

unsafe extern "C" fn set_schedule_long(kind: *const u32, chunk: *const i64) {
    // SAFETY: a Fortran program passes two variables.
    let (kind, chunk) = unsafe { (kind.read(), chunk.read()) };
    // SAFETY: has no requirements.
    unsafe { set_schedule(kind, chunk.clamp(0, i32::MAX.into()) as c_int) };
}

unsafe extern "C" fn get_schedule_long(kind: *mut u32, chunk: *mut i64) {
    let schedule = controls().schedule;
    // SAFETY: a Fortran program passes two variables.
    unsafe {
        kind.write(schedule.number());
        chunk.write(schedule.chunk as i64);
    }
}

/// Releases nothing: the threads of a rank take no resources while they have no work.
extern "C" fn pause() -> c_int {
    0
}

extern "C" fn nothing() {}

/// Defines the forms of a function of one number.
macro_rules! numbered {
    ($($table:ident: $result:ty { $($name:literal $own:ident;)* })*) => {
        $(fn $table() -> Vec<(&'static str, usize)> {
            let mut all = Vec::new();
            $({
                extern "C" fn by_value(value: c_int) -> $result {
                    $own(value)
                }
                unsafe extern "C" fn by_address(value: *const c_int) -> $result {
                    // SAFETY: a Fortran program passes a variable.
                    $own(unsafe { value.read() })
                }
                unsafe extern "C" fn by_long_address(value: *const i64) -> $result {
                    // SAFETY: a Fortran program passes a variable.
                    let value = unsafe { value.read() };
                    $own(value.clamp(i32::MIN.into(), i32::MAX.into()) as c_int)
                }
                all.push(($name, by_value as *const () as usize));
                all.push((concat!($name, "_"), by_address as *const () as usize));
                all.push((concat!($name, "_8_"), by_long_address as *const () as usize));
            })*
            all
        })*
    };
}

numbered! {
    setters: () {
        "omp_set_num_threads" set_num_threads;
        "omp_set_dynamic" set_dynamic;
        "omp_set_nested" set_nested;
        "omp_set_max_active_levels" set_max_active_levels;
        "omp_set_default_device" set_default_device;
        "omp_set_num_teams" ignore;
        "omp_set_teams_thread_limit" ignore;
        "omp_display_env" display_env;
    }
    getters: c_int {
        "omp_get_ancestor_thread_num" ancestor_thread_num;
        "omp_get_team_size" team_size;
        "omp_get_place_num_procs" no_processors;
    }
}

/// Defines a table of functions without arguments, which are the same in Fortran.
macro_rules! plain {
    ($($name:literal $own:ident;)*) => {
        [$(($name, concat!($name, "_"), $own as *const () as usize),)*]
    };
}

fn plain() -> Vec<(&'static str, usize)> {
    let all = plain! {
        "omp_get_thread_num" thread_num;
        "omp_get_num_threads" num_threads;
        "omp_get_max_threads" max_threads;
        "omp_get_num_procs" num_procs;
        "omp_in_parallel" in_parallel;
        "omp_get_dynamic" dynamic;
        "omp_get_nested" nested;
        "omp_get_level" level;
        "omp_get_active_level" active_level;
        "omp_get_max_active_levels" max_active_levels;
        "omp_get_supported_active_levels" supported_active_levels;
        "omp_get_thread_limit" thread_limit;
        "omp_get_cancellation" cancellation;
        "omp_in_final" in_final;
        "omp_get_max_task_priority" max_task_priority;
        "omp_get_default_device" default_device;
        "omp_get_num_teams" num_teams;
        "omp_get_team_num" team_num;
        "omp_get_max_teams" max_teams;
        "omp_get_teams_thread_limit" teams_thread_limit;
        "omp_get_wtick" wtick;
        "omp_get_proc_bind" zero;
        "omp_get_num_places" zero;
        "omp_get_partition_num_places" zero;
        "omp_get_num_devices" zero;
        "omp_get_initial_device" zero;
        "omp_get_device_num" zero;
        "omp_is_initial_device" one;
        "omp_get_place_num" minus_one;
        "omp_get_place_proc_ids" nothing;
        "omp_get_partition_place_nums" nothing;
        "omp_pause_resource" pause;
        "omp_pause_resource_all" pause;
    };
    let pairs = all.into_iter().flat_map(|(c, fortran, at)| [(c, at), (fortran, at)]);
    pairs.collect()
}

/// Returns the clock, whose caller must be known: a program may wait by reading it.
pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("omp_get_wtime", wtime as *const () as usize),
        ("omp_get_wtime_", wtime as *const () as usize),
    ]
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    let mut all = vec![
        ("omp_set_schedule", set_schedule as *const () as usize),
        ("omp_set_schedule_", set_schedule_of as *const () as usize),
        ("omp_set_schedule_8_", set_schedule_long as *const () as usize),
        ("omp_get_schedule", get_schedule as *const () as usize),
        ("omp_get_schedule_", get_schedule as *const () as usize),
        ("omp_get_schedule_8_", get_schedule_long as *const () as usize),
        ("omp_get_place_proc_ids_8_", nothing as *const () as usize),
        ("omp_get_partition_place_nums_8_", nothing as *const () as usize),
    ];
    all.extend(plain());
    all.extend(setters());
    all.extend(getters());
    all
}
