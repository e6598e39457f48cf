! The module mpi_f08: handles and statuses are types, error codes may be left out.
program modern
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  type(MPI_Comm) :: copy, none
  type(MPI_Request) :: list(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: pair
  type(MPI_Op) :: op
  type(MPI_Group) :: group
  type(MPI_Info) :: info
  integer :: rank, size, next, prev, got, count, ierr, key, old(MPI_STATUS_SIZE), bytes
  integer, asynchronous :: values(2), result(2)
  integer(MPI_ADDRESS_KIND) :: extra, value
  character(MPI_MAX_OBJECT_NAME) :: name
  character, asynchronous :: room(2000)
  type(c_ptr) :: back
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  if (ierr /= MPI_SUCCESS) error stop 1
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 3, got, 1, MPI_INTEGER, prev, 3, MPI_COMM_WORLD, status)
  if (got /= prev .or. status%MPI_SOURCE /= prev .or. status%MPI_TAG /= 3) error stop 2
  call MPI_Get_count(status, MPI_INTEGER, count)
  if (count /= 1) error stop 3
  call MPI_Status_f082f(status, old)
  if (old(MPI_SOURCE) /= prev .or. old(MPI_TAG) /= 3) error stop 4
  call MPI_Sizeof(values, bytes)
  if (bytes /= 4) error stop 50
  call MPI_Sizeof(extra, bytes, ierr)
  if (bytes /= 8 .or. ierr /= MPI_SUCCESS) error stop 51
  call MPI_Sizeof(name, bytes)
  if (bytes /= len(name)) error stop 52

  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  if (copy == MPI_COMM_WORLD .or. .not. copy /= MPI_COMM_NULL) error stop 5
  call MPI_Comm_set_name(copy, 'a copy')
  call MPI_Comm_get_name(copy, name, count)
  if (name /= 'a copy' .or. count /= 6) error stop 6
  values = [rank, 2 * rank]
  call MPI_Irecv(result, 2, MPI_INTEGER, prev, 4, copy, list(1))
  call MPI_Isend(values, 2, MPI_INTEGER, next, 4, copy, list(2))
  call MPI_Waitall(2, list, statuses)
  if (any(result /= [prev, 2 * prev]) .or. list(1) /= MPI_REQUEST_NULL) error stop 7
  if (statuses(1)%MPI_TAG /= 4) error stop 8
  call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_SUM, copy)
  if (values(2) /= size * (size - 1)) error stop 9
  call MPI_Recv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, copy, MPI_STATUS_IGNORE)
  list = MPI_REQUEST_NULL
  call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)

  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Op_create(largest, .true., op)
  values = [rank, size - rank]
  call MPI_Allreduce(values, result, 1, pair, op, copy)
  if (any(result /= [size - 1, size])) error stop 10
  call MPI_Op_free(op)
  call MPI_Type_free(pair)

  extra = 10
  call MPI_Comm_create_keyval(doubled, MPI_COMM_NULL_DELETE_FN, key, extra)
  value = 4
  call MPI_Comm_set_attr(copy, key, value)
  call MPI_Comm_dup(copy, none)
  call MPI_Comm_get_attr(none, key, value, flag)
  if (.not. flag .or. value /= 18) error stop 11
  call MPI_Comm_free(none)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_free(copy)

  call MPI_Comm_group(MPI_COMM_WORLD, group)
  call MPI_Group_size(group, count)
  call MPI_Group_free(group)
  if (count /= size .or. group /= MPI_GROUP_NULL) error stop 12
  call MPI_Info_create(info)
  call MPI_Info_free(info)
  call MPI_Buffer_attach(room, 2000)
  call MPI_Buffer_detach(back, bytes)
  if (bytes /= 2000 .or. .not. c_associated(back)) error stop 13
  if (MPI_Wtime() < 0) error stop 14
  call MPI_Finalize()

contains

  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: given(:), changed(:)
    if (datatype /= pair) error stop 20
    call c_f_pointer(invec, given, [2 * len])
    call c_f_pointer(inoutvec, changed, [2 * len])
    changed = max(given, changed)
  end subroutine

  subroutine doubled(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, &
                     ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldcomm /= copy .or. comm_keyval /= key) error stop 21
    attribute_val_out = 2 * attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end program
