#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/version.h"

namespace vouch {

namespace {

// Keys keep the order in which they are written: people read these files too.
using Json = nlohmann::ordered_json;

Json to_json(const Location& l) {
  Json j = {{"rank", l.rank},
            {"call", l.call},
            {"file", l.file},
            {"line", l.line},
            {"function", l.function}};
  if (l.offset != 0) j["offset"] = l.offset;
  if (!l.role.empty()) j["role"] = l.role;
  if (!l.others.empty()) j["others"] = l.others;
  if (!l.source.empty()) j["source"] = l.source;
  if (!l.from_file.empty())
    j["from"] = {{"file", l.from_file}, {"line", l.from_line}, {"function", l.from_function}};
  for (const Caller& c : l.stack) {
    j["stack"].push_back({{"function", c.function}, {"file", c.file}, {"line", c.line}});
    if (c.offset != 0) j["stack"].back()["offset"] = c.offset;
  }
  return j;
}

Json to_json(const Finding& f) {
  Json locations = Json::array();
  for (const Location& location : f.locations) locations.push_back(to_json(location));
  Json j = {{"rule", f.rule},           {"severity", name(f.severity)},
            {"title", f.title},         {"message", f.message},
            {"ranks", f.ranks},         {"count", f.count},
            {"locations", locations},   {"consequences", f.consequences},
            {"potential", f.potential}, {"mpi", f.clause},
            {"advice", f.advice},       {"again", f.again}};
  if (f.lines != 0) j["lines"] = f.lines;
  for (const SpawnedRanks& w : f.worlds)
    j["worlds"].push_back({{"first", w.first}, {"size", w.size}, {"spawned", w.spawned}});
  if (!f.picture.empty()) j["picture"] = {{"dot", f.picture.dot}, {"svg", f.picture.svg}};
  return j;
}

Json to_json(const Summary& s) {
  Json findings = Json::array(), gaps = Json::array(), omitted = Json::array();
  Json statistics = Json::object();
  for (const Finding& finding : s.findings) findings.push_back(to_json(finding));
  for (const NotChecked& gap : s.not_checked) {
    gaps.push_back({{"what", gap.what}, {"reason", gap.reason}, {"count", gap.count}});
    if (!gap.where.empty()) gaps.back()["where"] = gap.where;
  }
  for (const Omitted& rest : s.omitted)
    omitted.push_back({{"rule", rest.rule}, {"count", rest.count}});
  for (const auto& [key, value] : s.statistics) statistics[key] = value;
  return {{"vouch", version()},
          {"schema", kJsonSchema},
          {"verdict", name(s.verdict)},
          {"strict", s.strict},
          {"command", s.command},
          {"ranks", s.ranks},
          {"findings", findings},
          {"omitted", omitted},
          {"suppressed", s.suppressed},
          {"unused_suppressions", s.unused_suppressions},
          {"exploration",
           {{"schedules", s.exploration.schedules},
            {"exhausted", s.exploration.exhausted},
            {"pruned", s.exploration.pruned}}},
          {"statistics", statistics},
          {"not_checked", gaps},
          {"schedule", s.schedule},
          {"notes", s.notes}};
}

// By which agents know a finding again.
void name_cause(Json& json, const Finding& f) {
  if (!f.cause.empty()) json["cause"] = f.cause;
  if (!f.common.empty()) json["common"] = f.common;
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Reading. `get` takes what is there and of the right kind; the library throws on a wrong kind,
// caught at the top.
template <typename T>
void get(const Json& j, const char* key, T& value) {
  if (const auto at = j.find(key); at != j.end()) value = at->get<T>();
}

Severity severity_from(const std::string& text) {
  for (const Severity s : {Severity::error, Severity::warning, Severity::info})
    if (text == name(s)) return s;
  throw std::runtime_error("unknown severity " + text);
}

Verdict verdict_from(const std::string& text) {
  for (const Verdict v : {Verdict::clean, Verdict::error, Verdict::inconclusive})
    if (text == name(v)) return v;
  throw std::runtime_error("unknown verdict " + text);
}

Location location_from(const Json& j) {
  Location l;
  get(j, "rank", l.rank);
  get(j, "call", l.call);
  get(j, "role", l.role);
  get(j, "others", l.others);
  get(j, "file", l.file);
  get(j, "line", l.line);
  get(j, "function", l.function);
  get(j, "offset", l.offset);
  get(j, "source", l.source);
  if (const auto from = j.find("from"); from != j.end()) {
    get(*from, "file", l.from_file);
    get(*from, "line", l.from_line);
    get(*from, "function", l.from_function);
  }
  if (const auto stack = j.find("stack"); stack != j.end()) {
    for (const Json& caller : *stack) {
      l.stack.emplace_back();
      get(caller, "function", l.stack.back().function);
      get(caller, "file", l.stack.back().file);
      get(caller, "line", l.stack.back().line);
      get(caller, "offset", l.stack.back().offset);
    }
  }
  return l;
}

Finding finding_from(const Json& j) {
  Finding f;
  f.rule = j.at("rule").get<std::string>();
  f.severity = severity_from(j.at("severity").get<std::string>());
  get(j, "title", f.title);
  get(j, "message", f.message);
  get(j, "ranks", f.ranks);
  get(j, "count", f.count);
  get(j, "consequences", f.consequences);
  get(j, "potential", f.potential);
  get(j, "mpi", f.clause);
  get(j, "advice", f.advice);
  get(j, "again", f.again);
  if (const auto picture = j.find("picture"); picture != j.end()) {
    get(*picture, "dot", f.picture.dot);
    get(*picture, "svg", f.picture.svg);
  }
  get(j, "lines", f.lines);
  if (const auto worlds = j.find("worlds"); worlds != j.end()) {
    for (const Json& world : *worlds) {
      f.worlds.emplace_back();
      get(world, "first", f.worlds.back().first);
      get(world, "size", f.worlds.back().size);
      get(world, "spawned", f.worlds.back().spawned);
    }
  }
  get(j, "cause", f.cause);
  get(j, "common", f.common);
  if (const auto at = j.find("locations"); at != j.end())
    for (const Json& location : *at) f.locations.push_back(location_from(location));
  return f;
}

Summary summary_from(const Json& j) {
  if (j.at("schema").get<int>() != kJsonSchema)
    throw std::runtime_error("schema " + j.at("schema").dump() + " is not known, only 1");
  Summary s;
  s.verdict = verdict_from(j.at("verdict").get<std::string>());
  get(j, "strict", s.strict);
  get(j, "command", s.command);
  get(j, "ranks", s.ranks);
  get(j, "suppressed", s.suppressed);
  get(j, "unused_suppressions", s.unused_suppressions);
  get(j, "notes", s.notes);
  get(j, "schedule", s.schedule);
  for (const Json& finding : j.at("findings")) s.findings.push_back(finding_from(finding));
  if (const auto at = j.find("omitted"); at != j.end()) {
    for (const Json& rest : *at) {
      s.omitted.emplace_back();
      get(rest, "rule", s.omitted.back().rule);
      get(rest, "count", s.omitted.back().count);
    }
  }
  if (const auto at = j.find("not_checked"); at != j.end()) {
    for (const Json& gap : *at) {
      s.not_checked.emplace_back();
      get(gap, "what", s.not_checked.back().what);
      get(gap, "reason", s.not_checked.back().reason);
      get(gap, "count", s.not_checked.back().count);
      get(gap, "where", s.not_checked.back().where);
    }
  }
  if (const auto at = j.find("statistics"); at != j.end())
    for (const auto& [key, value] : at->items())
      s.statistics.emplace_back(key, value.get<std::uint64_t>());
  if (const auto at = j.find("exploration"); at != j.end()) {
    get(*at, "schedules", s.exploration.schedules);
    get(*at, "exhausted", s.exploration.exhausted);
    get(*at, "pruned", s.exploration.pruned);
  }
  return s;
}

template <typename T>
Result<T> read(std::string_view text, T (*from)(const Json&)) {
  try {
    return from(Json::parse(text));
  } catch (const std::exception& e) {
    return Error{std::string("not a report of vouch: ") + e.what()};
  }
}

}  // namespace

std::string write_json(const Summary& summary) { return dump(to_json(summary), 2) + '\n'; }
std::string write_json_line(const Summary& summary) {
  Json json = to_json(summary);
  for (std::size_t i = 0; i < summary.findings.size(); ++i)
    name_cause(json["findings"][i], summary.findings[i]);
  return dump(json, -1);
}
std::string write_json_line(const Finding& finding) {
  Json json = to_json(finding);
  name_cause(json, finding);
  return dump(json, -1);
}

Result<Summary> read_json(std::string_view text) { return read<Summary>(text, summary_from); }
Result<Finding> read_json_finding(std::string_view text) {
  return read<Finding>(text, finding_from);
}

}  // namespace vouch
