! Programs of before included mpif.h and had error codes.
! Nonblocking sends of what is no variable, and others that look like them; the argument says which.
program temporaries_sent
  use mpi_f08
  implicit none
  integer :: rank
  character(20) :: what
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, what)
  call exchange(rank + 3)
  call MPI_Finalize()
contains
  subroutine exchange(n)
    integer, intent(in) :: n
    integer :: x(6), taken(3), i
    type(MPI_Request) :: request
    x = n
    if (rank == 0) then
      call MPI_Recv(taken, 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    else
      select case (what)
      case ('sum')
        call MPI_Isend(x(1:3) + n, 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! sum
      case ('list')
        call MPI_Isend([(i * n, i = 1, 3)], 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! list
      case ('value')
        call MPI_Isend(abs(x(1:3) - n), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! value
      case ('constant')
        call MPI_Isend([1, 2, 3], 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
      case ('nothing')
        call MPI_Isend(x(1:3) * n, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
      case default
        call MPI_Isend(x(1:3), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
      end select
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end if
  end subroutine
end program
