! Ends itself by statements of the language, in two depths.
program stops
  use mpi_f08
  implicit none
  character(20) :: how
  call get_command_argument(1, how)
  call MPI_Init()
  if (how == 'error_stop') call give_up()
  if (how == 'stop_with_code') stop 3 ! stop_with_code
  if (how == 'stop_too_early') stop ! stop_too_early
  call MPI_Finalize()
contains
  subroutine give_up()
    error stop 'no further' ! error_stop
  end subroutine
end program
