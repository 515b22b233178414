// Walks by rules are compared with glibc's own unwinder, in frames of all kinds that compilers
// make.

#include "shim/core/unwind_rule.h"

#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace vouch::shim {
namespace {

using Addresses = std::vector<std::uint64_t>;

std::uint64_t stack_end() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uint64_t>(low) + bytes;
}

// The return addresses above this function, by rules and by glibc.
[[gnu::noinline]] void walk_both(Addresses& ours, Addresses& theirs) {
  const auto* frame = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
  Registers r{reinterpret_cast<std::uint64_t>(frame) + 16, frame[0], frame[1]};
  const std::uint64_t high = stack_end();
  ours = {r.at};
  while (step_up(find_unwind_rule(r.at), r, high)) ours.push_back(r.at);
  void* addresses[256];
  const int count = ::backtrace(addresses, 256);
  theirs.clear();
  for (int i = 1; i < count; ++i) theirs.push_back(reinterpret_cast<std::uint64_t>(addresses[i]));
}

void expect_same() {
  Addresses ours, theirs;
  walk_both(ours, theirs);
  // glibc shows the outermost frame once more or not, as its tables end; all of ours must be there.
  ASSERT_GE(ours.size(), 4U);
  ASSERT_LE(ours.size(), theirs.size() + 1);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    EXPECT_EQ(ours[i], theirs[i]) << i;
  EXPECT_GE(ours.size() + 2, theirs.size());
}

int sink;

[[gnu::noinline, gnu::optimize("O2", "omit-frame-pointer")]] void without_frame_pointer(int depth) {
  if (depth == 0) {
    expect_same();
  } else {
    without_frame_pointer(depth - 1);
  }
  sink += depth;  // no tail call
}

[[gnu::noinline, gnu::optimize("no-omit-frame-pointer")]] void with_frame_pointer(int depth) {
  if (depth == 0) {
    without_frame_pointer(3);
  } else {
    with_frame_pointer(depth - 1);
  }
  sink += depth;
}

[[gnu::noinline, gnu::optimize("O2", "omit-frame-pointer")]] void with_alloca(std::size_t bytes) {
  auto* memory = static_cast<char*>(alloca(bytes));
  std::memset(memory, 1, bytes);
  with_frame_pointer(2);
  sink += memory[bytes - 1];
}

TEST(UnwindRule, agrees_with_glibc) {
  without_frame_pointer(5);
  with_frame_pointer(5);
  for (const std::size_t bytes : {1, 100, 5000}) with_alloca(bytes);
}

TEST(UnwindRule, agrees_with_glibc_in_a_thread) {
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, nullptr,
                [](void*) -> void* {
                  with_alloca(64);
                  return nullptr;
                },
                nullptr),
            0);
  pthread_join(thread, nullptr);
}

TEST(UnwindRule, a_wrong_frame_pointer_is_not_followed) {
  constexpr UnwindRule rule{UnwindRule::by_frame, true, 16, -16};
  std::uint64_t words[8] = {};
  const auto low = reinterpret_cast<std::uint64_t>(words);
  const std::uint64_t high = low + sizeof(words);
  for (const std::uint64_t rbp :
       {std::uint64_t{0}, low - 64, high, ~std::uint64_t{0} - 8, low + 1}) {
    Registers r{low, rbp, 1};
    EXPECT_FALSE(step_up(rule, r, high)) << rbp;
  }
}

TEST(UnwindRule, an_address_of_nothing_gets_a_frame_pointer) {
  EXPECT_EQ(find_unwind_rule(4096).kind, UnwindRule::by_frame);
}

}  // namespace
}  // namespace vouch::shim
