// What the parts of a rank that is tried alone share.

#pragma once

#include "record/solo.h"
#include "shim/core/lib.h"

namespace vouch::shim {

struct SoloReceive {
  MPI_Comm comm;
  void* buffer;
  std::int64_t count;
  MPI_Datatype type;
  int source, tag;       // as it asks; an event that is fixed asks for its source
  std::int32_t event;    // -1: none
  std::int32_t message;  // what it got; -1: nothing yet
  bool pending;          // its completion was not seen
};

struct SoloState {
  SoloHeader* header = nullptr;
  SoloEvent* events = nullptr;
  SoloMessage* messages = nullptr;
  SoloCall* calls = nullptr;
  std::int32_t* path = nullptr;
  std::byte* log = nullptr;
  SoloReceive* receives = nullptr;
  std::uint8_t* taken = nullptr;  // by message
  std::uint32_t issued = 0;       // receives
  std::uint32_t met_events = 0;   // receives and probes from any source so far
  std::uint32_t call = 0;         // calls since the copy was made
  std::uint32_t position = 0;     // of them: sends and collectives
  std::uint32_t decisions = 0;    // of this path
  bool copied = false;            // the copy was made
  bool copy = false;              // this is a copy
  bool following = false;         // it repeats the first path
  bool is_event = false;          // the receive that comes is one
  bool finalized = false;
};
extern SoloState solo;
extern Real actual;  // the library's own functions

// The log is not whole: nothing will be tried.
inline void solo_break() { solo.header->broken = 1; }
// The path ends here.
[[noreturn]] void solo_end(SoloEnd);
// Which of these sources the event gets on this path; copies are made for the others.
int solo_choose(std::int32_t event, const int* sources, int count);
// Puts the functions of solo_calls.cc into `real`; in a copy also where it has nothing to offer.
void solo_install();

}  // namespace vouch::shim
