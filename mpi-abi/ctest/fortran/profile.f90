! Counts its own sends by standing in their way.
module counting
  integer :: sends = 0
end module

subroutine MPI_Send(buffer, count, datatype, dest, tag, comm, ierror)
  use counting
  integer :: buffer(*), count, datatype, dest, tag, comm, ierror
  sends = sends + 1
  call PMPI_Send(buffer, count, datatype, dest, tag, comm, ierror)
end subroutine

program profile
  use counting
  include 'mpif.h'
  integer :: rank, i, value, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 3 + rank
    call MPI_Send(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) call MPI_Send(rank, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (sends /= 4) error stop 1
  call PMPI_Finalize(ierr)
end program
