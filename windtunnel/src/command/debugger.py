# Stops at a line of one rank. RANK, PLACE (file:line, or "main") and SKIP come before this text; SKIP is how often
# the rank passes the line before, or None to count how often it reaches it.
import gdb

HOOK = "windtunnel_object_mapped"

# Not every version knows all of these.
for command in (
    "set confirm off",
    "set pagination off",
    "set debuginfod enabled off",
    "unset environment WINDTUNNEL_DEBUGGER",
    # The simulator has signals of its own.
    "handle all nostop noprint pass",
    # Stops on the way are not shown.
    "set suppress-cli-notifications on",
):
    try:
        gdb.execute(command, to_string=True)
    except gdb.error:
        pass


def is_alive():
    return gdb.selected_inferior().pid != 0


def add_object():
    """Reads the symbols of the object that the hook announces."""
    register = lambda name: int(gdb.parse_and_eval("(unsigned long) $" + name))
    memory = gdb.selected_inferior().read_memory(register("rsi"), register("rdx"))
    path = bytes(memory).decode("utf-8", "surrogateescape")
    gdb.execute('add-symbol-file "%s" -o %d' % (path.replace('"', '\\"'), register("rcx")), to_string=True)


def run_to_place():
    gdb.execute("starti", to_string=True)
    # Conditions and expressions are in the language of the frame that is looked at, which may be Rust.
    gdb.execute("set language c")
    hook = gdb.Breakpoint("*" + HOOK, internal=True)
    hook.condition = "(int) $rdi == %d" % RANK
    place = None
    gdb.execute("continue", to_string=True)
    while is_alive() and int(gdb.newest_frame().pc()) == int(gdb.parse_and_eval("(unsigned long) &" + HOOK)):
        add_object()
        if place is None:
            place = gdb.Breakpoint(PLACE)
            place.ignore_count = 1000000000 if SKIP is None else SKIP
        gdb.execute("continue", to_string=True)
    gdb.execute("set language auto")
    if hook.is_valid():
        hook.delete()
    return place


if SKIP is None:
    counted = run_to_place()
    print("\nreached %d" % (counted.hit_count if counted else 0))
else:
    run_to_place()
    gdb.execute("set suppress-cli-notifications off", to_string=True)
    if is_alive():
        print("Rank %d:" % RANK)
        gdb.execute("frame")
