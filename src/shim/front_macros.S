/* Stubs of the preloaded library, x86-64.
 *
 * A stub jumps through its slot of vouch_table. At first the slot leads to code that pushes the slot's number and goes to
 * vouch_resolve_entry, which saves every register that may hold an argument (vector registers too: MPI_Pcontrol is variadic),
 * lets vouch_resolve find the target, stores it in the slot and jumps there. The caller's return address is on top
 * of the stack whenever the target is entered, so wrappers see the user as their caller.
 *
 * A Fortran stub, once resolved, first notes caller, procedure and entry in vouch_tls. rax and r11 are free there.
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
  movq (%rsp), %rax
  movq vouch_tls@gottpoff(%rip), %r11
  movq %rax, %fs:(%r11)
  movl $\proc, %fs:8(%r11)
  movl $\entry, %fs:12(%r11)
  jmp *(vouch_entries + 8 * \entry)(%rip)
.endm
