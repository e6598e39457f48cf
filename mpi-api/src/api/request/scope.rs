//! Scopes: how long buffers of requests live.
//!
//! Nothing outside a rank keeps a pointer, so that a scope needs no bookkeeping: its lifetime
//! alone keeps a buffer borrowed. It is there because programs name it.

use std::{cell::Cell, marker::PhantomData};

use super::RequestCollection;

/// A lifetime requests are registered with.
pub trait Scope<'a> {}

/// The whole program: buffers are static.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StaticScope;

impl Scope<'static> for StaticScope {}

/// A lifetime that ends with the closure of [`scope`].
#[derive(Debug)]
pub struct LocalScope<'a> {
    invariant: PhantomData<Cell<&'a ()>>,
}

impl<'a> Scope<'a> for &LocalScope<'a> {}

/// Runs `f` with a scope; buffers of its requests must live outside the closure.
pub fn scope<'a, F, R>(f: F) -> R
where
    F: FnOnce(&LocalScope<'a>) -> R,
{
    f(&LocalScope { invariant: PhantomData })
}

/// Runs `f` with a scope and a collection with room for `capacity` requests. Whatever is left in
/// the collection is waited for at the end.
#[track_caller]
pub fn multiple_scope<'a, F, R, D: ?Sized + 'a>(capacity: usize, f: F) -> R
where
    F: FnOnce(&LocalScope<'a>, &mut RequestCollection<'a, D>) -> R,
{
    let mut collection = RequestCollection::with_capacity(capacity);
    let result = f(&LocalScope { invariant: PhantomData }, &mut collection);
    collection.wait_all(&mut Vec::new());
    result
}
