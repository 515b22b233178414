// Functions of the C library that read and write memory: clang calls them by names of their own;
// what gcc leaves as a call reaches us by the linker's --wrap.
//
// Misses: other functions of libraries that touch the program's memory (strcpy, fread, matmul of
// libgfortran).

#include <cstddef>

#include "shim/program/access.h"

namespace vouch::program {

using enum wire::AccessKind;

extern "C" {

void* __real_memcpy(void*, const void*, std::size_t);
void* __real_memmove(void*, const void*, std::size_t);
void* __real_memset(void*, int, std::size_t);
void* __real_mempcpy(void*, const void*, std::size_t);
int __real_memcmp(const void*, const void*, std::size_t);
void* __real___memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* __real___memmove_chk(void*, const void*, std::size_t, std::size_t);
void* __real___memset_chk(void*, int, std::size_t, std::size_t);

#define VOUCH_COPIES(to, from, bytes)          \
  touch_range(from, bytes, read, VOUCH_PLACE); \
  touch_range(to, bytes, write, VOUCH_PLACE)

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  VOUCH_COPIES(to, from, bytes);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  VOUCH_COPIES(to, from, bytes);
  return __real_memmove(to, from, bytes);
}
void* __wrap_mempcpy(void* to, const void* from, std::size_t bytes) {
  VOUCH_COPIES(to, from, bytes);
  return __real_mempcpy(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  touch_range(to, bytes, write, VOUCH_PLACE);
  return __real_memset(to, value, bytes);
}
// It may stop at the first difference: what it surely reads is one byte of each.
int __wrap_memcmp(const void* a, const void* b, std::size_t bytes) {
  touch_range(a, bytes != 0, read, VOUCH_PLACE);
  touch_range(b, bytes != 0, read, VOUCH_PLACE);
  return __real_memcmp(a, b, bytes);
}
void* __wrap___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  VOUCH_COPIES(to, from, bytes);
  return __real___memcpy_chk(to, from, bytes, room);
}
void* __wrap___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  VOUCH_COPIES(to, from, bytes);
  return __real___memmove_chk(to, from, bytes, room);
}
void* __wrap___memset_chk(void* to, int value, std::size_t bytes, std::size_t room) {
  touch_range(to, bytes, write, VOUCH_PLACE);
  return __real___memset_chk(to, value, bytes, room);
}

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  VOUCH_COPIES(to, from, bytes);
  return __real_memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  VOUCH_COPIES(to, from, bytes);
  return __real_memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  touch_range(to, bytes, write, VOUCH_PLACE);
  return __real_memset(to, value, bytes);
}

}  // extern "C"

}  // namespace vouch::program
