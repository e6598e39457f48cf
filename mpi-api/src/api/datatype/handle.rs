//! Datatype handles: predefined, borrowed, user-defined, and committed.

use crate::{
    api::{Address, Context, Count},
    call::{CommId, Layout as Gaps, Reply, Site, TypeCall},
    error::MpiError,
    finding::CallPlace,
    object::{
        datatype::{Combiner, Datatype as Layout},
        signature::{Primitive, Signature},
    },
    policy::Policy,
};

use super::{Datatype, UncommittedDatatype};

/// The description of a datatype; common types need no allocation.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number of contiguous elements of a basic type.
    Basic(Primitive, u64),
    /// Any derived datatype.
    Derived(Layout),
}

impl Kind {
    #[inline]
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Basic(primitive, count) => primitive.size() as u64 * count,
            Self::Derived(layout) => layout.size(),
        }
    }

    pub(crate) fn extent(&self) -> i64 {
        match self {
            Self::Basic(..) => self.size() as i64,
            Self::Derived(layout) => layout.extent(),
        }
    }

    #[inline]
    pub(crate) fn signature(&self, count: u64) -> Signature {
        match self {
            Self::Basic(primitive, each) => Signature::of(*primitive, each * count),
            Self::Derived(layout) => layout.signature_of(count),
        }
    }

    /// Returns the number of elements of an array, and their type: an array is one element of its datatype. Other
    /// types are arrays of one element.
    pub(crate) fn array(&self) -> (u64, Self) {
        match self {
            Self::Basic(primitive, count) => (*count, Self::Basic(*primitive, 1)),
            Self::Derived(layout) => {
                let made = layout.envelope();
                match (made.combiner, &made.integers[..], &made.datatypes[..]) {
                    (Combiner::Contiguous, [count], [element]) => {
                        (*count as u64, Self::Derived(element.clone()))
                    }
                    _ => (1, self.clone()),
                }
            }
        }
    }

    /// Returns the signature of one element; a block may be cut between any two elements of an
    /// array.
    pub(crate) fn element(&self) -> Signature {
        match self {
            Self::Basic(primitive, _) => Signature::of(*primitive, 1),
            Self::Derived(_) => self.array().1.signature(1),
        }
    }

    /// Returns the basic type for predefined reductions, if there is one.
    pub(crate) fn primitive(&self) -> Option<Primitive> {
        match self {
            Self::Basic(primitive, _) => Some(*primitive),
            Self::Derived(layout) => layout.primitive(),
        }
    }

    /// Reports whether packing costs time: for every derived datatype, even if its data happen to
    /// be contiguous, as on the machines whose costs were fitted.
    pub(crate) fn gaps(&self) -> Gaps {
        match self {
            Self::Basic(..) => Gaps::Dense,
            Self::Derived(_) => Gaps::Strided,
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        match self {
            Self::Basic(primitive, 1) => Layout::predefined(*primitive),
            Self::Basic(primitive, count) => {
                let basic = Layout::predefined(*primitive);
                Layout::contiguous(*count as i64, &basic).expect("it is a Rust type")
            }
            Self::Derived(layout) => layout.clone(),
        }
    }
}

/// A borrowed committed datatype.
#[derive(Clone, Copy, Debug)]
pub struct DatatypeRef<'a>(Lent<'a>);

/// A borrowed datatype that may not be committed.
#[derive(Clone, Copy, Debug)]
pub struct UncommittedDatatypeRef<'a>(Lent<'a>);

#[derive(Clone, Copy, Debug)]
enum Lent<'a> {
    Basic(Primitive),
    Made(&'a Layout),
    Known(&'a Kind),
}

impl Lent<'_> {
    fn kind(self) -> Kind {
        match self {
            Self::Basic(primitive) if primitive.parts().is_none() => Kind::Basic(primitive, 1),
            Self::Basic(primitive) => Kind::Derived(Layout::predefined(primitive)),
            Self::Made(layout) => Kind::Derived(layout.clone()),
            Self::Known(kind) => kind.clone(),
        }
    }
}

/// A predefined datatype.
pub type SystemDatatype = DatatypeRef<'static>;

/// A datatype known only at run time.
pub type DynDatatype<'a> = DatatypeRef<'a>;

impl SystemDatatype {
    /// Returns the predefined datatype.
    pub const fn system(primitive: Primitive) -> Self {
        Self(Lent::Basic(primitive))
    }
}

impl<'a> DatatypeRef<'a> {
    pub(super) fn known(kind: &'a Kind) -> Self {
        Self(Lent::Known(kind))
    }
}

impl UncommittedDatatype for DatatypeRef<'_> {
    fn kind(&self) -> Kind {
        self.0.kind()
    }
}

impl Datatype for DatatypeRef<'_> {}

impl UncommittedDatatype for UncommittedDatatypeRef<'_> {
    fn kind(&self) -> Kind {
        self.0.kind()
    }
}

impl<'a> From<DatatypeRef<'a>> for UncommittedDatatypeRef<'a> {
    fn from(lent: DatatypeRef<'a>) -> Self {
        Self(lent.0)
    }
}

impl<'a> From<&'a UserDatatype> for DatatypeRef<'a> {
    fn from(datatype: &'a UserDatatype) -> Self {
        Self(Lent::Made(&datatype.0.layout))
    }
}

impl<'a> From<&'a UserDatatype> for UncommittedDatatypeRef<'a> {
    fn from(datatype: &'a UserDatatype) -> Self {
        Self(Lent::Made(&datatype.0.layout))
    }
}

impl<'a> From<&'a UncommittedUserDatatype> for UncommittedDatatypeRef<'a> {
    fn from(datatype: &'a UncommittedUserDatatype) -> Self {
        Self(Lent::Made(&datatype.0.layout))
    }
}

/// A datatype handle that is freed when it is dropped (`MPI_Type_free`).
struct Owned {
    layout: Layout,
    handle: Option<(Context, u32)>,
}

impl Drop for Owned {
    #[track_caller]
    fn drop(&mut self) {
        if let Some((context, id)) = &self.handle {
            context.call(Site::here(), TypeCall::Free(*id));
        }
    }
}

/// A user-defined datatype that is committed.
pub struct UserDatatype(Owned);

/// A user-defined datatype that is not committed.
pub struct UncommittedUserDatatype(Owned);

impl UncommittedUserDatatype {
    /// Creates a handle; raises an error of the constructor of this name, and then the type is
    /// empty.
    #[track_caller]
    pub(crate) fn made(by: CallPlace, layout: Result<Layout, MpiError>) -> Self {
        let context = Context::current();
        let layout = layout.unwrap_or_else(|error| {
            if let Some(context) = &context {
                context.raise(by, CommId::WORLD, error);
            }
            let byte = Layout::predefined(Primitive::Byte);
            Layout::contiguous(0, &byte).expect("an empty type is small")
        });
        let handle = context.and_then(|context| match context.call(by.site, TypeCall::Create) {
            Some(Reply::Object(id)) => Some((context, id)),
            _ => None,
        });
        Self(Owned { layout, handle })
    }

    /// Commits the datatype (`MPI_Type_commit`).
    #[track_caller]
    pub fn commit(self) -> UserDatatype {
        if let Some((context, id)) = &self.0.handle {
            context.call(Site::here(), TypeCall::Commit(*id));
        }
        UserDatatype(self.0)
    }

    /// Borrows the datatype.
    pub fn as_ref(&self) -> UncommittedDatatypeRef<'_> {
        self.into()
    }
}

impl UncommittedDatatype for UncommittedUserDatatype {
    fn kind(&self) -> Kind {
        Kind::Derived(self.0.layout.clone())
    }
}

impl UncommittedDatatype for UserDatatype {
    fn kind(&self) -> Kind {
        Kind::Derived(self.0.layout.clone())
    }
}

impl Datatype for UserDatatype {}

impl Clone for UserDatatype {
    #[track_caller]
    fn clone(&self) -> Self {
        self.dup().commit()
    }
}

fn wide(counts: &[Count]) -> Vec<i64> {
    counts.iter().map(|count| i64::from(*count)).collect()
}

fn bytes(addresses: &[Address]) -> Vec<i64> {
    addresses.iter().map(|address| *address as i64).collect()
}

/// Reports whether the run's policy takes displacements of indexed types as bytes.
fn in_bytes() -> bool {
    Context::follows(Policy::IndexedDisplacements)
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident [$($generic:tt)*] ($($arg:ident: $t:ty),*) => $make:expr;)*) => {
        impl UncommittedUserDatatype {
            $($(#[$doc])*
            #[track_caller]
            pub fn $name<$($generic)*>($($arg: $t),*) -> Self {
                Self::made(CallPlace { call: stringify!($name), site: Site::here() }, $make)
            })*
        }

        impl UserDatatype {
            $($(#[$doc])*
            #[track_caller]
            pub fn $name<$($generic)*>($($arg: $t),*) -> Self {
                UncommittedUserDatatype::$name($($arg),*).commit()
            })*
        }
    };
}

constructors! {
    /// Creates a type of contiguous elements (`MPI_Type_contiguous`).
    contiguous[D: UncommittedDatatype](count: Count, oldtype: &D) =>
        Layout::contiguous(count.into(), &oldtype.kind().layout());
    /// Creates a type of equal blocks, with a stride in elements (`MPI_Type_vector`).
    vector[D: UncommittedDatatype](count: Count, blocklength: Count, stride: Count, oldtype: &D) =>
        Layout::vector(count.into(), blocklength.into(), stride.into(), &oldtype.kind().layout());
    /// Creates a type of equal blocks, with a stride in bytes (`MPI_Type_create_hvector`).
    heterogeneous_vector[D: UncommittedDatatype](
        count: Count, blocklength: Count, stride: Address, oldtype: &D
    ) => Layout::hvector(
        count.into(), blocklength.into(), stride as i64, &oldtype.kind().layout()
    );
    /// Creates a type of blocks at displacements in elements, by policy in bytes
    /// (`MPI_Type_indexed`).
    indexed[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Count], oldtype: &D
    ) => (if in_bytes() { Layout::hindexed } else { Layout::indexed })(
        &wide(blocklengths), &wide(displacements), &oldtype.kind().layout()
    );
    /// Creates a type of blocks at displacements in bytes (`MPI_Type_create_hindexed`).
    heterogeneous_indexed[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Address], oldtype: &D
    ) => Layout::hindexed(&wide(blocklengths), &bytes(displacements), &oldtype.kind().layout());
    /// Creates a type of equal blocks at displacements in elements
    /// (`MPI_Type_create_indexed_block`).
    indexed_block[D: UncommittedDatatype](
        blocklength: Count, displacements: &[Count], oldtype: &D
    ) => Layout::indexed_block(
        blocklength.into(), &wide(displacements), &oldtype.kind().layout()
    );
    /// Creates a type of equal blocks at displacements in bytes (`MPI_Type_create_hindexed_block`).
    heterogeneous_indexed_block[D: UncommittedDatatype](
        blocklength: Count, displacements: &[Address], oldtype: &D
    ) => Layout::hindexed_block(
        blocklength.into(), &bytes(displacements), &oldtype.kind().layout()
    );
    /// Creates a type of blocks of different types at displacements in bytes
    /// (`MPI_Type_create_struct`).
    structured[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Address], types: &[D]
    ) => {
        let types: Vec<Layout> = types.iter().map(|t| t.kind().layout()).collect();
        Layout::structure(&wide(blocklengths), &bytes(displacements), &types)
    };
    /// Creates a copy with other bounds, in bytes (`MPI_Type_create_resized`).
    resized[D: UncommittedDatatype](lb: Address, extent: Address, oldtype: &D) =>
        oldtype.kind().layout().resized(lb as i64, extent as i64);
    /// Creates the type of a box within an array (`MPI_Type_create_subarray`).
    subarray[D: UncommittedDatatype](
        sizes: &[Count], subsizes: &[Count], starts: &[Count],
        order: crate::object::datatype::Order, oldtype: &D
    ) => Layout::subarray(
        &wide(sizes), &wide(subsizes), &wide(starts), order, &oldtype.kind().layout()
    );
}

impl UserDatatype {
    /// Borrows the datatype.
    pub fn as_ref(&self) -> DatatypeRef<'_> {
        self.into()
    }
}
