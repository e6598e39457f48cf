//! Reads variables from the debug information of an object.

use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    ops::Range,
    path::Path,
    rc::Rc,
};

use gimli::{
    AttributeValue, BaseAddresses, CfaRule, DebuggingInformationEntry, EhFrame, EntriesTree,
    EntriesTreeNode, LittleEndian, Operation, UnwindContext, UnwindSection as _, X86_64,
};
use object::{
    File, Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind,
};
use rustc_hash::FxHashMap;

use super::{
    kind::Kind,
    merged::{Flow, Ranges},
    pointers::Pointer,
    types::Extent,
    units::{EntryRef, Units},
};

pub(super) type Slice<'a> = gimli::EndianSlice<'a, LittleEndian>;
pub(super) type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
pub(super) type Unit<'a> = gimli::Unit<Slice<'a>>;
pub(super) type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Where a variable lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// At this offset from the frame base of its function.
    Frame(i64),
    /// At this address, as the object's file counts addresses.
    Fixed(u64),
    /// Elsewhere: its address is at this offset from the frame base. So are arguments of Fortran.
    Reference(i64),
    /// In a register, or in different places at different times; or it is only declared here.
    Unknown,
}

/// A variable that a piece of code can see.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Rc<str>,
    pub(super) location: Location,
    /// Whether the caller of its function has given it.
    pub(super) is_parameter: bool,
    /// Whether it is part of a common block of Fortran: calls may use what follows it there, too.
    pub(super) is_in_common: bool,
    /// Whether it belongs to a block of a Fortran procedure: the debug information of gfortran has such blocks begin with
    /// the procedure, whose temporaries may share memory with the variable.
    pub(super) is_of_block: bool,
    pub(super) kind: Rc<Kind>,
    /// Where its type is described.
    pub(super) of: EntryRef,
    /// Whether it is an array; so are parameters that are declared as arrays in Fortran.
    pub(super) is_array: bool,
    /// What it points to, if it is a pointer.
    pub(super) target: Option<Rc<Kind>>,
    /// What the first word of a structure points to, such as a vector of C++.
    pub(super) elements: Option<Elements>,
    /// Where the last index of an array of variable length is kept, as an offset from the frame base.
    pub(super) last_index: Option<i64>,
    /// Line of its declaration; 0 if it is unknown.
    pub(super) line: u32,
}

/// What the first word of a structure points to.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) kind: Rc<Kind>,
    /// Of how many objects it tells.
    pub(super) extent: Extent,
    /// Whether the variable is the address of the structure: a reference, or a pointer.
    pub(super) elsewhere: bool,
}

/// How the frame base of a function is computed in a piece of its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameBase {
    /// The frame pointer and an offset.
    FramePointer(i64),
    /// The stack pointer and an offset.
    StackPointer(i64),
    /// The word at an offset from the frame pointer.
    Saved(i64),
}

impl FrameBase {
    fn from_register(register: gimli::Register, offset: i64) -> Option<Self> {
        match register {
            X86_64::RBP => Some(Self::FramePointer(offset)),
            X86_64::RSP => Some(Self::StackPointer(offset)),
            _ => None,
        }
    }

    /// Returns the distance of the frame base from what a register holds, if it is computed from that register.
    fn offset_from(self, wanted: gimli::Register) -> Option<i64> {
        match self {
            Self::FramePointer(offset) if wanted == X86_64::RBP => Some(offset),
            Self::StackPointer(offset) if wanted == X86_64::RSP => Some(offset),
            Self::FramePointer(_) | Self::StackPointer(_) | Self::Saved(_) => None,
        }
    }
}

/// The variables that a piece of code can see.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Those of inner blocks first.
    pub(super) variables: Vec<Variable>,
    pub(super) frame: Option<FrameBase>,
    /// Whether the code is optimised: variables and temporaries that are not used at the same time may then share
    /// memory.
    pub(super) optimised: bool,
    /// Whether the code is Fortran, whose arguments are passed by their addresses.
    pub(super) is_fortran: bool,
    /// Variables in the frame of the function that other blocks can see, for which the code may be executed as well.
    pub(super) of_merged_blocks: Vec<Variable>,
}

/// A block of a function that does not hold the code whose scope is read.
struct Block {
    code: Ranges,
    /// Its variables in the frame of the function, and those of the blocks in it.
    variables: Vec<Variable>,
}

/// What is gathered of the code at an address.
#[derive(Default)]
struct Gathered {
    /// Those of inner blocks last.
    variables: Vec<Variable>,
    /// The innermost function that is not inlined.
    function: Option<Range<u64>>,
    frame: Option<FrameBase>,
    /// Whether that function is Fortran.
    is_fortran: bool,
    /// The code of each block that holds the address, and the blocks beside it.
    levels: Vec<(Ranges, Vec<Block>)>,
}

/// A static variable in the symbol table of an object.
pub(super) struct Symbol {
    pub(super) name: Rc<str>,
    pub(super) address: u64,
    pub(super) bytes: u64,
}

/// The debug information of one object; empty if it has none.
pub(super) struct Debug {
    contents: Vec<u8>,
    sections: OnceCell<Sections>,
    scopes: RefCell<FxHashMap<u64, Rc<Scope>>>,
    /// The pointers in variables, by their types.
    pointers: RefCell<FxHashMap<EntryRef, Rc<[Pointer]>>>,
    /// In order of their addresses.
    symbols: OnceCell<Vec<Symbol>>,
}

impl Debug {
    /// Reads a file.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            contents: std::fs::read(path).unwrap_or_default(),
            sections: OnceCell::new(),
            scopes: RefCell::default(),
            pointers: RefCell::default(),
            symbols: OnceCell::new(),
        }
    }

    /// Returns the static variable that holds an address, as the file counts addresses.
    pub(super) fn symbol(&self, address: u64) -> Option<&Symbol> {
        let all = self.symbols.get_or_init(|| symbols(&self.contents).unwrap_or_default());
        let before = all.partition_point(|symbol| symbol.address <= address);
        let symbol = all.get(before.checked_sub(1)?)?;
        (address < symbol.address + symbol.bytes).then_some(symbol)
    }

    /// Returns what the code at an address can see, as the file counts addresses.
    pub(super) fn scope(&self, address: u64) -> Rc<Scope> {
        if let Some(known) = self.scopes.borrow().get(&address) {
            return Rc::clone(known);
        }
        let sections = self.sections.get_or_init(|| sections(&self.contents));
        let scope = Rc::new(read(&self.contents, sections, address).unwrap_or_default());
        self.scopes.borrow_mut().insert(address, Rc::clone(&scope));
        scope
    }

    /// Returns the pointers that a variable of a type holds or leads to.
    pub(super) fn pointers(&self, of: EntryRef) -> Rc<[Pointer]> {
        if let Some(known) = self.pointers.borrow().get(&of) {
            return Rc::clone(known);
        }
        let sections = self.sections.get_or_init(|| sections(&self.contents));
        let found: Rc<[Pointer]> =
            read_pointers(&self.contents, sections, of).unwrap_or_default().into();
        self.pointers.borrow_mut().insert(of, Rc::clone(&found));
        found
    }
}

/// The sections with debug information.
type Sections = gimli::DwarfSections<Vec<u8>>;

/// Returns the sections of a file, which may be compressed there; those that it does not have are empty.
fn sections(contents: &[u8]) -> Sections {
    let file = File::parse(contents).ok();
    let data = |id: gimli::SectionId| {
        let section = file.as_ref().and_then(|file| file.section_by_name(id.name()));
        let data = section.and_then(|section| section.uncompressed_data().ok());
        Ok::<_, std::convert::Infallible>(data.map_or_else(Vec::new, Cow::into_owned))
    };
    let Ok(sections) = Sections::load(data);
    sections
}

fn read(contents: &[u8], sections: &Sections, address: u64) -> Option<Scope> {
    let file = File::parse(contents).ok()?;
    let dwarf = sections.borrow(|data| Slice::new(data, LittleEndian));
    let units = Units::new(&dwarf);
    let mut scope = Scope::default();
    for number in 0..units.len() {
        let context = Context { file: &file, dwarf: &dwarf, units: &units, address };
        let Some(reader) = Reader::new(&context, number) else { continue };
        let Ok(mut tree) = reader.unit.entries_tree(None) else { continue };
        let Ok(root) = tree.root() else { continue };
        if reader.covers(root.entry()) {
            scope.optimised = reader.is_optimised(root.entry());
            let mut found = Gathered { is_fortran: reader.is_fortran(), ..Gathered::default() };
            reader.gather(root, &mut found);
            if scope.optimised {
                scope.of_merged_blocks = of_merged_blocks(&file, address, &mut found);
            }
            scope.is_fortran = found.is_fortran;
            scope.variables = found.variables;
            scope.frame = found.frame;
            break;
        }
    }
    scope.variables.reverse();
    Some(scope)
}

fn read_pointers(contents: &[u8], sections: &Sections, of: EntryRef) -> Option<Vec<Pointer>> {
    let file = File::parse(contents).ok()?;
    let dwarf = sections.borrow(|data| Slice::new(data, LittleEndian));
    let units = Units::new(&dwarf);
    let context = Context { file: &file, dwarf: &dwarf, units: &units, address: 0 };
    Some(Reader::new(&context, of.unit)?.pointers(of))
}

/// Returns the variables of the blocks that the code at an address may be executed for, apart from the block that the
/// debug information names.
fn of_merged_blocks(file: &File<'_>, address: u64, found: &mut Gathered) -> Vec<Variable> {
    found.levels.retain_mut(|(_, others)| {
        others.retain(|block| !block.variables.is_empty());
        !others.is_empty()
    });
    let Some(function) = found.function.clone().filter(|_| !found.levels.is_empty()) else {
        return Vec::new();
    };
    let bytes = function.end - function.start;
    let code =
        file.segments().find_map(|segment| segment.data_range(function.start, bytes).ok()?);
    let Some(code) = code else { return Vec::new() };
    let flow = Flow::new(code, function.start);
    let mut variables = Vec::new();
    for (own, others) in std::mem::take(&mut found.levels) {
        let ranges: Vec<Ranges> = others.iter().map(|block| block.code.clone()).collect();
        let merged = flow.are_merged(address, &own, &ranges);
        let blocks = others.into_iter().zip(merged).filter(|(_, merged)| *merged);
        variables.extend(blocks.flat_map(|(block, _)| block.variables));
    }
    variables
}

/// Returns the static variables of an object in order of their addresses.
fn symbols(contents: &[u8]) -> Option<Vec<Symbol>> {
    let file = File::parse(contents).ok()?;
    let variables = file.symbols().chain(file.dynamic_symbols());
    let known = variables.filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0);
    let symbol = |symbol: object::Symbol<'_, '_>| {
        let name = addr2line::demangle_auto(symbol.name().unwrap_or_default().into(), None);
        // The compiler numbers the static variables of functions, as in `count.0`.
        let name = name.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit());
        Symbol { name: name.into(), address: symbol.address(), bytes: symbol.size() }
    };
    let mut all: Vec<Symbol> = known.map(symbol).collect();
    // Of several names of one place, the longest variable holds the others.
    all.sort_by_key(|symbol| (symbol.address, symbol.bytes));
    Some(all)
}

/// Returns how the canonical frame address is computed at an address.
fn canonical_frame_address(file: &File<'_>, address: u64) -> Option<FrameBase> {
    let section = file.section_by_name(".eh_frame")?;
    let mut frames = EhFrame::new(section.data().ok()?, LittleEndian);
    frames.set_address_size(8);
    let start = |name| file.section_by_name(name).map_or(0, |section| section.address());
    let bases = BaseAddresses::default()
        .set_eh_frame(section.address())
        .set_text(start(".text"))
        .set_got(start(".got"));
    let mut context = UnwindContext::new();
    let row =
        frames.unwind_info_for_address(&bases, &mut context, address, EhFrame::cie_from_offset);
    match row.ok()?.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            FrameBase::from_register(*register, *offset)
        }
        // Functions that align their stack save the address below the frame pointer.
        CfaRule::Expression(expression) => {
            let encoding =
                gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
            let mut operations = expression.get(&frames).ok()?.operations(encoding);
            let base = operations.next().ok()??;
            let then = operations.next().ok()??;
            match (base, then, operations.next().ok()?) {
                (
                    Operation::RegisterOffset { register: X86_64::RBP, offset, .. },
                    Operation::Deref { .. },
                    None,
                ) => Some(FrameBase::Saved(offset)),
                _ => None,
            }
        }
    }
}

/// An object whose debug information is read.
pub(super) struct Context<'a, 'b> {
    file: &'b File<'a>,
    dwarf: &'b Dwarf<'a>,
    units: &'b Units<'a>,
    /// Where the code is that sees the variables.
    address: u64,
}

/// Reads the entries of one compilation unit.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a, 'b> {
    context: &'b Context<'a, 'b>,
    pub(super) unit: &'b Unit<'a>,
    /// Number of the unit, in the order of the file.
    number: usize,
}

/// An entry, and the reader of its unit.
pub(super) struct Described<'a, 'b> {
    pub(super) reader: Reader<'a, 'b>,
    pub(super) entry: Entry<'a>,
}

impl<'a> Described<'a, '_> {
    /// Returns where the entry is.
    pub(super) fn at(&self) -> EntryRef {
        EntryRef { unit: self.reader.number, offset: self.entry.offset() }
    }

    /// Returns the entry with those below it.
    pub(super) fn tree(&self) -> Option<EntriesTree<'_, Slice<'a>>> {
        self.reader.unit.entries_tree(Some(self.entry.offset())).ok()
    }
}

impl<'a, 'b> Reader<'a, 'b> {
    /// Returns a reader of a unit; `None` if the unit is broken.
    fn new(context: &'b Context<'a, 'b>, number: usize) -> Option<Self> {
        let unit = context.units.get(number, context.dwarf)?;
        Some(Self { context, unit, number })
    }

    /// Returns an entry of any unit.
    pub(super) fn entry(&self, at: EntryRef) -> Option<Described<'a, 'b>> {
        let reader = Self::new(self.context, at.unit)?;
        let entry = reader.unit.entry(at.offset).ok()?;
        Some(Described { reader, entry })
    }

    /// Returns where the entry is that an attribute of an entry of this unit refers to.
    pub(super) fn referred_by(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<EntryRef> {
        self.context.units.referred(self.number, &entry.attr_value(name)?)
    }

    /// Returns a text that is an attribute of an entry of this unit.
    pub(super) fn text(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<Cow<'a, str>> {
        let text = self.context.dwarf.attr_string(self.unit, entry.attr_value(name)?).ok()?;
        Some(text.to_string_lossy())
    }

    /// Returns the code of an entry.
    fn code_of(&self, entry: &Entry<'a>) -> Ranges {
        let mut code = Ranges::new();
        let Ok(mut ranges) = self.context.dwarf.die_ranges(self.unit, entry) else { return code };
        while let Ok(Some(range)) = ranges.next() {
            code.push(range.begin..range.end);
        }
        code
    }

    /// Reports whether the code of an entry holds the address.
    fn covers(&self, entry: &Entry<'a>) -> bool {
        self.code_of(entry).iter().any(|code| self.is_here(code))
    }

    /// Returns the frame base of a function: the canonical frame address in the code of GCC, a register in that of Clang. The
    /// oldest debug information has a list of registers and offsets in place of the former.
    fn frame_base(&self, function: &Entry<'a>) -> Option<FrameBase> {
        let base = function.attr_value(gimli::DW_AT_frame_base)?;
        let base = self.expressions(base, |code| self.is_here(code)).next()?;
        let mut operations = base.operations(self.unit.encoding());
        match (operations.next().ok()??, operations.next().ok()?) {
            (Operation::CallFrameCFA, None) => {
                canonical_frame_address(self.context.file, self.context.address)
            }
            (Operation::Register { register }, None) => FrameBase::from_register(register, 0),
            (Operation::RegisterOffset { register, offset, .. }, None) => {
                FrameBase::from_register(register, offset)
            }
            _ => None,
        }
    }

    /// Returns the expressions that a value is, or has in its list for pieces of code that are wanted.
    fn expressions(
        &self,
        value: AttributeValue<Slice<'a>>,
        is_wanted: impl Fn(&Range<u64>) -> bool,
    ) -> impl Iterator<Item = gimli::Expression<Slice<'a>>> {
        let (single, mut list) = match value {
            AttributeValue::Exprloc(expression) => (Some(expression), None),
            value => (None, self.context.dwarf.attr_locations(self.unit, value).ok().flatten()),
        };
        let listed = std::iter::from_fn(move || list.as_mut()?.next().ok()?);
        let wanted = listed.filter(move |at| is_wanted(&(at.range.begin..at.range.end)));
        single.into_iter().chain(wanted.map(|at| at.data))
    }

    /// Reports whether a piece of code holds the address.
    fn is_here(&self, code: &Range<u64>) -> bool {
        code.contains(&self.context.address)
    }

    /// Reports whether a compilation unit is optimised. Compilers of GCC record their options; nothing is known of others.
    fn is_optimised(&self, unit: &Entry<'a>) -> bool {
        let producer = self.text(unit, gimli::DW_AT_producer).unwrap_or_default();
        let level = producer.split_whitespace().rev().find(|option| option.starts_with("-O"));
        level.map_or(!producer.starts_with("GNU"), |level| level != "-O0")
    }

    /// Adds the variables below an entry that the code at the address can see, those of inner blocks
    /// last.
    fn gather(&self, node: EntriesTreeNode<'_, '_, Slice<'a>>, found: &mut Gathered) {
        let (mut own, mut others) = (None, Vec::new());
        let mut children = node.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            match entry.tag() {
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    let location = self.location(entry, found.frame);
                    found.variables.extend(self.variable(entry, location));
                }
                gimli::DW_TAG_subprogram if self.covers(entry) => self.enter(child, found),
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                    let code = self.code_of(entry);
                    if code.iter().any(|code| self.is_here(code)) {
                        own = Some(code);
                        let before = found.variables.len();
                        let origin = self.referred_by(entry, gimli::DW_AT_abstract_origin);
                        self.gather(child, found);
                        self.gather_left_out(origin, before, found);
                        if found.is_fortran {
                            for variable in &mut found.variables[before..] {
                                variable.is_of_block = true;
                            }
                        }
                    } else {
                        let mut variables = Vec::new();
                        self.gather_in_frame(child, found.frame, &mut variables);
                        others.push(Block { code, variables });
                    }
                }
                gimli::DW_TAG_subprogram => self.gather_inside(child, found),
                gimli::DW_TAG_namespace | gimli::DW_TAG_module => self.gather(child, found),
                gimli::DW_TAG_common_block => {
                    let before = found.variables.len();
                    self.gather(child, found);
                    for variable in &mut found.variables[before..] {
                        variable.is_in_common = true;
                    }
                }
                _ => {}
            }
        }
        found.levels.extend(own.map(|own| (own, others)));
    }

    /// Adds the variables of a function that has been inlined which its copy does not mention: Clang leaves out those without
    /// a location. Those of the copy have been added from index `before` on.
    fn gather_left_out(&self, origin: Option<EntryRef>, before: usize, found: &mut Gathered) {
        let Some(function) = origin.and_then(|origin| self.entry(origin)) else { return };
        let Some(mut tree) = function.tree() else { return };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            if matches!(entry.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter) {
                let known = &found.variables[before..];
                let variable = function.reader.variable(entry, None);
                let is_new = |it: &Variable| known.iter().all(|other| other.name != it.name);
                let variable = variable.filter(is_new);
                found.variables.extend(variable);
            }
        }
    }

    /// Adds the variables of a function that holds the address and is not inlined.
    fn enter(&self, function: EntriesTreeNode<'_, '_, Slice<'a>>, found: &mut Gathered) {
        let mut code = self.code_of(function.entry()).into_iter();
        found.function = code.find(|code| self.is_here(code));
        found.frame = self.frame_base(function.entry());
        // After optimisation at link time, a unit has functions of any language.
        let origin = self.described(function.entry());
        found.is_fortran = origin.map_or_else(|| self.is_fortran(), |it| it.reader.is_fortran());
        self.gather(function, found);
    }

    /// Adds the variables of a block and of the blocks in it that lie in the frame of the function at any time.
    fn gather_in_frame(
        &self,
        block: EntriesTreeNode<'_, '_, Slice<'a>>,
        frame: Option<FrameBase>,
        found: &mut Vec<Variable>,
    ) {
        let mut children = block.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            match entry.tag() {
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    let location = self.locations(entry, frame, |_| true);
                    let location = location.filter(|at| matches!(at, Location::Frame(_)));
                    found.extend(location.and_then(|at| self.variable(entry, Some(at))));
                }
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                    self.gather_in_frame(child, frame, found);
                }
                _ => {}
            }
        }
    }

    /// Adds the variables of a function that is declared inside another one, such as an internal procedure of Fortran
    /// or the body of a lambda: the code of the outer function does not hold that of the inner one, which has a frame
    /// of its own.
    fn gather_inside(&self, outer: EntriesTreeNode<'_, '_, Slice<'a>>, found: &mut Gathered) {
        let mut children = outer.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            match entry.tag() {
                gimli::DW_TAG_subprogram if self.covers(entry) => self.enter(child, found),
                gimli::DW_TAG_subprogram
                | gimli::DW_TAG_lexical_block
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_structure_type
                | gimli::DW_TAG_union_type => self.gather_inside(child, found),
                _ => {}
            }
        }
    }

    /// Reads a variable.
    fn variable(&self, entry: &Entry<'a>, location: Option<Location>) -> Option<Variable> {
        let is_parameter = entry.tag() == gimli::DW_TAG_formal_parameter;
        let location = location.unwrap_or(Location::Unknown);
        let origin = self.described(entry);
        let (reader, described) =
            origin.as_ref().map_or((self, entry), |origin| (&origin.reader, &origin.entry));
        let name = reader.name_of(described)?;
        let line = described.attr_value(gimli::DW_AT_decl_line);
        let of = reader.type_of(described)?;
        let target = match location {
            // What the address points to is the variable itself.
            Location::Reference(_) => reader.kind_of(reader.element(of).unwrap_or(of)),
            Location::Frame(_) | Location::Fixed(_) | Location::Unknown => {
                // Arrays are passed by their addresses. Where a function is inlined, one without a length lies where the
                // caller's array does.
                let is_unknown = location == Location::Unknown || reader.kind_of(of).is_none();
                let is_array = is_parameter && is_unknown;
                let array = is_array.then(|| reader.element(of)).flatten();
                reader.target(of).or(array).and_then(|of| reader.kind_of(of))
            }
        };
        let own = reader.target_of_first(of).map(|found| (found, false));
        let elements = own.or_else(|| Some((reader.target_of_first(reader.referred(of)?)?, true)));
        let elements = elements.and_then(|((of, extent), elsewhere)| {
            Some(Elements { kind: reader.kind_of(of)?, extent, elsewhere })
        });
        // An argument of any length has no kind, but what it consists of is known.
        let kind = reader.kind_of(of).or_else(|| target.clone())?;
        Some(Variable {
            name,
            location,
            is_parameter,
            is_in_common: false,
            is_of_block: false,
            kind,
            of,
            is_array: reader.is_array(of),
            target,
            elements,
            last_index: match location {
                Location::Reference(_) if !is_parameter => reader.last_index(of),
                Location::Reference(_)
                | Location::Frame(_)
                | Location::Fixed(_)
                | Location::Unknown => None,
            },
            line: line.and_then(|line| line.udata_value()).unwrap_or(0) as u32,
        })
    }

    /// Returns the entry that has the name and the type of another one.
    fn described(&self, entry: &Entry<'a>) -> Option<Described<'a, 'b>> {
        let names = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
        let origin = names.into_iter().find_map(|name| self.referred_by(entry, name))?;
        self.entry(origin)
    }

    /// Returns where a variable lies while the code at the address runs.
    fn location(&self, entry: &Entry<'a>, frame: Option<FrameBase>) -> Option<Location> {
        self.locations(entry, frame, |code| self.is_here(code))
    }

    /// Returns where a variable lies while a piece of code runs that is wanted.
    fn locations(
        &self,
        entry: &Entry<'a>,
        frame: Option<FrameBase>,
        is_wanted: impl Fn(&Range<u64>) -> bool,
    ) -> Option<Location> {
        let value = entry.attr_value(gimli::DW_AT_location)?;
        self.expressions(value, is_wanted).find_map(|expression| self.memory_of(&expression, frame))
    }

    /// Returns the memory that an expression describes; `None` for registers and computed values.
    fn memory_of(
        &self,
        expression: &gimli::Expression<Slice<'a>>,
        frame: Option<FrameBase>,
    ) -> Option<Location> {
        let mut operations = expression.operations(self.unit.encoding());
        let mut next = || operations.next().ok().flatten();
        let begun = match next()? {
            Operation::FrameOffset { offset } => Location::Frame(offset),
            Operation::RegisterOffset { register, offset, .. } => {
                Location::Frame(offset.checked_sub(frame?.offset_from(register)?)?)
            }
            Operation::Address { address } => Location::Fixed(address),
            Operation::AddressIndex { index } => {
                Location::Fixed(self.context.dwarf.address(self.unit, index).ok()?)
            }
            _ => return None,
        };
        match (begun, next(), next()) {
            (place, None, None) => Some(place),
            (Location::Frame(offset), Some(Operation::Deref { .. }), None) => {
                Some(Location::Reference(offset))
            }
            // A part of a larger whole, as an `EQUIVALENCE` of Fortran makes them.
            (Location::Frame(offset), Some(Operation::PlusConstant { value }), None) => {
                Some(Location::Frame(offset.checked_add_unsigned(value)?))
            }
            (Location::Fixed(address), Some(Operation::PlusConstant { value }), None) => {
                Some(Location::Fixed(address.checked_add(value)?))
            }
            _ => None,
        }
    }
}
