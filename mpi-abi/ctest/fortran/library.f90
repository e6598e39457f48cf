! Clocks, random numbers, units, files and a stack: each rank has its own.
program library
  use mpi
  implicit none
  integer :: rank, size, ierr, before, after, per_second, back, unit
  real :: number, start, finish
  real, allocatable :: numbers(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  allocate (numbers(size))
  call random_number(number)
  call MPI_Allgather(number, 1, MPI_REAL, numbers, 1, MPI_REAL, MPI_COMM_WORLD, ierr)
  if (count(numbers == number) /= 1) error stop 1
  ! Simulated time alone passes.
  call system_clock(before, per_second)
  call cpu_time(start)
  call sleep(2)
  call system_clock(after)
  call cpu_time(finish)
  if (after - before /= 2 * per_second .or. abs(finish - start - 2) > 1e-5) error stop 2
  open (newunit=unit, status='scratch')
  write (unit, *) rank
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  rewind (unit)
  read (unit, *) back
  if (back /= rank) error stop 3
  close (unit)
  if (rank == 0) print '(a, f12.10)', 'random ', number
  call large(rank)
  call MPI_Finalize(ierr)

contains

  ! Local variables of a recursive procedure are on the stack.
  recursive subroutine large(rank)
    integer, intent(in) :: rank
    integer :: field(1000000), ierr
    field = rank
    call MPI_Allreduce(MPI_IN_PLACE, field, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (field(10) /= size * (size - 1) / 2 .or. field(1000000) /= rank) error stop 4
  end subroutine
end program
