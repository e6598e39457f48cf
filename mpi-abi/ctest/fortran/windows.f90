! One-sided communication with modules mpi_f08 and mpi: on any number of ranks.
subroutine of_mpi()
  use mpi
  implicit none
  integer :: win, rank, ierr, value, got, key
  integer(MPI_ADDRESS_KIND) :: bytes, at, attribute
  logical :: flag
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7 + rank
  bytes = 4
  call MPI_Win_create(value, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  at = 0
  call MPI_Get(got, 1, MPI_INTEGER, 0, at, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  if (got /= 7 .or. ierr /= MPI_SUCCESS) error stop 1
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag, ierr)
  if (.not. flag .or. attribute /= 4) error stop 2
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, attribute, flag, ierr)
  if (.not. flag .or. attribute /= 4) error stop 3
  call MPI_Get_address(value, at, ierr)
  call MPI_Win_get_attr(win, MPI_WIN_BASE, attribute, flag, ierr)
  if (.not. flag .or. attribute /= at) error stop 4
  bytes = 5
  call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, key, bytes, ierr)
  attribute = 1234567890123_8
  call MPI_Win_set_attr(win, key, attribute, ierr)
  attribute = 0
  call MPI_Win_get_attr(win, key, attribute, flag, ierr)
  if (.not. flag .or. attribute /= 1234567890123_8) error stop 5
  call MPI_Win_delete_attr(win, key, ierr)
  call MPI_Win_free_keyval(key, ierr)
  call MPI_Win_free(win, ierr)
  if (win /= MPI_WIN_NULL) error stop 6
end subroutine

program windows
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, next, before
  type(MPI_Win) :: win
  type(c_ptr) :: base
  integer, pointer :: mine(:)
  integer, asynchronous :: got, one, old
  integer(MPI_ADDRESS_KIND) :: at
  character(MPI_MAX_OBJECT_NAME) :: name
  integer :: length, i
  type(MPI_Group) :: group
  type(MPI_Request) :: request

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  call MPI_Win_allocate(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, mine, [10])
  mine = [(100 * rank + i, i = 0, 9)]
  call MPI_Win_set_name(win, 'board')
  call MPI_Win_get_name(win, name, length)
  call check(length == 5 .and. name == 'board', 'the name')
  call MPI_Win_fence(0, win)
  at = 3
  call MPI_Put(rank, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, win)
  at = 4
  call MPI_Get(got, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, win)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  call check(mine(4) == before .and. got == 100 * next + 4, 'a fence')
  one = 1
  if (rank == 0) mine(1) = 0
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_lock_all(0, win)
  at = 0
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, 0, at, MPI_SUM, win)
  call MPI_Win_flush(0, win)
  call check(old >= 0 .and. old < size, 'a number')
  at = 9
  call MPI_Rput(rank, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, win, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Win_unlock_all(win)
  call MPI_Barrier(MPI_COMM_WORLD)
  call check(mine(10) == before, 'a request')
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win)
  at = 0
  call MPI_Get(got, 1, MPI_INTEGER, 0, at, 1, MPI_INTEGER, win)
  call MPI_Win_unlock(0, win)
  call check(got == size, 'all numbers')
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_get_group(win, group)
  call MPI_Win_post(group, 0, win)
  call MPI_Win_start(group, 0, win)
  at = 5
  call MPI_Accumulate(one, 1, MPI_INTEGER, next, at, 1, MPI_INTEGER, MPI_SUM, win)
  call MPI_Win_complete(win)
  call MPI_Win_wait(win)
  call MPI_Group_free(group)
  call check(mine(6) == 100 * rank + 6, 'a group')
  call MPI_Win_free(win)
  call check(win == MPI_WIN_NULL, 'the null window')
  call of_mpi()
  call MPI_Finalize()

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine
end program
