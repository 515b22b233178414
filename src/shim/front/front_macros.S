/* Stubs of the preloaded library, x86-64.
 *
 * A stub jumps through its slot of vouch_table. At first the slot leads to code that pushes the slot's number and goes to
 * vouch_resolve_entry, which saves every register that may hold an argument (vector registers too: MPI_Pcontrol is variadic),
 * lets vouch_resolve find the target, stores it in the slot and jumps there. The caller's return address is on top
 * of the stack whenever the target is entered, so wrappers see the user as their caller.
 *
 * A Fortran stub, once resolved, first notes caller, procedure, entry and arguments in vouch_tls. rax and r11 are free there.
 * Not if the same procedure is noted already: some mpi_f08 entries (those with LOGICAL arguments, in Open MPI) call the plain one,
 * and the user called the first.
 */

.macro VOUCH_STUB name, slot
  .globl \name
  .type \name, @function
  .p2align 4
\name:
  endbr64
  jmp *(vouch_table + 8 * \slot)(%rip)
  .size \name, . - \name
.Llazy\slot:
  pushq $\slot
  jmp vouch_resolve_entry
.endm

.macro VOUCH_FORTRAN_STUB name, slot, proc, entry
  VOUCH_STUB \name, \slot
.Lstash\slot:
  movq vouch_tls@gottpoff(%rip), %r11
  cmpl $\proc, %fs:8(%r11)
  je 1f
  movq (%rsp), %rax
  movq %rax, %fs:(%r11)
  movl $\proc, %fs:8(%r11)
  movl $\entry, %fs:12(%r11)
  movq %rdi, %fs:32(%r11)
  movq %rsi, %fs:40(%r11)
  movq %rdx, %fs:48(%r11)
  movq %rcx, %fs:56(%r11)
  movq %r8, %fs:64(%r11)
  movq %r9, %fs:72(%r11)
  movq %rsp, %fs:80(%r11)
1:
  jmp *(vouch_entries + 8 * \entry)(%rip)
.endm
