! Collective operations and reductions, on any number of ranks.
program collective
  use mpi
  implicit none
  integer :: rank, size, ierr, i

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call blocks()
  call unequal()
  call reductions()
  call places()
  call own_operation()
  call nonblocking()
  call persistent()
  call MPI_Finalize(ierr)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine

  integer function sum_to(n)
    integer, intent(in) :: n
    sum_to = n * (n + 1) / 2
  end function

  subroutine blocks()
    integer :: one, all_of(size), pairs(2, size), back(2, size)
    character(8) :: text
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    text = ''
    if (rank == 0) text = 'to all'
    call MPI_Bcast(text, 8, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    call check(text == 'to all', 'a broadcast')
    one = rank * rank
    all_of = -1
    call MPI_Gather(one, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, ierr)
    if (rank == size - 1) call check(all(all_of == [(i * i, i = 0, size - 1)]), 'a gather')
    call MPI_Scatter(all_of, 1, MPI_INTEGER, one, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, ierr)
    call check(one == rank * rank, 'a scatter')
    all_of(rank + 1) = rank + 7
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all_of, 1, MPI_INTEGER, &
                       MPI_COMM_WORLD, ierr)
    call check(all(all_of == [(i + 7, i = 0, size - 1)]), 'an allgather in place')
    pairs(1, :) = rank
    pairs(2, :) = [(i, i = 0, size - 1)]
    call MPI_Alltoall(pairs, 2, MPI_INTEGER, back, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(back(1, :) == [(i, i = 0, size - 1)]) .and. all(back(2, :) == rank), 'alltoall')
  end subroutine

  subroutine unequal()
    integer :: counts(size), displacements(size), own(size), types(size)
    integer :: all_of(size * (size + 1) / 2), ours(size)
    counts = [(i, i = 1, size)]
    displacements = [(sum_to(i) , i = 0, size - 1)]
    own = rank
    call MPI_Allgatherv(own, rank + 1, MPI_INTEGER, all_of, counts, displacements, MPI_INTEGER, &
                        MPI_COMM_WORLD, ierr)
    do i = 1, size
      call check(all(all_of(displacements(i) + 1:displacements(i) + i) == i - 1), 'allgatherv')
    end do
    all_of = -1
    call MPI_Gatherv(own, rank + 1, MPI_INTEGER, all_of, counts, displacements, MPI_INTEGER, 0, &
                     MPI_COMM_WORLD, ierr)
    call MPI_Scatterv(all_of, counts, displacements, MPI_INTEGER, own, rank + 1, MPI_INTEGER, 0, &
                      MPI_COMM_WORLD, ierr)
    call check(all(own(1:rank + 1) == rank), 'gatherv and scatterv')
    counts = 1
    displacements = [(size - 1 - i, i = 0, size - 1)]
    ours = [(10 * rank + i, i = 0, size - 1)]
    call MPI_Alltoallv(ours, counts, displacements, MPI_INTEGER, own, counts, displacements, &
                       MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(own == [(10 * i + size - 1 - rank, i = size - 1, 0, -1)]), 'alltoallv')
    types = MPI_INTEGER
    displacements = [(4 * i, i = 0, size - 1)]
    call MPI_Alltoallw(ours, counts, displacements, types, own, counts, displacements, types, &
                       MPI_COMM_WORLD, ierr)
    call check(all(own == [(10 * i + rank, i = 0, size - 1)]), 'alltoallw')
    own = [(10 * rank + i, i = 0, size - 1)]
    call MPI_Alltoallw(MPI_IN_PLACE, counts, displacements, types, own, counts, displacements, &
                       types, MPI_COMM_WORLD, ierr)
    call check(all(own == [(10 * i + rank, i = 0, size - 1)]), 'alltoallw in place')
  end subroutine

  subroutine reductions()
    integer :: total, counts(size), parts(size), prefix
    complex :: c
    complex(8) :: z
    logical :: l
    real :: x(2), y(2)
    integer(8) :: big
    integer(2) :: small
    call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) call check(total == sum_to(size - 1), 'a sum')
    x = [real(rank), -real(rank)]
    call MPI_Allreduce(x, y, 2, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(all(y == [real(size - 1), 0.0]), 'a maximum')
    c = cmplx(1, rank)
    call MPI_Allreduce(MPI_IN_PLACE, c, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(c == cmplx(size, sum_to(size - 1)), 'a complex sum')
    z = (0, 1)
    call MPI_Allreduce(MPI_IN_PLACE, z, 1, MPI_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD, ierr)
    call check(abs(z - (0, 1) ** size) < 1e-12, 'a complex product')
    l = rank == 0
    call MPI_Allreduce(MPI_IN_PLACE, l, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    call check(l, 'a logical or')
    l = rank == 0
    call MPI_Allreduce(MPI_IN_PLACE, l, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
    call check(l .eqv. size == 1, 'a logical and')
    big = 2_8 ** 40
    call MPI_Allreduce(MPI_IN_PLACE, big, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(big == 2_8 ** 40 * size, 'a long integer')
    small = int(rank, 2)
    call MPI_Allreduce(MPI_IN_PLACE, small, 1, MPI_INTEGER2, MPI_BOR, MPI_COMM_WORLD, ierr)
    call check(small >= size - 1, 'a bitwise or')
    call MPI_Scan(rank, prefix, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(prefix == sum_to(rank), 'a scan')
    prefix = 0
    call MPI_Exscan(rank, prefix, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(prefix == sum_to(rank - 1) .or. rank == 0, 'an exclusive scan')
    counts = 1
    parts = [(i, i = 1, size)]
    call MPI_Reduce_scatter(parts, total, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total == size * (rank + 1), 'reduce_scatter')
    call MPI_Reduce_scatter_block(parts, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(total == size * (rank + 1), 'reduce_scatter_block')
    total = 5
    call MPI_Reduce_local(rank, total, 1, MPI_INTEGER, MPI_SUM, ierr)
    call check(total == rank + 5, 'a local reduction')
  end subroutine

  ! Pairs of a value and a place are two numbers of one type.
  subroutine places()
    integer :: i2(2), j2(2)
    real :: r2(2), s2(2)
    double precision :: d2(2), e2(2)
    i2 = [-rank, rank]
    call MPI_Allreduce(i2, j2, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierr)
    call check(all(j2 == [1 - size, size - 1]), 'the place of a minimum')
    r2 = [real(mod(rank, 2)), real(rank)]
    call MPI_Allreduce(r2, s2, 1, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    call check(s2(2) == min(1, size - 1), 'the place of a maximum')
    d2 = [dble(rank), dble(rank)]
    call MPI_Allreduce(d2, e2, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    call check(all(e2 == size - 1), 'a double place')
  end subroutine

  subroutine own_operation()
    integer :: op, values(2), result(2)
    logical :: commutes
    external :: compose
    call MPI_Op_create(compose, .false., op, ierr)
    call MPI_Op_commutative(op, commutes, ierr)
    call check(.not. commutes, 'an operation that does not commute')
    ! x -> 2 x + rank, one after the other.
    values = [2, rank]
    call MPI_Allreduce(values, result, 1, MPI_2INTEGER, op, MPI_COMM_WORLD, ierr)
    values = [1, 0]
    do i = 0, size - 1
      values = [2 * values(1), 2 * values(2) + i]
    end do
    call check(all(result == values), 'an operation of ours')
    call MPI_Op_free(op, ierr)
    call check(op == MPI_OP_NULL, 'an operation is freed')
  end subroutine

  subroutine nonblocking()
    integer, asynchronous :: total, all_of(size), word
    integer :: list(3)
    word = merge(9, 0, rank == 0)
    call MPI_Iallreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, list(1), ierr)
    call MPI_Iallgather(rank, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD, list(2), ierr)
    call MPI_Ibcast(word, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, list(3), ierr)
    call MPI_Waitall(3, list, MPI_STATUSES_IGNORE, ierr)
    call check(total == sum_to(size - 1) .and. word == 9, 'nonblocking collectives')
    call check(all(all_of == [(i, i = 0, size - 1)]), 'a nonblocking gather')
    call MPI_Ibarrier(MPI_COMM_WORLD, list(1), ierr)
    call MPI_Wait(list(1), MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine persistent()
    ! The compiler must not hold in registers what is sent and received meanwhile.
    integer, asynchronous :: value, total
    integer :: request, round
    call MPI_Allreduce_init(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
                            request, ierr)
    do round = 1, 3
      value = round
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call check(total == size * round, 'a persistent collective')
    end do
    call MPI_Request_free(request, ierr)
  end subroutine
end program

! First `given`, then `changed`.
subroutine compose(given, changed, length, datatype)
  use mpi
  integer :: length, datatype
  integer :: given(2, length), changed(2, length), i
  if (datatype /= MPI_2INTEGER) error stop 2
  do i = 1, length
    changed(2, i) = changed(1, i) * given(2, i) + changed(2, i)
    changed(1, i) = changed(1, i) * given(1, i)
  end do
end subroutine
