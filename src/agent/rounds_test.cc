#include "agent/rounds.h"

#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "event/text.h"

namespace vouch {
namespace {

constexpr int kRanks = 3;

// How often each thing was said, in words that do not depend on when.
std::map<std::string, std::uint64_t> said(Collector& collector) {
  std::map<std::string, std::uint64_t> all;
  const Summary summary = collector.summary();
  for (const Finding& f : summary.findings) {
    std::string text = fmt::format("{}: {} {}", f.rule, f.message, rank_list(f.ranks));
    for (const Location& l : f.locations) text += fmt::format(" {}@{}", l.rank, l.line);
    all[text] += f.count;
  }
  for (const NotChecked& n : summary.not_checked) all[n.what + ": " + n.reason] += n.count;
  return all;
}

// What each rank does in one round; %r: itself, %n: next, %p: previous.
const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {
      // Plain ones.
      "%r Isend count=1 type=INT dest=%n tag=0 buf=0x1000 request=c&0x7000 @a.c:1\n"
      "%r Recv count=1 type=INT source=%p tag=0 buf=0x2000 status=STATUS_IGNORE @a.c:2\n"
      "%r Wait request=c&0x7000 status=STATUS_IGNORE @a.c:3\n"
      "%r Barrier @a.c:4\n",
      "%r Sendrecv sendcount=4 sendtype=DOUBLE dest=%n sendtag=3 sendbuf=0x1000 recvcount=4 "
      "recvtype=DOUBLE source=%p recvtag=3 recvbuf=0x2000 status=STATUS_IGNORE @b.c:1\n"
      "%r Allreduce count=4 type=DOUBLE op=SUM sendbuf=0x1000 recvbuf=0x3000 @b.c:2\n",
      "%r Irecv count=8 type=INT source=%p tag=1 buf=0x1000 request=a&0x7000 @c.c:1\n"
      "%r Isend count=8 type=INT dest=%n tag=1 buf=0x3000 request=b&0x7008 @c.c:2\n"
      "%r Waitall requests=[a,b]&0x7000 statuses=STATUSES_IGNORE @c.c:3\n"
      "%r Bcast count=4 type=INT root=0 buffer=0x1000 @c.c:4\n"
      "%r Barrier @c.c:5\n",
      "%r Barrier @d.c:1\n",
      "%r Issend count=3 type=CHAR dest=%n tag=2 buf=0x1000 request=s&0x7030 @l.c:1\n"
      "%r Irecv count=5 type=CHAR source=%p tag=2 buf=0x2000 request=a&0x7038 @l.c:2\n"
      "%r Wait request=a&0x7038 status=STATUS_IGNORE @l.c:3\n"
      "%r Wait request=s&0x7030 status=STATUS_IGNORE @l.c:4\n"
      "%r Allgather sendcount=1 sendtype=INT sendbuf=0x1000 recvcount=1 recvtype=INT "
      "recvbuf=0x4000 @l.c:5\n",
      // Findings.
      "%r Isend count=1 type=INT dest=%n tag=0 buf=0x1000 request=c&0x7000 @e.c:1\n"
      "%r Recv count=1 type=FLOAT source=%p tag=0 buf=0x2000 status=STATUS_IGNORE @e.c:2\n"
      "%r Wait request=c&0x7000 status=STATUS_IGNORE @e.c:3\n"
      "%r Barrier @e.c:4\n",
      "%r Bcast count=4 type=INT root=%r buffer=0x1000 @f.c:1\n"
      "%r Barrier @f.c:2\n",
      "%r Send count=1 type=INT dest=%n tag=0 buf=0x1000 @g.c:1\n"  // a potential deadlock
      "%r Recv count=1 type=INT source=%p tag=0 buf=0x2000 status=STATUS_IGNORE @g.c:2\n"
      "%r Barrier @g.c:3\n",
      "%r Isend count=1 type=INT dest=%n tag=-5 buf=0x1000 request=c&0x7000 @h.c:1\n"
      "%r Barrier @h.c:2\n",
      "%r Isend count=1 type=INT dest=%n tag=0 buf=0x1000 request=x&0x7010 @h.c:5\n"  // a leak
      "%r Recv count=1 type=INT source=%p tag=0 buf=0x2000 status=STATUS_IGNORE @h.c:6\n"
      "%r Barrier @h.c:7\n",
      // Not plain.
      "%r Isend count=1 type=INT dest=%n tag=0 buf=0x1000 request=c&0x7000 @i.c:1\n"
      "%r Recv count=1 type=INT source=ANY_SOURCE tag=0 buf=0x2000 -> status=(%p,0,4) @i.c:2\n"
      "%r Wait request=c&0x7000 status=STATUS_IGNORE @i.c:3\n"
      "%r Barrier @i.c:4\n",
      "%r Type_contiguous count=2 oldtype=INT -> newtype=t @j.c:1\n"
      "%r Type_commit datatype=t @j.c:2\n"
      "%r Type_free datatype=t @j.c:3\n"
      "%r Barrier @j.c:4\n",
      // No end of a round: the next one goes on behind it.
      "%r Isend count=1 type=INT dest=%n tag=9 buf=0x1000 request=d&0x7020 @k.c:1\n"
      "%r Recv count=1 type=INT source=%p tag=9 buf=0x2000 status=STATUS_IGNORE @k.c:2\n"
      "%r Wait request=d&0x7020 status=STATUS_IGNORE @k.c:3\n",
  };
  return all;
}

std::string round_of(std::size_t kind) {
  std::string text;
  for (int r = 0; r < kRanks; ++r) {
    const std::string& pattern = kinds()[kind];
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '%') {
        text += pattern[i];
        continue;
      }
      const char what = pattern[++i];
      text += std::to_string(what == 'r'   ? r
                             : what == 'n' ? (r + 1) % kRanks
                                           : (r + kRanks - 1) % kRanks);
    }
  }
  return text;
}

struct Lanes {
  std::vector<std::vector<std::uint64_t>> words = std::vector<std::vector<std::uint64_t>>(kRanks);
  std::vector<std::pair<int, std::size_t>> order;  // of the records: whose, and their bytes
};

Lanes lanes_of(const std::string& rounds) {
  std::string text;
  for (int r = 0; r < kRanks; ++r)
    text += fmt::format("{} Init_thread required=THREAD_SINGLE -> provided=THREAD_SINGLE\n", r);
  text += rounds;
  for (int r = 0; r < kRanks; ++r) text += fmt::format("{} Finalize\n", r);
  Result<TextTrace> trace = read_text(text);
  Lanes lanes;
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
  if (!trace) return lanes;
  for (const TextItem& item : trace->items) {
    if (item.what != TextItem::What::record) continue;
    const auto first = trace->words.begin() + static_cast<std::ptrdiff_t>(item.at);
    const std::uint32_t words = 2 + trace->event(item).header().words;
    auto& lane = lanes.words[static_cast<std::size_t>(item.rank)];
    lane.insert(lane.end(), first, first + words);
    lanes.order.emplace_back(item.rank, words * 8);
  }
  return lanes;
}

struct Outcome {
  std::map<std::string, std::uint64_t> said;
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  std::uint64_t skipped = 0;
};

// Records come bit by bit and are read as the agent reads rings.
Outcome run(const Lanes& lanes, bool in_rounds, std::uint32_t seed) {
  std::mt19937 random(seed), arrival(seed);
  World world;
  SiteTable sites;
  for (int line = 1; line < 64; ++line) sites.intern_text(fmt::format("a.c:{}", line));
  Collector sink(sites);
  Pipeline pipeline(world, sites, sink, make_analyses(world, sink));
  Rounds rounds(
      pipeline, [&] { return sink.told(); }, &sink);
  const auto count = static_cast<std::size_t>(kRanks);
  std::vector<std::size_t> there(count), read(count);
  for (std::size_t i = 0; i < count; ++i) {
    pipeline.add_process(static_cast<int>(i) + 1, WorldRank{static_cast<int>(i)});
    pipeline.add_thread(i, 0);
    for (std::uint32_t site = 0; site < 64; ++site) world.process(i).sites.push_back(Site{site});
  }
  const auto ahead = [&](std::size_t i) {
    return std::as_bytes(std::span(lanes.words[i])).subspan(read[i], there[i] - read[i]);
  };
  for (std::size_t come = 0; come < lanes.order.size();) {
    for (std::size_t n = arrival() % 600; n-- > 0 && come < lanes.order.size(); ++come)
      there[static_cast<std::size_t>(lanes.order[come].first)] += lanes.order[come].second;
    if (in_rounds) rounds.look();
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (in_rounds && rounds.waits(i)) continue;
        const std::size_t limit = 1 + random() % 5000;
        const std::size_t done =
            in_rounds ? rounds.feed(i, 0, ahead(i), limit) : pipeline.feed(i, 0, ahead(i), limit);
        read[i] += done;
        again = again || done > 0;
      }
      if (in_rounds && rounds.all_wait()) {
        std::vector<std::span<const std::byte>> bytes;
        std::vector<std::size_t> taken;
        for (std::size_t i = 0; i < count; ++i) bytes.push_back(ahead(i));
        rounds.go_on(bytes, taken);
        for (std::size_t i = 0; i < count; ++i) read[i] += taken[i];
        again = true;
      } else if (in_rounds && !again && rounds.any_waits()) {
        rounds.let_go();
        again = true;
      }
    }
    if (arrival() % 4 == 0) pipeline.pause({{}, std::vector<std::uint64_t>(count)}).run();
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(read[i], lanes.words[i].size() * 8);
    pipeline.end(i, End::exited, false);
  }
  pipeline.finish();
  return {said(sink), pipeline.statistics(0, 0), rounds.skipped()};
}

TEST(Rounds, what_repeats_is_read_once) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += round_of(0);
  const Lanes lanes = lanes_of(text);
  const Outcome plain = run(lanes, false, 1), skipping = run(lanes, true, 1);
  EXPECT_EQ(plain.said, skipping.said);
  EXPECT_TRUE(skipping.said.empty()) << skipping.said.begin()->first;
  EXPECT_EQ(plain.statistics, skipping.statistics);
  EXPECT_GT(skipping.skipped, 300u);
}

TEST(Rounds, known_findings_of_what_repeats_are_counted) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += round_of(5);
  const Lanes lanes = lanes_of(text);
  const Outcome plain = run(lanes, false, 1), skipping = run(lanes, true, 1);
  EXPECT_EQ(plain.said, skipping.said);
  ASSERT_EQ(skipping.said.size(), 1u);
  EXPECT_EQ(skipping.said.begin()->second, 1500u) << skipping.said.begin()->first;
  EXPECT_GT(skipping.skipped, 300u);
}

TEST(Rounds, agrees_with_reading_everything) {
  std::uint64_t skipped = 0;
  const std::uint32_t last = std::getenv("VOUCH_SLOW_TESTS") != nullptr ? 5000 : 100;
  for (std::uint32_t seed = 1; seed <= last; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < 12; ++i) {
      // Mostly plain ones, alone or in turns.
      const auto draw = [&] {
        return random() % 4 == 0 ? random() % kinds().size() : random() % 5;
      };
      const std::size_t one = draw(), other = random() % 3 == 0 ? draw() : one;
      for (std::size_t n = random() % 40; n-- > 0;) text += round_of(one) + round_of(other);
    }
    const Lanes lanes = lanes_of(text);
    const Outcome plain = run(lanes, false, seed), skipping = run(lanes, true, seed);
    ASSERT_EQ(plain.said, skipping.said) << "seed " << seed << "\n" << text;
    ASSERT_EQ(plain.statistics, skipping.statistics) << "seed " << seed;
    skipped += skipping.skipped;
  }
  EXPECT_GT(skipped, 1000u);
}

}  // namespace
}  // namespace vouch
