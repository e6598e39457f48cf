//! The long explanation of each finding code. The Rust programs in them are compiled and checked as
//! documentation tests: each wrong program gives its code, each right one has no findings. Other
//! tests check the programs in C.

use mpi_api::finding::Code;

/// Texts in the order of the codes' numbers.
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
    include_str!("../explain/WT0028.md"),
    include_str!("../explain/WT0029.md"),
    include_str!("../explain/WT0030.md"),
    include_str!("../explain/WT0031.md"),
    include_str!("../explain/WT0032.md"),
    include_str!("../explain/WT0033.md"),
    include_str!("../explain/WT0034.md"),
    include_str!("../explain/WT0035.md"),
    include_str!("../explain/WT0036.md"),
    include_str!("../explain/WT0037.md"),
    include_str!("../explain/WT0038.md"),
    include_str!("../explain/WT0039.md"),
];

/// Returns the explanation of `code` in Markdown, without the lines that are needed only to run its
/// programs.
pub fn of(code: Code) -> String {
    let text = TEXTS[code.number() as usize - 1];
    let mut shown = String::new();
    let mut in_program = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(_) => in_program = !in_program,
            None if in_program && (line == "#" || line.starts_with("# ")) => {}
            None if in_program && !line.is_empty() => {
                shown.push_str("    ");
                shown.push_str(line);
                shown.push('\n');
            }
            None => {
                shown.push_str(line);
                shown.push('\n');
            }
        }
    }
    shown
}

#[cfg(doctest)]
mod programs {
    macro_rules! page {
        ($name:ident, $file:literal) => {
            #[doc = include_str!($file)]
            struct $name;
        };
    }
    page!(Wt0001, "../explain/WT0001.md");
    page!(Wt0002, "../explain/WT0002.md");
    page!(Wt0003, "../explain/WT0003.md");
    page!(Wt0004, "../explain/WT0004.md");
    page!(Wt0005, "../explain/WT0005.md");
    page!(Wt0006, "../explain/WT0006.md");
    page!(Wt0007, "../explain/WT0007.md");
    page!(Wt0008, "../explain/WT0008.md");
    page!(Wt0009, "../explain/WT0009.md");
    page!(Wt0010, "../explain/WT0010.md");
    page!(Wt0011, "../explain/WT0011.md");
    page!(Wt0012, "../explain/WT0012.md");
    page!(Wt0013, "../explain/WT0013.md");
    page!(Wt0014, "../explain/WT0014.md");
    page!(Wt0015, "../explain/WT0015.md");
    page!(Wt0016, "../explain/WT0016.md");
    page!(Wt0017, "../explain/WT0017.md");
    page!(Wt0018, "../explain/WT0018.md");
    page!(Wt0019, "../explain/WT0019.md");
    page!(Wt0020, "../explain/WT0020.md");
    page!(Wt0021, "../explain/WT0021.md");
    page!(Wt0022, "../explain/WT0022.md");
    page!(Wt0025, "../explain/WT0025.md");
    page!(Wt0028, "../explain/WT0028.md");
    page!(Wt0030, "../explain/WT0030.md");
    page!(Wt0032, "../explain/WT0032.md");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_in_full() {
        for code in Code::ALL {
            let text = of(code);
            let parts = ["What it means", "Why it matters", "The standard", "Wrong", "Right"];
            for part in parts.into_iter().chain(["How to mend it"]) {
                let heading = format!("## {part}\n");
                let after = text.split(&heading).nth(1).unwrap_or_default();
                let body = after.split("\n## ").next().unwrap_or_default().trim();
                assert!(body.len() > 20, "{}: {part} is missing or short", code.name());
            }
            let programs = ["fn program(", "int main("].map(|start| text.matches(start).count());
            assert!(programs.contains(&2), "{}", code.name());
            assert!(!text.contains("```") && !text.contains("\n# "), "{}", code.name());
        }
    }
}
