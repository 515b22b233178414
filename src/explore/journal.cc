#include "explore/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "report/json.h"

namespace vouch::explore {
namespace {

using Json = nlohmann::json;
using predict::Operation;

constexpr int kVersion = 5;

Json to_json(const Observation& run) {
  Json ops = Json::array();
  for (const Operation& op : run.program.ops)
    ops.push_back({static_cast<int>(op.kind), static_cast<int>(op.mode), op.blocking, op.by_test,
                   op.process, op.peer, op.tag, op.comm, op.wait, op.group, op.site.value,
                   op.completes});
  Json groups = Json::array();
  for (const predict::SyncGroup& g : run.program.groups)
    groups.push_back({static_cast<int>(g.kind), g.root, g.comm, g.members, g.ops, g.sources});
  Json members = Json::array();
  for (const auto& [comm, of] : run.members) members.push_back({comm, of});
  Json marks = Json::array();
  for (const Mark& m : run.marks) marks.push_back({m.abstracted, m.region});
  Json asked = Json::array();
  for (const Asked& a : run.asked)
    asked.push_back({info(a.call).name, a.thread, a.comm, a.picks, a.data});
  Json choices = Json::array();
  for (const Choice& c : run.choices)
    choices.push_back({c.wait, c.pick, c.several, c.chosen, c.open});
  Json picks = Json::array();
  for (const auto& of : run.picks) {
    policy::Schedule one;
    one.ranks[0].picks = of;
    picks.push_back(to_text(one));
  }
  return {{"ops", ops},         {"first", run.program.first},
          {"groups", groups},   {"sites", run.program.sites},
          {"met", run.met},     {"marks", marks},
          {"members", members}, {"cut", run.cut},
          {"asked", asked},     {"choices", choices},
          {"picks", picks},     {"whole", run.whole}};
}

Observation observation_of(const Json& j) {
  Observation run;
  for (const Json& o : j.at("ops")) {
    Operation op;
    op.kind = static_cast<predict::OpKind>(o.at(0).get<int>());
    op.mode = static_cast<predict::SendMode>(o.at(1).get<int>());
    op.blocking = o.at(2);
    op.by_test = o.at(3);
    op.process = o.at(4);
    op.peer = o.at(5);
    op.tag = o.at(6);
    op.comm = o.at(7);
    op.wait = o.at(8);
    op.group = o.at(9);
    op.site.value = o.at(10);
    op.completes = o.at(11).get<std::vector<OpId>>();
    run.program.ops.push_back(std::move(op));
  }
  run.program.first = j.at("first").get<std::vector<OpId>>();
  for (const Json& g : j.at("groups")) {
    predict::SyncGroup group;
    group.kind = static_cast<predict::SyncKind>(g.at(0).get<int>());
    group.root = g.at(1);
    group.comm = g.at(2);
    group.members = g.at(3).get<std::vector<int>>();
    group.ops = g.at(4).get<std::vector<OpId>>();
    group.sources = g.at(5).get<std::vector<std::vector<int>>>();
    run.program.groups.push_back(std::move(group));
  }
  run.program.sites = j.at("sites").get<std::vector<std::string>>();
  run.met = j.at("met").get<std::vector<OpId>>();
  for (const Json& m : j.at("marks")) run.marks.push_back({m.at(0), m.at(1)});
  run.cut = j.at("cut");
  run.whole = j.at("whole");
  for (const Json& a : j.at("asked"))
    run.asked.push_back(
        {proc_by_name(a.at(0).get<std::string>()), a.at(1), a.at(2), a.at(3), a.at(4)});
  for (const Json& c : j.at("choices"))
    run.choices.push_back({c.at(0), c.at(1), c.at(2), c.at(3).get<std::vector<int>>(),
                           c.at(4).get<std::vector<std::pair<int, OpId>>>()});
  for (const Json& p : j.at("picks")) {
    auto one = policy::parse_schedule(p.get<std::string>());
    run.picks.push_back(one.ok() ? one->ranks[0].picks : std::vector<policy::PickRun>{});
  }
  for (const Json& m : j.at("members"))
    run.members[m.at(0).get<int>()] = m.at(1).get<std::vector<int>>();
  return run;
}

Json to_json(const Alone& alone) {
  Json paths = Json::array();
  for (const Decisions& path : alone.differing) {
    Json one = Json::array();
    for (const Decision& d : path) one.push_back({d.event.rank, d.event.number, d.source, d.rank});
    paths.push_back(std::move(one));
  }
  return {{"whole", alone.whole}, {"same", alone.same}, {"why", alone.why}, {"differing", paths}};
}

Alone alone_of(const Json& j) {
  Alone alone;
  alone.whole = j.at("whole");
  alone.same = j.at("same");
  alone.why = j.at("why");
  for (const Json& path : j.at("differing")) {
    Decisions& one = alone.differing.emplace_back();
    for (const Json& d : path) one.push_back({{d.at(0), d.at(1)}, d.at(2), d.at(3)});
  }
  return alone;
}

// Indices that lead nowhere would be our own crash.
bool sound(const Observation& run) {
  const auto& p = run.program;
  const auto is_op = [&](OpId id) { return id == kNoOp || id < p.ops.size(); };
  if (run.met.size() != p.ops.size() || p.first.empty() || p.first.back() != p.ops.size() ||
      p.first[0] != 0 || (!run.marks.empty() && run.marks.size() != p.ops.size()) ||
      (!run.asked.empty() && run.asked.size() != p.ops.size()))
    return false;
  for (std::size_t i = 0; i < run.choices.size(); ++i) {
    const Choice& c = run.choices[i];
    if (c.wait >= p.ops.size() || p.ops[c.wait].kind != predict::OpKind::wait ||
        (i > 0 && c.wait <= run.choices[i - 1].wait) || c.pick >= kFirstPick ||
        std::any_of(c.chosen.begin(), c.chosen.end(), [](int place) { return place < 0; }) ||
        std::any_of(c.open.begin(), c.open.end(),
                    [&](const auto& o) { return o.first < 0 || o.second >= p.ops.size(); }))
      return false;
  }
  for (std::size_t i = 1; i < p.first.size(); ++i) {
    if (p.first[i] < p.first[i - 1] || p.first[i] > p.ops.size()) return false;
    for (OpId id = p.first[i - 1]; id < p.first[i]; ++id)
      if (p.ops[id].process != static_cast<int>(i) - 1) return false;
  }
  for (OpId id = 0; id < p.ops.size(); ++id) {
    const Operation& op = p.ops[id];
    if (!is_op(run.met[id]) || !is_op(op.wait) || op.process < 0 || op.process >= p.processes() ||
        op.peer >= p.processes() || op.site.value >= p.sites.size())
      return false;
    if (op.kind == predict::OpKind::send && op.peer < 0) return false;
    if (op.kind == predict::OpKind::sync && op.group >= p.groups.size()) return false;
    for (const OpId c : op.completes)
      if (c >= p.ops.size()) return false;
  }
  return true;
}

// The same of what a rank did alone: its paths are put into the tree and become schedules, which
// have a place for each decision up to the last.
bool sound(const Alone& alone, int processes) {
  constexpr int kMostNumber = static_cast<int>(policy::kMostDecisions / 4);
  const auto of_job = [&](int process) { return process >= 0 && process < processes; };
  const auto fits = [&](const Decision& d) {
    const EventId e = d.event;
    return of_job(e.rank) && e.number >= 0 &&
           (is_pick(e) || (e.number < kMostNumber && of_job(d.source) && of_job(d.rank)));
  };
  return std::all_of(alone.differing.begin(), alone.differing.end(), [&](const Decisions& path) {
    return std::all_of(path.begin(), path.end(), fits);
  });
}

Json subject_of(const Subject& s) {
  return {{"vouch-exploration", kVersion},
          {"command", s.command},
          {"ranks", s.ranks},
          {"options", s.options},
          {"order", s.order}};
}

Json part_of(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

// For a sentence, whatever a file says; of a string what is between the quotes.
std::string brief(const Json& value) {
  constexpr std::size_t kMost = 60;
  std::string text = value.dump(-1, ' ', true);
  if (value.is_string()) text = text.substr(1, text.size() - 2);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

// "with --clocks lvcp", "with --prove", "without --loops".
std::string with(const std::string& option, const Json& value) {
  if (value.is_null()) return "without " + brief(option);
  const std::string text = brief(value);
  return fmt::format("with {}{}{}", brief(option), text.empty() ? "" : " ", text);
}

// How the exploration in a file differs from the one that is asked for, behind the file's name; "":
// it does not.
std::string difference(const Json& head, const Json& asked) {
  if (part_of(head, "vouch-exploration") != asked["vouch-exploration"])
    return "was made by another version of vouch";
  if (part_of(head, "command") != asked["command"]) return "is the exploration of another program";
  if (part_of(head, "ranks") != asked["ranks"])
    return fmt::format("was made with {} ranks, not with {}", brief(part_of(head, "ranks")),
                       brief(asked["ranks"]));
  const Json options = part_of(head, "options");
  std::set<std::string> names;
  for (const auto& [name, value] : asked["options"].items()) names.insert(name);
  if (options.is_object())
    for (const auto& [name, value] : options.items()) names.insert(name);
  for (const std::string& name : names) {
    const Json then = part_of(options, name), now = part_of(asked["options"], name);
    if (then != now) return fmt::format("was made {}, not {}", with(name, then), with(name, now));
  }
  const Json order = part_of(head, "order");
  if (order == asked["order"]) return "";
  return fmt::format("was made {}, not {}", with("--order", order),
                     with("--order", asked["order"]));
}

}  // namespace

Journal::~Journal() {
  if (file_ != nullptr) std::fclose(file_);
}

void Journal::line(const std::string& text) {
  if (file_ == nullptr) return;
  broken_ |= std::fprintf(file_, "%s\n", text.c_str()) < 0 || std::fflush(file_) != 0;
}

Result<Journal> Journal::create(const std::string& path, const Subject& subject) {
  Journal journal;
  journal.file_ = std::fopen(path.c_str(), "we");
  if (journal.file_ == nullptr)
    return Error{fmt::format("cannot write to {}: {}", path, std::strerror(errno))};
  journal.line(subject_of(subject).dump(-1, ' ', false, Json::error_handler_t::replace));
  return journal;
}

void Journal::add(const Ran& ran) {
  if (file_ == nullptr) return;
  Json j = {{"job", ran.job.number},   {"started", ran.started},   {"unusable", ran.unusable},
            {"status", ran.status},    {"diverged", ran.diverged}, {"output", ran.output},
            {"schedule", ran.schedule}};
  if (ran.unusable.empty()) j["run"] = to_json(ran.seen);
  if (ran.alone) j["alone"] = to_json(*ran.alone);
  j["summary"] = write_json_line(ran.summary);
  line(j.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string Journal::order_of(const std::string& path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  const Json head = Json::parse(text, nullptr, false);
  return head.is_object() && head.contains("order") && head["order"].is_string()
             ? head["order"].get<std::string>()
             : "";
}

Result<Journal::Resumed> Journal::resume(const std::string& path, const Subject& subject) {
  std::ifstream in(path);
  if (!in) return Error{fmt::format("{} cannot be read", path)};
  Resumed all;
  std::string text;
  std::getline(in, text);
  const Json head = Json::parse(text, nullptr, false);
  if (!head.is_object() || !head.contains("vouch-exploration"))
    return Error{fmt::format("{} is no exploration", path)};
  if (const std::string other = difference(head, subject_of(subject)); !other.empty())
    return Error{fmt::format("{} {}", path, other)};
  std::streamoff good = in.tellg();
  while (std::getline(in, text) && !in.eof()) {
    try {
      const Json j = Json::parse(text);
      Ran ran;
      ran.job.number = j.at("job");
      ran.started = j.at("started");
      ran.unusable = j.at("unusable");
      ran.status = j.at("status");
      ran.diverged = j.at("diverged");
      ran.output = j.at("output");
      ran.schedule = j.at("schedule");
      if (ran.unusable.empty()) ran.seen = observation_of(j.at("run"));
      if (j.contains("alone")) ran.alone = alone_of(j.at("alone"));
      auto summary = read_json(j.at("summary").get<std::string>());
      if (!summary.ok() || (ran.unusable.empty() && !sound(ran.seen)) ||
          (ran.alone && !sound(*ran.alone, ran.seen.program.processes())))
        return Error{fmt::format("{} is damaged", path)};
      ran.summary = std::move(*summary);
      all.runs.push_back(std::move(ran));
    } catch (const Json::exception&) {
      break;
    }
    good = in.tellg();
  }
  if (::truncate(path.c_str(), good) != 0)
    return Error{fmt::format("cannot write to {}: {}", path, std::strerror(errno))};
  all.journal.file_ = std::fopen(path.c_str(), "ae");
  if (all.journal.file_ == nullptr)
    return Error{fmt::format("cannot write to {}: {}", path, std::strerror(errno))};
  return all;
}

}  // namespace vouch::explore
