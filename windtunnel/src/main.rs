//! The command `windtunnel`.

fn main() -> std::process::ExitCode {
    windtunnel::main()
}
