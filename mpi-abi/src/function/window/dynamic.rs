//! Attaches memory to dynamic windows (MPI section 12.2.4).

use std::ffi::{c_int, c_void};

use mpi_api::{call::WindowCall, finding::CallPlace};

use super::on_window;
use crate::{
    constant::{Handle, class},
    function::bounds,
    state::Fault,
};

pub(in super::super) extern "C-unwind" fn attach(
    window: Handle,
    base: *mut c_void,
    size: i64,
) -> c_int {
    on_window(window, |state, site, window| {
        let bytes = u64::try_from(size)
            .map_err(|_| Fault::new(class::SIZE, format!("memory of {size} bytes")))?;
        let by = CallPlace::at(site, "MPI_Win_attach");
        bounds::look_at_memory(state, by, base as usize, bytes);
        state.kernel(site, WindowCall::Attach(window.id(), base as i64, bytes))?;
        window.attached.borrow_mut().insert(base as usize, bytes as usize);
        state.note_window_memory();
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn detach(window: Handle, base: *const c_void) -> c_int {
    on_window(window, |state, site, window| {
        if let Some(bytes) = window.attached.borrow().get(&(base as usize)) {
            let by = CallPlace::at(site, "MPI_Win_detach");
            bounds::look_at_end(state, by, base as usize, *bytes as u64);
        }
        state.kernel(site, WindowCall::Detach(window.id(), base as i64))?;
        window.attached.borrow_mut().remove(&(base as usize));
        state.note_window_memory();
        Ok(())
    })
}
