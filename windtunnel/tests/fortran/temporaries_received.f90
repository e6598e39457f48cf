! Receives into what is no variable, and others that look like them; the argument says which.
program temporaries_received
  use mpi_f08
  implicit none
  integer :: x(6), y(3), part(3), places(3) = [1, 3, 5], rank, other
  character(20) :: what
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, what)
  other = 1 - rank
  x = 1
  y = 5
  if (rank == 0) then
    call MPI_Send(y, 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    call MPI_Recv(y, 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, status)
  else
    select case (what)
    case ('parentheses')
      call MPI_Recv((y), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! parentheses
    case ('subscript')
      call MPI_Recv(x([1, 3, 5]), 3, MPI_INTEGER, 0, 0, &
                    MPI_COMM_WORLD, status) ! subscript
    case ('exchange')
      call MPI_Sendrecv((y), 3, MPI_INTEGER, 0, 1, (part), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status) ! exchange
    case ('section')
      call MPI_Recv(x(1:5:2), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status)
      if (any(x(1:5:2) /= 5)) error stop 1
    case ('element')
      call MPI_Recv(x((1)), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status)
      if (any(x(1:3) /= 5)) error stop 2
    case ('placed')
      call MPI_Recv(x(places(1)), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status)
      if (any(x(1:3) /= 5)) error stop 3
    case default
      call MPI_Sendrecv((y), 3, MPI_INTEGER, 1, 2, part, 3, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, status)
      call MPI_Recv((x), 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status)
      call MPI_Recv(part, 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status)
      if (any(part /= 5)) error stop 4
    end select
    if (what == 'exchange') then
      call MPI_Sendrecv(y, 0, MPI_INTEGER, 1, 3, part, 0, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, status)
    end if
    call MPI_Send((y), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
  end if
  if (what == 'exchange' .and. rank == 0) call MPI_Recv(y, 3, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, status)
  call MPI_Finalize()
end program
