! Sections of arrays with gaps as buffers of reductions, and of data that nobody may write; variables that share storage.
program shared_storage
  use mpi_f08
  implicit none
  real, asynchronous :: table(4, 5), sums(3, 4)
  real :: whole(4)
  integer, asynchronous :: parts(2, 6), mine(2, 2)
  real(8) :: long(10), longer(20)
  integer :: words(20)
  type(MPI_Request) :: requests(2)
  integer :: rank, size, at
  equivalence (long(10), longer(1)), (long, words)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)

  table = reshape([(real(at), at = 1, 20)], [4, 5])
  sums = -1
  call MPI_Iallreduce(table(2, 1:4), sums(2, :), 4, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call MPI_Ireduce(table(:, 3), whole, 4, MPI_REAL, MPI_MAX, 0, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  if (any(sums(2, :) /= size * table(2, 1:4)) .or. any(sums(1, :) /= -1)) call fail(1)
  if (rank == 0 .and. any(whole /= table(:, 3))) call fail(2)

  parts = 0
  parts(1, :) = [(at, at = 1, 6)]
  mine = -1
  call MPI_Ireduce_scatter_block(parts(1, 1:2 * size), mine(2, :), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  if (any(mine(2, :) /= size * [2 * rank + 1, 2 * rank + 2]) .or. any(mine(1, :) /= -1)) call fail(3)

  call MPI_Allreduce_init(parts(1, ::2), mine(1, :), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  do at = 1, 2
    parts(1, 1) = 10 * at
    call MPI_Start(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    if (any(mine(1, :) /= size * [10 * at, 3])) call fail(4)
  end do
  call MPI_Request_free(requests(1))

  call read_only(reshape([1., 2., 3., 4., 5., 6.], [2, 3]))
  call while_it_is_sent

  longer = rank
  call MPI_Bcast(longer, 20, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  words = rank
  call MPI_Bcast(words, 20, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
contains
  subroutine fail(code)
    integer, intent(in) :: code
    call MPI_Abort(MPI_COMM_WORLD, code)
  end subroutine

  ! The compiler copies the section, and must not copy it back.
  subroutine read_only(x)
    real, intent(in) :: x(:, :)
    real :: y(3)
    call MPI_Allreduce(x(1, :), y, 3, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    if (any(y /= size * x(1, :))) call fail(5)
    call MPI_Sendrecv(x(2, :), 3, MPI_REAL, rank, 0, y, 3, MPI_REAL, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (any(y /= x(2, :))) call fail(6)
  end subroutine

  subroutine while_it_is_sent
    real :: y(4)
    call MPI_Isend(table(1, 1:4), 4, MPI_REAL, rank, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Allreduce(table(1, 1:4), y, 4, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Recv(y, 4, MPI_REAL, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    if (any(y /= table(1, 1:4))) call fail(7)
  end subroutine
end program
