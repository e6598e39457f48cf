! Ends as its argument says: by STOP, by ERROR STOP, by an error of the run-time library, or in
! the middle of a deadlock; what was printed before is seen.
program ending
  use mpi
  integer :: rank, ierr, values(3), place, status(MPI_STATUS_SIZE)
  character(10) :: how
  call get_command_argument(1, how)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  print '(a, i0)', 'begun ', rank
  place = 3 + rank
  values = 0
  if (how == 'stop' .and. rank == 1) stop 7
  if (how == 'error' .and. rank == 1) error stop 9
  if (how == 'bounds') values(place) = 1
  if (how == 'deadlock') call MPI_Recv(values, 3, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &
                                       status, ierr)
  call MPI_Finalize(ierr)
  write (*, '(a)', advance='no') 'half a line '
  write (*, '(i0)') values(1)
end program
