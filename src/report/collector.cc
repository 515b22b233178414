#include "report/collector.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/harm.h"
#include "report/ways.h"

namespace vouch {

namespace {

void add_rank(std::vector<int>& ranks, int rank) {
  if (rank < 0) return;  // a process that has not told its rank
  const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (at == ranks.end() || *at != rank) ranks.insert(at, rank);
}

// Whether a finding of this rule is about a pair of lines of which one may be wrong. Then what it
// says of them this time (another type in a loop) does not make another mistake of it.
bool about_pair(Rule rule) {
  switch (rule) {
    case Rule::type_mismatch:
    case Rule::type_equivalent:
    case Rule::type_truncation:
    case Rule::buffer_pending_overlap:
    case Rule::unmatched_send:
    case Rule::unmatched_ready_send:
      return true;
    default:
      return false;
  }
}

int offender(const Report& report) {
  return report.places.empty() ? -1 : report.places[0].rank.value;
}

// Whether a report is the one to be shown: that of the lowest ranks.
bool precedes(const std::vector<Place>& a, const std::vector<Place>& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Place& x, const Place& y) { return x.rank < y.rank; });
}

// The path as the debug information has it; people see less of it (where()).
const std::string& file_of(const SourcePlace& place) {
  return place.path.empty() ? place.file : place.path;
}

}  // namespace

int stage_of(std::string_view rule) {
  if (rule.starts_with("crash/")) return 1;
  if (rule.starts_with("leak/") || rule.starts_with("unmatched/") ||
      rule == info(Rule::lifecycle_no_finalize).id)
    return 2;
  return 0;
}

// Findings of checks that are switched off, kept apart.
class Collector::Unheard : public Sink {
 public:
  explicit Unheard(const Collector& heard) : findings(heard.sites_), heard_(heard) {}
  void report(Report report) override { findings.report(std::move(report)); }
  bool again(const Sketch& sketch) override { return findings.again(sketch); }
  // What is not shown is no consequence to be shown, either.
  bool consequence(WorldRank rank, Site site, Harms harms, std::string) override {
    return heard_.offends(rank, site, harms);
  }
  void not_checked(NotChecked) override {}  // as a whole it is
  Collector findings;

 private:
  const Collector& heard_;
};

Collector::Collector(SiteTable& sites) : sites_(sites) {}
Collector::~Collector() = default;

Sink& Collector::unheard() {
  if (unheard_ == nullptr) unheard_ = std::make_unique<Unheard>(*this);
  return *unheard_;
}

bool Collector::offends(WorldRank rank, Site site, Harms harms) const {
  return blamed(rank, site, harms) != kNobody ||
         (unheard_ != nullptr && unheard_->findings.offends(rank, site, harms));
}

std::uint64_t Collector::told() const {
  return told_ + (unheard_ != nullptr ? unheard_->findings.told() : 0);
}

std::size_t Collector::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = std::hash<std::string>{}(key.cause);
  h = mix(h, static_cast<std::uint64_t>(key.rule) << 8 | static_cast<std::uint64_t>(key.severity));
  for (const Site site : key.sites) h = mix(h, site.value);
  return key.common != 0 ? mix(h, key.common) : h;
}

// Of probe_. Once a line has had very many values, all others count as known.
std::unordered_map<Collector::Key, std::size_t, Collector::KeyHash>::const_iterator
Collector::find_known() {
  const auto at = known_.find(probe_);
  if (at != known_.end() || probe_.common == 0) return at;
  probe_.common = kAnyCommon;
  return known_.find(probe_);
}

void Collector::report(Report report) {
  ++told_;
  ++age_;
  probe_.rule = report.rule;
  probe_.severity = report.severity;
  probe_.common = report.common_key;
  probe_.cause.assign(about_pair(report.rule) ? std::string_view() : report.cause);
  probe_.sites.clear();
  for (const Place& place : report.places) {
    probe_.sites.push_back(place.site);
    // Without a site the procedure's name is all that tells two places apart.
    if (place.site.value == 0)
      probe_.cause.append(1, '\0').append(place.call, 0, place.call.find('('));
  }
  std::sort(probe_.sites.begin(), probe_.sites.end());
  probe_.sites.erase(std::unique(probe_.sites.begin(), probe_.sites.end()), probe_.sites.end());

  const std::uint64_t arrival = arrivals_++;
  auto at = find_known();
  bool is_new = false;
  if (at == known_.end()) {
    probe_.common = report.common_key;
    Key text = same_in_text(report);
    auto alike = by_text_.find(text);
    const bool new_line = alike == by_text_.end();
    if (new_line || report.common_key != 0) {
      const std::vector<Key> lines = lines_of(report);
      const std::size_t shared = join_entries(lines, new_line ? kNobody : whole(alike->second));
      is_new = shared == kNobody;
      if (is_new && !make_room(report.rule)) return;
      const std::size_t entry = is_new ? entries_.size() : shared;
      if (new_line) alike = by_text_.emplace(std::move(text), entry).first;
      if (is_new) {
        entries_.emplace_back();
        entries_.back().common = common_of(report);
      }
      if (new_line) ++entries_[entry].lines;
      for (const Key& line : lines) by_line_.try_emplace(line, entry);
      if (report.common_key != 0 && ++entries_[entry].commons >= kMaxCommons)
        probe_.common = kAnyCommon;
    }
    at = known_.emplace(probe_, alike->second).first;
    if (!report.places.empty()) add_way(entries_[whole(at->second)], report.places[0]);
  }
  const std::size_t which = whole(at->second);
  Entry& entry = entries_[which];
  more_places(entry, report);
  ++entry.count;
  for (const Place& place : report.places) {
    add_rank(entry.ranks, place.rank.value);
    for (const int rank : place.others) add_rank(entry.ranks, rank);
  }
  if (!report.places.empty()) {
    const Place& first = report.places[0];
    may_harm(report.rule, report.severity, first.rank, first.site, which);
  }
  for (const Involved& call : report.involved)
    may_harm(report.rule, report.severity, call.rank, call.site, which);

  // What did happen is worth more than what might have.
  const bool manifest = !is_new && entry.first.potential && !report.potential;
  const bool same_kind = is_new || entry.first.potential == report.potential;
  if (is_new || manifest || (same_kind && precedes(report.places, entry.first.places))) {
    if (!is_new) more_places(entry, entry.first);
    entry.first = std::move(report);
    entry.arrival = arrival;
  }
  if (is_new && hook_) hook_(finding(entry));
}

bool Collector::Recent::is(const Sketch& s) const {
  if (rule != s.rule || severity != s.severity || potential != s.potential ||
      places != s.places.size() || cause != s.cause)
    return false;
  if (common_key != s.common_key && (common_key != kAnyCommon || s.common_key == 0)) return false;
  for (std::size_t i = 0; i < places; ++i) {
    if (place[i].site != s.places[i].site || place[i].rank.value != s.places[i].rank.value)
      return false;
  }
  return true;
}

Collector::Recent& Collector::recent_of(const Sketch& s, std::uint64_t common_key) {
  if (recent_.empty()) recent_.resize(kRecent);
  std::uint64_t h = common_key ^ static_cast<std::uint64_t>(s.rule) << 40;
  h ^= std::uint64_t{s.places[0].site.value} << 8 ^
       static_cast<std::uint64_t>(s.places[0].rank.value);
  return recent_[(h * kGolden) >> 56];
}

bool Collector::recently(const Sketch& sketch) {
  if (!sketch.involved.empty()) return false;
  const Recent* recent = &recent_of(sketch, sketch.common_key);
  if (recent->age != age_ || !recent->is(sketch)) {
    if (sketch.common_key == 0) return false;
    recent = &recent_of(sketch, kAnyCommon);
    if (recent->age != age_ || !recent->is(sketch)) return false;
  }
  count(recent->entry);
  if (recent->blame != nullptr) blame(*recent->blame, recent->harms, recent->entry);
  return true;
}

// `probe_` is what it was found by.
void Collector::remember(const Sketch& sketch, std::size_t entry, Blame* harmed) {
  if (!sketch.involved.empty() || sketch.places.size() > kRecentPlaces) return;
  Recent& recent = recent_of(sketch, probe_.common);
  recent.age = age_;
  recent.rule = sketch.rule;
  recent.severity = sketch.severity;
  recent.potential = sketch.potential;
  recent.places = sketch.places.size();
  std::copy(sketch.places.begin(), sketch.places.end(), recent.place);
  recent.common_key = probe_.common;
  recent.cause.assign(sketch.cause);
  recent.entry = entry;
  recent.blame = harmed;
  recent.harms = harms_of(sketch.rule, sketch.severity);
}

void Collector::count(std::size_t at) {
  Entry& entry = entries_[at];
  ++arrivals_;
  ++entry.count;
  if (entry.counted++ == 0) counted_.push_back(at);
}

bool Collector::again(const Sketch& sketch) {
  if (sketch.places.empty()) return false;
  if (recently(sketch)) return true;
  probe_.rule = sketch.rule;
  probe_.severity = sketch.severity;
  probe_.cause.assign(about_pair(sketch.rule) ? std::string_view() : sketch.cause);
  probe_.common = sketch.common_key;
  probe_.sites.clear();
  for (const Involved& place : sketch.places) {
    if (place.site.value == 0) return false;  // its procedure would have to tell it apart
    probe_.sites.push_back(place.site);
  }
  std::sort(probe_.sites.begin(), probe_.sites.end());
  probe_.sites.erase(std::unique(probe_.sites.begin(), probe_.sites.end()), probe_.sites.end());
  const auto at = find_known();
  if (at == known_.end()) return false;
  const std::size_t which = whole(at->second);
  Entry& entry = entries_[which];
  const Involved& first = sketch.places[0];
  if (entry.first.potential != sketch.potential) return false;
  const auto lower = [](const auto& x, const auto& y) { return x.rank < y.rank; };
  if (std::lexicographical_compare(sketch.places.begin(), sketch.places.end(),
                                   entry.first.places.begin(), entry.first.places.end(), lower))
    return false;
  for (const Place& known : entry.also) {
    for (const Involved& place : sketch.places) {
      if (place.site == known.site && place.rank.value < known.rank.value) return false;
    }
  }
  count(which);
  for (const Involved& place : sketch.places) add_rank(entry.ranks, place.rank.value);
  Blame* const harmed = may_harm(sketch.rule, sketch.severity, first.rank, first.site, which);
  for (const Involved& call : sketch.involved)
    may_harm(sketch.rule, sketch.severity, call.rank, call.site, which);
  remember(sketch, which, harmed);
  return true;
}

// The lines of a pair, each as a key. The receive that an unmatched send nearly met explains it;
// the line that may be wrong is the send.
std::vector<Collector::Key> Collector::lines_of(const Report& report) {
  std::vector<Key> lines;
  if (!report.common.empty())
    lines.push_back({report.rule, report.severity, {}, with_places(report.common)});
  if (!about_pair(report.rule)) return lines;
  const bool alone = report.rule == Rule::unmatched_send;
  for (const Place& place : report.places) {
    const Site line = sites_.first_of_line(place.site);
    if (line.value != 0)
      lines.push_back({report.rule, report.severity, {line}, alone ? "" : report.cause});
    if (alone) break;
  }
  return lines;
}

// By what a finding of several lines is known, however many they become: of a pair, its first one.
std::string Collector::common_of(const Report& report) {
  if (!report.common.empty() || !about_pair(report.rule)) return with_places(report.common);
  std::vector<std::string> lines;
  for (const Place& place : report.places)
    lines.push_back(where(location({{}, place.site, {}, {}})) + ' ' +
                    place.call.substr(0, place.call.find('(')));
  std::sort(lines.begin(), lines.end());
  std::string text = report.cause;
  for (const std::string& line : lines) text.append(1, '\n').append(line);
  return text;
}

// Places of a report that its finding does not name yet. Of a line that several ranks have the
// lowest one is named, whoever came first.
void Collector::more_places(Entry& entry, const Report& report) {
  if (!entry.common.empty()) more_places(entry, report.places);
}

void Collector::more_places(Entry& entry, const std::vector<Place>& places) {
  for (const Place& place : places) {
    const Site line = sites_.first_of_line(place.site);
    const auto same = [&](const Place& p) { return sites_.first_of_line(p.site) == line; };
    const auto known = std::find_if(entry.also.begin(), entry.also.end(), same);
    if (known != entry.also.end()) {
      if (place.rank.value < known->rank.value) *known = place;
    } else if (entry.also.size() < kMaxAlso) {
      entry.also.push_back(place);
    }
  }
}

// Entries that have one of these lines become one.
std::size_t Collector::join_entries(const std::vector<Key>& lines, std::size_t also) {
  std::vector<std::size_t> all;
  if (also != kNobody) all.push_back(also);
  for (const Key& line : lines) {
    const auto known = by_line_.find(line);
    if (known != by_line_.end()) all.push_back(whole(known->second));
  }
  if (all.empty()) return kNobody;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) {
    absorb(entries_[all[0]], entries_[all[i]]);
    entries_[all[i]].into = all[0];
  }
  return all[0];
}

void Collector::absorb(Entry& into, Entry& from) {
  ++absorbed_;
  more_places(into, into.first);
  more_places(into, from.first);
  more_places(into, from.also);
  if (precedes(from.first.places, into.first.places)) {
    std::swap(into.first, from.first);
    std::swap(into.arrival, from.arrival);
  }
  for (const int rank : from.ranks) add_rank(into.ranks, rank);
  into.count += from.count;
  into.lines += from.lines;
  for (std::string& text : from.consequences) {
    auto& list = into.consequences;
    if (std::find(list.begin(), list.end(), text) == list.end() && list.size() < kMaxConsequences)
      list.push_back(std::move(text));
  }
  for (const Place& way : from.ways) add_way(into, way);
}

Collector::Counted Collector::take_counted() {
  Counted result;
  for (const std::size_t at : counted_)
    result.emplace_back(at, std::exchange(entries_[at].counted, 0));
  counted_.clear();
  return result;
}

void Collector::add(const Counted& counted, std::uint64_t times) {
  for (const auto& [at, count] : counted) entries_[whole(at)].count += count * times;
}

// What follows from this call later may be a consequence of that entry.
Collector::Blame* Collector::may_harm(Rule rule, Severity severity, WorldRank rank, Site site,
                                      std::size_t entry) {
  if (severity != Severity::error) return nullptr;
  const Harms harms = harms_of(rule, severity);
  if (!harms.any(Harm::failure | Harm::hang | Harm::damage)) return nullptr;
  Blame& of = offenders_[{rank.value, site.value}];
  blame(of, harms, entry);
  return &of;
}

void Collector::blame(Blame& of, Harms harms, std::size_t entry) {
  for (std::size_t i = 0; i < std::size(kLater); ++i) {
    if (harms.has(kLater[i])) of.entries[i] = entry;
  }
}

// One line, reached on several ways (--stacks).
void Collector::add_way(Entry& entry, const Place& place) {
  // An unrolled loop or an inlined function is several addresses and one way.
  const auto lines = [&](Site site) {
    std::vector<Site> all;
    for (const Site caller : sites_.path(site)) all.push_back(sites_.first_of_line(caller));
    return all;
  };
  if (sites_.path(place.site).empty()) return;
  const std::vector<Site> its = lines(place.site);
  const auto same = [&](const Place& way) { return lines(way.site) == its; };
  if (entry.ways.size() == kMaxWays || std::any_of(entry.ways.begin(), entry.ways.end(), same))
    return;
  entry.ways.push_back(place);
}

// The other ways than that of its first place, in an order that does not depend on which came
// first.
std::vector<Location> Collector::other_ways(const Entry& entry) {
  const auto key = [](const Location& l) {
    std::vector<std::pair<std::string, int>> frames;
    for (const Caller& c : l.stack) frames.emplace_back(c.file, c.line);
    return frames;
  };
  std::vector<Location> others;
  if (entry.ways.empty()) return others;
  const auto first = key(location(entry.first.places[0]));
  for (const Place& place : entry.ways) {
    Location other = location(place);
    if (other.stack.size() < 2 || key(other) == first) continue;
    other.role = also_called_from(other);
    others.push_back(std::move(other));
  }
  std::sort(others.begin(), others.end(),
            [&](const Location& a, const Location& b) { return key(a) < key(b); });
  return others;
}

bool Collector::make_room(Rule rule) {
  if (per_rule_.empty()) {
    per_rule_.resize(static_cast<std::size_t>(Rule::count_));
    omitted_.resize(per_rule_.size());
  }
  const auto index = static_cast<std::size_t>(rule);
  if (per_rule_[index] == kMaxPerRule) {
    ++omitted_[index];
    return false;
  }
  ++per_rule_[index];
  return true;
}

// probe_ with each site replaced by the first one of its line, and with the procedure: two calls
// may share a line.
Collector::Key Collector::same_in_text(const Report& report) {
  Key key = probe_;
  key.common = 0;
  key.cause = with_places(key.cause);
  for (Site& site : key.sites) site = sites_.first_of_line(site);
  std::sort(key.sites.begin(), key.sites.end());
  key.sites.erase(std::unique(key.sites.begin(), key.sites.end()), key.sites.end());
  if (!report.places.empty()) {
    const std::string& call = report.places[0].call;
    key.cause.append(1, '\0').append(call, 0, call.find('('));
  }
  return key;
}

std::size_t Collector::blamed(WorldRank rank, Site site, Harms harms) const {
  const auto at = offenders_.find({rank.value, site.value});
  std::size_t newest = kNobody;
  for (std::size_t i = 0; at != offenders_.end() && i < std::size(kLater); ++i) {
    if (!harms.has(kLater[i]) || at->second.entries[i] == kNobody) continue;
    const std::size_t entry = whole(at->second.entries[i]);
    if (newest == kNobody || entry > newest) newest = entry;
  }
  return newest;
}

bool Collector::consequence(WorldRank rank, Site site, Harms harms, std::string text) {
  const std::size_t at = blamed(rank, site, harms);
  if (at == kNobody)
    return unheard_ != nullptr &&
           unheard_->findings.consequence(rank, site, harms, std::move(text));
  Entry& entry = entries_[at];
  auto& list = entry.consequences;
  if (std::find(list.begin(), list.end(), text) != list.end()) return true;
  if (list.size() == kMaxConsequences)
    entry.more_consequences = true;
  else
    list.push_back(std::move(text));
  return true;
}

void Collector::harmful(Rule rule, WorldRank rank, Site site) {
  if (unheard_ != nullptr) unheard_->findings.harmful(rule, rank, site);
  ++age_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].into != kNobody) continue;
    Report& first = entries_[i].first;
    if (first.rule != rule || first.places.empty() || first.places[0].site != site) continue;
    if (!std::binary_search(entries_[i].ranks.begin(), entries_[i].ranks.end(), rank.value))
      continue;
    first.severity = Severity::error;
    may_harm(rule, Severity::error, rank, site, i);
  }
}

void Collector::forget() {
  if (unheard_ != nullptr) unheard_->findings.forget();
  ++age_;
  entries_.clear();
  absorbed_ = 0;
  known_.clear();
  by_text_.clear();
  by_line_.clear();
  counted_.clear();
  offenders_.clear();
  not_checked_.clear();
  per_rule_.assign(per_rule_.size(), 0);
  omitted_.assign(omitted_.size(), 0);
}

void Collector::not_checked(NotChecked gap) {
  ++told_;
  auto [at, is_new] = not_checked_.try_emplace({gap.what, gap.reason}, gap);
  if (!is_new) at->second.count += gap.count;
}

Summary Collector::summary() {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) {
    if (entry.into == kNobody) order.push_back(&entry);
  }
  if (unheard_ != nullptr) {
    for (const Entry& entry : unheard_->findings.entries_) {
      if (entry.into == kNobody && !entry.consequences.empty()) order.push_back(&entry);
    }
  }
  auto key = [](const Entry* e) {
    return std::tuple(e->first.severity, stage_of(info(e->first.rule).id), offender(e->first),
                      e->arrival);
  };
  std::sort(order.begin(), order.end(), [&](auto* a, auto* b) { return key(a) < key(b); });

  Summary summary;
  for (const Entry* entry : order) summary.findings.push_back(finding(*entry));
  for (std::size_t rule = 0; rule < omitted_.size(); ++rule)
    if (omitted_[rule])
      summary.omitted.push_back({info(static_cast<Rule>(rule)).id, omitted_[rule]});
  for (const auto& [key, gap] : not_checked_) {
    summary.not_checked.push_back(gap);
    if (gap.site.value != 0)
      summary.not_checked.back().where = where(location({{}, gap.site, {}, {}}));
  }
  summary.notes.insert(summary.notes.end(), notes_.begin(), notes_.end());
  if (sites_.lacks_lines())
    summary.notes.push_back("some code has no line numbers: compile with -g to see them");
  summary.verdict = judge(summary);
  return summary;
}

void Collector::name_worlds(Finding& f) {
  if (!worlds_) return;
  const std::vector<int> ranks = ranks_named(f);
  for (SpawnedRanks& world : worlds_()) {
    const auto lowest = std::lower_bound(ranks.begin(), ranks.end(), world.first);
    if (lowest == ranks.end() || *lowest >= world.first + world.size) continue;
    if (world.site.value != 0) world.spawned = where(location({{}, world.site, {}, {}}));
    f.worlds.push_back(std::move(world));
  }
}

Finding Collector::finding(const Entry& entry) {
  const Report& report = entry.first;
  const RuleInfo& rule = info(report.rule);
  Finding result;
  result.rule = rule.id;
  result.severity = report.severity;
  const bool cause = report.why != Cause::none;
  result.title = !report.title.empty() ? report.title : cause ? info(report.why).title : rule.title;
  result.clause = rule.clause;
  result.advice = !report.advice.empty() ? report.advice
                  : cause                ? info(report.why).advice
                                         : rule.advice;
  result.message = with_places(report.message);
  result.ranks = entry.ranks;
  result.count = entry.count;
  result.potential = report.potential;
  result.picture = {with_places(report.picture.dot), with_places(report.picture.svg)};
  result.cause = with_places(report.cause);
  result.common = entry.common;
  for (const Place& place : report.places) {
    const bool says_nothing = place.site.value == 0 && place.call.empty();
    if (!says_nothing || &place == &report.places[0]) result.locations.push_back(location(place));
  }
  std::vector<const Place*> also;
  for (const Place& place : entry.also) {
    const Site line = sites_.first_of_line(place.site);
    if (std::none_of(report.places.begin(), report.places.end(),
                     [&](const Place& p) { return sites_.first_of_line(p.site) == line; }))
      also.push_back(&place);
  }
  std::vector<Location> further;
  for (const Place* place : also) {
    further.push_back(location(*place));
    std::string& role = further.back().role;
    role = role.empty() ? kAlso : std::string(kAlso) + ": " + role;
  }
  // By line: which place was seen first decides nothing.
  std::sort(further.begin(), further.end(), [](const Location& a, const Location& b) {
    return std::tie(a.rank, a.file, a.line, a.offset) < std::tie(b.rank, b.file, b.line, b.offset);
  });
  for (Location& more : further) result.locations.push_back(std::move(more));
  if (entry.also.size() == kMaxAlso && entry.lines > kMaxAlso) result.lines = entry.lines;
  for (Location& other : other_ways(entry)) result.locations.push_back(std::move(other));
  for (const std::string& text : entry.consequences)
    result.consequences.push_back(with_places(text));
  if (entry.more_consequences) result.consequences.push_back("and more like these");
  name_worlds(result);
  return result;
}

Location Collector::location(const Place& place) {
  const SourcePlace& source = sites_.resolve(place.site);
  Location result;
  result.rank = place.rank.value;
  result.call = place.call;
  result.role = with_places(place.role);
  result.others = place.others;
  result.file = file_of(source);
  result.function = source.function;
  result.line = source.line;
  result.offset = source.offset;
  result.source = sites_.source_line(place.site);
  if (const SourcePlace* from = sites_.application_frame(place.site)) {
    result.from_file = file_of(*from);
    result.from_function = from->function;
    result.from_line = from->line;
  }
  std::vector<Site> stack = place.stack;
  if (const std::vector<Site>& path = sites_.path(place.site); stack.empty() && !path.empty()) {
    stack = {place.site};
    stack.insert(stack.end(), path.begin(), path.end());
  }
  if (stack.empty() && !place.call.empty()) {
    const auto known = running_.find({place.rank.value, place.site.value});
    if (known != running_.end()) stack = known->second;
  }
  for (const Site site : stack) {
    if (!result.stack.empty() && sites_.in_runtime(site)) continue;
    const SourcePlace& caller = sites_.resolve(site);
    result.stack.push_back({caller.function, file_of(caller), caller.line, caller.offset});
    // What calls it is not the user's.
    if (caller.function == "main" || caller.function == "main program") break;
  }
  return result;
}

// Puts "ring.c:31" where mention() left a mark.
std::string Collector::with_places(const std::string& text) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t open; (open = text.find('\x01', done)) != std::string::npos;) {
    const std::size_t close = text.find('\x02', open);
    if (close == std::string::npos) break;
    std::uint32_t number = 0;
    const char* end = text.data() + close;
    // A message may hold text of the program, and that anything.
    const bool ours =
        std::from_chars(text.data() + open + 1, end, number).ptr == end && number < sites_.size();
    result.append(text, done, open - done);
    if (ours) result += where(location({{}, Site{number}, {}, {}}));
    done = close + 1;
  }
  return result.append(text, done);
}

}  // namespace vouch
