! Handles, statuses and addresses cross between the languages.
program mixed
  use mpi
  implicit none
  integer :: rank, ierr, comm, type, wrong, status(MPI_STATUS_SIZE), value
  integer, save :: shared
  integer(MPI_ADDRESS_KIND) :: place(1), extra = 0, known
  integer :: key, other
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_set_name(comm, 'from Fortran', ierr)
  call look_at(comm, rank, wrong)
  if (wrong /= 0) error stop 1
  ! An absolute address means the same in both languages.
  shared = 40 + rank
  call MPI_Get_address(shared, place(1), ierr)
  call MPI_Type_create_struct(1, [1], place, [MPI_INTEGER], type, ierr)
  call MPI_Type_commit(type, ierr)
  call MPI_Send(MPI_BOTTOM, 0, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierr)
  call send_from_bottom(comm, type, rank)
  call MPI_Recv(value, 1, MPI_INTEGER, rank, 8, comm, status, ierr)
  if (value /= 40 + rank) error stop 2
  call hand_over(status, wrong)
  if (wrong /= rank) error stop 3
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, extra, ierr)
  extra = -5000000000_MPI_ADDRESS_KIND
  call MPI_Comm_set_attr(comm, key, extra, ierr)
  call exchange_attributes(comm, key, other, known)
  call MPI_Comm_get_attr(comm, other, extra, flag, ierr)
  if (.not. flag .or. extra /= known) error stop 4
  call MPI_Comm_free_keyval(key, ierr)
  call MPI_Comm_free_keyval(other, ierr)
  call MPI_Type_free(type, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
end program
