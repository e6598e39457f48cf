! OpenMP in Fortran: constructs, and the procedures of the module.
module shared_data
    implicit none
    integer, save :: own = -1
    integer :: block(3)
    common /places/ block
    !$omp threadprivate(own, /places/)
end module

program library
    use mpi
    use omp_lib
    use shared_data
    implicit none
    integer :: ierror, rank, threads, i, j, total, order(50), next, chunk, counted, x
    integer(omp_sched_kind) :: kind
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nested
    real(8) :: begun, values(100), product
    character(len=8) :: text

    call mpi_init(ierror)
    call mpi_comm_rank(mpi_comm_world, rank, ierror)
    call get_command_argument(1, text)
    if (text /= '') then
        read (text, *) i
        call omp_set_num_threads(i)
    end if
    threads = omp_get_max_threads()
    call check(.not. omp_in_parallel() .and. .not. omp_get_dynamic(), 'outside')

    total = 0
    !$omp parallel reduction(+:total) private(i)
    own = omp_get_thread_num() + 10 * rank
    block = own
    !$omp do schedule(dynamic, 4)
    do i = 1, 1000
        total = total + i
    end do
    !$omp end do
    !$omp do schedule(guided)
    do i = 1000, 1, -3
        total = total + 1
    end do
    !$omp end do nowait
    !$omp sections
    !$omp section
    total = total + 10000
    !$omp section
    total = total + 20000
    !$omp end sections
    !$omp end parallel
    call check(total == 500500 + 334 + 30000, 'sum')
    !$omp parallel
    call check(own == omp_get_thread_num() + 10 * rank .and. block(3) == own, 'threadprivate')
    !$omp end parallel

    next = 0
    !$omp parallel do ordered schedule(static, 3)
    do i = 1, 50
        !$omp ordered
        next = next + 1
        order(next) = i
        !$omp end ordered
    end do
    !$omp end parallel do
    do i = 1, 50
        call check(order(i) == i, 'ordered')
    end do

    values = 0
    !$omp parallel
    !$omp workshare
    values = values + 1
    values(1:50) = values(51:100) * 2
    !$omp end workshare
    !$omp single
    x = 0
    do i = 1, 20
        !$omp task depend(inout: x) firstprivate(i)
        x = x + i
        !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    call check(sum(values) == 150 .and. x == 210, 'workshare and tasks')

    product = 1
    !$omp parallel do reduction(*:product) collapse(2)
    do i = 1, 4
        do j = 1, 2
            product = product * 2
        end do
    end do
    call check(product == 256, 'product')

    call omp_set_schedule(omp_sched_dynamic, 3)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_dynamic .and. chunk == 3, 'schedule')
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'dynamic')
    call omp_set_dynamic(.false.)
    call omp_set_num_threads(3)
    call omp_init_lock(lock)
    call omp_init_nest_lock(nested)
    counted = 0
    begun = omp_get_wtime()
    !$omp parallel
    call omp_set_lock(lock)
    counted = counted + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nested)
    call omp_set_nest_lock(nested)
    counted = counted + 1
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
    call check(omp_get_num_threads() == 3 .and. omp_get_team_size(1) == 3, 'team')
    call check(omp_get_ancestor_thread_num(0) == 0 .and. omp_get_level() == 1, 'levels')
    !$omp end parallel
    call check(counted == 6 .and. omp_get_wtime() >= begun, 'locks')
    call check(omp_test_lock(lock), 'test')
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nested)

    !$omp taskloop grainsize(5) shared(values)
    do i = 1, 100
        values(i) = i
    end do
    call check(sum(values) == 5050, 'taskloop')
    call mpi_finalize(ierror)

contains

    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (.not. holds) then
            write (0, *) 'does not hold: ', what
            error stop 1
        end if
    end subroutine
end program
