! Rows of an array as buffers: with the module mpi the compiler passes copies of them, with mpi_f08
! the rows themselves. The row that is received is written by the other rank.
program sections
#ifdef OLD
  use mpi
  implicit none
  integer :: list(2)
#else
  use mpi_f08
  implicit none
  type(MPI_Request) :: list(2)
#endif
  real :: field(0:9, 8)
  integer :: rank, size, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  field = rank
  call exchange(field)
  if (any(field(0, :) /= mod(rank + size - 1, size))) print *, 'nothing was received'
  call MPI_Finalize(ierr)
contains
  subroutine exchange(all)
    real, asynchronous, intent(inout) :: all(0:, :)
    call MPI_Irecv(all(0, :), 8, MPI_REAL, mod(rank + size - 1, size), 0, &
                   MPI_COMM_WORLD, list(1), ierr)
    call MPI_Isend(all(8, :), 8, MPI_REAL, mod(rank + 1, size), 0, &
                   MPI_COMM_WORLD, list(2), ierr)
    call MPI_Waitall(2, list, MPI_STATUSES_IGNORE, ierr)
  end subroutine
end program
