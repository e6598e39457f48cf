! Fortran: module, SAVE and COMMON variables, output, a file of its own, STOP with a code.
module counters
  integer :: total = 0
end module counters

subroutine step(rank)
  use counters
  integer, intent(in) :: rank
  integer, save :: calls = 1
  integer :: common_value
  common /block/ common_value
  calls = calls + rank
  total = total + rank
  common_value = calls
end subroutine step

program variables
  use counters
  integer :: rank, round, ierr, common_value, back
  common /block/ common_value
  call mpi_comm_rank(0, rank, ierr)
  open(unit=10, status='scratch')
  do round = 1, 3
    call step(rank)
    call mpi_barrier(0, ierr)
  end do
  write(10, *) rank
  call mpi_barrier(0, ierr)
  rewind(10)
  read(10, *) back
  write(*, '(i6,i6)', advance='no') total, common_value
  call mpi_barrier(0, ierr)
  write(*, *) 2 + 3 * rank, back
  if (mod(rank, 7) /= 0) call exit(mod(rank, 7))
end program variables
