//! What single parts of the C library keep for a rank, by type. A part is known only to its own
//! file, and a rank that does not use it has no memory for it.

use std::any::Any;

use elsa::FrozenVec;

/// At most one value of each type.
#[derive(Default)]
pub(super) struct States(FrozenVec<Box<dyn Any>>);

impl States {
    /// Returns the value of a type; the first call creates it.
    pub(super) fn get<T: Default + 'static>(&self) -> &T {
        let known = self.0.iter().find_map(|state| state.downcast_ref());
        known.unwrap_or_else(|| {
            // Nothing in `default` asks for the state of the same type.
            let made = self.0.push_get(Box::new(T::default()));
            made.downcast_ref().expect("the value just added")
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_value_of_each_type_is_made_once_and_stays_where_it_is() {
        let states = States::default();
        let number: &Cell<u32> = states.get();
        number.set(3);
        let text: &Cell<u64> = states.get();
        text.set(4);
        assert_eq!(states.get::<Cell<u32>>().get(), 3);
        assert!(std::ptr::eq(number, states.get()));
        assert_eq!(states.get::<Cell<u64>>().get(), 4);
    }
}
