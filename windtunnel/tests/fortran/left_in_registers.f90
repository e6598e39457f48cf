! A wait without a status: with mpif.h the compiler accepts it, and the procedure takes for the error code whatever the register
! of the missing argument holds.
program left_in_registers
    implicit none
    include 'mpif.h'
    integer :: rank, ierror, given, taken, request
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    given = rank
    call MPI_Irecv(taken, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierror)
    call MPI_Send(given, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierror)
    call MPI_Wait(request, ierror)
    call MPI_Finalize(ierror)
end program
