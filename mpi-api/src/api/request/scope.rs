//! Scopes: lifetimes of the buffers of requests.
//!
//! Nothing outside a rank keeps a pointer, so that a scope needs no bookkeeping: its lifetime alone
//! keeps a buffer borrowed. The types exist because rsmpi programs name them.

use std::{cell::Cell, marker::PhantomData};

use super::RequestCollection;

/// A lifetime that requests are registered with.
pub trait Scope<'a> {}

/// The scope of the whole program, for static buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StaticScope;

impl Scope<'static> for StaticScope {}

/// A scope that ends with the closure of [`scope`].
#[derive(Debug)]
pub struct LocalScope<'a> {
    invariant: PhantomData<Cell<&'a ()>>,
}

impl<'a> Scope<'a> for &LocalScope<'a> {}

/// Runs `f` with a scope; the buffers of its requests must live outside the closure.
pub fn scope<'a, F, R>(f: F) -> R
where
    F: FnOnce(&LocalScope<'a>) -> R,
{
    f(&LocalScope { invariant: PhantomData })
}

/// Runs `f` with a scope and a collection with room for `capacity` requests. Requests left in the
/// collection are waited for at the end.
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
