// One call under judgement: the words of its record, the objects they name, and how to say what is
// wrong.

#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/argument/plan.h"

namespace vouch {

class Argument;

// What a raw handle is to the model.
enum class Standing : std::uint8_t {
  live,
  null,
  invalid,  // no handle: what Open MPI makes of a Fortran handle that was freed or never made
  stale,    // was freed
  unknown,  // its birth was not seen: never a finding [U55]
  quiet,    // born of a call that had a finding: say no more
};

template <typename T>
struct Found {
  Standing standing = Standing::unknown;
  const T* object = nullptr;  // live, stale
};

// What is wrong: a rule, or one of its causes.
struct Charge {
  Charge(Rule r) : rule(r), severity(vouch::info(r).severity) {}
  Charge(Rule r, Severity s) : rule(r), severity(s) {}
  Charge(Cause c) : Charge(vouch::info(c).rule) { why = c; }
  Charge(Cause c, Severity s) : Charge(vouch::info(c).rule, s) { why = c; }
  Rule rule;
  Severity severity;
  Cause why = Cause::none;
};

// Other places of a finding, as long as it is not known whether there is one to be told.
struct Trail {
  Site site;
  Proc by = Proc::none;
  const char* role = "";
};
struct Trails {
  Trail list[2];
  int count = 0;
  // All that is wrong at these places is wrong for one reason, wherever it shows (Report::common).
  bool shared = false;
  void add(Site site, Proc by, const char* role) { list[count++] = {site, by, role}; }
};

// What lines have in common that use one wrong value (Report::common).
struct WrongValue {
  const char* what;  // "rank", "count"
  std::int64_t value = 0;
  const Object* of = nullptr;  // the communicator or other object that it is wrong for
  std::int64_t more = 0;       // what else tells it apart
  std::uint64_t key() const;
  std::string text() const;
};

class Checker {
 public:
  Checker(Argument& owner, const Plan& plan, Process& process, Call& call)
      : process(process),
        call(call),
        event(call.enter()),
        info(call.info()),
        plan(plan),
        owner_(owner) {}

  Process& process;
  Call& call;
  const Event event;
  const ProcInfo& info;
  const Plan& plan;

  const Param& param(int i) const { return info.params[static_cast<std::size_t>(i)]; }
  std::int64_t value(int i) const { return event.value(i); }

  template <typename T>
  Found<T> find(const Table<T>& table, Kind kind, std::uint64_t raw) const {
    if (process.is_null(kind, raw)) return {Standing::null, nullptr};
    if (raw == 0 && process.library == wire::Library::openmpi) return {Standing::invalid, nullptr};
    if (const T* object = table.find(raw))
      return {object->poisoned ? Standing::quiet : Standing::live, object};
    if (const T* object = table.stale(raw))
      return {object->poisoned ? Standing::quiet : Standing::stale, object};
    return {};
  }

  // A live object that may be relied on, else nullptr.
  const Communicator* comm(int param) const;
  const Communicator* comm() const { return plan.comm >= 0 ? comm(plan.comm) : nullptr; }
  const Window* window(int param) const;
  const Group* group(int param) const;
  const Datatype* datatype(std::uint64_t raw) const;
  const Op* op(int param) const;

  // Whether this process had to pass a meaningful value [U50].
  bool significant(int param) const;
  // Number of elements an array parameter should have, as far as the call tells; -1 unknown.
  std::int64_t wanted_length(int param) const;
  // Element i of a counted parameter: the count that says whether datatype i matters. 1 if nothing
  // counts it.
  std::int64_t count_at(int count_param, std::uint64_t i) const;
  bool any_counted(int count_param) const;

  // `text` gives the message; it is called only if the finding is a new one.
  template <typename Text>
  void fire(const Charge& charge, int param, Text text, const Trails& more = {}) {
    if (!known(charge, param, more)) tell(charge, param, std::string(text()), more, {});
  }
  // With what lines have in common that are wrong for one reason (Report::common).
  template <typename Text, typename Common>
  void fire(const Charge& charge, int param, Text text, const Trails& more, Common common) {
    if (!known(charge, param, more)) tell(charge, param, std::string(text()), more, common());
  }
  // What is wrong is a value, which other lines may use, too.
  template <typename Text>
  void fire(const Charge& charge, int param, Text text, const Trails& more,
            const WrongValue& value) {
    const std::uint64_t key = value.key();
    if (!known(charge, param, more, key))
      tell(charge, param, std::string(text()), more, value.text(), key);
  }
  // What the process does later may follow from this call.
  void record_damage();
  // The object behind this parameter is not known: the call counts as not checked.
  void unseen(int param);

  bool port_is_closed(const std::string& name) const;  // by this process
  // Some object still has, or may have, an attribute with it.
  bool keyval_is_held(std::uint64_t raw) const;

  // Words for messages.
  std::string show(int param) const;                      // "dest=4"
  std::string show(int param, std::int64_t value) const;  // "dest=MPI_ANY_SOURCE"
  std::string show(int param, std::uint64_t index, std::int64_t value) const;  // "recvcounts[2]=-1"
  std::string name(
      const Communicator&) const;  // "MPI_COMM_WORLD", "the communicator of MPI_Comm_split"
  std::string name(const Datatype&) const;
  std::string name(const Op&) const;
  // Where a user-made object comes from; nothing for a predefined one.
  Trails origin(const Object&) const;
  // The same for an object that is wrong itself, wherever it is used.
  Trails root(const Object&) const;
  Trails death(const Object&) const;  // freed here, made here
  Trails null_origin(Kind) const;     // where the only null handle comes from, if that is known
  // Of null handles that no call gave: the program wrote the constant itself. "": some call did.
  std::string common_null(Kind) const;

 private:
  bool known(const Charge&, int param, const Trails&, std::uint64_t common_key = 0);
  void tell(const Charge&, int param, std::string message, const Trails&, std::string common,
            std::uint64_t common_key = 0);
  std::string name_of(const Object&, const char* what) const;
  bool at_root(const Communicator&) const;
  bool all_in_place(int param) const;

  Argument& owner_;
};

// What is wrong with a handle of a kind, but requests and messages, that is none.
Cause invalid_handle(Kind);
// Name of a value where a constant may stand.
std::string value_text(std::int64_t value);
// A value in an array of plain ints, where the library's own number of a constant stands.
bool is_library_value(const Process&, Constant, std::int64_t value);

}  // namespace vouch
