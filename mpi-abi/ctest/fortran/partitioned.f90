! Partitioned messages, buffers of communicators, types by precision: on any number of ranks.
program partitioned
  use mpi
  implicit none
  integer :: rank, size, ierr, next, prev

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  call parts()
  call buffers()
  call precision()
  call MPI_Finalize(ierr)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine

  subroutine parts()
    integer, asynchronous :: out(6), in(6)
    integer :: requests(2), round, i
    integer(MPI_COUNT_KIND) :: each
    logical :: flag
    each = 2
    call MPI_Psend_init(out, 3, each, MPI_INTEGER, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &
                        requests(1), ierr)
    call MPI_Precv_init(in, 3, each, MPI_INTEGER, prev, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &
                        requests(2), ierr)
    do round = 1, 3
      call MPI_Startall(2, requests, ierr)
      call MPI_Parrived(requests(2), 0, flag, ierr)
      call check(.not. flag, 'nothing is ready')
      out = [(100 * rank + 10 * round + i, i = 1, 6)]
      if (round == 1) call MPI_Pready_range(0, 2, requests(1), ierr)
      if (round == 2) call MPI_Pready_list(2, [2, 0], requests(1), ierr)
      if (round == 2) call MPI_Pready(1, requests(1), ierr)
      if (round == 3) call MPI_Pready_list(3, [1, 0, 2], requests(1), ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      call check(all(in == [(100 * prev + 10 * round + i, i = 1, 6)]), 'all parts')
    end do
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
  end subroutine

  subroutine buffers()
    integer, parameter :: room = MPI_BSEND_OVERHEAD + 4
    character, target, save :: buffer(room)
    integer :: comm, request, got, bytes, address(2)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_attach_buffer(comm, buffer, room, ierr)
    call check(ierr == MPI_SUCCESS, 'attach')
    call MPI_Bsend(rank, 1, MPI_INTEGER, next, 2, comm, ierr)
    call MPI_Comm_iflush_buffer(comm, request, ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, prev, 2, comm, MPI_STATUS_IGNORE, ierr)
    call check(got == prev, 'a buffered message')
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_flush_buffer(comm, ierr)
    call MPI_Comm_detach_buffer(comm, address, bytes, ierr)
    call check(bytes == room, 'its size')
    call MPI_Buffer_flush(ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine precision()
    double precision :: out, got
    integer :: kind, same, integers(2), n, a, d, combiner
    integer(MPI_ADDRESS_KIND) :: addresses(1)
    integer :: types(1)
    call MPI_Type_create_f90_real(15, MPI_UNDEFINED, kind, ierr)
    call MPI_Type_create_f90_real(15, MPI_UNDEFINED, same, ierr)
    call check(kind == same, 'the same type again')
    call MPI_Type_get_envelope(kind, n, a, d, combiner, ierr)
    call check(combiner == MPI_COMBINER_F90_REAL .and. n == 2, 'how it was made')
    call MPI_Type_get_contents(kind, 2, 0, 0, integers, addresses, types, ierr)
    call check(all(integers == [15, MPI_UNDEFINED]), 'of what it was made')
    out = rank + 0.5d0
    call MPI_Sendrecv(out, 1, kind, next, 3, got, 1, kind, prev, 3, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierr)
    call check(got == prev + 0.5d0, 'a number by its precision')
  end subroutine
end program
