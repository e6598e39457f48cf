//! Attributes: values that libraries attach to a communicator (MPI section 7.7).

use std::{
    any::{Any, TypeId},
    marker::PhantomData,
    rc::Rc,
};

use super::attribute_table::{Attribute, Copy, Delete, Value};
use crate::{api::Context, call::CommId, policy::Policy};

/// A key for attribute values of type `T` (`MPI_Comm_create_keyval`).
///
/// Dropping the key frees it; its values stay until they are deleted.
pub struct AttributeKey<T: 'static> {
    number: u32,
    copy: Copy,
    delete: Delete,
    value: PhantomData<fn(T)>,
}

impl<T: 'static> AttributeKey<T> {
    /// Creates a key whose values are not copied to duplicates (`MPI_COMM_NULL_COPY_FN`) and that
    /// has no delete function.
    ///
    /// # Panics
    /// If called before `initialize`.
    pub fn new() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let number = context.attributes().borrow_mut().next_key();
        Self { number, copy: Rc::new(|_| None), delete: Rc::new(drop), value: PhantomData }
    }

    /// Sets the copy function: its result is attached to the duplicate, `None` means no attribute.
    #[must_use]
    pub fn with_copy(self, copy: impl Fn(&T) -> Option<T> + 'static) -> Self {
        let copy: Copy = Rc::new(move |value: &dyn Any| {
            let copied = copy(value.downcast_ref()?)?;
            Some(Rc::new(copied) as Value)
        });
        Self { copy, ..self }
    }

    /// Sets the delete function, called when a value is deleted, replaced, or freed with its
    /// communicator. The values of one communicator are deleted in reverse order of setting.
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

/// A value that a communicator keeps under its Rust type, in the shape of rsmpi.
///
/// [`Communicator::set_attr`](super::Communicator::set_attr) attaches a value and
/// [`Communicator::get_attr`](super::Communicator::get_attr) borrows it. A value that was replaced,
/// or whose communicator was freed, is dropped when its rank ends.
///
/// ```
/// use mpi_api::api::{topology::{CommAttribute, SimpleCommunicator}, traits::*};
///
/// #[derive(Clone)]
/// struct Step(u32);
///
/// impl CommAttribute for Step {
///     const CLONE_ON_DUP: bool = true;
/// }
///
/// fn program(world: &mut SimpleCommunicator) {
///     world.set_attr(Step(3));
///     assert_eq!(world.duplicate().get_attr::<Step>().map(|step| step.0), Some(3));
/// }
/// ```
pub trait CommAttribute: Clone + 'static {
    /// Whether a duplicate of the communicator gets a clone of the value; otherwise it gets none.
    const CLONE_ON_DUP: bool = false;
}

/// Sets an attribute (`MPI_Comm_set_attr`).
pub(super) fn set<T>(context: &Context, comm: CommId, key: &AttributeKey<T>, value: T) {
    remove(context, comm, key.number);
    let (copy, delete) = (Rc::clone(&key.copy), Rc::clone(&key.delete));
    let attribute = Attribute { key: key.number, value: Rc::new(value), copy, delete };
    context.attributes().borrow_mut().kept.push((comm, attribute));
}

/// Returns an attribute (`MPI_Comm_get_attr`).
pub(super) fn get<T>(context: &Context, comm: CommId, key: &AttributeKey<T>) -> Option<Rc<T>> {
    let attributes = context.attributes().borrow();
    Rc::clone(&attributes.find(comm, key.number)?.value).downcast().ok()
}

/// Sets an attribute under the type of its value (`MPI_Comm_set_attr`).
pub(super) fn set_by_type<A: CommAttribute>(context: &Context, comm: CommId, value: A) {
    let key = context.attributes().borrow_mut().key_of(TypeId::of::<A>());
    remove(context, comm, key);
    let copy: Copy = Rc::new(|place: &dyn Any| {
        let (context, place) = (Context::current()?, place.downcast_ref::<usize>()?);
        let value: &A = context.lasting().0.get(*place)?.downcast_ref()?;
        A::CLONE_ON_DUP.then(|| Rc::new(context.lasting().keep(value.clone())) as Value)
    });
    let value = Rc::new(context.lasting().keep(value));
    let attribute = Attribute { key, value, copy, delete: Rc::new(drop) };
    context.attributes().borrow_mut().kept.push((comm, attribute));
}

/// Returns an attribute by its type (`MPI_Comm_get_attr`).
pub(super) fn get_by_type<A: CommAttribute>(context: &Context, comm: CommId) -> Option<&A> {
    let place = {
        let mut attributes = context.attributes().borrow_mut();
        let key = attributes.key_of(TypeId::of::<A>());
        *attributes.find(comm, key)?.value.downcast_ref::<usize>()?
    };
    context.lasting().0.get(place)?.downcast_ref()
}

/// Deletes an attribute and reports whether it was set (`MPI_Comm_delete_attr`).
pub(super) fn delete<T>(context: &Context, comm: CommId, key: &AttributeKey<T>) -> bool {
    remove(context, comm, key.number)
}

fn remove(context: &Context, comm: CommId, key: u32) -> bool {
    // Nothing is borrowed while the function runs, because it may itself query attributes.
    let taken = context.attributes().borrow_mut().take(comm, key);
    let found = taken.is_some();
    if let Some(attribute) = taken {
        (attribute.delete)(attribute.value);
    }
    found
}

/// Copies attributes to a duplicate by the copy functions of their keys, in the order in which they
/// were set.
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

/// Deletes the attributes of a communicator that is freed, the last one set first; by policy the
/// first one, except at finalize.
pub(crate) fn delete_all(context: &Context, comm: CommId) {
    let policies = &context.environment().policies;
    let forward = comm != CommId::SELF && policies.differs(Policy::AttributeDeleteOrder);
    loop {
        let next = {
            let kept = &mut context.attributes().borrow_mut().kept;
            let mine = |(of, _): &(CommId, Attribute)| *of == comm;
            let place =
                if forward { kept.iter().position(mine) } else { kept.iter().rposition(mine) };
            place.map(|place| kept.remove(place).1)
        };
        let Some(attribute) = next else { return };
        (attribute.delete)(attribute.value);
    }
}
