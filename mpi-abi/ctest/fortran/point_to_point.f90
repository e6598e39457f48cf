! Sends, receives, probes, requests, statuses, packing: on any number of ranks, in a ring.
program point_to_point
  use mpi
  implicit none
  integer :: rank, size, ierr, next, prev
  integer :: status(MPI_STATUS_SIZE)

  call MPI_Init(ierr)
  call check(ierr == MPI_SUCCESS, 'init')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  call types()
  call requests()
  call several()
  call persistent()
  call probes()
  call buffered()
  call packing()
  call null_process()
  call generalized()
  call MPI_Finalize(ierr)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine

  ! Every kind of buffer: scalars, arrays, sections, texts, logicals.
  subroutine types()
    double precision :: d(4), e(4)
    complex :: c, k
    logical :: l, m
    character(12) :: text, got
    integer :: grid(3, 3), row(3), count
    d = [1.d0, 2.d0, 3.d0, 4.d0] + rank
    call MPI_Sendrecv(d, 4, MPI_DOUBLE_PRECISION, next, 1, e, 4, MPI_DOUBLE_PRECISION, prev, 1, &
                      MPI_COMM_WORLD, status, ierr)
    call check(all(e == [1.d0, 2.d0, 3.d0, 4.d0] + prev), 'doubles')
    call check(status(MPI_SOURCE) == prev .and. status(MPI_TAG) == 1, 'the status')
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
    call check(count == 4, 'the count')
    call MPI_Get_elements(status, MPI_DOUBLE_PRECISION, count, ierr)
    call check(count == 4, 'the elements')
    c = cmplx(rank, -rank)
    call MPI_Sendrecv(c, 1, MPI_COMPLEX, next, 2, k, 1, MPI_COMPLEX, prev, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(k == cmplx(prev, -prev), 'a complex number')
    l = mod(rank, 2) == 0
    call MPI_Sendrecv(l, 1, MPI_LOGICAL, next, 3, m, 1, MPI_LOGICAL, prev, 3, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(m .eqv. mod(prev, 2) == 0, 'a logical value')
    write(text, '(a, i5)') 'hello', rank
    call MPI_Sendrecv(text, 12, MPI_CHARACTER, next, 4, got, 12, MPI_CHARACTER, prev, 4, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    write(text, '(a, i5)') 'hello', prev
    call check(got == text, 'a text')
    grid = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3])
    call MPI_Sendrecv(grid(2, :), 3, MPI_INTEGER, next, 5, row, 3, MPI_INTEGER, prev, 5, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(row == [2, 5, 8]), 'a row of a matrix')
    row(1) = 10 * rank
    call MPI_Sendrecv_replace(row, 1, MPI_INTEGER, next, 6, prev, 6, MPI_COMM_WORLD, status, ierr)
    call check(row(1) == 10 * prev, 'a value replaced')
  end subroutine

  subroutine requests()
    integer, asynchronous :: value, got
    integer :: request, back
    logical :: flag
    value = 3 * rank
    call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr)
    call MPI_Isend(value, 1, MPI_INTEGER, next, 11, MPI_COMM_WORLD, back, ierr)
    call check(request /= MPI_REQUEST_NULL .and. back /= request, 'handles')
    call MPI_Wait(request, status, ierr)
    call check(request == MPI_REQUEST_NULL .and. got == 3 * prev, 'a request')
    call check(status(MPI_SOURCE) == prev .and. status(MPI_TAG) == 11, 'its status')
    flag = .false.
    do while (.not. flag)
      call MPI_Test(back, flag, MPI_STATUS_IGNORE, ierr)
    end do
    call check(back == MPI_REQUEST_NULL, 'a request tested')
    call MPI_Test(back, flag, status, ierr)
    call check(flag .and. status(MPI_SOURCE) == MPI_ANY_SOURCE, 'the empty status')
    call MPI_Irecv(got, 1, MPI_INTEGER, 0, 12, MPI_COMM_SELF, request, ierr)
    call MPI_Cancel(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    call check(flag, 'a cancelled request')
  end subroutine

  ! Arrays of requests: places count from one.
  subroutine several()
    integer, parameter :: n = 4
    integer, asynchronous :: values(n), got(n)
    integer :: list(2 * n), statuses(MPI_STATUS_SIZE, 2 * n)
    integer :: i, place, places(2 * n), done, total
    logical :: flag
    values = [(100 * rank + i, i = 1, n)]
    do i = 1, n
      call MPI_Irecv(got(i), 1, MPI_INTEGER, prev, i, MPI_COMM_WORLD, list(i), ierr)
      call MPI_Isend(values(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, list(n + i), ierr)
    end do
    call MPI_Waitall(2 * n, list, statuses, ierr)
    call check(all(list == MPI_REQUEST_NULL), 'all requests are gone')
    call check(all(statuses(MPI_TAG, 1:n) == [(i, i = 1, n)]), 'statuses in order')
    call check(all(got == [(100 * prev + i, i = 1, n)]), 'values in order')
    list = MPI_REQUEST_NULL
    call MPI_Irecv(got(1), 1, MPI_INTEGER, prev, 21, MPI_COMM_WORLD, list(3), ierr)
    call MPI_Send(values, 1, MPI_INTEGER, next, 21, MPI_COMM_WORLD, ierr)
    call MPI_Waitany(2 * n, list, place, status, ierr)
    call check(place == 3 .and. status(MPI_TAG) == 21, 'any request')
    call MPI_Waitany(2 * n, list, place, status, ierr)
    call check(place == MPI_UNDEFINED, 'no request')
    call MPI_Testany(2 * n, list, place, flag, status, ierr)
    call check(flag .and. place == MPI_UNDEFINED, 'no request tested')
    do i = 1, 2
      call MPI_Irecv(got(i), 1, MPI_INTEGER, prev, 30 + i, MPI_COMM_WORLD, list(2 * i), ierr)
    end do
    do i = 1, 2
      call MPI_Ssend(values(i), 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
      call MPI_Send(values(i), 1, MPI_INTEGER, next, 30 + i, MPI_COMM_WORLD, ierr)
    end do
    total = 0
    do while (total < 2)
      call MPI_Waitsome(2 * n, list, done, places, statuses, ierr)
      do i = 1, done
        call check(statuses(MPI_TAG, i) == 30 + places(i) / 2, 'some requests')
        call check(mod(places(i), 2) == 0, 'their places')
      end do
      total = total + done
    end do
    call MPI_Testsome(2 * n, list, done, places, MPI_STATUSES_IGNORE, ierr)
    call check(done == MPI_UNDEFINED, 'none of some')
    call MPI_Testall(2 * n, list, flag, MPI_STATUSES_IGNORE, ierr)
    call check(flag, 'nothing to test')
  end subroutine

  subroutine persistent()
    ! The compiler must not hold in registers what is sent and received meanwhile.
    integer, asynchronous :: value, got
    integer :: list(2), round
    call MPI_Recv_init(got, 1, MPI_INTEGER, prev, 40, MPI_COMM_WORLD, list(1), ierr)
    call MPI_Send_init(value, 1, MPI_INTEGER, next, 40, MPI_COMM_WORLD, list(2), ierr)
    do round = 1, 3
      value = rank * round
      call MPI_Startall(2, list, ierr)
      call MPI_Waitall(2, list, MPI_STATUSES_IGNORE, ierr)
      call check(got == prev * round, 'a persistent receive')
    end do
    call MPI_Start(list(1), ierr)
    call MPI_Send(value, 1, MPI_INTEGER, next, 40, MPI_COMM_WORLD, ierr)
    call MPI_Wait(list(1), status, ierr)
    call MPI_Request_free(list(1), ierr)
    call MPI_Request_free(list(2), ierr)
    call check(all(list == MPI_REQUEST_NULL), 'persistent requests are freed')
  end subroutine

  subroutine probes()
    integer :: request, message, count, back(5)
    integer, asynchronous :: got(5)
    logical :: flag
    got = rank
    call MPI_Isend(got, 5, MPI_INTEGER, next, 50, MPI_COMM_WORLD, request, ierr)
    call MPI_Probe(prev, 50, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == 5, 'a probe')
    call MPI_Iprobe(prev, 50, MPI_COMM_WORLD, flag, status, ierr)
    call check(flag, 'an immediate probe')
    call MPI_Mprobe(prev, 50, MPI_COMM_WORLD, message, status, ierr)
    call check(message /= MPI_MESSAGE_NULL, 'a matched probe')
    call MPI_Mrecv(back, 5, MPI_INTEGER, message, status, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(message == MPI_MESSAGE_NULL .and. all(back == prev), 'a matched receive')
    call MPI_Improbe(prev, 51, MPI_COMM_WORLD, flag, message, status, ierr)
    call check(.not. flag, 'nothing to probe')
  end subroutine

  subroutine buffered()
    integer(1) :: room(1000)
    integer :: size_back, got, address
    call MPI_Buffer_attach(room, 1000, ierr)
    call MPI_Bsend(rank, 1, MPI_INTEGER, next, 60, MPI_COMM_WORLD, ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 60, MPI_COMM_WORLD, status, ierr)
    address = 77
    call MPI_Buffer_detach(address, size_back, ierr)
    call check(got == prev .and. size_back == 1000 .and. address == 77, 'a buffered send')
  end subroutine

  subroutine packing()
    character :: room(100)
    integer :: position, i, need
    real :: x
    integer(MPI_ADDRESS_KIND) :: place, bytes
    position = 0
    call MPI_Pack(42, 1, MPI_INTEGER, room, 100, position, MPI_COMM_WORLD, ierr)
    call MPI_Pack(2.5, 1, MPI_REAL, room, 100, position, MPI_COMM_WORLD, ierr)
    call MPI_Pack_size(1, MPI_INTEGER, MPI_COMM_WORLD, need, ierr)
    call check(need >= 4 .and. position >= 8, 'the size of a pack')
    position = 0
    call MPI_Unpack(room, 100, position, i, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(room, 100, position, x, 1, MPI_REAL, MPI_COMM_WORLD, ierr)
    call check(i == 42 .and. x == 2.5, 'what was packed')
    place = 0
    bytes = 100
    call MPI_Pack_external('external32', 258, 1, MPI_INTEGER, room, bytes, place, ierr)
    call check(place == 4 .and. ichar(room(3)) == 1 .and. ichar(room(4)) == 2, 'big end first')
    place = 0
    call MPI_Unpack_external('external32', room, bytes, place, i, 1, MPI_INTEGER, ierr)
    call check(i == 258, 'what was packed for others')
  end subroutine

  subroutine null_process()
    integer :: got, count
    got = -5
    call MPI_Recv(got, 1, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(got == -5 .and. count == 0 .and. status(MPI_SOURCE) == MPI_PROC_NULL, 'nobody')
  end subroutine

  subroutine generalized()
    integer :: request
    integer(MPI_ADDRESS_KIND) :: extra
    external :: query, release, withdraw
    extra = 1000 + rank
    call MPI_Grequest_start(query, release, withdraw, extra, request, ierr)
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(status(MPI_TAG) == 1000 + rank, 'a generalized request')
  end subroutine
end program

subroutine query(extra, status, ierr)
  use mpi
  integer(MPI_ADDRESS_KIND) :: extra
  integer :: status(MPI_STATUS_SIZE), ierr
  status(MPI_SOURCE) = MPI_UNDEFINED
  status(MPI_TAG) = int(extra)
  call MPI_Status_set_elements(status, MPI_BYTE, 0, ierr)
  call MPI_Status_set_cancelled(status, .false., ierr)
end subroutine

subroutine release(extra, ierr)
  use mpi
  integer(MPI_ADDRESS_KIND) :: extra
  integer :: ierr
  ierr = merge(MPI_SUCCESS, MPI_ERR_OTHER, extra >= 1000)
end subroutine

subroutine withdraw(extra, complete, ierr)
  use mpi
  integer(MPI_ADDRESS_KIND) :: extra
  logical :: complete
  integer :: ierr
  ierr = merge(MPI_SUCCESS, MPI_ERR_OTHER, complete .and. extra >= 1000)
end subroutine
