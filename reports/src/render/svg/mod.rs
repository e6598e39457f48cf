//! Pictures as SVG text. The colours are those of Okabe and Ito, which colour-blind readers can
//! distinguish.

mod bars;
mod canvas;
mod changes;
mod chart;
mod curves;
mod link_heat;
mod loads;
mod matrix;
mod names;
mod palette;
mod pareto;
mod ranges;
mod series;
mod sizes;
mod space_time;
mod speedup;
mod sweep;
mod waits;

pub use bars::{TimeBar, bars, breakdown, mpi_time, size_classes, times};
pub use changes::{ChangeRow, changes};
pub use curves::{CurvePoint, curves};
pub use link_heat::{LinkHeat, link_heat};
pub use loads::{LoadPoint, load_curves};
pub use matrix::matrix;
pub(crate) use palette::{on_dark_pages, scale};
pub use pareto::{ParetoPoint, pareto};
pub use ranges::ranges;
pub use sizes::message_sizes;
pub use space_time::space_time;
pub(crate) use speedup::{SpeedupPoint, speedup_lines};
pub use sweep::{SweptAxis, SweptLine, sweep};
pub use waits::{Wait, waits};
