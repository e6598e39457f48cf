//! Locales: each rank has its own, as processes do, and each of its threads may have another.
//!
//! The host's C library has one locale for the process, which stays "C", and one for each host
//! thread, which is switched together with the ranks. Names and locales that ranks have requested
//! are kept for the life of the process: there are few of them, and programs keep pointers to the
//! names.
#![allow(unsafe_code, reason = "makes locales of the C library and reads strings of programs")]

use std::{
    cell::{Cell, UnsafeCell},
    collections::BTreeMap,
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::{Mutex, PoisonError},
};

use super::{changes::note_change, errno::fails, rank::Rank, surroundings};
use crate::replacement::Replacement;

type Locale = *mut c_void;

/// `LC_GLOBAL_LOCALE`: stands for the locale of the process.
const GLOBAL: Locale = usize::MAX as Locale;

/// Categories by number, with the names used in the name of a locale that mixes several.
const CATEGORIES: [(c_int, &[u8]); 12] = [
    (0, b"LC_CTYPE"),
    (1, b"LC_NUMERIC"),
    (2, b"LC_TIME"),
    (3, b"LC_COLLATE"),
    (4, b"LC_MONETARY"),
    (5, b"LC_MESSAGES"),
    (7, b"LC_PAPER"),
    (8, b"LC_NAME"),
    (9, b"LC_ADDRESS"),
    (10, b"LC_TELEPHONE"),
    (11, b"LC_MEASUREMENT"),
    (12, b"LC_IDENTIFICATION"),
];

/// `LC_ALL`.
const ALL: c_int = 6;
/// The bits of all categories but `LC_ALL`.
const ALL_MASK: c_int = 0x1fbf;

unsafe extern "C" {
    fn uselocale(locale: Locale) -> Locale;
    fn newlocale(mask: c_int, name: *const c_char, base: Locale) -> Locale;
    fn duplocale(locale: Locale) -> Locale;
    fn freelocale(locale: Locale);
    fn nl_langinfo_l(item: c_int, locale: Locale) -> *mut c_char;
}

/// What is kept of the locales of a rank besides the one that is shown (`Rank::locale`).
#[derive(Default)]
struct Locales {
    /// The locale that it has set with `setlocale`, if any.
    own: Cell<Option<&'static Known>>,
    /// The result of `localeconv`.
    conventions: UnsafeCell<Option<Box<libc::lconv>>>,
}

/// A locale that some rank has set; immutable.
struct Known {
    /// A `locale_t`.
    locale: usize,
    /// Name of the locale in each category.
    names: [CString; CATEGORIES.len()],
    /// Name of the whole locale.
    name: CString,
}

thread_local! {
    /// The locale that the C library uses on this host thread; null for that of the process.
    static SHOWN: Cell<Locale> = const { Cell::new(ptr::null_mut()) };
}

impl Locales {
    /// Returns the locale of the rank with some categories replaced, if there is a locale of that
    /// name.
    fn with(&self, mask: c_int, name: *const c_char) -> Option<&'static Known> {
        // SAFETY: a locale is changed that nobody else knows; the program passes a C string.
        let made = unsafe {
            let base = match self.own.get() {
                Some(own) => duplocale(own.locale as Locale),
                None => newlocale(ALL_MASK, c"C".as_ptr(), ptr::null_mut()),
            };
            let made = newlocale(mask, name, base);
            if made.is_null() {
                freelocale(base);
            }
            made
        };
        (!made.is_null()).then(|| known(made))
    }
}

/// Sets the C library's locale to that of the present thread of a rank.
#[inline]
pub(super) fn show(rank: &Rank) {
    let own = rank.threads.present().locale.get();
    show_this(if own.is_null() { rank.locale.get() } else { own });
}

/// Reports whether the C library uses the locale of the process.
#[inline]
pub(super) fn is_own() -> bool {
    SHOWN.get().is_null()
}

/// Sets the C library's locale to that of the process.
pub(super) fn show_own() {
    show_this(ptr::null_mut());
}

#[inline]
fn show_this(locale: Locale) {
    if SHOWN.get() != locale {
        note_change();
        SHOWN.set(locale);
        // SAFETY: a locale lives as long as it is in use: that is the program's duty, and ours for
        // those that we make.
        unsafe { uselocale(if locale.is_null() { GLOBAL } else { locale }) };
    }
}

/// Returns the running rank.
fn present<'a>() -> &'a Rank {
    Rank::running()
}

/// Returns the recorded locale with the same categories. Takes ownership of the `locale_t`.
fn known(locale: Locale) -> &'static Known {
    static ALL_KNOWN: Mutex<BTreeMap<CString, &'static Known>> = Mutex::new(BTreeMap::new());
    let names = CATEGORIES.map(|(category, _)| {
        // SAFETY: glibc answers the name of a category of a locale by `_NL_LOCALE_NAME`.
        unsafe { CStr::from_ptr(nl_langinfo_l(category << 16 | 0xffff, locale)) }.to_owned()
    });
    let name = match names.iter().all(|name| *name == names[0]) {
        true => names[0].clone(),
        false => {
            let part =
                |(at, name): (usize, &CString)| [CATEGORIES[at].1, b"=", name.as_bytes()].concat();
            let parts: Vec<_> = names.iter().enumerate().map(part).collect();
            CString::new(parts.join(&b';')).unwrap_or_default()
        }
    };
    let mut all = ALL_KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(&name) {
        // SAFETY: it was made for us, and nobody else knows it.
        unsafe { freelocale(locale) };
        return known;
    }
    let known = Box::leak(Box::new(Known { locale: locale as usize, names, name: name.clone() }));
    all.insert(name, known);
    known
}

/// Makes the rank's environment variables visible if a locale name refers to them (the empty name).
fn follow(rank: &Rank, name: *const c_char) {
    // SAFETY: the program passes a C string or null.
    if !name.is_null() && unsafe { *name } == 0 {
        surroundings::follow(rank);
    }
}

unsafe extern "C" fn setlocale(category: c_int, name: *const c_char) -> *mut c_char {
    let rank = present();
    let locales = rank.state::<Locales>();
    let position = CATEGORIES.iter().position(|(number, _)| *number == category);
    if position.is_none() && category != ALL {
        fails(libc::EINVAL);
        return ptr::null_mut();
    }
    if !name.is_null() {
        follow(rank, name);
        let mask = position.map_or(ALL_MASK, |_| 1 << category);
        let Some(made) = locales.with(mask, name) else { return ptr::null_mut() };
        locales.own.set(Some(made));
        rank.locale.set(made.locale as Locale);
        show(rank);
    }
    let name = match (locales.own.get(), position) {
        (None, _) => c"C",
        (Some(own), Some(position)) => own.names[position].as_c_str(),
        (Some(own), None) => own.name.as_c_str(),
    };
    name.as_ptr().cast_mut()
}

/// Sets all categories of the running rank's locale. A name that the C library does not know changes nothing.
pub(super) fn set_all(name: &CStr) {
    // SAFETY: a C string is passed.
    unsafe { setlocale(ALL, name.as_ptr()) };
}

extern "C" fn use_locale(locale: Locale) -> Locale {
    let rank = present();
    let thread = &rank.threads.present().locale;
    let before = if thread.get().is_null() { GLOBAL } else { thread.get() };
    if !locale.is_null() {
        thread.set(if locale == GLOBAL { ptr::null_mut() } else { locale });
        show(rank);
    }
    before
}

unsafe extern "C" fn new_locale(mask: c_int, name: *const c_char, base: Locale) -> Locale {
    follow(present(), name);
    // SAFETY: the arguments are passed on unchanged.
    unsafe { newlocale(mask, name, base) }
}

extern "C" fn copy_locale(locale: Locale) -> Locale {
    let own = present().locale.get();
    // SAFETY: the arguments are passed on unchanged, or the locale is the rank's own.
    unsafe { duplocale(if locale == GLOBAL && !own.is_null() { own } else { locale }) }
}

extern "C" fn localeconv() -> *mut libc::lconv {
    let kept = present().state::<Locales>().conventions.get();
    // SAFETY: one thread, and the answer of the library is copied before anybody else calls; a program
    // that has the place of the answer before expects it to be overwritten.
    unsafe {
        let answer = ptr::read(libc::localeconv());
        let kept = &mut *kept;
        match kept {
            Some(kept) => **kept = answer,
            None => *kept = Some(Box::new(answer)),
        }
        kept.as_mut().map_or(ptr::null_mut(), |kept| &raw mut **kept)
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("setlocale", setlocale as *const () as usize),
        ("uselocale", use_locale as *const () as usize),
        ("newlocale", new_locale as *const () as usize),
        ("duplocale", copy_locale as *const () as usize),
        ("localeconv", localeconv as *const () as usize),
    ]
}
