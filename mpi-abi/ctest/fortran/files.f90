! Files with modules mpi_f08 and mpi: on any number of ranks. The files are in the working folder.
subroutine of_mpi()
  use mpi
  implicit none
  integer :: file, rank, ierr, values(3), back(3), status(MPI_STATUS_SIZE), count, request
  integer(MPI_OFFSET_KIND) :: at, bytes
  logical :: flag
  character(MPI_MAX_DATAREP_STRING) :: name
  integer :: etype, filetype, amode
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'fortran-files', MPI_MODE_CREATE + MPI_MODE_RDWR, &
                     MPI_INFO_NULL, file, ierr)
  if (ierr /= MPI_SUCCESS) error stop 1
  values = [3 * rank, 3 * rank + 1, 3 * rank + 2]
  at = 12 * rank
  call MPI_File_write_at_all(file, at, values, 3, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  if (count /= 3) error stop 2
  call MPI_File_read_at(file, at, back, 3, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  if (any(back /= values)) error stop 3
  call MPI_File_get_view(file, at, etype, filetype, name, ierr)
  if (at /= 0 .or. etype /= MPI_BYTE .or. name /= 'native') error stop 4
  call MPI_File_get_amode(file, amode, ierr)
  if (amode /= MPI_MODE_CREATE + MPI_MODE_RDWR) error stop 5
  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_get_atomicity(file, flag, ierr)
  if (.not. flag) error stop 6
  at = 12 * rank
  call MPI_File_seek(file, at, MPI_SEEK_SET, ierr)
  call MPI_File_iread(file, back, 1, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  if (back(1) /= values(1)) error stop 7
  call MPI_File_get_position(file, at, ierr)
  if (at /= 12 * rank + 4) error stop 8
  call MPI_File_close(file, ierr)
  if (file /= MPI_FILE_NULL) error stop 9
  call MPI_File_open(MPI_COMM_SELF, 'there is no such file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  call MPI_Error_class(ierr, count, amode)
  if (count /= MPI_ERR_NO_SUCH_FILE) error stop 10
end subroutine

program files
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  type(MPI_Datatype) :: column
  type(MPI_Status) :: status
  type(MPI_Errhandler) :: handler
  integer :: rank, size, i, count
  integer(MPI_OFFSET_KIND) :: bytes
  double precision :: mine(5), all(5)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call of_mpi()
  mine = [(10 * rank + i, i = 1, 5)]
  call MPI_Type_create_subarray(2, [size, 5], [1, 5], [rank, 0], MPI_ORDER_FORTRAN, &
                                MPI_DOUBLE_PRECISION, column)
  call MPI_Type_commit(column)
  call MPI_File_open(MPI_COMM_WORLD, 'fortran-files', MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file)
  call MPI_File_get_errhandler(file, handler)
  if (handler /= MPI_ERRORS_RETURN) error stop 20
  call MPI_File_set_size(file, 0_MPI_OFFSET_KIND)
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_DOUBLE_PRECISION, column, 'native', &
                         MPI_INFO_NULL)
  call MPI_File_write_all(file, mine, 5, MPI_DOUBLE_PRECISION, status)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count)
  if (count /= 5) error stop 21
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_File_get_size(file, bytes)
  if (bytes /= 40 * size) error stop 22
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_BYTE, MPI_BYTE, 'native', MPI_INFO_NULL)
  call MPI_File_read_at_all(file, 8_MPI_OFFSET_KIND * rank, all(1), 1, MPI_DOUBLE_PRECISION, status)
  if (all(1) /= mine(1)) error stop 23
  call MPI_File_write_ordered(file, mine, 1, MPI_DOUBLE_PRECISION, status)
  call MPI_File_close(file)
  call MPI_Type_free(column)
  call MPI_Finalize()
end program
