//! Parses one ELF object: segments, dependencies, symbols, relocations.

use std::{
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
};

use object::{
    LittleEndian as Le,
    elf::{self, FileHeader64},
    read::elf::{Dyn, FileHeader, ProgramHeader, Rela, SectionHeader, Sym},
};

use super::{contents::Contents, error::LoadError, library};
use crate::wrapper::Language;

/// A parsed ELF object. Addresses are relative to its start.
pub(crate) struct Elf {
    pub(crate) path: PathBuf,
    /// The contents in memory before relocation, without the zeros at the end.
    pub(crate) bytes: Contents,
    /// Its file, if the pages that no image writes to are mapped from there.
    pub(super) file: Option<File>,
    /// Size of the address space in bytes, a whole number of pages.
    pub(crate) span: usize,
    pub(crate) segments: Vec<Segment>,
    /// The sections that hold code; none if the file does not tell.
    code: Vec<Range<usize>>,
    pub(crate) tls: Option<Tls>,
    pub(crate) needed: Vec<String>,
    pub(crate) search: Vec<PathBuf>,
    pub(crate) soname: Option<String>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) relocations: Vec<Relocation>,
    pub(crate) entry: u64,
    pub(crate) init: Functions,
    pub(crate) fini: Functions,
    pub(crate) frames: Option<u64>,
    pub(crate) interpreted: bool,
    /// Whether the object runs code on its stack (`PT_GNU_STACK` is executable).
    pub(crate) runs_on_stack: bool,
}

/// A range of memory with one protection.
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) writable: bool,
    pub(crate) executable: bool,
}

/// The template of the thread-local variables (`PT_TLS`).
pub(crate) struct Tls {
    pub(crate) start: usize,
    pub(crate) file_bytes: usize,
    pub(crate) bytes: usize,
    pub(crate) align: usize,
}

/// Initialisers or finalisers: a single function and an array of them.
#[derive(Default)]
pub(crate) struct Functions {
    pub(crate) single: Option<u64>,
    pub(crate) array: u64,
    pub(crate) count: usize,
}

/// An entry of the dynamic symbol table.
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) value: u64,
    pub(crate) size: usize,
    pub(crate) defined: bool,
    pub(crate) weak: bool,
    pub(crate) local: bool,
    pub(crate) tls: bool,
    pub(crate) resolver: bool,
}

/// One relocation; `symbol` is 0 if it refers to no symbol.
pub(crate) struct Relocation {
    pub(crate) offset: u64,
    pub(crate) kind: u32,
    pub(crate) symbol: usize,
    pub(crate) addend: i64,
}

/// Size of a page in bytes.
pub(crate) const PAGE: usize = 4096;

/// Largest address span of a program in bytes; a larger one means a damaged file.
const SPAN_MAX: u64 = 1 << 37;

/// Largest gap in bytes between parts that come from the file.
const HOLES_MAX: usize = 1 << 28;

/// Rounds up to whole pages.
pub(crate) fn pages_up(bytes: usize) -> usize {
    bytes.div_ceil(PAGE) * PAGE
}

impl Elf {
    /// Returns the code of the object in pieces, each of which begins with an instruction. Segments may hold constants
    /// beside code, so that they are taken only if the file does not tell its sections.
    pub(crate) fn code(&self) -> impl Iterator<Item = &[u8]> {
        let executable = self.segments.iter().filter(|_| self.code.is_empty());
        let segments = executable.filter(|segment| segment.executable);
        let segments = segments.map(|segment| segment.start..segment.end.min(self.bytes.len()));
        let ranges = self.code.iter().cloned().chain(segments);
        ranges.map(|range| self.bytes.get(range).unwrap_or_default())
    }

    /// Reports whether the object has a symbol of this name: its own, that of a variable of a library that lies in its
    /// memory, or one of another object.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.name == name)
    }

    /// Reads and checks an object.
    pub(crate) fn read(path: &Path) -> Result<Self, LoadError> {
        let unreadable = |source| LoadError::Unreadable { path: path.to_path_buf(), source };
        let not_elf = |found| LoadError::NotElf { path: path.to_path_buf(), found };
        let kind = std::fs::metadata(path).map_err(unreadable)?;
        if !kind.is_file() {
            // Reading from a pipe or a device may never end.
            return Err(not_elf(if kind.is_dir() { "a folder" } else { "no plain file" }));
        }
        let file = File::open(path).map_err(unreadable)?;
        let source = Contents::of_file(&file, library::in_system(path)).map_err(unreadable)?;
        if !source.starts_with(b"\x7fELF") {
            return Err(match Language::of_source(path) {
                Some(language) => {
                    LoadError::Source { path: path.to_path_buf(), command: language.command_name() }
                }
                None if is_of_libtool(&source) => LoadError::Libtool {
                    path: path.to_path_buf(),
                    program: Path::new(".libs").join(path.file_name().unwrap_or_default()),
                },
                None => not_elf(other_kind(&source)),
            });
        }
        check_machine(path, &source)?;
        parse(path, &file, &source).map_err(|error| match error {
            Fault::Load(error) => error,
            Fault::Format(what) => LoadError::Damaged { path: path.to_path_buf(), what },
        })
    }

    /// Reports whether the object accesses thread-local variables, its own or those of a library.
    pub(crate) fn has_thread_locals(&self) -> bool {
        self.tls.is_some() || self.symbols.iter().any(|symbol| symbol.tls && !symbol.defined)
    }

    /// Returns the definition of an exported symbol.
    pub(crate) fn definition(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| symbol.defined && !symbol.local && symbol.name == name)
    }
}

enum Fault {
    Load(LoadError),
    Format(String),
}

impl From<object::read::Error> for Fault {
    fn from(error: object::read::Error) -> Self {
        Self::Format(error.to_string())
    }
}

/// Reports whether a file is a script that libtool has written in place of a program.
fn is_of_libtool(file: &[u8]) -> bool {
    let head = &file[..file.len().min(1024)];
    head.starts_with(b"#!") && memchr::memmem::find(head, b"Generated by libtool").is_some()
}

/// Names the kind of a file that is not ELF, for an error message.
fn other_kind(file: &[u8]) -> &'static str {
    if file.is_empty() {
        "empty"
    } else if file.starts_with(b"#!") {
        "a script"
    } else if file.starts_with(b"!<arch>\n") {
        "a static library"
    } else if std::str::from_utf8(&file[..file.len().min(1024)]).is_ok() {
        "a text"
    } else {
        "something else"
    }
}

fn check_machine(path: &Path, file: &[u8]) -> Result<(), LoadError> {
    if file.len() < 20 {
        let what = "it ends within its header".to_string();
        return Err(LoadError::Damaged { path: path.to_path_buf(), what });
    }
    let (class, data) = (file.get(4), file.get(5));
    let machine = file.get(18..20).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    if class == Some(&2) && data == Some(&1) && machine == elf::EM_X86_64.0 {
        return Ok(());
    }
    let found = match (class, machine) {
        (Some(1), _) => "a 32-bit processor".to_string(),
        _ if data == Some(&2) => "a big-endian processor".to_string(),
        (_, machine) if machine == elf::EM_AARCH64.0 => "aarch64".to_string(),
        (_, machine) if machine == elf::EM_PPC64.0 => "POWER".to_string(),
        (_, machine) if machine == elf::EM_RISCV.0 => "RISC-V".to_string(),
        (_, machine) => format!("processor number {machine}"),
    };
    Err(LoadError::WrongArchitecture { path: path.to_path_buf(), found })
}

fn parse(path: &Path, file: &File, source: &Contents) -> Result<Elf, Fault> {
    let header = FileHeader64::<Le>::parse(&**source)?;
    match header.e_type(Le) {
        elf::ET_DYN => {}
        elf::ET_EXEC => {
            let path = path.to_path_buf();
            return Err(Fault::Load(LoadError::NotPositionIndependent { path }));
        }
        elf::ET_REL => {
            return Err(Fault::Load(LoadError::NotLinked { path: path.to_path_buf() }));
        }
        _ => return Err(Fault::Format("it is neither program nor library".to_string())),
    }
    let mut parsed = Elf {
        path: path.to_path_buf(),
        bytes: Contents::Copied(Vec::new()),
        file: None,
        span: 0,
        segments: Vec::new(),
        code: Vec::new(),
        tls: None,
        needed: Vec::new(),
        search: Vec::new(),
        soname: None,
        symbols: Vec::new(),
        relocations: Vec::new(),
        entry: header.e_entry(Le),
        init: Functions::default(),
        fini: Functions::default(),
        frames: None,
        interpreted: false,
        runs_on_stack: false,
    };
    read_segments(&mut parsed, header, file, source)?;
    read_sections(&mut parsed, header, source)?;
    parsed.check().map_err(|what| Fault::Format(what.to_string()))?;
    let sanitizer = SANITIZERS.iter().find(|(_, function)| parsed.names(function));
    match sanitizer {
        Some((option, _)) => {
            Err(Fault::Load(LoadError::Sanitized { path: path.to_path_buf(), option }))
        }
        None => Ok(parsed),
    }
}

/// Sanitizers that cannot share their process, as compilers call them, and the functions that start them.
const SANITIZERS: [(&str, &str); 5] = [
    ("address", "__asan_init"),
    ("hwaddress", "__hwasan_init"),
    ("thread", "__tsan_init"),
    ("leak", "__lsan_init"),
    ("memory", "__msan_init"),
];

/// Reads the program headers and the contents of segments. Those of a library of the system are mapped if they lie in the
/// file as in memory.
fn read_segments(
    parsed: &mut Elf,
    header: &FileHeader64<Le>,
    file: &File,
    source: &Contents,
) -> Result<(), Fault> {
    let bytes: &[u8] = source;
    let mut places = Vec::new();
    for segment in header.program_headers(Le, bytes)? {
        let (start, size) = (segment.p_vaddr(Le), segment.p_memsz(Le));
        let file_bytes = segment.p_filesz(Le);
        let end = start.checked_add(size).filter(|end| *end < SPAN_MAX);
        let end = end.ok_or_else(|| Fault::Format("a segment is too large".to_string()))?;
        match segment.p_type(Le) {
            elf::PT_LOAD => {
                let data = segment
                    .data(Le, bytes)
                    .map_err(|()| Fault::Format("a segment lies outside the file".to_string()))?;
                let (start, end) = (start as usize, end as usize);
                if start + data.len() > bytes.len() + HOLES_MAX || data.len() > end - start {
                    return Err(Fault::Format("a segment lies far outside the file".to_string()));
                }
                places.push((start, segment.p_offset(Le) as usize, data));
                parsed.span = parsed.span.max(pages_up(end));
                parsed.segments.push(Segment {
                    start,
                    end,
                    writable: segment.p_flags(Le).contains(elf::PF_W),
                    executable: segment.p_flags(Le).contains(elf::PF_X),
                });
            }
            elf::PT_TLS => {
                parsed.tls = Some(Tls {
                    start: start as usize,
                    file_bytes: file_bytes as usize,
                    bytes: size as usize,
                    align: (segment.p_align(Le) as usize).max(1),
                });
            }
            elf::PT_INTERP => parsed.interpreted = true,
            elf::PT_GNU_STACK => parsed.runs_on_stack = segment.p_flags(Le).contains(elf::PF_X),
            _ => {}
        }
    }
    let filled = places.iter().map(|(start, _, data)| start + data.len()).max().unwrap_or(0);
    let ends = parsed.segments.iter().map(|segment| segment.end);
    // Zeros at the end of a segment that another one follows are not in the file.
    let is_as_in_memory = places.iter().zip(ends).all(|((start, offset, data), end)| {
        start == offset && (start + data.len() == end || start + data.len() == filled)
    });
    if let (Contents::Mapped(_), true) = (source, is_as_in_memory) {
        let refused = |error: std::io::Error| Fault::Format(error.to_string());
        parsed.bytes = Contents::start_of_system(file, filled).map_err(refused)?;
        parsed.file = Some(file.try_clone().map_err(refused)?);
        return Ok(());
    }
    parsed.bytes.grow(filled);
    for (start, _, data) in places {
        parsed.bytes[start..start + data.len()].copy_from_slice(data);
    }
    Ok(())
}

fn read_sections(parsed: &mut Elf, header: &FileHeader64<Le>, file: &[u8]) -> Result<(), Fault> {
    let sections = header.sections(Le, file)?;
    let symbols = sections.symbols(Le, file, elf::SHT_DYNSYM)?;
    for symbol in symbols.iter() {
        let name = symbol.name(Le, symbols.strings())?;
        parsed.symbols.push(Symbol {
            name: String::from_utf8_lossy(name).into_owned(),
            value: symbol.st_value(Le),
            size: symbol.st_size(Le) as usize,
            defined: !symbol.is_undefined(Le),
            weak: symbol.st_bind() == elf::STB_WEAK,
            local: symbol.st_bind() == elf::STB_LOCAL,
            tls: symbol.st_type() == elf::STT_TLS,
            resolver: symbol.st_type() == elf::STT_GNU_IFUNC,
        });
    }
    for section in sections.iter() {
        if sections.section_name(Le, section)? == b".eh_frame" {
            parsed.frames = Some(section.sh_addr(Le));
        }
        if !section.sh_flags(Le).contains(elf::SHF_ALLOC) {
            continue;
        }
        if section.sh_flags(Le).contains(elf::SHF_EXECINSTR) {
            let start = section.sh_addr(Le) as usize;
            parsed.code.push(start..start.saturating_add(section.sh_size(Le) as usize));
        }
        if let Some((relocations, _)) = section.rela(Le, file)? {
            parsed.relocations.extend(relocations.iter().map(|relocation| Relocation {
                offset: relocation.r_offset(Le),
                kind: relocation.r_type(Le, false).0,
                symbol: relocation.r_sym(Le, false) as usize,
                addend: relocation.r_addend(Le),
            }));
        } else if let Some(offsets) = section.relr(Le, file)? {
            offsets.for_each(|offset| push_packed(parsed, offset));
        }
    }
    let Some((entries, strings)) = sections.dynamic(Le, file)? else { return Ok(()) };
    let strings = sections.strings(Le, file, strings)?;
    for entry in entries {
        read_dynamic(parsed, entry.d_tag(Le), entry.d_val(Le), &strings)?;
    }
    Ok(())
}

/// Adds a packed relative relocation (`DT_RELR`): the addend is the word at its place.
fn push_packed(parsed: &mut Elf, offset: u64) {
    let at = offset as usize;
    let addend = parsed
        .bytes
        .get(at..at + 8)
        .map_or(0, |bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes were taken")));
    let kind = elf::R_X86_64_RELATIVE.0;
    parsed.relocations.push(Relocation { offset, kind, symbol: 0, addend });
}

fn read_dynamic(
    parsed: &mut Elf,
    tag: elf::DynamicTag,
    value: u64,
    strings: &object::read::StringTable<'_>,
) -> Result<(), Fault> {
    let text = || -> Result<String, Fault> {
        let bytes = strings
            .get(value as u32)
            .map_err(|()| Fault::Format("a name lies outside its table".to_string()))?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    };
    match tag {
        elf::DT_NEEDED => parsed.needed.push(text()?),
        elf::DT_SONAME => parsed.soname = Some(text()?),
        elf::DT_RPATH | elf::DT_RUNPATH => {
            let origin = parsed.path.parent().unwrap_or(Path::new(".")).display().to_string();
            for folder in text()?.split(':').filter(|folder| !folder.is_empty()) {
                let folder = folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
                parsed.search.push(PathBuf::from(folder));
            }
        }
        elf::DT_INIT => parsed.init.single = Some(value),
        elf::DT_FINI => parsed.fini.single = Some(value),
        elf::DT_INIT_ARRAY => parsed.init.array = value,
        elf::DT_INIT_ARRAYSZ => parsed.init.count = (value / 8) as usize,
        elf::DT_FINI_ARRAY => parsed.fini.array = value,
        elf::DT_FINI_ARRAYSZ => parsed.fini.count = (value / 8) as usize,
        _ => {}
    }
    Ok(())
}
