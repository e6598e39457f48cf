! Polymorphic objects, whose dynamic types have components that the declared type does not describe.
module shapes
  implicit none
  type base
    real(8) :: x(2) = 0
  end type
  type, extends(base) :: longer
    integer :: k(4) = 0
  end type
  type holder
    class(base), allocatable :: one
  end type
  type owner
    class(base), allocatable :: many(:)
  end type
end module

program polymorphic
  use mpi_f08
  use shapes
  implicit none
  type(holder) :: held
  type(owner) :: owned
  class(base), allocatable :: many(:), same(:)
  class(base), pointer :: two(:)
  character(8) :: word = ''
  call MPI_Init()
  if (command_argument_count() > 0) call get_command_argument(1, word)
  allocate(longer :: held%one)
  allocate(longer :: owned%many(3), many(3), two(3))
  allocate(base :: same(3))
  call component(held)
  call components(owned)
  call array(many)
  select type (many)
  type is (longer)
    call MPI_Bcast(many(2)%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Bcast(many(3)%x, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  end select
  select type (two)
  type is (longer)
    call MPI_Bcast(two(2)%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
  end select
  if (word == 'wrong') call MPI_Bcast(same(2)%x, 2, MPI_REAL, 0, MPI_COMM_WORLD)
  deallocate(two)
  call MPI_Finalize()
contains
  subroutine component(it)
    type(holder), intent(inout) :: it
    call MPI_Bcast(it%one%x, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    select type (t => it%one)
    type is (longer)
      call MPI_Bcast(t%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end select
    select type (t => held%one)
    type is (longer)
      call MPI_Bcast(t%k(2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end select
  end subroutine

  subroutine components(it)
    type(owner), intent(inout) :: it
    select type (t => it%many)
    type is (longer)
      call MPI_Bcast(t(2)%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end select
  end subroutine

  subroutine array(all)
    class(base), intent(inout) :: all(:)
    select type (all)
    type is (longer)
      call MPI_Bcast(all(1)%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
      call MPI_Bcast(all(3)%k, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end select
  end subroutine
end program
