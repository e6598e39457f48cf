! A message that is longer than the room for it.
program faulty
  use mpi
  integer :: rank, ierr, status(MPI_STATUS_SIZE)
  real :: x(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) call MPI_Send(x, 4, MPI_REAL, 1, 5, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Recv(x, 2, MPI_REAL, 0, & ! room for two
                               5, MPI_COMM_WORLD, status, ierr)
  call MPI_Finalize(ierr)
end program
