! Tracer advection on a grid, upwind with a limiter: each rank has a block of rows, in windows; its halo
! comes from the neighbours by MPI_Get between fences.
program advection
  use mpi
  use iso_c_binding
  implicit none
  integer, parameter :: nx = 512, ny = 256, steps = 200
  double precision, pointer, contiguous :: q(:, :), r(:, :), u(:, :), v(:, :)
  double precision :: started, seconds, total, flux_w, flux_e, flux_s, flux_n, slope, theta
  integer :: rank, ranks, ierr, step, i, j, wins(4), up, down
  integer(mpi_address_kind) :: bytes, row
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  allocate(q(0:nx + 1, 0:ny + 1), r(0:nx + 1, 0:ny + 1), u(0:nx + 1, 0:ny + 1), v(0:nx + 1, 0:ny + 1))
  do j = 0, ny + 1
    do i = 0, nx + 1
      q(i, j) = exp(-((i - nx / 3d0)**2 + (j - ny / 2d0)**2) / 400d0) + rank
      u(i, j) = 0.3d0 * cos(j * 0.01d0)
      v(i, j) = 0.3d0 * sin(i * 0.01d0)
      r(i, j) = 0
    end do
  end do
  bytes = 8_mpi_address_kind * (nx + 2) * (ny + 2)
  call mpi_win_create(q, bytes, 8, mpi_info_null, mpi_comm_world, wins(1), ierr)
  call mpi_win_create(r, bytes, 8, mpi_info_null, mpi_comm_world, wins(2), ierr)
  call mpi_win_create(u, bytes, 8, mpi_info_null, mpi_comm_world, wins(3), ierr)
  call mpi_win_create(v, bytes, 8, mpi_info_null, mpi_comm_world, wins(4), ierr)
  up = mod(rank + 1, ranks)
  down = mod(rank + ranks - 1, ranks)
  call mpi_barrier(mpi_comm_world, ierr)
  started = mpi_wtime()
  do step = 1, steps
    call mpi_win_fence(0, wins(1), ierr)
    row = int(ny, mpi_address_kind) * (nx + 2)
    call mpi_get(q(0, 0), nx + 2, mpi_double_precision, down, row, nx + 2, mpi_double_precision, wins(1), ierr)
    row = nx + 2
    call mpi_get(q(0, ny + 1), nx + 2, mpi_double_precision, up, row, nx + 2, mpi_double_precision, wins(1), ierr)
    call mpi_win_fence(0, wins(1), ierr)
    do j = 1, ny
      do i = 1, nx
        slope = q(i + 1, j) - q(i, j)
        theta = (q(i, j) - q(i - 1, j)) / (slope + sign(1d-12, slope))
        theta = max(0d0, min(2d0, theta, 0.5d0 * (1 + theta)))
        flux_e = max(u(i, j), 0d0) * (q(i, j) + 0.5d0 * theta * slope) + min(u(i, j), 0d0) * q(i + 1, j)
        flux_w = max(u(i - 1, j), 0d0) * q(i - 1, j) + min(u(i - 1, j), 0d0) * q(i, j)
        flux_n = max(v(i, j), 0d0) * q(i, j) + min(v(i, j), 0d0) * q(i, j + 1)
        flux_s = max(v(i, j - 1), 0d0) * q(i, j - 1) + min(v(i, j - 1), 0d0) * q(i, j)
        r(i, j) = q(i, j) - 0.1d0 * (flux_e - flux_w + flux_n - flux_s)
      end do
    end do
    call mpi_barrier(mpi_comm_world, ierr)
    do j = 1, ny
      do i = 1, nx
        q(i, j) = r(i, j)
      end do
    end do
  end do
  seconds = mpi_wtime() - started
  total = sum(q(1:nx, 1:ny))
  call mpi_allreduce(mpi_in_place, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  if (rank == 0) print '(a, es24.16)', 'total ', total
  if (rank == 0) print '(a, f10.6)', 'seconds ', seconds
  do i = 1, 4
    call mpi_win_free(wins(i), ierr)
  end do
  call mpi_finalize(ierr)
end program advection
