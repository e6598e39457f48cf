! One subroutine for each kind of mistake; the first argument names it. Lines with a mark are
! where the first finding points, if it points at one.
program verdicts
  implicit none
  include 'mpif.h'
  character(40) :: case
  integer :: rank, size, next, prev, ierr
  integer :: status(MPI_STATUS_SIZE)
  call get_command_argument(1, case)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  select case (case)
  case ('all_receive_first'); call all_receive_first
  case ('all_send_first'); call all_send_first
  case ('wrong_type'); call wrong_type
  case ('different_roots'); call different_roots
  case ('request_forgotten'); call request_forgotten
  case ('type_kept'); call type_kept
  case ('buffer_changed'); call buffer_changed
  case ('no_such_rank'); call no_such_rank
  case ('race'); call race
  case ('exchange'); call exchange
  case default; error stop 'no such case'
  end select
  call MPI_Finalize(ierr)

contains

  subroutine all_receive_first
    integer :: got
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 0, & ! all_receive_first
                  MPI_COMM_WORLD, status, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine all_send_first
    integer :: got
    call MPI_Send(rank, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD, ierr) ! all_send_first
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 0, MPI_COMM_WORLD, status, ierr)
  end subroutine

  subroutine wrong_type
    real :: got
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 0, & ! wrong_type
                      got, 1, MPI_REAL, prev, 0, MPI_COMM_WORLD, status, ierr)
  end subroutine

  subroutine different_roots
    integer :: value
    value = rank
    call MPI_Bcast(value, 1, MPI_INTEGER, mod(rank, 2), MPI_COMM_WORLD, ierr) ! different_roots
  end subroutine

  subroutine request_forgotten
    integer :: request, got
    call MPI_Isend(rank, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD, request, ierr) ! request_forgotten
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 0, MPI_COMM_WORLD, status, ierr)
  end subroutine

  subroutine type_kept
    integer :: pair
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr) ! type_kept
    call MPI_Type_commit(pair, ierr)
  end subroutine

  subroutine buffer_changed
    integer, asynchronous :: value
    integer :: request, got
    value = rank
    call MPI_Isend(value, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD, request, ierr) ! buffer_changed
    value = -1
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 0, MPI_COMM_WORLD, status, ierr)
    call MPI_Wait(request, status, ierr)
  end subroutine

  subroutine no_such_rank
    call MPI_Send(rank, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD, ierr) ! no_such_rank
  end subroutine

  subroutine race
    integer :: i, got, wrong
    wrong = 0
    if (rank /= 0) call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    if (rank /= 0) return
    do i = 1, size - 1
      call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, ierr)
      if (got /= i) wrong = wrong + 1
    end do
    if (wrong > 0) error stop 'another order' ! race
  end subroutine

  subroutine exchange
    integer :: got
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 0, got, 1, MPI_INTEGER, prev, 0, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierr)
    if (got /= prev) error stop 'a wrong value'
  end subroutine
end program
