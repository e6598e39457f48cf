/* Beginning and end, thread levels, versions, names, clocks, memory. */
#include "check.h"

static void told(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING], name[MPI_MAX_PROCESSOR_NAME];
    int n = -1, version, subversion;
    CHECK(MPI_Get_version(&version, &subversion) == MPI_SUCCESS);
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    CHECK(MPI_Get_library_version(text, &n) == MPI_SUCCESS);
    CHECK(n > 0 && (int)strlen(text) == n && n < MPI_MAX_LIBRARY_VERSION_STRING);
    CHECK(MPI_Abi_get_version(&version, &subversion) == MPI_SUCCESS);
    CHECK(version == MPI_ABI_VERSION && subversion == MPI_ABI_SUBVERSION);
    CHECK(MPI_Get_processor_name(name, &n) == MPI_SUCCESS);
    CHECK(n > 0 && (int)strlen(name) == n && n < MPI_MAX_PROCESSOR_NAME);
    MPI_Info info;
    char value[16];
    int flag;
    CHECK(MPI_Abi_get_info(&info) == MPI_SUCCESS);
    MPI_Info_get(info, "mpi_aint_size", 15, value, &flag);
    CHECK(flag && atoi(value) == (int)sizeof(MPI_Aint));
    MPI_Info_get(info, "mpi_offset_size", 15, value, &flag);
    CHECK(flag && atoi(value) == (int)sizeof(MPI_Offset));
    MPI_Info_free(&info);
    CHECK(MPI_Abi_get_fortran_info(&info) == MPI_SUCCESS);
    MPI_Info_get(info, "mpi_integer_size", 15, value, &flag);
    CHECK(flag && atoi(value) == (int)sizeof(MPI_Fint));
    int64_t yes = -1, no = -1;
    CHECK(MPI_Abi_get_fortran_booleans(8, &yes, &no, &flag) == MPI_SUCCESS);
    CHECK(flag && yes == 1 && no == 0);
    MPI_Info_free(&info);
}

static void flags(int begun, int ended) {
    int flag = -1;
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag == !begun);
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag == !ended);
}

int main(int argc, char **argv) {
    int provided = -1, level = -1, flag = -1, class;
    flags(0, 0);
    told();
    CHECK(MPI_Add_error_class(&class) == MPI_SUCCESS && class > MPI_ERR_LASTCODE);
    /* Any argument may be null here. */
    CHECK(MPI_Init_thread(argc > 99 ? &argc : NULL, NULL, MPI_THREAD_SERIALIZED, &provided) ==
          MPI_SUCCESS);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    flags(1, 0);
    CHECK(MPI_Query_thread(&level) == MPI_SUCCESS && level == provided);
    CHECK(MPI_Is_thread_main(&flag) == MPI_SUCCESS && flag);
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size >= 1 && rank >= 0 && rank < size);
    told();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Abi_set_fortran_info(MPI_INFO_NULL) == MPI_ERR_ABI);
    CHECK(MPI_Abi_set_fortran_booleans(4, &class, &flag) == MPI_ERR_ABI);
    CHECK(MPI_Win_toint(MPI_WIN_NULL) == 0x110 && MPI_Win_fromint(0x110) == MPI_WIN_NULL);
    CHECK(MPI_Win_c2f(MPI_WIN_NULL) == 0x110 && MPI_Win_f2c(0x110) == MPI_WIN_NULL);
    CHECK(MPI_File_toint(MPI_FILE_NULL) == 0x118 && MPI_File_fromint(0x118) == MPI_FILE_NULL);
    CHECK(MPI_File_c2f(MPI_FILE_NULL) == 0x118 && MPI_File_f2c(0x118) == MPI_FILE_NULL);
    CHECK(class_of(MPI_Query_thread(NULL)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Comm_size(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Abort(MPI_COMM_NULL, 3)) == MPI_ERR_COMM);
    double start = MPI_Wtime(), tick = MPI_Wtick();
    windtunnel_compute(1e-3);
    CHECK(tick > 0 && tick < 1e-3 && MPI_Wtime() - start >= 1e-3);
    CHECK(MPI_Pcontrol(0) == MPI_SUCCESS && MPI_Pcontrol(2, "more", 7) == MPI_SUCCESS);
    char *memory;
    CHECK(MPI_Alloc_mem(100, MPI_INFO_NULL, &memory) == MPI_SUCCESS && memory);
    memset(memory, 1, 100);
    CHECK(MPI_Free_mem(memory) == MPI_SUCCESS);
    CHECK(class_of(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory)) == MPI_ERR_ARG);
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    flags(1, 1);
    told();
    CHECK(MPI_Error_class(MPI_ERR_TAG, &class) == MPI_SUCCESS && class == MPI_ERR_TAG);
    return 0;
}
