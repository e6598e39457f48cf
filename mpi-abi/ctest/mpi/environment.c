/* The environment: before, during and after; threads, versions, names, clocks, memory. */
#include "check.h"

/* Programs ask the preprocessor which constants there are. */
#if !defined(MPI_ERR_RANK) || !defined(MPI_COMM_TYPE_SHARED) || !defined(MPI_TYPECLASS_REAL) ||      \
    !defined(MPI_T_ERR_INVALID) || MPI_THREAD_SINGLE >= MPI_THREAD_MULTIPLE || MPI_PROC_NULL >= 0
#error "constants are macros"
#endif

static void before(void) {
    int flag = 1, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag);
    flag = 1;
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Get_version(&version, &subversion) == MPI_SUCCESS);
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    CHECK(MPI_Get_library_version(text, &length) == MPI_SUCCESS && length == (int)strlen(text));
    CHECK(length > 0);
    CHECK(MPI_Abi_get_version(&version, &subversion) == MPI_SUCCESS);
    CHECK(version == MPI_ABI_VERSION && subversion == MPI_ABI_SUBVERSION);
}

static void during(void) {
    int flag = 0, level, length;
    char name[MPI_MAX_PROCESSOR_NAME];
    double then = MPI_Wtime();
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && flag);
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_SERIALIZED);
    CHECK(MPI_Is_thread_main(&flag) == MPI_SUCCESS && flag);
    CHECK(MPI_Get_processor_name(name, &length) == MPI_SUCCESS && length == (int)strlen(name));
    CHECK(MPI_Wtick() > 0 && MPI_Wtime() >= then);
    CHECK(MPI_Pcontrol(1) == MPI_SUCCESS);
}

static void memory(void) {
    int *numbers;
    void *none = NULL;
    CHECK(MPI_Alloc_mem(100 * sizeof(int), MPI_INFO_NULL, &numbers) == MPI_SUCCESS);
    for (int i = 0; i < 100; i++) numbers[i] = i;
    MPI_Sendrecv(numbers, 50, MPI_INT, rank, 1, numbers + 50, 50, MPI_INT, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(numbers[99] == 49 && MPI_Free_mem(numbers) == MPI_SUCCESS);
    CHECK(MPI_Alloc_mem(0, MPI_INFO_NULL, &none) == MPI_SUCCESS);
    CHECK(MPI_Free_mem(none) == MPI_SUCCESS);
    GIVES(MPI_ERR_BASE, MPI_Free_mem(none));
    GIVES(MPI_ERR_BASE, MPI_Free_mem(&none));
    CHECK(MPI_Free_mem(NULL) == MPI_SUCCESS);
    MPI_Info hints;
    MPI_Info_create(&hints);
    for (uintptr_t bytes = 1; bytes <= 1 << 16; bytes *= 4) {
        char text[8];
        snprintf(text, sizeof text, "%d", (int)bytes);
        MPI_Info_set(hints, "mpi_minimum_memory_alignment", text);
        CHECK(MPI_Alloc_mem(1, hints, &none) == MPI_SUCCESS && (uintptr_t)none % bytes == 0);
        CHECK(MPI_Free_mem(none) == MPI_SUCCESS);
    }
    MPI_Info_set(hints, "mpi_minimum_memory_alignment", "odd");
    CHECK(MPI_Alloc_mem(1, hints, &none) == MPI_SUCCESS && MPI_Free_mem(none) == MPI_SUCCESS);
    MPI_Info_free(&hints);
    GIVES(MPI_ERR_ARG, MPI_Alloc_mem(-1, MPI_INFO_NULL, &none));
    GIVES(MPI_ERR_NO_MEM, MPI_Alloc_mem(INTPTR_MAX, MPI_INFO_NULL, &none));
}

int main(int argc, char **argv) {
    int flag = 0, provided = -1;
    before();
    CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    return_errors();
    during();
    memory();
    MPI_Finalize();
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && flag);
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && flag);
    return 0;
}
