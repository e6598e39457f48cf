//! Datatypes as programs hold them: predefined, lent, made, and committed.

use crate::{
    api::{Address, Context, Count},
    call::{CommId, Layout as Gaps, Operation, Reply, Site},
    error::MpiError,
    object::{
        datatype::Datatype as Layout,
        signature::{Primitive, Signature},
    },
    policy::Policy,
};

use super::{Datatype, UncommittedDatatype};

/// What a datatype is: the common ones without any allocation.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Kind {
    /// So many of a basic type in a row.
    Basic(Primitive, u64),
    /// Anything.
    Derived(Layout),
}

impl Kind {
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

    /// The types of which blocks consist: an array may be cut between any two of its elements.
    pub(crate) fn element(&self) -> Signature {
        match self {
            Self::Basic(primitive, _) => Signature::of(*primitive, 1),
            Self::Derived(_) => self.signature(1),
        }
    }

    /// The type a predefined reduction works on, if there is one.
    pub(crate) fn primitive(&self) -> Option<Primitive> {
        match self {
            Self::Basic(primitive, _) => Some(*primitive),
            Self::Derived(layout) => layout.primitive(),
        }
    }

    /// Whether packing costs time: for every derived datatype, as on the machines whose costs
    /// were fitted, even where its data happen to be in one run.
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

/// A committed datatype, lent.
#[derive(Clone, Copy, Debug)]
pub struct DatatypeRef<'a>(Lent<'a>);

/// A datatype that may not be committed, lent.
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
    /// The predefined datatype.
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

/// A datatype with its handle; dropping it frees it (`MPI_Type_free`).
struct Owned {
    layout: Layout,
    handle: Option<(Context, u32)>,
}

impl Drop for Owned {
    #[track_caller]
    fn drop(&mut self) {
        if let Some((context, id)) = &self.handle {
            context.call(Site::here(), Operation::FreeType(*id));
        }
    }
}

/// A committed datatype that the program made.
pub struct UserDatatype(Owned);

/// A datatype that the program made and has not committed.
pub struct UncommittedUserDatatype(Owned);

impl UncommittedUserDatatype {
    /// A new handle; an error is raised and leaves an empty type.
    #[track_caller]
    pub(crate) fn made(site: Site, layout: Result<Layout, MpiError>) -> Self {
        let context = Context::current();
        let layout = layout.unwrap_or_else(|error| {
            if let Some(context) = &context {
                context.call(site, Operation::Raise(CommId::WORLD, error));
            }
            let byte = Layout::predefined(Primitive::Byte);
            Layout::contiguous(0, &byte).expect("an empty type is small")
        });
        let handle = context.and_then(|context| match context.call(site, Operation::CreateType) {
            Some(Reply::Object(id)) => Some((context, id)),
            _ => None,
        });
        Self(Owned { layout, handle })
    }

    /// `MPI_Type_commit`.
    #[track_caller]
    pub fn commit(self) -> UserDatatype {
        if let Some((context, id)) = &self.0.handle {
            context.call(Site::here(), Operation::CommitType(*id));
        }
        UserDatatype(self.0)
    }

    /// The datatype, lent.
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

/// Whether the run takes the displacements of indexed types as bytes.
fn in_bytes() -> bool {
    Context::follows(Policy::IndexedDisplacements)
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident [$($generic:tt)*] ($($arg:ident: $t:ty),*) => $make:expr;)*) => {
        impl UncommittedUserDatatype {
            $($(#[$doc])*
            #[track_caller]
            pub fn $name<$($generic)*>($($arg: $t),*) -> Self {
                Self::made(Site::here(), $make)
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
    /// `MPI_Type_contiguous`.
    contiguous[D: UncommittedDatatype](count: Count, oldtype: &D) =>
        Layout::contiguous(count.into(), &oldtype.kind().layout());
    /// `MPI_Type_vector`: the stride is in elements.
    vector[D: UncommittedDatatype](count: Count, blocklength: Count, stride: Count, oldtype: &D) =>
        Layout::vector(count.into(), blocklength.into(), stride.into(), &oldtype.kind().layout());
    /// `MPI_Type_create_hvector`: the stride is in bytes.
    heterogeneous_vector[D: UncommittedDatatype](
        count: Count, blocklength: Count, stride: Address, oldtype: &D
    ) => Layout::hvector(
        count.into(), blocklength.into(), stride as i64, &oldtype.kind().layout()
    );
    /// `MPI_Type_indexed`: displacements are in elements, by policy in bytes.
    indexed[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Count], oldtype: &D
    ) => (if in_bytes() { Layout::hindexed } else { Layout::indexed })(
        &wide(blocklengths), &wide(displacements), &oldtype.kind().layout()
    );
    /// `MPI_Type_create_hindexed`: displacements are in bytes.
    heterogeneous_indexed[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Address], oldtype: &D
    ) => Layout::hindexed(&wide(blocklengths), &bytes(displacements), &oldtype.kind().layout());
    /// `MPI_Type_create_indexed_block`: displacements are in elements.
    indexed_block[D: UncommittedDatatype](
        blocklength: Count, displacements: &[Count], oldtype: &D
    ) => Layout::indexed_block(
        blocklength.into(), &wide(displacements), &oldtype.kind().layout()
    );
    /// `MPI_Type_create_hindexed_block`: displacements are in bytes.
    heterogeneous_indexed_block[D: UncommittedDatatype](
        blocklength: Count, displacements: &[Address], oldtype: &D
    ) => Layout::hindexed_block(
        blocklength.into(), &bytes(displacements), &oldtype.kind().layout()
    );
    /// `MPI_Type_create_struct`.
    structured[D: UncommittedDatatype](
        blocklengths: &[Count], displacements: &[Address], types: &[D]
    ) => {
        let types: Vec<Layout> = types.iter().map(|t| t.kind().layout()).collect();
        Layout::structure(&wide(blocklengths), &bytes(displacements), &types)
    };
    /// `MPI_Type_create_resized`.
    resized[D: UncommittedDatatype](lb: Address, extent: Address, oldtype: &D) =>
        oldtype.kind().layout().resized(lb as i64, extent as i64);
    /// `MPI_Type_create_subarray`.
    subarray[D: UncommittedDatatype](
        sizes: &[Count], subsizes: &[Count], starts: &[Count],
        order: crate::object::datatype::Order, oldtype: &D
    ) => Layout::subarray(
        &wide(sizes), &wide(subsizes), &wide(starts), order, &oldtype.kind().layout()
    );
}

impl UserDatatype {
    /// The datatype, lent.
    pub fn as_ref(&self) -> DatatypeRef<'_> {
        self.into()
    }
}
