! One work array for numbers of all types, as before Fortran 90 had arrays of any length.
program workspace
  include 'mpif.h'
  double precision work(100)
  integer ierr, i
  do i = 1, 100
    work(i) = i
  end do
  call mpi_init(ierr)
  call reals(work, 50)
  call whole(work(51), 20)
  call both(work(71), work(81))
  call mpi_finalize(ierr)
end program

subroutine reals(values, n)
  include 'mpif.h'
  double precision values(*)
  integer n, ierr
  call mpi_bcast(values, n, mpi_double_precision, 0, mpi_comm_world, ierr)
end subroutine

subroutine whole(numbers, n)
  include 'mpif.h'
  integer n, numbers(n), ierr, i
  do i = 1, n
    numbers(i) = i
  end do
  call mpi_bcast(numbers, n, mpi_integer, 0, mpi_comm_world, ierr)
end subroutine

subroutine both(count, single)
  include 'mpif.h'
  integer count, ierr
  real single(8)
  count = 1
  single = 2
  call mpi_bcast(count, 1, mpi_integer, 0, mpi_comm_world, ierr)
  call mpi_bcast(single, 8, mpi_real, 0, mpi_comm_world, ierr)
end subroutine
