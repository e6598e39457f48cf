//! Error codes: those of MPI, and the classes, codes and texts that a program adds (MPI section
//! 9.5).

use super::{ErrorClass, LASTCODE, MpiError};
use crate::policy::{Policies, Policy};

/// An error code (MPI section 9.4): 0 is success, and every class is a code.
pub type ErrorCode = i32;

/// A class or code that the program has added.
struct Own {
    /// Class of the code; the number itself for a class.
    class: ErrorCode,
    text: String,
    removed: bool,
    /// Number of codes of a class.
    codes: u32,
}

impl Own {
    fn of_class(class: ErrorCode) -> Self {
        Self { class, text: String::new(), removed: false, codes: 0 }
    }
}

/// The error codes of one rank.
#[derive(Default)]
pub struct ErrorCodes {
    /// Classes and codes numbered from `LASTCODE` + 1; numbers are not reused.
    own: Vec<Own>,
}

impl ErrorCodes {
    /// Returns the largest code in use (`MPI_LASTUSEDCODE`).
    pub fn last_used(&self) -> ErrorCode {
        LASTCODE + self.own.len() as ErrorCode
    }

    /// Returns the class of a code (`MPI_Error_class`); `None` is success. Unused numbers up to
    /// `MPI_ERR_LASTCODE` have the class `MPI_ERR_UNKNOWN`.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` if there is no such code.
    pub fn class_of(&self, code: ErrorCode) -> Result<Option<ErrorClass>, MpiError> {
        match code {
            0 => Ok(None),
            1..=LASTCODE => Ok(ErrorClass::of_mpi(code).or(Some(ErrorClass::Unknown))),
            own => match self.own(own) {
                Some(Own { class: 0, .. }) => Ok(None),
                Some(known) => {
                    let of_mpi = ErrorClass::of_mpi(known.class);
                    Ok(of_mpi.or(Some(ErrorClass::Own(known.class))))
                }
                None => Err(argument(format!("there is no error code {code}"))),
            },
        }
    }

    /// Returns the text of a code (`MPI_Error_string`).
    ///
    /// # Errors
    /// The same as for [`class_of`](Self::class_of).
    pub fn text(&self, code: ErrorCode, policies: &Policies) -> Result<String, MpiError> {
        let Some(class) = self.class_of(code)? else {
            return Ok("MPI_SUCCESS: no error".into());
        };
        if let Some(own) = self.own(code) {
            return Ok(own.text.clone());
        }
        let name = match class {
            ErrorClass::Pending => policies.value(Policy::ConstantNames),
            class => class.name(),
        };
        Ok(format!("{name}: {}", class.meaning()))
    }

    /// Returns the error that a program raises with a code; `None` for success.
    ///
    /// # Errors
    /// The same as for [`class_of`](Self::class_of).
    pub fn raised(&self, code: ErrorCode) -> Result<Option<MpiError>, MpiError> {
        let Some(class) = self.class_of(code)? else { return Ok(None) };
        let text = self.own(code).map_or(class.meaning(), |own| own.text.as_str());
        let text = if text.is_empty() { "raised by the program" } else { text };
        Ok(Some(MpiError { code, ..MpiError::new(class, text) }))
    }

    /// Adds an error class without a text (`MPI_Add_error_class`).
    pub fn add_class(&mut self) -> ErrorClass {
        let number = self.last_used() + 1;
        self.own.push(Own::of_class(number));
        ErrorClass::Own(number)
    }

    /// Adds an error code without a text (`MPI_Add_error_code`).
    ///
    /// # Errors
    /// `MPI_ERR_ARG` if `class` is no error class.
    pub fn add_code(&mut self, class: ErrorCode) -> Result<ErrorCode, MpiError> {
        if !self.is_class(class)? {
            return Err(argument(format!("{class} is no error class")));
        }
        self.own.push(Own::of_class(class));
        self.count_codes(class, 1);
        Ok(self.last_used())
    }

    /// Sets the text of a class or code, replacing the previous one (`MPI_Add_error_string`).
    ///
    /// # Errors
    /// `MPI_ERR_ARG` if the program has not made the class or code.
    pub fn set_text(&mut self, code: ErrorCode, text: impl Into<String>) -> Result<(), MpiError> {
        self.change(code, |own| own.text = text.into())
    }

    /// Removes the text of a class or code (`MPI_Remove_error_string`).
    ///
    /// # Errors
    /// The same as for [`set_text`](Self::set_text).
    pub fn remove_text(&mut self, code: ErrorCode) -> Result<(), MpiError> {
        self.set_text(code, "")
    }

    /// Removes a class (`MPI_Remove_error_class`).
    ///
    /// # Errors
    /// `MPI_ERR_ARG` if the program has not made the class, `MPI_ERR_OTHER` while it has codes.
    pub fn remove_class(&mut self, class: ErrorCode) -> Result<(), MpiError> {
        if !self.is_class(class)? {
            return Err(argument(format!("{class} is no error class")));
        }
        if self.own(class).is_some_and(|own| own.codes > 0) {
            let text = format!("class {class} still has error codes");
            return Err(MpiError::new(ErrorClass::Other, text));
        }
        self.change(class, |own| own.removed = true)
    }

    /// Removes a code (`MPI_Remove_error_code`).
    ///
    /// # Errors
    /// `MPI_ERR_ARG` if the program has not made the code.
    pub fn remove_code(&mut self, code: ErrorCode) -> Result<(), MpiError> {
        if self.is_class(code)? {
            return Err(argument(format!("{code} is no error code")));
        }
        let class = self.own(code).map_or(0, |own| own.class);
        self.change(code, |own| own.removed = true)?;
        self.count_codes(class, -1);
        Ok(())
    }

    /// Updates the number of codes of a class, if the program has added the class.
    fn count_codes(&mut self, class: ErrorCode, change: i32) {
        if let Some(own) = place(class).and_then(|place| self.own.get_mut(place)) {
            own.codes = own.codes.saturating_add_signed(change);
        }
    }

    fn is_class(&self, code: ErrorCode) -> Result<bool, MpiError> {
        Ok(self.class_of(code)?.is_none_or(|class| class.code() == code))
    }

    fn own(&self, code: ErrorCode) -> Option<&Own> {
        self.own.get(place(code)?).filter(|own| !own.removed)
    }

    fn change(&mut self, code: ErrorCode, change: impl FnOnce(&mut Own)) -> Result<(), MpiError> {
        let own = place(code).and_then(|place| self.own.get_mut(place)).filter(|own| !own.removed);
        let missing = || argument(format!("the program has not made error code {code}"));
        change(own.ok_or_else(missing)?);
        Ok(())
    }
}

/// Returns the index of a code that the program has added.
fn place(code: ErrorCode) -> Option<usize> {
    usize::try_from(i64::from(code) - i64::from(LASTCODE) - 1).ok()
}

fn argument(text: String) -> MpiError {
    MpiError::new(ErrorClass::Arg, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_mpi_are_their_own_codes() {
        let codes = ErrorCodes::default();
        assert_eq!(codes.class_of(0), Ok(None));
        for number in 1..=62 {
            let class = codes.class_of(number).expect("it is MPI's").expect("no success");
            assert_eq!(class.code(), number);
            let text = codes.text(number, &Policies::default()).expect("it has one");
            assert!(text.starts_with(class.name()) && text.len() > class.name().len() + 2);
        }
        assert_eq!(codes.class_of(LASTCODE), Ok(Some(ErrorClass::Unknown)));
        for wrong in [-1, LASTCODE + 1, i32::MIN, i32::MAX] {
            assert_eq!(codes.class_of(wrong).map_err(|error| error.class), Err(ErrorClass::Arg));
        }
    }

    #[test]
    fn thousands_of_classes_come_and_go() {
        let mut codes = ErrorCodes::default();
        for _ in 0..200_000 {
            let class = codes.add_class().code();
            let code = codes.add_code(class).expect("a class");
            assert!(codes.remove_class(class).is_err(), "it has a code");
            codes.remove_code(code).expect("it is there");
            codes.remove_class(class).expect("it has no code");
        }
    }

    #[test]
    fn a_program_adds_and_removes_its_own() {
        let policies = Policies::default();
        let mut codes = ErrorCodes::default();
        let class = codes.add_class();
        let code = codes.add_code(class.code()).expect("a class");
        let of_mpi = codes.add_code(ErrorClass::Io.code()).expect("a class");
        assert_eq!(codes.last_used(), of_mpi);
        assert_eq!(codes.class_of(code), Ok(Some(class)));
        assert_eq!(codes.class_of(of_mpi), Ok(Some(ErrorClass::Io)));
        assert_eq!(codes.text(code, &policies).as_deref(), Ok(""));
        codes.set_text(code, "disk full").expect("it is the program's");
        assert_eq!(codes.text(code, &policies).as_deref(), Ok("disk full"));
        assert!(codes.add_code(code).is_err(), "a code is no class");
        assert!(codes.set_text(ErrorClass::Io.code(), "mine").is_err(), "a class of MPI");
        let early = codes.remove_class(class.code()).expect_err("it has a code");
        assert_eq!(early.class, ErrorClass::Other);
        codes.remove_code(code).expect("it is the program's");
        codes.remove_class(class.code()).expect("it has no code any more");
        assert!(codes.class_of(class.code()).is_err() && codes.remove_code(code).is_err());
        assert_eq!(codes.last_used(), of_mpi, "numbers are not used twice");
    }
}
