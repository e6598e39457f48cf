! What an optimizing compiler may believe of a buffer: that MPI_Wait and MPI_Test change it.
program optimized
  use mpi
  implicit none
  integer :: error, rank, size

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call old()
  call modern()
  call MPI_Finalize(error)

contains

  subroutine old()
    integer :: came, goes, request, status(MPI_STATUS_SIZE), before
    logical :: flag
    goes = rank + 1
    came = 0
    call MPI_Irecv(came, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, error)
    before = came
    call MPI_Send(goes, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(request, flag, status, error)
      if (came /= 0) exit
    end do
    if (.not. flag) error stop 1
    if (before + came /= goes) error stop 2
  end subroutine

  subroutine modern()
    use mpi_f08
    integer :: came, goes, before, values(6), taken(3)
    integer, asynchronous :: shared(6)
    type(MPI_Request) :: request
    goes = rank + 1
    came = 0
    call MPI_Irecv(came, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, request)
    before = came
    call MPI_Send(goes, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (before + came /= goes) error stop 3
    ! Parts of arrays in blocking calls, of an asynchronous one too.
    values = [1, 2, 3, 4, 5, 6]
    shared = 0
    call MPI_Sendrecv(values(2:6:2), 3, MPI_INTEGER, rank, 3, shared(1:5:2), 3, MPI_INTEGER, rank, 3, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    taken = shared(1:5:2)
    if (any(taken /= [2, 4, 6]) .or. shared(2) /= 0) error stop 4
  end subroutine
end program
