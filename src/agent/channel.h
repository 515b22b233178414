// What vouch and its agent say to each other, over one socket pair.
//
// Up go lines: a finding as soon as it is known, at the end the whole summary; so what is known
// survives the agent's death. Down go commands of fixed size. End of file tells either side that
// the other is gone.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vouch {

enum class CommandKind : std::uint32_t {
  time_limit,       // about to end the job: remember where every rank is (value: the limit in
                    // milliseconds), then answer
  interrupted,      // a signal from outside goes to the job (value: its number)
  launcher_failed,  // it failed itself, by its own words; value: its status. Comes before the next
                    // one
  launcher_ended,   // value: its wait status; pid: the launcher's, 0
                    // if its status says nothing of a process; named: a process that it named as
                    // the first that ended badly, 0: none. No more processes will come.
};

struct Command {
  CommandKind kind;
  std::int32_t value;
  std::int32_t pid;
  std::int32_t named = 0;
};
static_assert(sizeof(Command) == 16);

// deadlock: some ranks are stuck for good, which has been told as a finding; the text says how to
// look at them.
// invitation: for agents on other nodes, the first line if there may be any; empty: none can join.
enum class LineKind : char {
  finding = 'F',
  ready = 'R',
  summary = 'S',
  deadlock = 'D',
  invitation = 'J',
  notice = 'N'  // something that the user should know while the job runs
};

// False: the other side is gone.
bool send_command(int fd, const Command&);
bool send_line(int fd, LineKind, std::string_view json);

// Cuts a byte stream into what was sent. Commands come whole or not at all (they are tiny); lines
// may come in pieces.
class LineReader {
 public:
  struct Line {
    LineKind kind;
    std::string json;
  };
  void add(std::string_view bytes) { pending_.append(bytes); }
  std::optional<Line> next();

 private:
  std::string pending_;
  std::size_t searched_ = 0;
};

}  // namespace vouch
