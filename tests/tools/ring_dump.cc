// A minimal agent for tests: runs a command with the shim preloaded and prints what its processes
// record.
//
//     ring_dump PRELOAD command…          one JSON object per record, in the order of each process
//     ring_dump --count PRELOAD command…  only numbers, for long runs
//
// Its exit status is that of the command.

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/proc.h"
#include "record/handshake.h"
#include "record/ring_reader.h"

namespace vouch {
namespace {

using nlohmann::json;

bool counting = false;

json value_of(std::int64_t v) {
  const auto u = static_cast<std::uint64_t>(v);
  if (v == wire::kAnySource) return "ANY_SOURCE";
  if (v == wire::kProcNull) return "PROC_NULL";
  if (v == wire::kRoot) return "ROOT";
  if (v == wire::kAnyTag) return "ANY_TAG";
  if (v == wire::kUndefined) return "UNDEFINED";
  if (wire::is_canonical(v)) return info(static_cast<Constant>(v - wire::kConstantBase)).name;
  if (u == wire::kInPlace) return "IN_PLACE";
  if (u == wire::kIgnore) return "IGNORE";
  if (u == wire::kUnweighted) return "UNWEIGHTED";
  if (u == wire::kWeightsEmpty) return "WEIGHTS_EMPTY";
  if (u == wire::kInsignificant) return "INSIGNIFICANT";
  return v;
}

json status_of(const wire::Status& s) {
  return {{"source", s.source},
          {"tag", s.tag},
          {"error", s.error},
          {"flags", s.flags},
          {"bytes", s.bytes}};
}

json array_of(const ArrayView& array, const Param& p) {
  if (p.elem_size == 1) return std::string(array.text());
  json list = json::array();
  for (std::uint64_t i = 0; i < array.size(); ++i) {
    list.push_back(p.kind == Kind::status ? status_of(array.status(i)) : value_of(array[i]));
  }
  return list;
}

json arguments(const Event& e) {
  json out = json::object();
  const ProcInfo& proc = e.info();
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const Param& p = proc.params[static_cast<std::size_t>(i)];
    if (p.is_array() && p.shape != Shape::array_out && e.length(i) > 0) {
      out[p.name] = array_of(e.array(i), p);
    } else if (p.shape == Shape::pointer_inout) {
      out[p.name] = value_of(e.value(i));
    } else {
      out[p.name] = value_of(static_cast<std::int64_t>(e.address(i)));
    }
  }
  return out;
}

json results(const Event& e) {
  json out = json::object();
  const ProcInfo& proc = e.info();
  if (e.header().words < proc.leave_words) return out;
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const Param& p = proc.params[static_cast<std::size_t>(i)];
    if (p.leave_word < 0) continue;
    if (p.is_array()) {
      out[p.name] = array_of(e.result_array(i), p);
    } else if (p.kind == Kind::status) {
      out[p.name] = status_of(e.result_status(i));
    } else {
      out[p.name] = value_of(e.result(i));
    }
  }
  return out;
}

struct Ring {
  RingReader reader;
  wire::Hello hello;
  std::vector<std::byte> blob;
  std::uint64_t records = 0, enters = 0, leaves = 0;
};

constexpr std::array kMeta = {
    "none",   "library", "module", "site",   "python_site", "constant", "communicator", "world",
    "blob",   "thread",  "exit",   "signal", "lost",        "block",    "freed",        "modified",
    "issued", "inside",  "claim",  "value",  "polls",       "decided",  "diverged",     "threaded"};
static_assert(kMeta.size() == static_cast<std::size_t>(wire::Meta::threaded) + 1);

json meta(const RingReader::Record& r) {
  json out{{"meta", kMeta[r.header->proc]}};
  const std::uint64_t* w = r.words;
  const std::uint64_t* end = r.words + r.header->words;
  const auto text = [&] {
    const std::uint64_t length = *w++;
    const std::string s(reinterpret_cast<const char*>(w), length);
    w += (length + 7) / 8;
    return s;
  };
  switch (static_cast<wire::Meta>(r.header->proc)) {
    case wire::Meta::library:
      w += 2;
      out["words"] = {r.words[0], r.words[1]};
      out["text"] = text();
      break;
    case wire::Meta::module:
      w += 2;
      out["module"] = r.words[0];
      out["base"] = r.words[1];
      out["path"] = text();
      break;
    case wire::Meta::python_site:
      w += 2;
      out["site"] = r.words[0];
      out["line"] = r.words[1];
      out["file"] = text();
      out["function"] = text();
      break;
    case wire::Meta::constant:
      w = end;
      out["name"] = info(static_cast<Constant>(r.words[0])).name;
      out["value"] = value_of(static_cast<std::int64_t>(r.words[1]));
      out["size"] = r.words[2];
      out["extent"] = r.words[3];
      break;
    case wire::Meta::blob:
      w = end;
      out["bytes"] = r.words[0];
      break;
    default:
      out["words"] = json::array();
      while (w < end) out["words"].push_back(value_of(static_cast<std::int64_t>(*w++)));
  }
  if (w != end) out["bad"] = true;
  return out;
}

void print(Ring& ring, const RingReader::Record& r) {
  ++ring.records;
  ring.enters += r.header->phase == wire::Phase::enter;
  ring.leaves += r.header->phase == wire::Phase::leave;
  if (counting) return;
  json out;
  if (r.header->phase == wire::Phase::meta) {
    out = meta(r);
    if (r.header->proc == static_cast<std::uint16_t>(wire::Meta::blob)) {
      const auto* data = reinterpret_cast<const std::byte*>(r.words + 1);
      ring.blob.insert(ring.blob.end(), data, data + r.words[0]);
    }
  } else {
    const bool blob = (r.header->flags & wire::kFlagBlob) != 0;
    const Event e = blob ? Event(r.header, r.words, ring.blob.data()) : Event(r.header, r.words);
    out = {{"proc", e.info().name},
           {"phase", e.is_enter() ? "enter" : "leave"},
           {"flags", r.header->flags},
           {"site", r.header->site}};
    if (e.is_enter()) {
      out["args"] = arguments(e);
    } else {
      out["error"] = e.error_class();
      out["args"] = results(e);
    }
    if (blob) ring.blob.clear();
  }
  out["rank"] = ring.hello.rank_hint;
  out["pid"] = ring.hello.pid;
  out["thread"] = ring.hello.thread;
  out["seq"] = r.header->seq;
  fmt::print("{}\n", out.dump());
}

class Dump {
 public:
  int run(char** command, const char* preload) {
    const std::string name = fmt::format("vouch-dump-{}", ::getpid());
    listening_ = listen_for_ranks(name.c_str());
    bell_memory_ = make_bell_memory();
    bell_ = map_bell(bell_memory_);
    if (listening_ < 0 || bell_ == nullptr) return 2;
    if (std::getenv("RING_DUMP_YIELD") != nullptr) bell_->yield.store(1);
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setenv("VOUCH_SOCKET", name.c_str(), 1);
      ::setenv("LD_PRELOAD", preload, 1);
      ::execvp(command[0], command);
      ::_exit(127);
    }
    int status = 0;
    bool over = false;
    while (!over) {
      over = ::waitpid(child, &status, WNOHANG) == child;
      accept();
      const bool busy = drain();
      if (!over && !busy) BellReader(*bell_).sleep(1, [] { return true; });
    }
    while (drain()) {
    }
    summary();
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  void accept() {
    int connection;
    while ((connection = accept_rank(listening_)) >= 0) connections_[connection] = false;
    for (auto& [fd, greeted] : connections_) {
      wire::Hello hello;
      int memfd = -1;
      while (receive_hello(fd, hello, memfd) == 1) {
        auto reader = RingReader::map(memfd, hello.ring_bytes);
        ::close(memfd);
        if (!reader) continue;
        rings_.push_back(std::make_unique<Ring>(Ring{std::move(reader).value(), hello, {}}));
        if (!greeted) greeted = send_bell(fd, bell_memory_);
      }
    }
  }
  bool drain() {
    bool any = false;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      RingReader::Record record;
      int budget = 10000;
      while (budget-- > 0 && rings_[i]->reader.next(record)) {
        print(*rings_[i], record);
        any = true;
      }
      rings_[i]->reader.release();
    }
    return any;
  }
  void summary() {
    for (auto& ring : rings_) {
      json out{{"ring", ring->hello.rank_hint},
               {"pid", ring->hello.pid},
               {"thread", ring->hello.thread},
               {"records", ring->records},
               {"enters", ring->enters},
               {"leaves", ring->leaves},
               {"closed", ring->reader.closed()},
               {"corrupt", ring->reader.corrupt()},
               {"polls", ring->reader.header().polls.load()},
               {"left", ring->reader.header().left.load()},
               {"entered", ring->reader.header().entered.load()},
               {"waits", ring->reader.header().full_waits.load()}};
      if (std::span<const std::byte> poll; ring->reader.tentative(poll) && poll.size() >= 16)
        out["tentative"] =
            info(static_cast<Proc>(reinterpret_cast<const wire::RecordHeader*>(poll.data())->proc))
                .name;
      fmt::print("{}\n", out.dump());
    }
  }

  int listening_ = -1, bell_memory_ = -1;
  Bell* bell_ = nullptr;
  std::map<int, bool> connections_;
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace
}  // namespace vouch

int main(int argc, char** argv) {
  int at = 1;
  if (argc > 1 && std::strcmp(argv[1], "--count") == 0) {
    vouch::counting = true;
    ++at;
  }
  if (argc - at < 2) return 64;
  return vouch::Dump().run(argv + at + 1, argv[at]);
}
