//! Arguments of calls that are elements of an array.

use super::{Extent, Form, arguments, is_part, parts_of, with_lines};

/// An argument that is an element of an array, whatever its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// Name of the array.
    pub(crate) array: String,
    /// The names in the index.
    pub(crate) others: Vec<String>,
}

/// Returns the statement of C at a line and a column, both from 1, in one line.
fn text_of_c(lines: &[String], at: (usize, usize)) -> Option<String> {
    let extent = Extent::of(None, lines, at)?;
    let others = &lines[extent.here + 1..=extent.last];
    Some([&[extent.part(&lines[extent.here]).to_owned()], others].concat().join(" "))
}

/// Returns an argument of the only call of a function in a statement of C.
fn argument_in_c<'a>(text: &'a str, function: &str, number: usize) -> Option<&'a str> {
    let mut calls = text.match_indices(function).filter_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + function.len()..]);
        let is_word = !before.ends_with(is_part) && !before.trim_end().ends_with(['.', '>']);
        after.trim_start().strip_prefix('(').filter(|_| is_word)
    });
    let list = calls.next().filter(|_| calls.next().is_none())?;
    parts_of(list)?.0.get(number).copied()
}

/// Returns the element of an array that an argument of C is: `&a[i]`, `a[i]` of an array of arrays, `a + i`.
fn element_of_c(argument: &str) -> Option<Element> {
    let taken = argument.strip_prefix('&').map(str::trim_start);
    let text = taken.unwrap_or(argument);
    let end = text.find(|letter| !is_part(letter))?;
    let (array, mut rest) = (&text[..end], text[end..].trim());
    let index = match rest.chars().next()? {
        '+' | '-' if taken.is_none() => rest,
        '[' => {
            while let Some(list) = rest.strip_prefix('[') {
                let mut depth = 1;
                let close = list.find(|letter| {
                    depth += i32::from(letter == '[') - i32::from(letter == ']');
                    depth == 0
                });
                rest = list[close? + 1..].trim_start();
            }
            if !rest.is_empty() {
                return None;
            }
            // What is between brackets is a number.
            ""
        }
        _ => return None,
    };
    let others = numbers_in(index, "+-*/%")?;
    is_name(array).then(|| Element { array: array.into(), others })
}

/// Returns the element of an array that an argument of Fortran, in lower case, is: `a(i, j)`.
fn element_of_fortran(argument: &str) -> Option<Element> {
    let (array, list) = argument.split_once('(')?;
    let (array, list) = (array.trim(), list.trim_end().strip_suffix(')')?);
    let others = numbers_in(list, "+-*/,")?;
    is_name(array).then(|| Element { array: array.into(), others })
}

/// Reports whether a text is a name.
fn is_name(text: &str) -> bool {
    !text.starts_with(|letter: char| letter.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(is_part)
}

/// Returns the names in an expression of nothing but names, integers and operators.
fn numbers_in(expression: &str, operators: &str) -> Option<Vec<String>> {
    let is_allowed = |letter: char| is_part(letter) || letter == ' ' || operators.contains(letter);
    let words = expression.split(|letter| !is_part(letter)).filter(|word| is_name(word));
    expression.chars().all(is_allowed).then(|| words.map(str::to_string).collect())
}

/// Returns the element of an array that the source names as an argument, by its number from 0, of the call of a procedure at a
/// line and a column.
pub(crate) fn element(
    file: &'static str,
    (line, column): (u32, u32),
    procedure: &str,
    argument: usize,
) -> Option<Element> {
    match Form::of(file) {
        Some(_) => {
            let (all, _) = arguments(file, (line, column), procedure)?;
            element_of_fortran(all.get(argument)?)
        }
        None => with_lines(file, |lines| {
            let text = text_of_c(lines, (line as usize, column as usize))?;
            element_of_c(argument_in_c(&text, procedure, argument)?)
        }),
    }
}

/// Reports whether the statement of C or C++ at a line and a column casts a pointer to one of another type than `void *` and
/// `char *`, to which programs cast what they pass on as it is.
pub(crate) fn casts(file: &'static str, (line, column): (u32, u32)) -> bool {
    Form::of(file).is_none()
        && with_lines(file, |lines| {
            text_of_c(lines, (line as usize, column as usize)).is_some_and(|text| has_cast(&text))
        })
}

fn has_cast(text: &str) -> bool {
    let is_of_type = |letter: char| is_part(letter) || letter == ' ' || letter == ':';
    let is_pointer = |inner: &str| {
        let of = inner.trim_end().trim_end_matches(['*', ' ']);
        let is_bare = ["void", "char"].iter().any(|bare| of.ends_with(bare));
        inner.contains('*') && !of.is_empty() && of.chars().all(is_of_type) && !is_bare
    };
    text.contains("reinterpret_cast<")
        || text.match_indices('(').any(|(at, _)| {
            let Some((inner, after)) = text[at + 1..].split_once(')') else { return false };
            let casts =
                after.trim_start().starts_with(|next| is_part(next) || "(&*".contains(next));
            casts && !text[..at].ends_with("sizeof") && is_pointer(inner)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_arrays_are_told_from_other_arguments() {
        let c = |text: &str| {
            let element = element_of_c(text)?;
            Some((element.array, element.others.join(" ")))
        };
        for (text, others) in [
            ("&a[-1]", ""),
            ("a[n + 1]", ""),
            ("& a [i] [n]", ""),
            ("&a[b[1]][0]", ""),
            ("a + n * 2", "n"),
            ("a - 1", ""),
        ] {
            assert_eq!(c(text), Some(("a".into(), others.into())), "{text}");
        }
        for text in [
            "a",
            "&a",
            "*a",
            "a[1] + p",
            "a.b[1]",
            "&a[1].b",
            "a->b",
            "(void *)a[1]",
            "f(a)",
            "a + f(1)",
            "&(a[1])",
            "a[1]++",
            "\"a\" + 1",
            "1 + a",
            "n::a[1]",
            "a + b[1]",
            "a[1",
            "a + \"b\"",
        ] {
            assert_eq!(c(text), None, "{text}");
        }
        let fortran = |text: &str| element_of_fortran(text).map(|element| element.others.join(" "));
        assert_eq!(fortran("a(n + 1, 0)").as_deref(), Some("n"));
        for text in ["a", "a(1:3)", "a(:, 1)", "a(f(1))", "a(1)%b", "a%b(1)", "(a(1))", "a([1, 2])"]
        {
            assert_eq!(fortran(text), None, "{text}");
        }
    }

    #[test]
    fn casts_of_pointers_are_told_from_other_parentheses() {
        for text in [
            "f((double *)(msg + 2), 10)",
            "f((const struct point*)p)",
            "f((std::int64_t **) &p)",
            "f(reinterpret_cast<double *>(p))",
        ] {
            assert!(has_cast(text), "{text}");
        }
        for text in [
            "f((void *)p)",
            "f((char*)p, n)",
            "f(a * (b + c))",
            "f((a * b), c)",
            "f((double)x)",
            "f(p, sizeof(double *))",
        ] {
            assert!(!has_cast(text), "{text}");
        }
    }

    #[test]
    fn arguments_of_c_are_found_in_their_statement() {
        let argument =
            |text: &str, number| argument_in_c(text, "MPI_Recv", number).map(str::to_string);
        assert_eq!(
            argument("if (MPI_Recv (a[4], f(1, 2), c) != 0) // x", 1),
            Some("f(1, 2)".into())
        );
        for text in [
            "MPI_Recv(a); MPI_Recv(b);",
            "MPI_Recv_init(a)",
            "x.MPI_Recv(a)",
            "PMPI_Recv(a)",
            "recv(a)",
        ] {
            assert_eq!(argument(text, 0), None, "{text}");
        }
        let all = ["int x;", "MPI_Recv(&a[3],", "  4, b,", " c);", "y();"].map(str::to_string);
        let text = text_of_c(&all, (2, 1)).expect("a statement");
        assert_eq!(argument(&text, 2), Some("b".into()));
        let all = ["MPI_Recv(a); MPI_Recv(b);".to_string()];
        let text = text_of_c(&all, (1, 14)).expect("a statement");
        assert_eq!(argument(&text, 0), Some("b".into()));
    }
}
