! Rank 1 prints an array at an address that is none.
program printed
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank
  real, pointer :: nowhere(:)
  call c_f_pointer(c_null_ptr, nowhere, [3])
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 1) print *, nowhere
  call MPI_Finalize()
end program
