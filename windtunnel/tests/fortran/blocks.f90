! Ranks begin to receive and then enter a block with variables of its own. The compiler makes the descriptor for the
! earlier call where it keeps these variables later.
program blocks
   use mpi_f08
   implicit none
   integer :: rank, other
   type(MPI_Request) :: request
   real(8) :: given(20), taken(20)
   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   other = 1 - rank
   given = rank
   call MPI_Irecv(taken, 20, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request)
   block
      real(8), allocatable :: own(:)
      allocate(own(3))
      own = 2
      call MPI_Send(given, 20, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      print *, sum(taken) + sum(own)
      if (sum(taken) + sum(own) /= 20*other + 6) error stop 1
   end block
   call MPI_Finalize()
end program
