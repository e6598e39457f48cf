! A file with macros. The argument of the program names the case; the comment at the end of a line marks it.
#ifdef NEVER
#define UNUSED 1
#endif
#define PART v([1, 3, 5])
program macros
    implicit none
    include 'mpif.h'
    integer :: rank, ierr, status(MPI_STATUS_SIZE)
    real(8) :: v(10), x(10)
    character(len=16) :: what
    call get_command_argument(1, what)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    v = rank
    x = rank
    if (rank == 0) call MPI_Send(x, 3, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, ierr)
    if (rank == 1) then
        select case (what)
        case ('subscript')
            call MPI_Recv(v([1, 3, 5]), 3, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status, ierr) ! subscript
        case ('macro')
            call MPI_Recv(PART, 3, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status, ierr)
        case default
            call MPI_Recv(v, 3, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status, ierr)
        end select
    end if
    call MPI_Finalize(ierr)
end program
