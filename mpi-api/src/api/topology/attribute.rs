//! Attributes: what libraries keep with a communicator (MPI section 7.7).

use std::{any::Any, marker::PhantomData, rc::Rc};

use crate::{api::Context, call::CommId};

type Value = Rc<dyn Any>;
type Copy = Rc<dyn Fn(&dyn Any) -> Option<Value>>;
type Delete = Rc<dyn Fn(Value)>;

/// A key under which a value of type `T` is kept (`MPI_Comm_create_keyval`).
///
/// Dropping the key frees it; values kept under it stay until they are deleted.
pub struct AttributeKey<T: 'static> {
    number: u32,
    copy: Copy,
    delete: Delete,
    value: PhantomData<fn(T)>,
}

impl<T: 'static> AttributeKey<T> {
    /// A key whose values are not copied to duplicates (`MPI_COMM_NULL_COPY_FN`) and of whose end
    /// nobody is told.
    ///
    /// # Panics
    /// Before `initialize`.
    pub fn new() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let number = context.attributes().borrow_mut().next_key();
        Self { number, copy: Rc::new(|_| None), delete: Rc::new(drop), value: PhantomData }
    }

    /// With a copy function: what it gives is kept with the duplicate, `None` is nothing.
    #[must_use]
    pub fn with_copy(self, copy: impl Fn(&T) -> Option<T> + 'static) -> Self {
        let copy: Copy = Rc::new(move |value: &dyn Any| {
            let copied = copy(value.downcast_ref()?)?;
            Some(Rc::new(copied) as Value)
        });
        Self { copy, ..self }
    }

    /// With a delete function, called when a value is deleted, replaced, or goes with its
    /// communicator; of one communicator's values the last one set first.
    #[must_use]
    pub fn with_delete(self, delete: impl Fn(&T) + 'static) -> Self {
        let delete: Delete = Rc::new(move |value: Value| {
            if let Some(value) = value.downcast_ref() {
                delete(value);
            }
        });
        Self { delete, ..self }
    }
}

impl<T: 'static> Default for AttributeKey<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A value with its key's functions.
#[derive(Clone)]
struct Attribute {
    key: u32,
    value: Value,
    copy: Copy,
    delete: Delete,
}

/// All attributes of one rank, of each communicator in the order set.
#[derive(Default)]
pub(crate) struct Attributes {
    keys: u32,
    kept: Vec<(CommId, Attribute)>,
}

impl Attributes {
    fn next_key(&mut self) -> u32 {
        self.keys += 1;
        self.keys
    }

    fn take(&mut self, comm: CommId, key: u32) -> Option<Attribute> {
        let same = |(of, kept): &(CommId, Attribute)| *of == comm && kept.key == key;
        self.kept.iter().position(same).map(|place| self.kept.remove(place).1)
    }
}

/// `MPI_Comm_set_attr`.
pub(super) fn set<T>(context: &Context, comm: CommId, key: &AttributeKey<T>, value: T) {
    delete(context, comm, key);
    let (copy, delete) = (Rc::clone(&key.copy), Rc::clone(&key.delete));
    let attribute = Attribute { key: key.number, value: Rc::new(value), copy, delete };
    context.attributes().borrow_mut().kept.push((comm, attribute));
}

/// `MPI_Comm_get_attr`.
pub(super) fn get<T>(context: &Context, comm: CommId, key: &AttributeKey<T>) -> Option<Rc<T>> {
    let attributes = context.attributes().borrow();
    let kept = attributes.kept.iter().find(|(of, kept)| *of == comm && kept.key == key.number);
    Rc::clone(&kept?.1.value).downcast().ok()
}

/// `MPI_Comm_delete_attr`; whether there was one.
pub(super) fn delete<T>(context: &Context, comm: CommId, key: &AttributeKey<T>) -> bool {
    // The function may itself ask for attributes: nothing is borrowed while it runs.
    let taken = context.attributes().borrow_mut().take(comm, key.number);
    let found = taken.is_some();
    if let Some(attribute) = taken {
        (attribute.delete)(attribute.value);
    }
    found
}

/// Gives a duplicate what the copy functions of its parent's attributes say, in the order set.
pub(super) fn copy_all(context: &Context, from: CommId, into: CommId) {
    let of_parent: Vec<Attribute> = {
        let attributes = context.attributes().borrow();
        let mine = attributes.kept.iter().filter(|(of, _)| *of == from);
        mine.map(|(_, attribute)| attribute.clone()).collect()
    };
    for attribute in of_parent {
        if let Some(value) = (attribute.copy)(&*attribute.value) {
            let copied = Attribute { value, ..attribute };
            context.attributes().borrow_mut().kept.push((into, copied));
        }
    }
}

/// The communicator goes: its attributes are deleted, the last one set first.
pub(crate) fn delete_all(context: &Context, comm: CommId) {
    loop {
        let last = {
            let kept = &mut context.attributes().borrow_mut().kept;
            let place = kept.iter().rposition(|(of, _)| *of == comm);
            place.map(|place| kept.remove(place).1)
        };
        let Some(attribute) = last else { return };
        (attribute.delete)(attribute.value);
    }
}
