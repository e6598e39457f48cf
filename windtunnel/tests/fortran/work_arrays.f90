! Procedures that use parts of an array as numbers of another type, and buffers that begin anywhere in such a part.
module work
  use iso_c_binding
  implicit none
  type part
    integer, pointer :: numbers(:) => null()
    integer :: length = 0
  end type
  real(8), target :: shared(200) = 0
end module

program work_arrays
  use work
  implicit none
  include 'mpif.h'
  integer :: ierr
  real(8) :: w(1000), common(100)
  real(8), target :: matrix(6, 4)
  integer, pointer :: view(:)
  type(part) :: piece
  character(8) :: word
  common /kept/ common
  word = ''
  call MPI_Init(ierr)
  call get_command_argument(1, word)
  w = 0; matrix = 0; common = 0
  call numbers(w(501), 500)
  call numbers(common(11), 40)
  call numbers(shared(11), 40)
  call single(w(7), w(20))
  call single(common(7), common(20))
  call text(w(101))
  call c_f_pointer(c_loc(matrix), view, [48])
  call MPI_Bcast(view, 48, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(view(3), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call c_f_pointer(c_loc(shared), piece%numbers, [100])
  piece%length = 20
  call of_part(piece)
  call shaped(view)
  if (word == 'wrong') call reals(w(201), 10)
  call MPI_Finalize(ierr)
contains
  subroutine of_part(it)
    type(part), intent(inout) :: it
    call MPI_Bcast(it%numbers(5), it%length, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine shaped(it)
    integer, intent(inout) :: it(:)
    call MPI_Bcast(it(9), 5, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program

subroutine numbers(ia, n)
  implicit none
  include 'mpif.h'
  integer :: n, ia(*), ierr, i
  do i = 1, n
    ia(i) = i
  end do
  call MPI_Bcast(ia, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(ia(7), n - 6, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine single(count, values)
  implicit none
  include 'mpif.h'
  integer :: count, ierr
  real(8) :: values(4)
  count = 1
  call MPI_Bcast(count, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(values(2), 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine text(letters)
  implicit none
  include 'mpif.h'
  character :: letters(*)
  integer :: ierr
  call MPI_Bcast(letters(9), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine reals(values, n)
  implicit none
  include 'mpif.h'
  real(8) :: values(*)
  integer :: n, ierr
  call MPI_Bcast(values(3), n, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
end subroutine
