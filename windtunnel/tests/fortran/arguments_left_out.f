C     Calls without the error code, which the compiler accepts with mpif.h, and one with another argument too many.
      PROGRAM LEFT
      INCLUDE 'mpif.h'
      INTEGER IERROR, RANK, TYPE
      CALL MPI_INIT(IERROR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERROR)
      CALL MPI_TYPE_CONTIGUOUS(2, MPI_INTEGER, TYPE, IERROR)
      CALL MPI_TYPE_COMMIT(TYPE)
      CALL MPI_BARRIER(MPI_COMM_WORLD)
      IF (RANK .EQ. 0) CALL MPI_BARRIER(
     &   MPI_COMM_SELF)
      CALL MPI_TYPE_FREE(TYPE, RANK, IERROR)
      CALL MPI_FINALIZE
      END
