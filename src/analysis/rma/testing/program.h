// A small program with windows, as the calls of one possible run in the order of time.
//
// Each rank makes its calls in this order, and whatever a call waits for stands before it or is the
// other half of the same meeting. Made by the generator or by hand, judged by the reference
// (reference.h), written as text for the analyses (text.h) and as C for the libraries (emit_c.h).
//
// All memory of a rank is kMemory bytes, named by offset. Windows are parts of it.

#pragma once

#include <bitset>
#include <string>
#include <vector>

namespace vouch::rma_programs {

// [0, kArray) may be in several windows, [kArray, kPrivate) in one that MPI allocates, the rest in
// none.
inline constexpr int kArray = 64, kPrivate = 128, kMemory = 2048;
using Bytes = std::bitset<kMemory>;

enum class Basic { int_, float_, short_, char_ };
enum class Op { sum, prod, replace, no_op };

// A datatype as the elements of one basic type that it is made of.
struct Type {
  const char* name;         // predefined, or the program's own
  const char* constructor;  // in the text form; "": predefined
  const char* c;            // the same in C, with %s for the new type
  Basic basic;
  int basic_size;
  std::vector<int> offsets;  // of the elements
  int extent;
};
const std::vector<Type>& types();
int predefined(Basic);  // its place among the types
const char* name_of(Op);

// Bytes of so many elements from this offset on.
Bytes bytes_of(int type, int count, int offset);
// From the offset to behind the last byte.
int span_of(int type, int count);

enum class What {
  create,  // a window; collective
  free,
  fence,
  post,
  start,
  complete,
  wait,  // of an exposure
  test,  // the same, successful
  lock,
  unlock,
  lock_all,
  unlock_all,
  flush,
  flush_all,
  flush_local,
  flush_local_all,
  sync,
  put,
  get,
  accumulate,
  get_accumulate,
  fetch_and_op,
  compare_and_swap,
  send,
  ssend,
  isend,
  recv,
  irecv,
  wait_requests,
  barrier,
  bcast,
  reduce,
  allreduce,
  load,  // by the program itself, of its own memory
  store,
};

struct Call {
  What what{};
  int rank = 0;
  std::string site{};  // where it stands in the program
  int window = -1;
  int target = -1;  // of a lock, flush, operation; peer of a message; root
  int meeting = 0;  // equal for calls that meet: a message, collective, fence, or post to wait
  // An operation: at the target, and at the caller.
  int disp = 0, count = 1, type = 0;
  int buffer = kPrivate, buffer_count = 1, buffer_type = 0;  // origin; of messages and collectives
  int result = kPrivate, compare = kPrivate;                 // result: as many as at the target
  Op op = Op::sum;
  int request = -1;             // that it makes; -1: none
  std::vector<int> requests{};  // that it waits for
  std::vector<int> group{};     // ranks: of post, start
  bool exclusive = false;       // lock
  bool opens = false;           // fence: MPI_MODE_NOPRECEDE
  bool closes = false;          // fence: MPI_MODE_NOSUCCEED
};

struct Window {
  enum class Flavour { create, allocate, dynamic } flavour = Flavour::create;
  // By rank: offset in its memory.
  std::vector<int> base{}, size{}, unit{};
};

struct Program {
  int ranks = 2;
  std::vector<Window> windows{};
  std::vector<Call> calls{};

  // Where in the memory of the target.
  int target_offset(const Call& c) const {
    const Window& w = windows[static_cast<std::size_t>(c.window)];
    const auto t = static_cast<std::size_t>(c.target);
    return w.flavour == Window::Flavour::dynamic ? c.disp : w.base[t] + c.disp * w.unit[t];
  }
  Bytes memory(int window, int rank) const;
};

inline bool is_operation(What w) { return w >= What::put && w <= What::compare_and_swap; }
inline bool is_update(What w) { return w >= What::accumulate && w <= What::compare_and_swap; }
// Brings something from the target.
inline bool fetches(What w) {
  return w == What::get || (w >= What::get_accumulate && w <= What::compare_and_swap);
}

}  // namespace vouch::rma_programs
