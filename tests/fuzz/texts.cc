// Texts that users give to vouch or edit: schedules, suppressions, the state of an exploration.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <span>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explore/campaign.h"
#include "explore/journal.h"
#include "fuzz.h"
#include "policy/plan.h"
#include "policy/schedule.h"
#include "report/json.h"
#include "report/suppressions.h"

#include <nlohmann/json.hpp>

namespace vouch::fuzz {

std::string mutate_text(Random& random, std::string text,
                        const std::vector<std::string_view>& words) {
  for (std::size_t n = 1 + random.below(random.one_in(4) ? 16 : 3); n > 0; --n) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t most = text.size() - at;
    const std::size_t length = most == 0 ? 0 : random.below(std::min<std::size_t>(most, 12) + 1);
    switch (random.below(8)) {
      case 0:
        if (most > 0) text[at] = static_cast<char>(random.next());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size() + 1), 1 + random.below(20)));
        break;
      case 3:
        text.insert(at, std::to_string(random.number()));
        break;
      case 4:
        text.insert(at, std::to_string(random.below(1000)));
        break;
      case 5:
        text.replace(at, length, std::to_string(random.below(20)));
        break;
      default:
        text.insert(at, words[random.below(words.size())]);
    }
  }
  return text;
}

namespace {

class Schedule : public Target {
 public:
  explicit Schedule(const std::string& corpus) : files_(files_of(corpus, ".schedule")) {
    files_.push_back({"short", "A0=1,2,1x3/2=3:nx12,y"});
    files_.push_back({"long", "A0=1t5,_,c,4-1,7x2/1=:0+2+1,u,_x3,nx1000/5=2-9,1"});
  }
  void run(Random& random) override {
    const std::string text =
        mutate_text(random, files_[random.below(files_.size())].bytes,
                    {"A", "/", "=", ",", "x", "t", "-", ":", "_", "c", "n", "y", "u", "+",
                     "x16777216", "0-16777215", "x1099511627776", "2147483647"});
    auto schedule = policy::parse_schedule(text);
    if (!schedule.ok()) return check_sentence(schedule.error());
    const std::string printed = policy::to_text(*schedule);
    auto again = policy::parse_schedule(printed);
    if (!again.ok() || !(*again == *schedule)) std::abort();
    policy::encode_plan(*schedule);
  }

 private:
  std::vector<File> files_;
};

Finding finding(const char* rule, const char* file, const char* function) {
  Finding f;
  f.rule = rule;
  Location l;
  l.file = file;
  l.function = function;
  f.locations.push_back(l);
  return f;
}

class Suppressing : public Target {
 public:
  explicit Suppressing(const std::string& corpus) : files_(files_of(corpus, ".supp")) {
    files_.push_back({"some",
                      "# known\nleak/* libfoo.c\nargument/rank a.c main\n* *.c operator new\n"
                      "deadlock/wait-cycle src/*/b.c [a-m]*\n"});
  }
  void run(Random& random) override {
    const std::string text =
        mutate_text(random, files_[random.below(files_.size())].bytes,
                    {"*", "?", "[", "]", "[!", "[[:alpha:]]", "\\", "/", "#", " ", "\n", "\t",
                     "leak/*", "****", "*a*a*a*a*a*a*a*a", "[a-z]*[a-z]*[a-z]*"});
    auto lines = Suppressions::parse(text, "a.supp");
    if (!lines.ok()) return check_sentence(lines.error());
    Summary summary;
    static const std::string kLong(300, 'a');
    summary.findings = {finding("leak/request", "/src/libfoo.c", "main"),
                        finding("argument/rank", kLong.c_str(), kLong.c_str()),
                        finding("deadlock/wait-cycle", "src/x/b.c", "a b c")};
    lines->apply(summary);
  }

 private:
  std::vector<File> files_;
};

// No program is there to be run again.
class Nobody : public explore::Runner {
 public:
  void start(const explore::Job&) override {}
  std::optional<explore::Ran> wait() override { return std::nullopt; }
};

class State : public Target {
 public:
  explicit State(const std::string& corpus) : files_(files_of(corpus, ".state")) {
    for (const File& file : files_) {
      const auto subject = subject_of(file.bytes.substr(0, file.bytes.find('\n')));
      if (!subject) std::abort();
      subjects_.push_back(*subject);
      lines_.push_back(lines_of(file.bytes));
    }
    fd_ = ::memfd_create("state", MFD_CLOEXEC);
    path_ = "/proc/self/fd/" + std::to_string(fd_);
  }
  void run(Random& random) override {
    if (files_.empty()) return;
    const std::size_t which = random.below(files_.size());
    std::string text = files_[which].bytes;
    const std::size_t head = text.find('\n') + 1;
    const bool as_text = random.one_in(4);
    std::string rest = as_text ? mutate_text(random, text.substr(head),
                                             {"[", "]", ",", "-", "null", "true", "{", "}", "\"",
                                              "1e9", "4294967295", "[[]]"})
                               : mutate_json(random, std::span(lines_[which]).subspan(1));
    // What is explored may be another thing, too; and the one who goes on may say the same.
    explore::Subject subject = subjects_[which];
    std::string first = text.substr(0, head);
    if (random.one_in(5)) {
      first = random.one_in(2) ? mutate_text(random, first,
                                             {"{", "}", ":", ",", "null", "-1", "1e99", "\\u0000",
                                              "novel", "{\"version\":4,"})
                               : mutate_json(random, lines_of(first));
      const auto other = subject_of(first.substr(0, first.find('\n')));
      if (other && random.one_in(2)) subject = *other;
    }
    text = first + rest;
    (void)!::ftruncate(fd_, 0);
    (void)!::pwrite(fd_, text.data(), text.size(), 0);
    explore::Journal::order_of(path_);
    auto resumed = explore::Journal::resume(path_, subject);
    if (!resumed.ok()) return check_sentence(resumed.error());
    explore::Bounds bounds;
    if (subject.order == "novel") bounds.order = explore::Bounds::Order::novel;
    explore::Search search(
        random.one_in(2) ? explore::Protocol::lamport : explore::Protocol::vector, bounds);
    Nobody nobody;
    explore::Limits limits{.runs = 50};
    limits.prove = random.one_in(2);
    limits.no_buffering = false;  // a solver would be asked
    explore::Campaign campaign(search, nobody, limits);
    for (explore::Ran& ran : resumed->runs) campaign.take(std::move(ran));
    campaign.run();
    write_json(campaign.summary());
  }

 private:
  static std::optional<explore::Subject> subject_of(const std::string& line) {
    const auto head = nlohmann::json::parse(line, nullptr, false);
    try {
      explore::Subject subject;
      subject.command = head.at("command").get<std::vector<std::string>>();
      subject.ranks = head.at("ranks");
      subject.options = head.at("options").get<std::map<std::string, std::string>>();
      subject.order = head.at("order");
      return subject;
    } catch (const nlohmann::json::exception&) {
      return std::nullopt;
    }
  }
  // Values deep inside become others of their kind, or other ones.
  static void change(Random& random, nlohmann::json& at, int depth = 0) {
    if (at.is_structured() && !at.empty() && (depth < 2 || !random.one_in(6))) {
      auto it = at.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(random.below(at.size())));
      if (at.is_array() && random.one_in(12)) {
        switch (random.below(3)) {
          case 0:
            at.erase(it);
            return;
          case 1: {
            const nlohmann::json copy = *it;
            at.push_back(copy);
            return;
          }
          default:
            std::swap(*it, at[random.below(at.size())]);
            return;
        }
      }
      return change(random, *it, depth + 1);
    }
    if (at.is_number()) {
      switch (random.below(4)) {
        case 0:
          at = static_cast<std::int64_t>(random.number());
          return;
        case 1:
          at = static_cast<std::int64_t>(random.below(40)) - 4;
          return;
        default:
          at = static_cast<std::int64_t>(at.get<std::uint64_t>() + random.below(5) - 2);
          return;
      }
    }
    if (at.is_boolean()) {
      at = !at.get<bool>();
    } else if (at.is_string()) {
      at = mutate_text(random, at.get<std::string>(), {"{", "A0=1", "MPI_Recv", ":", "\""});
    } else {
      at = nlohmann::json::array({1, 2});
    }
  }
  // As text and parsed; reading all of a file again for each input would take most of its time.
  struct Line {
    std::string text;
    nlohmann::json value;
  };
  static std::vector<Line> lines_of(const std::string& text) {
    std::vector<Line> lines;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      const std::string line = text.substr(from, end - from);
      lines.push_back({line, nlohmann::json::parse(line, nullptr, false)});
      from = end + 1;
    }
    return lines;
  }
  // What `vouch explore --prove` adds: other ways that one rank can go.
  static nlohmann::json alone(Random& random) {
    constexpr std::size_t kRanks = 3;
    nlohmann::json paths = nlohmann::json::array();
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      nlohmann::json& path = paths.emplace_back(nlohmann::json::array());
      for (std::size_t d = random.below(5); d > 0; --d) {
        const bool pick = random.one_in(6);
        const std::size_t number = random.below(4) + (pick ? explore::kFirstPick : 0);
        path.push_back({random.below(kRanks), number, random.below(kRanks), random.below(kRanks)});
      }
    }
    return {{"whole", true}, {"same", random.below(4)}, {"why", ""}, {"differing", paths}};
  }
  static std::string mutate_json(Random& random, std::span<const Line> lines) {
    std::map<std::size_t, nlohmann::json> changed;
    if (lines.size() > 1 && random.one_in(3)) {
      const std::size_t which = random.below(lines.size());
      nlohmann::json& run = changed[which] = lines[which].value;
      if (run.is_object()) {
        run["alone"] = alone(random);
        if (random.one_in(2)) change(random, run["alone"]);
      }
    }
    for (std::size_t n = 1 + random.below(5); n > 0 && !lines.empty(); --n) {
      const std::size_t which = random.below(lines.size());
      change(random, changed.try_emplace(which, lines[which].value).first->second);
    }
    std::string result;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto found = changed.find(i);
      result += found == changed.end()
                    ? lines[i].text
                    : found->second.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      result += '\n';
    }
    return result;
  }

  const std::vector<File> files_;
  std::vector<explore::Subject> subjects_;
  std::vector<std::vector<Line>> lines_;
  int fd_ = -1;
  std::string path_;
};

}  // namespace

std::unique_ptr<Target> make_schedule(const std::string& corpus) {
  return std::make_unique<Schedule>(corpus);
}
std::unique_ptr<Target> make_suppressions(const std::string& corpus) {
  return std::make_unique<Suppressing>(corpus);
}
std::unique_ptr<Target> make_state(const std::string& corpus) {
  return std::make_unique<State>(corpus);
}

}  // namespace vouch::fuzz
