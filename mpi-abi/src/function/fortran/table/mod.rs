//! The table of procedures: names, arguments, and the C functions that implement them.

mod collective;
mod communicator;
mod datatype;
mod environment;
mod point_to_point;
mod process;
mod request;
mod topology;
mod unmodelled;

use super::Row;

/// Creates one row; its arguments are those of the C function.
macro_rules! row {
    ($list:ident: $name:expr, ($($argument:ident: $kind:ty),*) = $function:expr) => {
        $list.push(Row::new(
            $name,
            vec![$(stringify!($argument)),*],
            Wrap::<($($kind,)*)>::entry(
                // Only a function with the Rust calling convention can be passed directly.
                |$($argument: <$kind as $crate::function::fortran::argument::Argument>::Taken),*|
                    $function($($argument),*),
            ),
        ));
    };
}

/// Creates rows of one procedure each.
macro_rules! rows {
    ($list:ident: $($name:ident($($argument:ident: $kind:ty),*) = $function:expr;)*) => {$(
        row!($list: stringify!($name), ($($argument: $kind),*) = $function);
    )*};
}

/// Creates two procedures per row: where the arguments say `N`, one has a default integer and the
/// other, whose name ends in `_c`, a large count.
macro_rules! counted {
    ($list:ident: $($name:ident($($argument:ident: $kind:ty),*) =
        $module:ident::$function:ident;)*) => {$(
        {
            type N = std::ffi::c_int;
            row!($list: stringify!($name), ($($argument: $kind),*) = $module::$function::<N>);
        }
        {
            type N = i64;
            row!($list: concat!(stringify!($name), "_c"), ($($argument: $kind),*) =
                $module::$function::<N>);
        }
    )*};
}

/// Creates six procedures per row: blocking, nonblocking and persistent, each as in `counted`.
macro_rules! forms {
    ($list:ident: $($name:ident $immediate:ident $init:ident($($argument:ident: $kind:ty),*) =
        $module:ident: $blocking:ident $starting:ident $persistent:ident;)*) => {$(
        counted! { $list:
            $name($($argument: $kind),*) = $module::$blocking;
            $immediate($($argument: $kind,)* request: Variable) = $module::$starting;
            $init($($argument: $kind,)* info: Object, request: Variable) = $module::$persistent;
        }
    )*};
}

/// Like `forms`, for sends: the persistent form has no info argument.
macro_rules! sends {
    ($list:ident: $($name:ident $immediate:ident $init:ident($($argument:ident: $kind:ty),*) =
        $module:ident: $blocking:ident $starting:ident $persistent:ident;)*) => {$(
        counted! { $list:
            $name($($argument: $kind),*) = $module::$blocking;
            $immediate($($argument: $kind,)* request: Variable) = $module::$starting;
            $init($($argument: $kind,)* request: Variable) = $module::$persistent;
        }
    )*};
}

use {counted, forms, row, rows, sends};

/// Returns the whole table.
pub(super) fn all() -> Vec<Row> {
    let mut list = Vec::new();
    point_to_point::add(&mut list);
    request::add(&mut list);
    collective::add(&mut list);
    communicator::add(&mut list);
    datatype::add(&mut list);
    topology::add(&mut list);
    environment::add(&mut list);
    process::add(&mut list);
    unmodelled::add(&mut list);
    list
}
