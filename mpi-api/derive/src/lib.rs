//! The derive macro `#[derive(Equivalence)]` for structures, as in rsmpi.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Error, GenericParam, Ident, Member, parse_macro_input, parse_quote};

/// Derives the MPI datatype of a structure from its fields, each of which must have a datatype.
///
/// Padding between fields is not sent. Enumerations and unions are rejected, because not all bytes
/// are valid values of them.
#[proc_macro_derive(Equivalence)]
pub fn equivalence(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(input).unwrap_or_else(Error::into_compile_error).into()
}

/// Returns the path of the library in the deriving crate, under whatever name its `Cargo.toml`
/// uses.
fn library() -> TokenStream {
    match crate_name("windtunnel") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // The library's own tests and documentation; a crate without the library gets the
        // compiler's error.
        Ok(FoundCrate::Itself) | Err(_) => quote!(::windtunnel),
    }
}

fn implementation(mut input: DeriveInput) -> Result<TokenStream, Error> {
    let Data::Struct(structure) = &input.data else {
        return Err(Error::new_spanned(input.ident, "only structures have an MPI datatype"));
    };
    let (names, types): (Vec<Member>, Vec<_>) = structure
        .fields
        .members()
        .zip(&structure.fields)
        .map(|(name, field)| (name, &field.ty))
        .unzip();
    let windtunnel = library();
    let body = quote! {
        #windtunnel::mpi::datatype::TupleDatatype::of_fields::<Self>(&[
            #(#windtunnel::mpi::datatype::Field::at::<#types>(
                ::core::mem::offset_of!(Self, #names)
            )),*
        ])
    };
    for parameter in &mut input.generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter.bounds.push(parse_quote!(#windtunnel::mpi::datatype::traits::Equivalence));
        }
    }
    let (name, (parameters, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        // SAFETY: each field is at its own offset with the datatype of its type, and the extent is
        // that of the whole.
        #[automatically_derived]
        #[allow(unsafe_code)]
        unsafe impl #parameters #windtunnel::mpi::datatype::traits::Equivalence
            for #name #arguments #bounds
        {
            type Out = #windtunnel::mpi::datatype::TupleDatatype;

            fn equivalent_datatype() -> Self::Out {
                #body
            }
        }
    })
}
