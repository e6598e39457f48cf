! Statuses, arrays and results, and the variables that hold them. The argument names what is wrong.
program arguments
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, other, status(MPI_STATUS_SIZE), sizes(2), numbers(4)
  integer, allocatable :: requests(:), statuses(:, :)
  integer(kind=MPI_ADDRESS_KIND) :: lower, extent
  character(len=20) :: wrong

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call get_command_argument(1, wrong)
  other = 1 - rank
  allocate (requests(2), statuses(MPI_STATUS_SIZE, 2))
  call mpi_irecv(numbers(1), 1, mpi_integer, other, 1, mpi_comm_world, requests(1), ierr)
  call mpi_isend(rank, 1, mpi_integer, other, 1, mpi_comm_world, requests(2), ierr)
  call mpi_waitall(2, requests, statuses, ierr)
  call old_style(numbers, status, sizes)
  call mpi_type_get_extent(mpi_real, lower, extent, ierr)
  select case (wrong)
  case ('status')
    call short_status
  case ('extent')
    call short_extent
  case ('requests')
    call short_requests
  end select
  call mpi_finalize(ierr)
contains
  ! A status is an array.
  subroutine short_status
    integer :: one, number
    call mpi_sendrecv(rank, 1, mpi_integer, other, 2, number, 1, mpi_integer, other, 2, mpi_comm_world, one, ierr)
  end subroutine

  ! An extent is an address.
  subroutine short_extent
    integer :: low, length
    call mpi_type_get_extent(mpi_real, low, length, ierr)
  end subroutine

  subroutine short_requests
    integer, allocatable :: few(:)
    integer :: number
    allocate (few(1))
    call mpi_irecv(number, 1, mpi_integer, other, 3, mpi_comm_world, few(1), ierr)
    call mpi_send(rank, 1, mpi_integer, other, 3, mpi_comm_world, ierr)
    call mpi_testall(2, few, ierr, MPI_STATUSES_IGNORE, ierr)
  end subroutine
end program

! Arrays that are declared with one element, as before Fortran 77 had arrays of any length.
subroutine old_style(numbers, status, sizes)
  include 'mpif.h'
  integer numbers(1), status(1), sizes(1), ierr, rank, ranks
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  numbers(2) = rank
  call mpi_sendrecv_replace(numbers, 2, mpi_integer, 1 - rank, 4, 1 - rank, 4, mpi_comm_world, status, ierr)
  sizes(1) = 0
  sizes(2) = 0
  call mpi_dims_create(ranks, 2, sizes, ierr)
end subroutine
