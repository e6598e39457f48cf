//! The command `windtunnel`.

mod allocator;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> std::process::ExitCode {
    sim_core::on_exhausted(allocator::exhausted);
    sim_core::on_fault(allocator::damaged);
    windtunnel::main()
}
