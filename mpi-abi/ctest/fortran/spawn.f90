! A program that starts itself, with arguments and without.
program family
  use mpi
  implicit none
  integer :: rank, size, parent, error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Comm_get_parent(parent, error)
  if (parent == MPI_COMM_NULL) then
    call begin_family()
    if (rank == 0) call ports()
  else
    call report()
  end if
  call MPI_Finalize(error)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) then
      print *, what
      error stop 1
    end if
  end subroutine check

  ! Sends the number of the command and of the arguments to the first parent.
  subroutine report()
    integer(kind=MPI_ADDRESS_KIND) :: number
    logical :: there
    character(12) :: word
    integer :: told(3)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, number, there, error)
    call check(there, 'the number of the command')
    word = ''
    if (command_argument_count() > 1) then
      call get_command_argument(2, word)
      call check(word == 'and this', 'the second argument')
    end if
    told = [int(number), command_argument_count(), rank]
    call MPI_Send(told, 3, MPI_INTEGER, 0, 0, parent, error)
    call MPI_Comm_disconnect(parent, error)
    call check(parent == MPI_COMM_NULL, 'no parent is left')
  end subroutine report

  ! What child number `child` sends.
  subroutine hear(family, child, number, words)
    integer, intent(in) :: family, child, number, words
    integer :: told(3)
    if (rank /= 0) return
    call MPI_Recv(told, 3, MPI_INTEGER, child, 0, family, MPI_STATUS_IGNORE, error)
    call check(all(told == [number, words, child]), 'what a child tells')
  end subroutine hear

  subroutine begin_family()
    character(512) :: name, names(2)
    character(10) :: words(3), rows(2, 3)
    integer :: family, codes(2), remote, most(2), infos(2)
    call get_command_argument(0, name)
    words = [character(10) :: 'this', 'and this', ' ']
    codes = -1
    call MPI_Comm_spawn(name, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, family, codes, error)
    call check(all(codes == MPI_SUCCESS), 'no errors')
    call MPI_Comm_remote_size(family, remote, error)
    call check(remote == 2, 'two children')
    call hear(family, 0, 0, 2)
    call hear(family, 1, 0, 2)
    call MPI_Comm_disconnect(family, error)

    call MPI_Comm_spawn(name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, size - 1, MPI_COMM_WORLD, family, &
        MPI_ERRCODES_IGNORE, error)
    call hear(family, 0, 0, 0)
    call MPI_Comm_disconnect(family, error)

    names = name
    rows(1, :) = [character(10) :: 'this', ' ', ' ']
    rows(2, :) = [character(10) :: 'this', 'and this', ' ']
    most = [1, 2]
    infos = MPI_INFO_NULL
    call MPI_Comm_spawn_multiple(2, names, rows, most, infos, 0, MPI_COMM_WORLD, family, &
        MPI_ERRCODES_IGNORE, error)
    call hear(family, 0, 0, 1)
    call hear(family, 1, 1, 2)
    call hear(family, 2, 1, 2)
    call MPI_Comm_disconnect(family, error)

    call MPI_Comm_spawn_multiple(2, names, MPI_ARGVS_NULL, most, infos, 0, MPI_COMM_WORLD, family, &
        MPI_ERRCODES_IGNORE, error)
    call hear(family, 0, 0, 0)
    call hear(family, 2, 1, 0)
    call hear(family, 1, 1, 0)
    call MPI_Comm_disconnect(family, error)
  end subroutine begin_family

  ! A port is published, found again and closed.
  subroutine ports()
    character(MPI_MAX_PORT_NAME) :: port, found
    integer :: comm
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Open_port(MPI_INFO_NULL, port, error)
    call MPI_Publish_name('service ', MPI_INFO_NULL, port, error)
    call MPI_Lookup_name('service', MPI_INFO_NULL, found, error)
    call check(error == MPI_SUCCESS .and. found == port, 'the service is found')
    call MPI_Unpublish_name('service', MPI_INFO_NULL, port, error)
    call check(error == MPI_SUCCESS, 'the service is withdrawn')
    call MPI_Lookup_name('service', MPI_INFO_NULL, found, error)
    call check(error == MPI_ERR_NAME, 'the service is gone')
    call MPI_Close_port(port, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, comm, error)
    call check(error == MPI_ERR_PORT .and. comm == MPI_COMM_NULL, 'the port is closed')
  end subroutine ports
end program family
