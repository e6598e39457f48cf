! Buffers and the variables that hold them. The argument "wrong" makes six calls wrong.
program objects
  use mpi
  implicit none
  integer :: ierr, rank, n, more, numbers(4)
  double precision :: x(10), m(3, 4)
  double precision, allocatable :: a(:, :)
  type point
    double precision :: place(2)
    integer :: number
  end type
  type(point), allocatable :: points(:)
  integer, allocatable :: whole(:)
  integer, pointer :: part(:)
  integer, allocatable, target :: all(:)
  complex(8) :: z(3)
  logical :: flags(2)
  character(len=20) :: text
  real :: r(0:7), q(6)
  common /shared/ q

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call get_command_argument(1, text)
  more = merge(1, 0, text == 'wrong')
  n = 5
  allocate (a(n, 2*n))
  a = rank; x = 1; m = 2; z = 1; flags = .true.; r = 0; q = 1; numbers = 1
  call mpi_bcast(a, 2*n*n + more, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(x(3), 8 + more, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(numbers, 4, merge(mpi_real, mpi_integer, more == 1), 0, mpi_comm_world, ierr)
  call mpi_bcast(a(1, 3), n, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(m(1, 4 + more), 3, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(x(1 - more), 1, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(x((/ 1, 2 /)), 2, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(x(numbers), 4, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(q(6), 1, mpi_real, 0, mpi_comm_world, ierr)
  call mpi_bcast(m, 12, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(z, 3, mpi_double_complex, 0, mpi_comm_world, ierr)
  call mpi_bcast(flags, 2, mpi_logical, 0, mpi_comm_world, ierr)
  call mpi_bcast(text, 20, mpi_character, 0, mpi_comm_world, ierr)
  call mpi_bcast(r, 8, mpi_real, 0, mpi_comm_world, ierr)
  call mpi_bcast(q, 6, mpi_real, 0, mpi_comm_world, ierr)
  allocate (points(3), whole(8), all(6))
  points = point(1, 2); whole = 3; all = 4; part => all(3:5)
  call mpi_bcast(points, 3*24, mpi_byte, 0, mpi_comm_world, ierr)
  call mpi_bcast(points(2)%place, 2, mpi_double_precision, 0, mpi_comm_world, ierr)
  call mpi_bcast(part, 3, mpi_integer, 0, mpi_comm_world, ierr)
  call mpi_bcast(whole, 4, merge(mpi_double_precision, mpi_2integer, more == 1), 0, mpi_comm_world, ierr)
  call pass_on(x, 10)
  deallocate (a)
  call mpi_finalize(ierr)
contains
  subroutine pass_on(given, length)
    integer, intent(in) :: length
    double precision, intent(inout) :: given(length)
    double precision :: own(length)
    own = given
    call mpi_bcast(given, length, mpi_double_precision, 0, mpi_comm_world, ierr)
    call mpi_bcast(own, length, mpi_double_precision, 0, mpi_comm_world, ierr)
  end subroutine
end program
