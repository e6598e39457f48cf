! Communicators, groups, attributes, errors, info objects, names, topologies, sessions.
program object
  use mpi
  implicit none
  integer :: rank, size, ierr, provided

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierr)
  call check(provided == MPI_THREAD_SINGLE, 'the thread level')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call library()
  call communicators()
  call groups()
  call attributes()
  call errors()
  call info()
  call cartesian()
  call graphs()
  call memory()
  call sessions()
  call MPI_Finalize(ierr)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine

  subroutine library()
    character(MPI_MAX_PROCESSOR_NAME) :: name
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: about
    character(4) :: short
    integer :: length, major, minor
    logical :: flag
    double precision :: before, after
    call MPI_Get_processor_name(name, length, ierr)
    call check(len_trim(name) == length .and. name(1:4) == 'node', 'the name of the node')
    call MPI_Get_processor_name(short, length, ierr)
    call check(short == 'node' .and. length > 4, 'a name in a short variable')
    call MPI_Get_library_version(about, length, ierr)
    call check(about(1:10) == 'Windtunnel' .and. len_trim(about) == length, 'the library')
    call MPI_Get_version(major, minor, ierr)
    call check(major == MPI_VERSION .and. minor == MPI_SUBVERSION, 'the version')
    call MPI_Initialized(flag, ierr)
    call check(flag, 'initialised')
    call MPI_Finalized(flag, ierr)
    call check(.not. flag, 'not finalised')
    before = MPI_Wtime()
    call windtunnel_compute(0.5d0)
    after = MPI_Wtime()
    call check(abs(after - before - 0.5d0) < 1d-9 .and. MPI_Wtick() < 1d-6, 'time')
  end subroutine

  subroutine communicators()
    integer :: copy, half, ranks, result, request, both, self, kind
    character(MPI_MAX_OBJECT_NAME) :: name
    integer :: length, guard(3)
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_compare(MPI_COMM_WORLD, copy, result, ierr)
    call check(result == MPI_CONGRUENT, 'a duplicate')
    call MPI_Comm_set_name(copy, 'the copy  ', ierr)
    call MPI_Comm_get_name(copy, name, length, ierr)
    call check(name == 'the copy' .and. length == 8, 'a name')
    call MPI_Comm_free(copy, ierr)
    call check(copy == MPI_COMM_NULL, 'a communicator is freed')
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
    call MPI_Comm_size(half, ranks, ierr)
    call check(ranks == (size + 1 - mod(rank, 2)) / 2, 'a half')
    call MPI_Comm_test_inter(half, flag, ierr)
    call check(.not. flag, 'no intercommunicator')
    call MPI_Comm_free(half, ierr)
    call MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, half, ierr)
    call check(half == MPI_COMM_NULL, 'no colour')
    guard = 17
    call MPI_Comm_idup(MPI_COMM_WORLD, guard(2), request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(guard(1) == 17 .and. guard(3) == 17, 'a handle is one integer')
    call MPI_Barrier(guard(2), ierr)
    call MPI_Comm_free(guard(2), ierr)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, self, ierr)
    call MPI_Comm_size(self, ranks, ierr)
    call check(ranks >= 1, 'a node')
    call MPI_Comm_free(self, ierr)
    call MPI_Topo_test(MPI_COMM_WORLD, kind, ierr)
    call check(kind == MPI_UNDEFINED, 'no topology')
    if (size < 2) return
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 3, both, ierr)
    call MPI_Comm_remote_size(both, ranks, ierr)
    call check(ranks == (size + mod(rank, 2)) / 2, 'the other side')
    call MPI_Intercomm_merge(both, mod(rank, 2) == 1, copy, ierr)
    call MPI_Comm_rank(copy, result, ierr)
    call check(result == rank / 2 + mod(rank, 2) * ((size + 1) / 2), 'merged')
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_free(both, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine

  subroutine groups()
    integer :: world, part, rest, ranks, range(3, 1), own(1), there(1), comm
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    range(:, 1) = [0, size - 1, 2]
    call MPI_Group_range_incl(world, 1, range, part, ierr)
    call MPI_Group_size(part, ranks, ierr)
    call check(ranks == (size + 1) / 2, 'a range')
    call MPI_Group_difference(world, part, rest, ierr)
    call MPI_Group_size(rest, ranks, ierr)
    call check(ranks == size / 2, 'a difference')
    own(1) = size - 1
    call MPI_Group_translate_ranks(world, 1, own, part, there, ierr)
    call check(there(1) == merge((size - 1) / 2, MPI_UNDEFINED, mod(size, 2) == 1), 'translated')
    call MPI_Comm_create(MPI_COMM_WORLD, part, comm, ierr)
    call check(comm == MPI_COMM_NULL .neqv. mod(rank, 2) == 0, 'a communicator of a group')
    if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm, ierr)
    call MPI_Group_free(part, ierr)
    if (rest /= MPI_GROUP_EMPTY) call MPI_Group_free(rest, ierr)
    call MPI_Group_free(world, ierr)
    call check(world == MPI_GROUP_NULL, 'a group is freed')
  end subroutine

  subroutine attributes()
    integer :: key, none, all_of, copy
    integer(MPI_ADDRESS_KIND) :: extra, value, old
    logical :: flag
    external :: copy_doubled, delete_counted
    integer :: deleted
    common /counts/ deleted
    deleted = 0
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    call check(flag .and. value >= 32767, 'the largest tag')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr)
    call check(flag .and. value == 1, 'one clock')
    extra = 5
    call MPI_Comm_create_keyval(copy_doubled, delete_counted, key, extra, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, none, extra, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, all_of, extra, ierr)
    value = 2_8 ** 40 + rank
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, old, flag, ierr)
    call check(.not. flag, 'no attribute yet')
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, none, value, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, all_of, value, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, old, flag, ierr)
    call check(flag .and. old == value, 'an attribute')
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_get_attr(copy, key, old, flag, ierr)
    call check(flag .and. old == 2 * value + extra, 'a copied attribute')
    call MPI_Comm_get_attr(copy, none, old, flag, ierr)
    call check(.not. flag, 'an attribute that is not copied')
    call MPI_Comm_get_attr(copy, all_of, old, flag, ierr)
    call check(flag .and. old == value, 'an attribute copied as it is')
    call MPI_Comm_free(copy, ierr)
    call check(deleted == 1, 'an attribute is deleted')
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, none, ierr)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, all_of, ierr)
    call check(deleted == 2, 'another is deleted')
    call MPI_Comm_free_keyval(key, ierr)
    call MPI_Comm_free_keyval(none, ierr)
    call MPI_Comm_free_keyval(all_of, ierr)
    call check(key == MPI_KEYVAL_INVALID, 'a key is freed')
  end subroutine

  subroutine errors()
    integer :: handler, class, code, length, seen, old
    character(MPI_MAX_ERROR_STRING) :: text
    common /handled/ seen
    external :: remember
    seen = 0
    call MPI_Comm_create_errhandler(remember, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
    call MPI_Send(rank, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call check(ierr == MPI_ERR_COUNT .and. seen == MPI_ERR_COUNT, 'a handler of ours')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call check(handler == MPI_ERRHANDLER_NULL, 'a handler is freed')
    call MPI_Send(rank, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD, ierr)
    call check(ierr /= MPI_SUCCESS, 'an error code')
    call MPI_Error_class(ierr, class, old)
    call check(class == MPI_ERR_RANK, 'an error class')
    call MPI_Error_string(class, text, length, ierr)
    call check(len_trim(text) == length .and. index(text, 'RANK') > 0, 'an error text')
    call MPI_Add_error_class(class, ierr)
    call MPI_Add_error_code(class, code, ierr)
    call MPI_Add_error_string(code, 'the disk is wet   ', ierr)
    call MPI_Error_string(code, text, length, ierr)
    call check(text == 'the disk is wet' .and. length == 15, 'a text of ours')
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, old, ierr)
    call check(old == MPI_ERRORS_RETURN, 'the handler')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
  end subroutine

  subroutine info()
    integer :: hints, keys, length
    character(20) :: value
    character(MPI_MAX_INFO_KEY) :: key
    logical :: flag
    call MPI_Info_create(hints, ierr)
    call MPI_Info_set(hints, '  colour ', ' dark blue  ', ierr)
    call MPI_Info_get_nkeys(hints, keys, ierr)
    call MPI_Info_get_nthkey(hints, 0, key, ierr)
    call check(keys == 1 .and. key == 'colour', 'a key without blanks around it')
    call MPI_Info_get_valuelen(hints, 'colour', length, flag, ierr)
    call check(flag .and. length == 9, 'the length of a value')
    call MPI_Info_get(hints, 'colour', 20, value, flag, ierr)
    call check(flag .and. value == 'dark blue', 'a value')
    length = 4
    call MPI_Info_get_string(hints, 'colour', length, value, flag, ierr)
    call check(flag .and. value == 'dark' .and. length == 9, 'the beginning of a value')
    call MPI_Info_get(hints, 'taste', 20, value, flag, ierr)
    call check(.not. flag, 'no value')
    call MPI_Info_delete(hints, 'colour', ierr)
    call MPI_Info_free(hints, ierr)
    call check(hints == MPI_INFO_NULL, 'an info object is freed')
  end subroutine

  subroutine cartesian()
    integer :: comm, dims(2), coords(2), left, right, line, ranks, got(4), back(2), types(4), ones(4)
    integer(MPI_ADDRESS_KIND) :: places(4)
    logical :: periods(2), round(2)
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierr)
    call check(product(dims) == size, 'dimensions')
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., comm, ierr)
    call MPI_Cart_get(comm, 2, dims, round, coords, ierr)
    call check(all(round .eqv. periods), 'periods')
    call MPI_Cart_rank(comm, coords, ranks, ierr)
    call check(ranks == rank, 'a rank of coordinates')
    call MPI_Cart_shift(comm, 1, 1, left, right, ierr)
    call check(left == MPI_PROC_NULL .eqv. coords(2) == 0, 'the edge of a grid')
    call MPI_Cart_sub(comm, [.true., .false.], line, ierr)
    call MPI_Comm_size(line, ranks, ierr)
    call check(ranks == dims(1), 'a line of a grid')
    call MPI_Comm_free(line, ierr)
    got = -1
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
    call MPI_Cart_shift(comm, 0, 1, left, right, ierr)
    call check(all(got(1:2) == [left, right]), 'neighbours of a grid')
    types = MPI_INTEGER
    ones = 1
    places = [0_8, 4_8, 8_8, 12_8]
    got = -1
    call MPI_Neighbor_alltoallw([rank, rank, rank, rank], ones, places, types, got, ones, places, &
                                types, comm, ierr)
    call check(all(got(1:2) == [left, right]), 'neighbours with types')
    call MPI_Cart_coords(comm, rank, 2, back, ierr)
    call check(all(back == coords), 'coordinates')
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine graphs()
    integer :: comm, into, out, from(1), to(1), weights(1), other(1), got(1), index(size), edges(size)
    integer :: i, next, prev, count
    logical :: weighted
    next = mod(rank + 1, size)
    prev = mod(rank + size - 1, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [prev], MPI_UNWEIGHTED, 1, [next], &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierr)
    call MPI_Dist_graph_neighbors_count(comm, into, out, weighted, ierr)
    call check(into == 1 .and. out == 1 .and. .not. weighted, 'a graph without weights')
    call MPI_Dist_graph_neighbors(comm, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierr)
    call check(from(1) == prev .and. to(1) == next, 'neighbours')
    call MPI_Neighbor_alltoall([rank], 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
    call check(got(1) == prev, 'an exchange of neighbours')
    call MPI_Comm_free(comm, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [next], [7], MPI_INFO_NULL, .false., &
                               comm, ierr)
    call MPI_Dist_graph_neighbors(comm, 1, from, weights, 1, to, other, ierr)
    call check(weights(1) == 7 .and. other(1) == 7 .and. from(1) == prev, 'weights')
    call MPI_Comm_free(comm, ierr)
    index = [(i, i = 1, size)]
    edges = [(mod(i, size), i = 1, size)]
    call MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, .false., comm, ierr)
    call MPI_Graph_neighbors_count(comm, rank, count, ierr)
    call MPI_Graph_neighbors(comm, rank, 1, to, ierr)
    call check(count == 1 .and. to(1) == next, 'a graph')
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine memory()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: place
    integer(MPI_ADDRESS_KIND) :: bytes
    integer, pointer :: values(:)
    bytes = 40
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, place, ierr)
    call c_f_pointer(place, values, [10])
    values = rank
    call MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(all(values == size * (size - 1) / 2), 'memory of the library')
    call MPI_Free_mem(values, ierr)
  end subroutine

  subroutine sessions()
    integer :: session, group, comm, ranks, length, sets
    character(MPI_MAX_PSET_NAME_LEN) :: name
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr)
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets, ierr)
    length = 0
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name, ierr)
    call check(sets >= 2 .and. length > 0, 'process sets')
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name, ierr)
    call MPI_Group_from_session_pset(session, name, group, ierr)
    call check(ierr == MPI_SUCCESS .and. name(1:6) == 'mpi://', 'a process set')
    call MPI_Comm_create_from_group(group, 'a tag', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr)
    call MPI_Comm_size(comm, ranks, ierr)
    call MPI_Group_size(group, sets, ierr)
    call check(ranks == sets, 'a communicator of a session')
    call MPI_Comm_free(comm, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Session_finalize(session, ierr)
  end subroutine
end program

subroutine copy_doubled(comm, key, extra, value, copied, flag, ierr)
  use mpi
  integer :: comm, key, ierr
  integer(MPI_ADDRESS_KIND) :: extra, value, copied
  logical :: flag
  copied = 2 * value + extra
  flag = comm == MPI_COMM_WORLD .and. key /= MPI_KEYVAL_INVALID
  ierr = MPI_SUCCESS
end subroutine

subroutine delete_counted(comm, key, value, extra, ierr)
  use mpi
  integer :: comm, key, ierr, deleted
  integer(MPI_ADDRESS_KIND) :: value, extra
  common /counts/ deleted
  if (value /= 0 .and. extra == 5 .and. comm /= MPI_COMM_NULL .and. key /= 0) deleted = deleted + 1
  ierr = MPI_SUCCESS
end subroutine

subroutine remember(comm, code)
  use mpi
  integer :: comm, code, seen
  common /handled/ seen
  if (comm == MPI_COMM_WORLD) seen = code
end subroutine
