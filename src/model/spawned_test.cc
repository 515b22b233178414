// Who belongs to a spawned world, and what its processes are called [U72].

#include <gtest/gtest.h>

#include "model/effect.h"
#include "model/replay.h"

namespace vouch {
namespace {

constexpr std::uint64_t kHome = 11, kFirst = 21, kSecond = 31;

// Two parents, numbered by the launcher, and what they record.
struct Job {
  World world;
  Replay replay{world};
  explicit Job(std::string_view text) {
    for (const int rank : {0, 1})
      world.name(replay.process(rank), {kHome, process_name(rank), 0, rank, 2});
    const Result<TextTrace> trace = read_text(text);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    if (trace.ok()) replay.run(trace.value());
  }
  static std::uint64_t process_name(int rank) { return 100 + static_cast<std::uint64_t>(rank); }

  // A process of a spawned world as it comes: with its names, then with what its MPI says.
  Process& spawn(std::uint64_t name, int rank, int size, int parent) {
    Process& p = world.add_process(2000, WorldRank{rank});
    if (world.name(p, {name, 0, process_name(parent), rank, size})) world.find_parents(p);
    return p;
  }
  void starts(Process& p, int rank, int size) {
    constant(p, Constant::comm_world, 0x44);
    constant(p, Constant::comm_null, 0x40);
    meta(p, wire::Meta::world, {word(rank), word(size), 32767, 0, 0x50});
    meta(p, wire::Meta::communicator,
         {0x44, word(size), word(rank), word(-1), 0, 0, 0, 1, 0, 1, word(size)});
  }
  void constant(Process& p, Constant c, std::uint64_t raw) {
    meta(p, wire::Meta::constant, {static_cast<std::uint64_t>(c), raw, 0, 0});
  }
  void meta(Process& p, wire::Meta what, std::vector<std::uint64_t> words) {
    const wire::RecordHeader header{static_cast<std::uint16_t>(what),
                                    wire::Phase::meta,
                                    0,
                                    static_cast<std::uint32_t>(words.size()),
                                    1,
                                    0};
    world.apply_meta(p, 0, Event(&header, words.data()));
  }
  static std::uint64_t word(int v) { return static_cast<std::uint64_t>(std::int64_t{v}); }
};

constexpr const char* kSpawns =
    "0 Comm_spawn command=\"x\" maxprocs=2 root=1 @a.c:3 ...\n"
    "1 Comm_spawn command=\"x\" maxprocs=2 root=1 @a.c:3 ...\n";

TEST(Spawned, processes_are_numbered_on) {
  Job job(kSpawns);
  Process& b = job.spawn(kFirst, 1, 2, 1);
  EXPECT_EQ(b.rank.value, 3);
  Process& a = job.spawn(kFirst, 0, 2, 1);
  Process& c = job.spawn(kSecond, 0, 1, 1);
  job.starts(a, 0, 2);
  job.starts(b, 1, 2);
  job.starts(c, 0, 1);
  EXPECT_EQ(a.rank.value, 2);
  EXPECT_EQ(b.rank.value, 3);
  EXPECT_EQ(c.rank.value, 4);
  EXPECT_FALSE(a.stranger());
  EXPECT_EQ(job.world.all(), 5);
  const Communicator* world = b.comms.find(0x44);
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(world->members->list(), (std::vector<int>{2, 3}));
  EXPECT_EQ(world->id, a.comms.find(0x44)->id);
  EXPECT_NE(world->id, c.comms.find(0x44)->id);
  EXPECT_NE(
      world->id,
      job.replay.process(0).comms.find(job.replay.process(0).raw_of(Constant::comm_world))->id);
}

TEST(Spawned, the_root_of_the_open_call_is_the_parent) {
  Job job(kSpawns);
  job.spawn(kFirst, 0, 2, 1);
  ASSERT_EQ(job.world.spawned().size(), 1u);
  const SpawnedWorld& world = job.world.spawned()[0];
  EXPECT_NE(world.spawned, Site{});
  ASSERT_NE(world.parents, nullptr);
  EXPECT_EQ(world.parents->list(), (std::vector<int>{0, 1}));
  EXPECT_EQ(world.members->list(), (std::vector<int>{2, 3}));
}

TEST(Spawned, no_parent_where_none_spawns_or_two_calls_could_be_meant) {
  for (const char* text :
       {"0 Barrier\n1 Barrier\n",
        "0 Comm_spawn command=\"x\" maxprocs=2 root=0 ...\n1 Comm_spawn command=\"x\" maxprocs=2 "
        "root=0 ...\n",
        "1 Comm_spawn command=\"x\" maxprocs=2 comm=COMM_SELF root=0 ...\n1.1 Comm_spawn "
        "command=\"x\" maxprocs=2 comm=COMM_SELF root=0 ...\n"}) {
    Job job(text);
    job.spawn(kFirst, 0, 2, 1);
    EXPECT_EQ(job.world.spawned()[0].parents, nullptr) << text;
  }
}

TEST(Spawned, what_the_library_says_must_fit_the_launchers_words) {
  Job job(kSpawns);
  Process& a = job.spawn(kFirst, 0, 2, 1);
  job.starts(a, 0, 3);
  EXPECT_TRUE(a.stranger());
  Process& b = job.spawn(0, 0, 2, 1);  // its launcher names no world
  job.starts(b, 0, 2);
  EXPECT_TRUE(b.stranger());
}

}  // namespace
}  // namespace vouch
