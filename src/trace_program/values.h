// Values that came in messages, and conditions over them: how the words of a program (api/vouch.h)
// become conditions of its trace program.
//
// A condition names variables. One that lies where a receive has written stands for whatever
// message that receive may get, provided that it still holds what came in this run; any other one
// for its value. The values of messages are those that were sent in this run.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/claim.h"
#include "predict/program/ctp.h"

namespace vouch {

// An element within what a receive has written.
struct ReceivedAt {
  std::size_t op = 0;  // of its rank
  std::uint64_t offset = 0;
};

// Which receive was the last to get an address as its buffer.
class Received {
 public:
  void add(std::uint64_t address, std::uint64_t bytes, std::size_t op);
  std::optional<ReceivedAt> find(std::uint64_t address) const;

 private:
  struct Buffer {
    std::uint64_t end;
    std::size_t op;
  };
  std::map<std::uint64_t, Buffer> buffers_;
};

// Which element of the messages to a rank is spoken of.
struct Element {
  std::uint64_t offset = 0, bytes = 0;
  bool real = false;
  bool operator==(const Element&) const = default;
};

// Nothing: it is not among the bytes, or no integer.
std::optional<std::int64_t> number_in(std::string_view bytes, const Element&);

struct KeptClaim {
  wire::ClaimKind kind = wire::ClaimKind::assertion;
  bool holds = true;
  std::string condition{};
  std::vector<std::string> names{};
  std::vector<Term> terms{};
  std::vector<std::optional<ReceivedAt>> from{};  // of each term
};

inline constexpr std::string_view kTermName = "term.";
// The condition with term.0, term.1 ... for the names, and C's operators for those of Fortran.
std::string with_terms(std::string_view condition, const std::vector<std::string>& names);

// The messages of a run and what is said of them.
class Carrier {
 public:
  struct Message {  // an operation of a rank; those that are neither send nor receive are empty
    bool sends = false, receives = false;
    int comm = 0, source = -1, dest = -1, tag = -1;  // as it came about; -1: not known
    std::string_view value{};                        // of a send: its first bytes
    std::optional<ReceivedAt> forwards{};  // of a send: it reads what a receive has written
  };
  using Claims = std::map<std::size_t, KeptClaim>;  // by operation
  using Handles = std::vector<predict::Builder::Handle>;

  Carrier(std::vector<std::vector<Message>> messages, const std::vector<const Claims*>& claims);

  // What a receive got in this run.
  std::optional<std::int64_t> got(std::size_t rank, std::size_t op) const;
  predict::ExprId sent_value(predict::Builder&, std::size_t rank, std::size_t op,
                             const Handles&) const;
  // kNoExpr: it cannot be carried to other schedules. `gap` hears what is not as the program says.
  predict::ExprId condition(predict::Builder&, std::size_t rank, const KeptClaim&, const Handles&,
                            const std::function<void(const std::string&)>& gap) const;

 private:
  struct Which {
    std::size_t rank = 0, op = 0;
  };
  void match();
  void choose_elements(const std::vector<const Claims*>&);

  std::vector<std::vector<Message>> messages_;
  std::map<std::pair<std::size_t, std::size_t>, Which> sent_;  // rank, receive: the send
  std::vector<std::optional<Element>> elements_;               // by rank
};

// Some message that a condition could read was sent after a receive that could have got another
// message: its value might be another one, too.
bool values_may_differ(const predict::Program&);

}  // namespace vouch
