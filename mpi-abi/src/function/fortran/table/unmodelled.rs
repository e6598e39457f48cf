//! Procedures that are not modelled yet; their arguments follow from those of C.

use super::super::{
    super::unmodelled::{Parameter, stop, unmodelled},
    Row,
    argument::Shape,
};

/// Returns the declaration of a C parameter in the modules.
fn shape(Parameter { kind, name }: &Parameter) -> Shape {
    let plain = kind.trim_start_matches("const ").trim_end_matches(['*', ' ']);
    match plain {
        "void" if ["extra_state", "attribute_val"].contains(&&**name) => Shape::Plain("integer(8)"),
        "void" => Shape::Buffer,
        "char" => Shape::Plain("character(*)"),
        "int" if name == "flag" => Shape::Plain("logical"),
        "int" => Shape::Plain("integer"),
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" => Shape::Plain("integer(8)"),
        "MPI_Status" => Shape::Status,
        _ if plain.contains("_function") => Shape::Plain("external"),
        _ => Shape::Handle,
    }
}

pub(super) fn add(list: &mut Vec<Row>) {
    for function in unmodelled() {
        let names = function.parameters.iter().map(|parameter| &*parameter.name).collect();
        let shapes = function.parameters.iter().map(shape).collect();
        list.push(Row::new(&function.name, names, (stop as *const () as usize, shapes)));
    }
}
