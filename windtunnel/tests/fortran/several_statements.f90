! Several statements on a line: what one of them names is in memory then, and not yet in the one before.
program several_statements
  use mpi_f08
  implicit none
  type(MPI_Comm) :: w
  type(MPI_Request) :: r
  integer :: ranks
  real(8) :: mean, total
  real(8), asynchronous, allocatable :: own(:), all(:)

  call MPI_Init()
  w = MPI_COMM_WORLD
  call MPI_Comm_size(w, ranks)
  allocate (own(3), all(3 * ranks))
  own = [0, 1, 2]
  call MPI_Iallgather(own, 3, MPI_REAL8, all, 3, MPI_REAL8, w, r); call MPI_Wait(r, MPI_STATUS_IGNORE); mean = sum(all)
  call MPI_Reduce(mean, total, 1, MPI_REAL8, MPI_SUM, 0, w)
  call MPI_Finalize()
end program several_statements
