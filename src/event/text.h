// The readable form of a trace, both ways.
//
// One line per call, in the order in which things happen:
//
//     0 Isend count=1 dest=1 tag=7 @ring.c:31 -> request=r1     # rank 0; what is left out takes a
//     sensible default 0.1 Recv source=ANY_SOURCE ...                            # thread 1 of rank
//     0; the call does not return (yet) 0.1 return -> status=(1,7,4)                              #
//     now it does: source, tag, bytes [, error class, flags] 1 Recv !ERR_TRUNCATE # returns that
//     error class 0 world size=4                                            # 0 raw, 0 exit 3, 0
//     signal 11, 0 killed 0 comm c1 size=2 rank=0 members=0,2                       # facts of a
//     communicator; runs=[0,2,5]: members as first, stride, length
//     0 block 0x1000 36 @a.c:3                      # memory that a call names: address, bytes,
//     kind 0 freed 0x1000 36 @a.c:9                      # and its end 0 modified @a.c:5 # the
//     buffer of the MPI_Isend there has changed 0 value 4                                     #
//     what the send above reads, by fours of bytes;
//                                                   # bytes=2: not all of them
//     0 load 0x1000 8 step=64 count=100 @a.c:3      # or store, atomic_load, atomic_store,
//                                                   # atomic_update; also stride= and rows=
//     0 exposed w 1 0x2000 64                       # in a shared window: memory of its rank 1
//     0 assert "x == 4" names="x" terms=[0x100,4,3] holds=0 @a.c:7    # or assume; a term is its
//                                                   # address, its form (wire::kTerm*), its value
//
// `0 threaded`: the program has started a thread.
// `^` in a call: it is held back (wire::kFlagHeld) until `0.1 issued`; `0.1 inside 0`: thread 1, in
// a call, meets thread 0 in one.
//
// Names go with or without MPI_, in any case. Handles are predefined names, numbers, or names of
// one's own: a name means one raw value in its rank, whatever its kind. Arrays are [1,2,3], strings
// "text". An output may also be named among the inputs.
// `&0x100` after a value (or alone) gives the address of what a pointer points to, `#3` the length
// of an output array.
//
// Every rank gets what a library would tell: constants, its place in MPI_COMM_WORLD, the facts of
// WORLD and SELF, and an MPI_Init unless its text starts with a call of the lifecycle family or
// with `raw`.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event.h"

namespace vouch {

// What happened next: a record, a return that wrote no record, or the end of a process.
struct TextItem {
  enum class What : std::uint8_t { record, returned, killed };
  What what;
  int rank;
  int thread;
  std::size_t at;  // record: its header in TextTrace::words; returned: header of the enter record
  int line;        // of the text
};

struct TextTrace {
  std::vector<std::uint64_t> words;  // records one after the other, each header takes two words
  std::vector<TextItem> items;
  std::vector<std::string> sites;  // site number -> "ring.c:31"; 0 is unknown
  int world_size = 0;

  Event event(const TextItem& item) const {
    return Event(reinterpret_cast<const wire::RecordHeader*>(&words[item.at]), &words[item.at + 2]);
  }
};

// The error names line and column: "3:17: MPI_Send has no parameter colour".
Result<TextTrace> read_text(std::string_view text);

// Where a printed call stands. constant_of names predefined handles and error classes of its
// process.
struct TextContext {
  int rank = 0;
  int thread = 0;
  std::string_view site;
  std::function<Constant(Kind, std::uint64_t raw)> constant_of;  // absent: those of read_text
};

// The call as one line without newline. Without a leave record the line ends in `...`.
std::string print_call(const Event& enter, const Event* leave, const TextContext&);
std::string print_leave(const Event& leave,
                        const TextContext&);                     // "0 return Isend -> request=0x51"
std::string print_claim(const Event& meta, const TextContext&);  // "0 assert \"a == 4\" ..."
std::string print_access(const Event& meta, const TextContext&);  // "0 load 0x1000 8 @a.c:3"
std::string print_sent(const Event& meta, const TextContext&);    // "0 value 4"
std::string print_meta(const Event& meta,
                       const TextContext&);  // a comment: "0 # module 1 0x7f00 \"/usr/bin/app\""

// One parameter as it stands in a line: value(param) of an enter record, result(param) of a leave
// record.
std::string print_value(const Event& enter, int param, const TextContext&);
std::string print_result(const Event& leave, int param, const TextContext&);

// What read_text gives to names

std::uint64_t text_handle(Constant);  // raw value of a predefined handle
std::int64_t text_value(Constant);    // what a value constant is announced as; error classes too
Constant text_constant(Kind, std::uint64_t raw);  // and back
struct TextSize {
  std::int64_t size, extent;
};
TextSize text_size(Constant datatype);  // LP64
// How a record holds a value constant where a parameter may name it: canonical, or the library's
// number.
std::int64_t recorded_value(Constant);
bool is_handle(Kind);   // datatype, comm … session
bool is_address(Kind);  // buffer, function …: never read through

}  // namespace vouch
