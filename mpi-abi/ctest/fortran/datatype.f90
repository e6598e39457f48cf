! Datatypes: constructors, addresses, contents, sizes of Fortran's types.
program datatype
  use mpi
  implicit none
  integer :: rank, size, ierr, next, prev
  integer :: status(MPI_STATUS_SIZE)
  type cell
    sequence
    double precision :: x
    integer :: n
    integer :: m
  end type
  type(cell), save :: ours, theirs

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  prev = mod(rank + size - 1, size)
  call columns()
  call structures()
  call bottom()
  call arrays()
  call contents()
  call sizes()
  call portable()
  call MPI_Finalize(ierr)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print *, 'rank', rank, ': ', what
    error stop 1
  end subroutine

  subroutine columns()
    integer :: grid(3, 4), back(3, 4), row, i, j, count
    integer(MPI_ADDRESS_KIND) :: lb, extent
    grid = reshape([((10 * i + j, i = 1, 3), j = 1, 4)], [3, 4])
    back = 0
    call MPI_Type_vector(4, 1, 3, MPI_INTEGER, row, ierr)
    call MPI_Type_commit(row, ierr)
    call MPI_Sendrecv(grid(2, 1), 1, row, next, 0, back(3, 1), 1, row, prev, 0, &
                      MPI_COMM_WORLD, status, ierr)
    call check(all(back(3, :) == [21, 22, 23, 24]) .and. all(back(1:2, :) == 0), 'a row')
    call MPI_Get_count(status, row, count, ierr)
    call check(count == 1, 'the count of rows')
    call MPI_Get_elements(status, row, count, ierr)
    call check(count == 4, 'the elements of a row')
    call MPI_Type_get_extent(row, lb, extent, ierr)
    call check(lb == 0 .and. extent == 40, 'an extent')
    call MPI_Type_free(row, ierr)
    call check(row == MPI_DATATYPE_NULL, 'a type is freed')
    call MPI_Type_create_hvector(2, 1, 8_MPI_ADDRESS_KIND, MPI_INTEGER, row, ierr)
    call MPI_Type_size(row, count, ierr)
    call check(count == 8, 'a size')
    call MPI_Type_free(row, ierr)
    call MPI_Type_create_indexed_block(2, 1, [0, 5], MPI_INTEGER, row, ierr)
    call MPI_Type_get_true_extent(row, lb, extent, ierr)
    call check(extent == 24, 'a true extent')
    call MPI_Type_free(row, ierr)
  end subroutine

  subroutine structures()
    integer :: made, packed
    integer(MPI_ADDRESS_KIND) :: base, places(2), extent
    type(cell) :: list(2), got(2)
    call MPI_Get_address(list(1)%x, base, ierr)
    call MPI_Get_address(list(1)%n, places(2), ierr)
    places(1) = 0
    places(2) = MPI_Aint_diff(places(2), base)
    call check(places(2) == 8, 'a difference of addresses')
    call MPI_Type_create_struct(2, [1, 2], places, [MPI_DOUBLE_PRECISION, MPI_INTEGER], made, ierr)
    call MPI_Get_address(list(2), extent, ierr)
    extent = MPI_Aint_diff(extent, base)
    call MPI_Type_create_resized(made, 0_MPI_ADDRESS_KIND, extent, packed, ierr)
    call MPI_Type_commit(packed, ierr)
    list = [cell(1.5d0 * rank, rank, -rank), cell(2.5d0 * rank, 2 * rank, 7)]
    call MPI_Sendrecv(list, 2, packed, next, 1, got, 2, packed, prev, 1, MPI_COMM_WORLD, status, ierr)
    call check(got(1)%x == 1.5d0 * prev .and. got(2)%n == 2 * prev .and. got(2)%m == 7, 'structures')
    call MPI_Type_free(made, ierr)
    call MPI_Type_free(packed, ierr)
  end subroutine

  ! Addresses relative to MPI_BOTTOM.
  subroutine bottom()
    integer :: from, into
    integer(MPI_ADDRESS_KIND) :: places(2)
    ours = cell(3.25d0, rank, 2 * rank)
    theirs = cell(0, 0, 0)
    call MPI_Get_address(ours%x, places(1), ierr)
    call MPI_Get_address(ours%m, places(2), ierr)
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_DOUBLE_PRECISION, MPI_INTEGER], from, ierr)
    call MPI_Get_address(theirs%x, places(1), ierr)
    call MPI_Get_address(theirs%m, places(2), ierr)
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_DOUBLE_PRECISION, MPI_INTEGER], into, ierr)
    call MPI_Type_commit(from, ierr)
    call MPI_Type_commit(into, ierr)
    call MPI_Sendrecv(MPI_BOTTOM, 1, from, next, 2, MPI_BOTTOM, 1, into, prev, 2, &
                      MPI_COMM_WORLD, status, ierr)
    call MPI_F_sync_reg(theirs)
    call check(theirs%x == 3.25d0 .and. theirs%m == 2 * prev .and. theirs%n == 0, 'the bottom')
    call MPI_Type_free(from, ierr)
    call MPI_Type_free(into, ierr)
  end subroutine

  subroutine arrays()
    integer :: grid(4, 4), got(2, 2), part, i, share
    grid = reshape([(i, i = 1, 16)], [4, 4])
    call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, part, &
                                  ierr)
    call MPI_Type_commit(part, ierr)
    call MPI_Sendrecv(grid, 1, part, next, 3, got, 4, MPI_INTEGER, prev, 3, MPI_COMM_WORLD, status, &
                      ierr)
    call check(all(got == grid(2:3, 3:4)), 'a part of an array')
    call MPI_Type_free(part, ierr)
    call MPI_Type_create_darray(2, 1, 1, [8], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], &
                                [2], MPI_ORDER_FORTRAN, MPI_INTEGER, share, ierr)
    call MPI_Type_commit(share, ierr)
    call MPI_Sendrecv(grid, 1, share, next, 4, got, 4, MPI_INTEGER, prev, 4, MPI_COMM_WORLD, status, &
                      ierr)
    call check(all(reshape(got, [4]) == [5, 6, 7, 8]), 'a share of an array')
    call MPI_Type_free(share, ierr)
  end subroutine

  subroutine contents()
    integer :: made, integers, addresses, types, combiner, numbers(4), kinds(1), length
    integer(MPI_ADDRESS_KIND) :: places(1)
    character(MPI_MAX_OBJECT_NAME) :: name
    call MPI_Type_vector(5, 2, 3, MPI_REAL8, made, ierr)
    call MPI_Type_get_envelope(made, integers, addresses, types, combiner, ierr)
    call check(combiner == MPI_COMBINER_VECTOR .and. integers == 3 .and. types == 1, 'an envelope')
    numbers(4) = 44
    call MPI_Type_get_contents(made, 3, 0, 1, numbers, places, kinds, ierr)
    call check(all(numbers == [5, 2, 3, 44]) .and. kinds(1) == MPI_REAL8, 'contents')
    call MPI_Type_set_name(made, 'stripes', ierr)
    call MPI_Type_get_name(made, name, length, ierr)
    call check(name == 'stripes' .and. length == 7, 'the name of a type')
    call MPI_Type_free(made, ierr)
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, ierr)
    call check(name == 'MPI_DOUBLE_PRECISION', 'the name of a predefined type')
  end subroutine

  subroutine sizes()
    integer, parameter :: kinds(14) = [MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, &
      MPI_DOUBLE_COMPLEX, MPI_LOGICAL, MPI_CHARACTER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER8, &
      MPI_REAL8, MPI_COMPLEX16, MPI_2INTEGER, MPI_2DOUBLE_PRECISION]
    integer, parameter :: bytes(14) = [4, 4, 8, 8, 16, 4, 1, 1, 2, 8, 8, 16, 8, 16]
    integer :: i, n
    integer(MPI_COUNT_KIND) :: long
    real(8) :: r(3)
    complex :: c
    character(7) :: text
    integer(2) :: short
    do i = 1, 14
      call MPI_Type_size(kinds(i), n, ierr)
      call check(n == bytes(i), 'the size of a type')
      call MPI_Type_size_x(kinds(i), long, ierr)
      call check(long == bytes(i), 'the long size of a type')
    end do
    call MPI_Sizeof(r, n, ierr)
    call check(n == 8, 'the size of a real')
    call MPI_Sizeof(c, n, ierr)
    call check(n == 8, 'the size of a complex number')
    call MPI_Sizeof(text, n, ierr)
    call check(n == 7, 'the size of a text')
    call MPI_Sizeof(short, n, ierr)
    call check(n == 2, 'the size of a short integer')
  end subroutine

  subroutine portable()
    integer, parameter :: wide = selected_int_kind(12), fine = selected_real_kind(12, 100)
    integer :: kind_of_integer, kind_of_real, n, matched
    integer(wide) :: i, j
    real(fine) :: x, y
    call MPI_Type_create_f90_integer(12, kind_of_integer, ierr)
    call MPI_Type_create_f90_real(12, 100, kind_of_real, ierr)
    i = 10_wide ** 11 + rank
    x = 1.0_fine / 3 + rank
    call MPI_Sendrecv(i, 1, kind_of_integer, next, 5, j, 1, kind_of_integer, prev, 5, &
                      MPI_COMM_WORLD, status, ierr)
    call MPI_Sendrecv(x, 1, kind_of_real, next, 6, y, 1, kind_of_real, prev, 6, &
                      MPI_COMM_WORLD, status, ierr)
    call check(j == 10_wide ** 11 + prev .and. y == 1.0_fine / 3 + prev, 'kinds by range')
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, matched, ierr)
    call MPI_Type_size(matched, n, ierr)
    call check(n == 8, 'a type by its size')
  end subroutine
end program
