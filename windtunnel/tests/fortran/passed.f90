! Arguments that a compiler accepts without an explicit interface; the first argument names the case. What stands in
! the place of a missing argument is passed by value here, so that it is always the same.
program passed
  implicit none
  include 'mpif.h'
  character(40) :: case
  integer :: rank, ierr, window, memory(8), number
  integer :: request(2), received, narrow(2)
  integer(MPI_ADDRESS_KIND) :: bytes
  call get_command_argument(1, case)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  number = rank
  select case (case)
  case ('several_ignored_as_one')
    call exchange
    call MPI_Waitall(2, request, MPI_STATUS_IGNORE, ierr)
  case ('one_ignored_as_several')
    call exchange
    call MPI_Wait(request(1), MPI_STATUSES_IGNORE, ierr)
    call MPI_Wait(request(2), MPI_STATUS_IGNORE, ierr)
  case ('statuses_ignored')
    call exchange
    call MPI_Wait(request(1), MPI_STATUS_IGNORE, ierr)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
  case ('no_error_code')
    call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, %val(16_8))
  case ('no_argument')
    call MPI_Comm_size(%val(16_8), number, ierr)
  case ('null_pointer')
    call write_to(%val(0_8))
  case ('default_integer_as_displacement')
    narrow = [1, 537]
    bytes = 32
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
    call MPI_Win_fence(0, window, ierr)
    if (rank == 0) call MPI_Put(number, 1, MPI_INTEGER, 1, narrow, 1, MPI_INTEGER, window, ierr)
    call MPI_Win_fence(0, window, ierr)
    call MPI_Win_free(window, ierr)
  case default; error stop 'no such case'
  end select
  call MPI_Finalize(ierr)

contains

  subroutine exchange
    call MPI_Irecv(received, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request(1), ierr)
    call MPI_Isend(number, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request(2), ierr)
  end subroutine
end program

subroutine write_to(place)
  implicit none
  integer :: place
  place = 1
end subroutine
