C     Common blocks as old programs use them, whole or in parts, and under several names: correct. With the argument `wrong`
C     a call has another type than the variable, and one goes beyond the block.
      PROGRAM COMMON
      INCLUDE 'mpif.h'
      DOUBLE PRECISION A, B, C(10)
      INTEGER N, M, RANK, IERROR
      CHARACTER*8 CASE
      COMMON /VALUES/ A, B, C, N, M
      CALL MPI_INIT(IERROR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERROR)
      CALL GETARG(1, CASE)
      A = RANK
      N = RANK
      IF (CASE .EQ. 'wrong') THEN
         CALL MPI_BCAST(C, 2, MPI_REAL, 0, MPI_COMM_WORLD, IERROR)
         CALL MPI_BCAST(A, 14, MPI_DOUBLE_PRECISION, 0,
     &                  MPI_COMM_WORLD, IERROR)
      END IF
C     All numbers of a type, from the first one on.
      CALL MPI_BCAST(A, 12, MPI_DOUBLE_PRECISION, 0,
     &               MPI_COMM_WORLD, IERROR)
      CALL MPI_BCAST(N, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, IERROR)
      CALL SHARE
      CALL MPI_FINALIZE(IERROR)
      END

      SUBROUTINE SHARE
      INCLUDE 'mpif.h'
      INTEGER WORK(26), IERROR
      COMMON /VALUES/ WORK
      CALL MPI_BCAST(WORK, 26, MPI_INTEGER, 0, MPI_COMM_WORLD, IERROR)
      CALL MPI_BCAST(WORK, 104, MPI_BYTE, 0, MPI_COMM_WORLD, IERROR)
      CALL PASS(WORK)
      END

      SUBROUTINE PASS(VALUES)
      INCLUDE 'mpif.h'
      DOUBLE PRECISION VALUES(*)
      INTEGER IERROR
      CALL MPI_BCAST(VALUES, 13, MPI_DOUBLE_PRECISION, 0,
     &               MPI_COMM_WORLD, IERROR)
      END
