! Leaves something in the process only if it is asked to.
program contained
    implicit none
    character(len=8) :: word
    real, allocatable :: numbers(:)
    integer :: error
    allocate (numbers(3), source=[3.0, 1.0, 2.0])
    call get_command_argument(1, word)
    print '(a, f5.1)', 'the largest is', maxval(numbers)
    call mpi_barrier(0, error)
    if (word == 'opens') then
        open (unit=10, file='/dev/null')
        close (10)
    end if
end program
