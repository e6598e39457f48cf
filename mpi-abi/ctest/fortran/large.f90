! Large counts of the module mpi_f08: the same names with integers of another kind.
program large
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: wide = MPI_COUNT_KIND
  integer :: rank, size, next, prev

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  call messages()
  call collectives()
  call datatypes()
  call packing()
  call operations()
  call buffers()
  call MPI_Finalize()

contains

  subroutine messages()
    integer, asynchronous :: values(3), result(3)
    integer(wide) :: count
    integer :: small
    type(MPI_Request) :: request
    type(MPI_Message) :: message
    type(MPI_Status) :: status
    values = [rank, 2 * rank, 3 * rank]
    call MPI_Irecv(result, 3_wide, MPI_INTEGER, prev, 1, MPI_COMM_WORLD, request)
    call MPI_Send(values, 3_wide, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
    call MPI_Wait(request, status)
    if (any(result /= [prev, 2 * prev, 3 * prev])) error stop 1
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_Get_count(status, MPI_INTEGER, small)
    if (count /= 3 .or. small /= 3) error stop 2
    call MPI_Status_set_elements(status, MPI_BYTE, 5000000000_wide)
    call MPI_Get_elements(status, MPI_BYTE, count)
    call MPI_Get_elements(status, MPI_BYTE, small)
    if (count /= 5000000000_wide .or. small /= MPI_UNDEFINED) error stop 3
    call MPI_Isend(values, 3_wide, MPI_INTEGER, next, 2, MPI_COMM_WORLD, request)
    call MPI_Mprobe(prev, 2, MPI_COMM_WORLD, message, status)
    call MPI_Mrecv(result, 3_wide, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Sendrecv_replace(values, 3_wide, MPI_INTEGER, next, 3, prev, 3, MPI_COMM_WORLD, status)
    if (any(values /= result)) error stop 4
    call MPI_Send_init(values, 3_wide, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD, request)
    call MPI_Start(request)
    call MPI_Wait(request, status)
    call MPI_Request_free(request)
  end subroutine

  subroutine collectives()
    integer :: value, sum, all(size), i
    integer(wide) :: counts(size)
    integer(MPI_ADDRESS_KIND) :: places(size)
    type(MPI_Datatype) :: types(size)
    type(MPI_Request) :: request
    counts = 1
    value = rank + 1
    all = 0
    places = [(i, i = size - 1, 0, -1)]
    call MPI_Allgatherv(value, 1_wide, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    if (any(all /= [(i, i = size, 1, -1)])) error stop 10
    call MPI_Allreduce(value, sum, 1_wide, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (sum /= size * (size + 1) / 2) error stop 11
    call MPI_Ibcast(all, int(size, wide), MPI_INTEGER, 0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    types = MPI_INTEGER
    places = [(4 * i, i = 0, size - 1)]
    call MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, all, counts, places, types, MPI_COMM_WORLD)
    if (any(all /= size - rank)) error stop 12
  end subroutine

  subroutine datatypes()
    integer(wide), parameter :: many = 3000000000_wide
    integer(wide) :: size, low, extent, integers, addresses, counts, kinds, found(4)
    integer(MPI_ADDRESS_KIND) :: narrow_low, narrow_extent, at(1)
    integer :: small, combiner, given(2)
    type(MPI_Datatype) :: made, other, old(2)
    call MPI_Type_contiguous(many, MPI_INTEGER, made)
    call MPI_Type_size(made, size)
    call MPI_Type_size(made, small)
    if (size /= 4 * many .or. small /= MPI_UNDEFINED) error stop 20
    call MPI_Type_get_extent(made, narrow_low, narrow_extent)
    call MPI_Type_get_extent_c(made, low, extent)
    if (extent /= 4 * many .or. narrow_extent /= extent .or. low /= narrow_low) error stop 21
    call MPI_Type_get_true_extent_c(made, low, extent)
    if (extent /= 4 * many) error stop 22
    call MPI_Type_get_envelope(made, integers, addresses, counts, kinds, combiner)
    if (integers /= 0 .or. addresses /= 0 .or. counts /= 1 .or. kinds /= 1) error stop 23
    call MPI_Type_get_contents(made, integers, addresses, counts, kinds, given, at, found, old)
    if (combiner /= MPI_COMBINER_CONTIGUOUS .or. found(1) /= many .or. old(1) /= MPI_INTEGER) error stop 24
    call MPI_Type_free(made)
    call MPI_Type_create_struct(2_wide, [1_wide, 2_wide], [0_wide, 8_wide], [MPI_INTEGER, MPI_REAL], made)
    call MPI_Type_size(made, size)
    if (size /= 12) error stop 25
    call MPI_Type_create_subarray(2, [4_wide, 6_wide], [2_wide, 3_wide], [1_wide, 1_wide], &
                                  MPI_ORDER_FORTRAN, MPI_INTEGER, other)
    call MPI_Type_size(other, size)
    if (size /= 24) error stop 26
    call MPI_Type_free(made)
    call MPI_Type_free(other)
  end subroutine

  subroutine packing()
    integer :: values(4), result(4)
    integer(wide) :: room, position
    integer(MPI_ADDRESS_KIND) :: at
    character :: bytes(100)
    values = [1, 2, 3, 4]
    call MPI_Pack_size(4_wide, MPI_INTEGER, MPI_COMM_WORLD, room)
    if (room < 16 .or. room > 100) error stop 30
    position = 0
    call MPI_Pack(values, 4_wide, MPI_INTEGER, bytes, room, position, MPI_COMM_WORLD)
    if (position > room) error stop 31
    position = 0
    call MPI_Unpack(bytes, room, position, result, 4_wide, MPI_INTEGER, MPI_COMM_WORLD)
    if (any(result /= values)) error stop 32
    at = 0
    call MPI_Pack_external('external32 ', values, 4_wide, MPI_INTEGER, bytes, room, at)
    if (at /= 16) error stop 33
  end subroutine

  subroutine operations()
    type(MPI_Op) :: op
    integer :: value, result
    call MPI_Op_create_c(largest, .true., op)
    value = rank
    call MPI_Allreduce(value, result, 1_wide, MPI_INTEGER, op, MPI_COMM_WORLD)
    if (result /= size - 1) error stop 40
    call MPI_Op_free(op)
  end subroutine

  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(wide) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: given(:), changed(:)
    if (datatype /= MPI_INTEGER) error stop 41
    call c_f_pointer(invec, given, [len])
    call c_f_pointer(inoutvec, changed, [len])
    changed = max(given, changed)
  end subroutine

  ! Whose buffer it was, each way to ask.
  subroutine buffers()
    character, target, asynchronous :: room(3000)
    type(c_ptr) :: place
    type(MPI_Comm) :: copy
    integer(wide) :: bytes
    integer :: small
    call MPI_Buffer_attach(room, 3000_wide)
    call MPI_Buffer_detach(place, bytes)
    if (bytes /= 3000 .or. .not. c_associated(place, c_loc(room))) error stop 50
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Comm_attach_buffer(copy, room, 2000_wide)
    call MPI_Comm_detach_buffer(copy, place, small)
    if (small /= 2000 .or. .not. c_associated(place, c_loc(room))) error stop 51
    call MPI_Comm_free(copy)
  end subroutine
end program
