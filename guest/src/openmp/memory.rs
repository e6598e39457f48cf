//! Memory: allocators, and the memory of devices, which is the host's (OpenMP 5.2, sections 18.8 and
//! 18.13).
#![allow(unsafe_code, reason = "allocates and copies memory for programs")]

use std::ffi::{c_int, c_void};

use crate::libc::thread;

/// Bytes in front of a block in which its start is kept.
const HEADER: usize = 16;

/// The allocator that `omp_alloc` uses by default, as the program has set it.
struct Default_(std::cell::Cell<usize>);

impl Default for Default_ {
    fn default() -> Self {
        Self(std::cell::Cell::new(1))
    }
}

/// Allocates zeroed memory; null if there is none.
fn allocate(align: usize, bytes: usize) -> *mut c_void {
    let align =
        if align.is_power_of_two() { align.max(HEADER) } else { return std::ptr::null_mut() };
    let Some(all) = bytes.checked_add(align + HEADER).filter(|_| bytes > 0) else {
        return std::ptr::null_mut();
    };
    // SAFETY: has no requirements.
    let start = unsafe { libc::calloc(1, all) } as usize;
    if start == 0 {
        return std::ptr::null_mut();
    }
    let place = (start + HEADER).next_multiple_of(align);
    // SAFETY: the header lies in the block, in front of the place.
    unsafe {
        (place as *mut usize).sub(1).write(start);
        (place as *mut usize).sub(2).write(bytes);
    }
    place as *mut c_void
}

extern "C" fn alloc(bytes: usize, _allocator: usize) -> *mut c_void {
    allocate(HEADER, bytes)
}

extern "C" fn aligned_alloc(align: usize, bytes: usize, _allocator: usize) -> *mut c_void {
    allocate(align, bytes)
}

extern "C" fn calloc(count: usize, bytes: usize, _allocator: usize) -> *mut c_void {
    allocate(HEADER, count.checked_mul(bytes).unwrap_or(0))
}

extern "C" fn aligned_calloc(
    align: usize,
    count: usize,
    bytes: usize,
    _allocator: usize,
) -> *mut c_void {
    allocate(align, count.checked_mul(bytes).unwrap_or(0))
}

unsafe extern "C" fn free(place: *mut c_void, _allocator: usize) {
    if !place.is_null() {
        // SAFETY: the program passes a block of ours, with its start in front.
        unsafe { libc::free(place.cast::<usize>().sub(1).read() as *mut c_void) };
    }
}

unsafe extern "C" fn realloc(
    before: *mut c_void,
    bytes: usize,
    allocator: usize,
    _free_allocator: usize,
) -> *mut c_void {
    let after = if bytes == 0 { std::ptr::null_mut() } else { alloc(bytes, allocator) };
    if !before.is_null() && (bytes == 0 || !after.is_null()) {
        // SAFETY: the program passes a block of ours, with its size in front.
        unsafe {
            let kept = before.cast::<usize>().sub(2).read().min(bytes);
            if kept > 0 {
                std::ptr::copy_nonoverlapping(before.cast::<u8>(), after.cast(), kept);
            }
            free(before, allocator);
        }
    }
    after
}

/// Creates an allocator: all of them give the same memory.
extern "C" fn init_allocator() -> usize {
    1
}

extern "C" fn destroy_allocator() {}

fn default_allocator<'a>() -> &'a Default_ {
    thread::caller().0.state()
}

extern "C" fn set_default_allocator(allocator: usize) {
    if allocator != 0 {
        default_allocator().0.set(allocator);
    }
}

unsafe extern "C" fn set_default_allocator_of(allocator: *const usize) {
    // SAFETY: a Fortran program passes a variable.
    set_default_allocator(unsafe { allocator.read() });
}

extern "C" fn get_default_allocator() -> usize {
    default_allocator().0.get()
}

extern "C" fn target_alloc(bytes: usize, _device: c_int) -> *mut c_void {
    // SAFETY: has no requirements.
    unsafe { libc::malloc(bytes.max(1)) }
}

unsafe extern "C" fn target_free(place: *mut c_void, _device: c_int) {
    // SAFETY: the program passes a block of `target_alloc` or null.
    unsafe { libc::free(place) };
}

/// Reports whether memory is present on a device: that of the host is.
extern "C" fn target_is_present(_place: *const c_void, _device: c_int) -> c_int {
    1
}

unsafe extern "C" fn target_memcpy(
    target: *mut u8,
    source: *const u8,
    bytes: usize,
    target_offset: usize,
    source_offset: usize,
    _target_device: c_int,
    _source_device: c_int,
) -> c_int {
    // SAFETY: the program passes memory of that size.
    unsafe { std::ptr::copy(source.add(source_offset), target.add(target_offset), bytes) };
    0
}

/// Shapes of a rectangle in two arrays: volume, offsets and sizes by dimension.
#[derive(Clone, Copy)]
struct Rectangle {
    volume: *const usize,
    offsets: [*const usize; 2],
    sizes: [*const usize; 2],
}

/// Copies the dimensions of a rectangle from `at` on.
unsafe fn copy_rectangle(
    (target, source): (*mut u8, *const u8),
    (bytes, at, count): (usize, usize, usize),
    shape: &Rectangle,
) {
    // SAFETY: the program passes as many numbers as there are dimensions.
    let (volume, offsets) = unsafe {
        let offset = |of: usize| shape.offsets[of].add(at).read();
        (shape.volume.add(at).read(), [offset(0), offset(1)])
    };
    // The bytes of one step in this dimension, in each array.
    let mut steps = [bytes; 2];
    for dimension in at + 1..count {
        for (step, sizes) in steps.iter_mut().zip(shape.sizes) {
            // SAFETY: as above.
            *step *= unsafe { sizes.add(dimension).read() };
        }
    }
    for index in 0..volume {
        // SAFETY: the rectangle lies in the arrays.
        let (target, source) = unsafe {
            let target = target.add((offsets[0] + index) * steps[0]);
            (target, source.add((offsets[1] + index) * steps[1]))
        };
        if at + 1 == count {
            // SAFETY: as above; the rest of the dimension follows.
            unsafe { std::ptr::copy(source, target, bytes * (volume - index)) };
            return;
        }
        // SAFETY: as above.
        unsafe { copy_rectangle((target, source), (bytes, at + 1, count), shape) };
    }
}

unsafe extern "C" fn target_memcpy_rect(
    target: *mut u8,
    source: *const u8,
    bytes: usize,
    count: c_int,
    volume: *const usize,
    target_offsets: *const usize,
    source_offsets: *const usize,
    target_sizes: *const usize,
    source_sizes: *const usize,
    _target_device: c_int,
    _source_device: c_int,
) -> c_int {
    if target.is_null() && source.is_null() {
        return c_int::MAX;
    }
    let offsets = [target_offsets, source_offsets];
    let shape = Rectangle { volume, offsets, sizes: [target_sizes, source_sizes] };
    if count < 1 {
        return libc::EINVAL;
    }
    // SAFETY: the program passes such arrays.
    unsafe { copy_rectangle((target, source), (bytes, 0, count as usize), &shape) };
    0
}

extern "C" fn associate() -> c_int {
    libc::EINVAL
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    vec![
        ("omp_alloc", alloc as *const () as usize),
        ("omp_aligned_alloc", aligned_alloc as *const () as usize),
        ("omp_calloc", calloc as *const () as usize),
        ("omp_aligned_calloc", aligned_calloc as *const () as usize),
        ("omp_realloc", realloc as *const () as usize),
        ("omp_free", free as *const () as usize),
        ("GOMP_alloc", aligned_alloc as *const () as usize),
        ("GOMP_free", free as *const () as usize),
        ("omp_init_allocator", init_allocator as *const () as usize),
        ("omp_init_allocator_", init_allocator as *const () as usize),
        ("omp_init_allocator_8_", init_allocator as *const () as usize),
        ("omp_destroy_allocator", destroy_allocator as *const () as usize),
        ("omp_destroy_allocator_", destroy_allocator as *const () as usize),
        ("omp_set_default_allocator", set_default_allocator as *const () as usize),
        ("omp_set_default_allocator_", set_default_allocator_of as *const () as usize),
        ("omp_get_default_allocator", get_default_allocator as *const () as usize),
        ("omp_get_default_allocator_", get_default_allocator as *const () as usize),
        ("omp_target_alloc", target_alloc as *const () as usize),
        ("omp_target_free", target_free as *const () as usize),
        ("omp_target_is_present", target_is_present as *const () as usize),
        ("omp_target_memcpy", target_memcpy as *const () as usize),
        ("omp_target_memcpy_rect", target_memcpy_rect as *const () as usize),
        ("omp_target_associate_ptr", associate as *const () as usize),
        ("omp_target_disassociate_ptr", associate as *const () as usize),
    ]
}
