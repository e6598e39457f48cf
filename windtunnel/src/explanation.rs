//! The long explanation of each finding code: one file a code.

use mpi_api::finding::Code;

/// In order of the codes' numbers.
const TEXTS: [&str; Code::ALL.len()] = [
    include_str!("../explain/WT0001.md"),
    include_str!("../explain/WT0002.md"),
    include_str!("../explain/WT0003.md"),
    include_str!("../explain/WT0004.md"),
    include_str!("../explain/WT0005.md"),
    include_str!("../explain/WT0006.md"),
    include_str!("../explain/WT0007.md"),
    include_str!("../explain/WT0008.md"),
    include_str!("../explain/WT0009.md"),
    include_str!("../explain/WT0010.md"),
    include_str!("../explain/WT0011.md"),
    include_str!("../explain/WT0012.md"),
    include_str!("../explain/WT0013.md"),
    include_str!("../explain/WT0014.md"),
    include_str!("../explain/WT0015.md"),
    include_str!("../explain/WT0016.md"),
    include_str!("../explain/WT0017.md"),
    include_str!("../explain/WT0018.md"),
    include_str!("../explain/WT0019.md"),
    include_str!("../explain/WT0020.md"),
    include_str!("../explain/WT0021.md"),
    include_str!("../explain/WT0022.md"),
    include_str!("../explain/WT0023.md"),
    include_str!("../explain/WT0024.md"),
    include_str!("../explain/WT0025.md"),
    include_str!("../explain/WT0026.md"),
    include_str!("../explain/WT0027.md"),
];

/// What a code means, why it matters, a wrong and a right program, and how to mend it.
pub fn of(code: Code) -> &'static str {
    TEXTS[code.number() as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_wrong_and_a_right_program() {
        for code in Code::ALL {
            let text = of(code);
            for part in ["Wrong:", "Right:", "Mend it:", "    "] {
                assert!(text.contains(part), "{} lacks {part}", code.name());
            }
        }
    }
}
