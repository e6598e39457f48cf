! Sections of arrays as buffers of operations that go on after the call.
program sections
  use mpi_f08
  implicit none
  type point
    real :: x, y, z
  end type
  real, asynchronous :: grid(6, 6)
  real, allocatable, asynchronous :: cube(:, :, :)
  type(point), target :: points(5)
  real, pointer, asynchronous :: heights(:)
  character(4), asynchronous :: names(3)
  type(MPI_Request) :: list(2), one
  type(MPI_Datatype) :: triple
  type(MPI_Win) :: window
  integer :: rank, size, next, prev, i, j, k, ierr
  integer(MPI_COUNT_KIND) :: long

  if (.not. MPI_SUBARRAYS_SUPPORTED) error stop 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)

  ! A row of an asynchronous dummy to the row of another rank.
  grid = rank
  call rows(grid, grid(2:, 2:))
  if (any(grid(1, :) /= prev) .or. any(grid(2:, :) /= rank)) error stop 2

  ! Every other element, backwards; the message has fewer elements than the section.
  grid = 0
  grid(:, 3) = [(100 * rank + i, i = 1, 6)]
  call MPI_Irecv(grid(6:1:-2, 5), 2, MPI_REAL, prev, 1, MPI_COMM_WORLD, list(1))
  call MPI_Isend(grid(1::2, 3), 2, MPI_REAL, next, 1, MPI_COMM_WORLD, list(2))
  call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)
  if (any(grid(:, 5) /= [0, 0, 0, 100 * prev + 3, 0, 100 * prev + 1])) error stop 3

  ! Planes of an array of three dimensions; the count ends within a row.
  allocate(cube(0:4, 3, -1:4))
  cube = reshape([(real(1000 * rank + i), i = 1, 90)], [5, 3, 6])
  call MPI_Isend(cube(1:3, ::2, 0:2), 16, MPI_REAL, next, 2, MPI_COMM_WORLD, list(1))
  call MPI_Recv(grid, 16, MPI_REAL, prev, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(list(1), MPI_STATUS_IGNORE)
  call same(reshape(grid, [16]), 16)
  long = 4
  call MPI_Isend(cube(1:3, ::2, 0:2), long, MPI_REAL, next, 2, MPI_COMM_WORLD, list(1))
  call MPI_Recv(grid, 16, MPI_REAL, prev, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(list(1), MPI_STATUS_IGNORE)
  call same(reshape(grid, [16]), 4)

  ! Components of an array of structures, and structures with a datatype of their component's type.
  do i = 1, 5
    points(i) = point(rank, 10 * i, 100 * i + rank)
  end do
  heights => points%z
  call MPI_Isend(heights, 5, MPI_REAL, next, 3, MPI_COMM_WORLD, list(1))
  call MPI_Irecv(points%y, 5, MPI_REAL, prev, 3, MPI_COMM_WORLD, list(2))
  call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)
  if (any(points%y /= [(100 * i + prev, i = 1, 5)]) .or. any(points%x /= rank)) error stop 4
  call MPI_Isend(points(1::2), 8, MPI_REAL, next, 4, MPI_COMM_WORLD, list(1))
  call MPI_Recv(grid, 8, MPI_REAL, prev, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(list(1), MPI_STATUS_IGNORE)
  if (grid(4, 1) /= prev .or. grid(6, 1) /= 300 + prev .or. grid(1, 2) /= prev) error stop 5

  ! A datatype of several elements, with a gap: as if the section were contiguous.
  call MPI_Type_vector(2, 1, 2, MPI_REAL, triple)
  call MPI_Type_commit(triple)
  grid = -1
  call MPI_Irecv(grid(2, :), 2, triple, prev, 5, MPI_COMM_WORLD, list(1))
  call MPI_Send([real :: 1, 2, 3, 4], 4, MPI_REAL, next, 5, MPI_COMM_WORLD)
  call MPI_Wait(list(1), MPI_STATUS_IGNORE)
  if (any(grid(2, :) /= [1, -1, 2, 3, -1, 4]) .or. any(grid(1, :) /= -1)) error stop 6
  call MPI_Type_free(triple)

  ! Parts of texts.
  names = ['abcd', 'efgh', 'ijkl']
  call MPI_Isend(names(:)(2:3), 6, MPI_CHARACTER, next, 6, MPI_COMM_WORLD, list(1))
  call MPI_Irecv(names(:)(1:1), 3, MPI_CHARACTER, MPI_PROC_NULL, 6, MPI_COMM_WORLD, list(2))
  call texts()
  call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)

  ! Collectives: blocks of a gathered array are its rows.
  deallocate(cube)
  allocate(cube(size, 4, 2))
  cube = -1
  call MPI_Iallgather([real :: rank, rank + 1, rank + 2, rank + 3], 4, MPI_REAL, &
    cube(:, :, 1), size * 4 / size, MPI_REAL, MPI_COMM_WORLD, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  if (any(reshape(cube(:, :, 1), [4 * size]) /= [((real(i + j), j = 0, 3), i = 0, size - 1)])) &
    error stop 7
  deallocate(cube)
  allocate(cube(2, 4, size))
  cube = -1
  call MPI_Iallgather([real :: rank, rank + 1, rank + 2, rank + 3], 4, MPI_REAL, &
    cube(2, :, :), 4, MPI_REAL, MPI_COMM_WORLD, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  do i = 0, size - 1
    if (any(cube(2, :, i + 1) /= [i, i + 1, i + 2, i + 3])) error stop 8
  end do
  if (any(cube(1, :, :) /= -1)) error stop 9
  call MPI_Ibcast(cube(1, 1:3, :), 3 * size, MPI_REAL, 0, MPI_COMM_WORLD, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)

  ! A persistent operation, and one that puts a row into a window.
  grid = rank
  call MPI_Send_init(grid(3, :), 6, MPI_REAL, next, 7, MPI_COMM_WORLD, list(1))
  call MPI_Recv_init(grid(4, :), 6, MPI_REAL, prev, 7, MPI_COMM_WORLD, list(2))
  do k = 1, 2
    grid(3, :) = k * rank
    call MPI_Startall(2, list)
    call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)
    if (any(grid(4, :) /= k * prev)) error stop 10
  end do
  call MPI_Request_free(list(1))
  call MPI_Request_free(list(2))
  call MPI_Win_create(grid, 144_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_fence(0, window)
  call put(grid)
  call MPI_Win_fence(0, window)
  if (any(grid(2:, 6) /= 2 * prev)) error stop 11
  call MPI_Win_free(window)

  ! A section with too few elements is refused.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Ireduce(grid(1, :), grid(:, 2), 7, MPI_REAL, MPI_SUM, 0, MPI_COMM_WORLD, one, ierr)
  if (ierr == MPI_SUCCESS) error stop 12
  call MPI_Isend(grid(1, :), 7, MPI_REAL, next, 8, MPI_COMM_WORLD, one, ierr)
  if (ierr == MPI_SUCCESS) error stop 13
  call MPI_Finalize()
contains
  subroutine rows(whole, inner)
    real, asynchronous, intent(inout) :: whole(:, :)
    real, asynchronous, intent(in) :: inner(:, :)
    call MPI_Irecv(whole(1, :), 6, MPI_REAL, prev, 0, MPI_COMM_WORLD, list(1))
    call MPI_Isend(inner(3, :), 5, MPI_REAL, next, 0, MPI_COMM_WORLD, list(2))
    call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)
    call MPI_Irecv(whole(1, 6:), 1, MPI_REAL, prev, 0, MPI_COMM_WORLD, list(1))
    call MPI_Isend(inner, 1, MPI_REAL, next, 0, MPI_COMM_WORLD, list(2))
    call MPI_Waitall(2, list, MPI_STATUSES_IGNORE)
  end subroutine

  subroutine same(got, count)
    real, intent(in) :: got(:)
    integer, intent(in) :: count
    integer :: at, x, y, z
    at = 0
    do z = 2, 4
      do y = 1, 3, 2
        do x = 2, 4
          at = at + 1
          if (at > count) return
          if (got(at) /= 1000 * prev + x + 5 * (y - 1) + 15 * (z - 1)) error stop 20
        end do
      end do
    end do
  end subroutine

  subroutine texts()
    character(6) :: got
    call MPI_Recv(got, 6, MPI_CHARACTER, prev, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (got /= 'bcfgjk') error stop 21
  end subroutine

  subroutine put(whole)
    real, asynchronous, intent(in) :: whole(:, :)
    call MPI_Put(whole(3, :5), 5, MPI_REAL, next, 31_MPI_ADDRESS_KIND, 5, MPI_REAL, window)
  end subroutine
end program
