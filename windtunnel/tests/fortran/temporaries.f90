! Optimised code puts the temporary of an array constructor where a variable lies that is used only later.
program temporaries
  use mpi
  implicit none
  integer :: ierr, rank
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call norm(dble(rank))
  call mpi_finalize(ierr)
contains
  subroutine norm(given)
    double precision, intent(in) :: given
    double precision :: total, sums(3)
    character :: which*2
    call mpi_allreduce([given], total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    call mpi_allreduce([given, total, given], sums, 3, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    which = 'LM'
    call choose(which, sums)
    if (which == 'XX') call mpi_abort(mpi_comm_world, 1, ierr)
  end subroutine
end program

subroutine choose(which, sums)
  character(len=2), intent(inout) :: which
  double precision, intent(in) :: sums(3)
  if (sums(1) > 1d10) which = 'XX'
end subroutine
