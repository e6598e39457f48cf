//! The procedures: names, arguments, and the C functions that do the work.

mod collective;
mod communicator;
mod datatype;
mod environment;
mod point_to_point;
mod process;
mod request;
mod topology;

use super::Row;

/// Rows of one procedure each: its arguments are those of the C function.
macro_rules! rows {
    ($list:ident: $($name:ident($($argument:ident: $kind:ty),*) = $function:expr;)*) => {$(
        $list.push(Row::new(
            stringify!($name),
            &[$(stringify!($argument)),*],
            Wrap::<($($kind,)*)>::entry(
                // Only a function of Rust's own convention can be passed as it is.
                |$($argument: <$kind as $crate::function::fortran::argument::Argument>::Taken),*|
                    $function($($argument),*),
            ),
        ));
    )*};
}

/// Rows of three procedures each: blocking, nonblocking, persistent.
macro_rules! forms {
    ($list:ident: $($name:ident $immediate:ident $init:ident($($argument:ident: $kind:ty),*) =
        $module:ident: $blocking:ident $starting:ident $persistent:ident;)*) => {$(
        rows! { $list:
            $name($($argument: $kind),*) = $module::$blocking::<i32>;
            $immediate($($argument: $kind,)* request: Variable) = $module::$starting::<i32>;
            $init($($argument: $kind,)* info: Object, request: Variable) =
                $module::$persistent::<i32>;
        }
    )*};
}

/// As `forms`, of sends: the persistent one takes no info object.
macro_rules! sends {
    ($list:ident: $($name:ident $immediate:ident $init:ident($($argument:ident: $kind:ty),*) =
        $module:ident: $blocking:ident $starting:ident $persistent:ident;)*) => {$(
        rows! { $list:
            $name($($argument: $kind),*) = $module::$blocking::<i32>;
            $immediate($($argument: $kind,)* request: Variable) = $module::$starting::<i32>;
            $init($($argument: $kind,)* request: Variable) = $module::$persistent::<i32>;
        }
    )*};
}

use {forms, rows, sends};

/// The whole table.
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
    list
}
