! What a program knows about its own values, said to vouch: see vouch.h. Compile it with the program.
!
!     call MPI_Recv(first, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, comm, status, ierror)
!     call vouch_assert(first == 1, '$1 == 1', first)
!     call vouch_assume(second > 0, '$1 > 0', second)
!
! The condition stands there twice: as a value, which is its truth in this run, and as text, in
! which $1, $2, ... are the variables that follow. Fortran's operators may be used (.and., /=, ...).
module vouch
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  private
  public :: vouch_assert, vouch_assume

  type, bind(c) :: vouch_term
    type(c_ptr) :: address = c_null_ptr
    integer(c_long) :: form = 0
    integer(c_long_long) :: value = 0
  end type vouch_term

  abstract interface
    integer(c_int) function hook_type(kind, holds, frames, condition, names, count, terms) bind(c)
      import :: c_int, c_char, vouch_term
      integer(c_int), value :: kind, holds, frames, count
      character(kind=c_char), intent(in) :: condition(*), names(*)
      type(vouch_term), intent(in) :: terms(*)
    end function hook_type
  end interface

  interface
    type(c_funptr) function dlsym(handle, name) bind(c, name='dlsym')
      import :: c_ptr, c_funptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
    end function dlsym
  end interface

  integer(c_int), volatile :: told = 0

contains

  subroutine vouch_assert(holds, condition, a, b, c, d)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: condition
    class(*), intent(in), optional, target :: a, b, c, d
    procedure(hook_type), pointer :: hook
    type(vouch_term) :: terms(4)
    integer(c_int) :: count
    hook => found_hook()
    if (.not. associated(hook)) return
    call gather(terms, count, a, b, c, d)
    told = hook(1_c_int, merge(1_c_int, 0_c_int, holds), 1_c_int, trim(condition)//c_null_char, c_null_char, count, terms)
  end subroutine vouch_assert

  subroutine vouch_assume(holds, condition, a, b, c, d)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: condition
    class(*), intent(in), optional, target :: a, b, c, d
    procedure(hook_type), pointer :: hook
    type(vouch_term) :: terms(4)
    integer(c_int) :: count
    hook => found_hook()
    if (.not. associated(hook)) return
    call gather(terms, count, a, b, c, d)
    told = hook(0_c_int, merge(1_c_int, 0_c_int, holds), 1_c_int, trim(condition)//c_null_char, c_null_char, count, terms)
  end subroutine vouch_assume

  ! There when vouch is.
  function found_hook() result(hook)
    procedure(hook_type), pointer :: hook
    type(c_funptr) :: address
    nullify (hook)
    address = dlsym(c_null_ptr, 'vouch_claimed'//c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, hook)
  end function found_hook

  subroutine gather(terms, count, a, b, c, d)
    type(vouch_term), intent(inout) :: terms(4)
    integer(c_int), intent(out) :: count
    class(*), intent(in), optional, target :: a, b, c, d
    count = 0
    if (present(a)) call add(terms, count, a)
    if (present(b)) call add(terms, count, b)
    if (present(c)) call add(terms, count, c)
    if (present(d)) call add(terms, count, d)
  end subroutine gather

  subroutine add(terms, count, x)
    type(vouch_term), intent(inout) :: terms(4)
    integer(c_int), intent(inout) :: count
    class(*), intent(in), target :: x
    integer(c_long), parameter :: is_real = 256, inexact = 512
    count = count + 1
    select type (x)
    type is (integer(int8))
      terms(count) = vouch_term(c_loc(x), 1, x)
    type is (integer(int16))
      terms(count) = vouch_term(c_loc(x), 2, x)
    type is (integer(int32))
      terms(count) = vouch_term(c_loc(x), 4, x)
    type is (integer(int64))
      terms(count) = vouch_term(c_loc(x), 8, x)
    type is (real(real32))
      terms(count) = vouch_term(c_loc(x), 4 + is_real, 0)
      call set_real(terms(count), real(x, real64))
    type is (real(real64))
      terms(count) = vouch_term(c_loc(x), 8 + is_real, 0)
      call set_real(terms(count), x)
    class default
      terms(count) = vouch_term(c_null_ptr, inexact, 0)
    end select
  contains
    subroutine set_real(term, value)
      type(vouch_term), intent(inout) :: term
      real(real64), intent(in) :: value
      if (abs(value) <= 2.0_real64**53) term%value = int(value, c_long_long)
      if (abs(real(term%value, real64) - value) > 0) term%form = term%form + inexact
    end subroutine set_real
  end subroutine add

end module vouch
