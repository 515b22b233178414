#include "event/text.h"

#include <gtest/gtest.h>

#include <random>

namespace vouch {
namespace {

TextTrace read(std::string_view text) {
  Result<TextTrace> trace = read_text(text);
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
  return trace.ok() ? std::move(trace).value() : TextTrace{};
}

std::string wrong(std::string_view text) {
  const Result<TextTrace> trace = read_text(text);
  return trace.ok() ? "" : trace.error();
}

// The calls of the text, implicit Init left out, as print_call shows them.
std::vector<Event> records(const TextTrace& trace, wire::Phase phase) {
  std::vector<Event> found;
  for (const TextItem& item : trace.items) {
    if (item.what != TextItem::What::record) continue;
    const Event e = trace.event(item);
    if (e.phase() == phase && (phase == wire::Phase::meta || e.proc() != Proc::init))
      found.push_back(e);
  }
  return found;
}

std::string words_of(const Event& e) {
  std::string text = std::to_string(e.header().proc) + ":" + std::to_string(e.header().words) + ":";
  for (std::uint32_t w = 0; w < e.header().words; ++w)
    text += " " + std::to_string(e.word(static_cast<int>(w)));
  return text;
}

TEST(Text, a_call_with_its_result) {
  const TextTrace t = read(
      "0 Isend buf=0x100 count=3 datatype=MPI_DOUBLE dest=1 tag=7 comm=c1 @ring.c:31 -> "
      "request=0x51\n");
  const Event enter = records(t, wire::Phase::enter).at(0);
  EXPECT_EQ(enter.proc(), Proc::isend);
  EXPECT_EQ(enter.address(enter.info().param(Arg::buf)), 0x100u);
  EXPECT_EQ(enter.value(enter.info().param(Arg::count)), 3);
  EXPECT_EQ(enter.handle(enter.info().param(Arg::datatype)), text_handle(Constant::double_));
  EXPECT_EQ(t.sites.at(enter.header().site), "ring.c:31");
  const Event leave = records(t, wire::Phase::leave).at(0);
  EXPECT_EQ(leave.header().site, enter.seq());
  EXPECT_EQ(leave.result(leave.info().param(Arg::request)), 0x51);
}

TEST(Text, defaults_make_the_call_right) {
  const TextTrace t = read("0 world size=4\n0 send\n0 recv\n0 bcast\n0 bcast\n");
  const auto enters = records(t, wire::Phase::enter);
  const auto value = [&](std::size_t call, const char* name) {
    return enters.at(call).value(enters.at(call).info().param(name));
  };
  EXPECT_EQ(value(0, "dest"), 1);
  EXPECT_EQ(value(0, "count"), 1);
  EXPECT_EQ(value(0, "comm"), static_cast<std::int64_t>(text_handle(Constant::comm_world)));
  EXPECT_EQ(value(1, "source"), 3);
  EXPECT_NE(value(2, "buffer"), value(3, "buffer"));
}

TEST(Text, names_in_any_case_and_constants_by_name) {
  const TextTrace t = read(
      "0 MPI_IRECV from=ANY_SOURCE tag=MPI_ANY_TAG request=r1\n0 wait request=r1 "
      "status=STATUS_IGNORE\n");
  const auto enters = records(t, wire::Phase::enter);
  EXPECT_EQ(enters.at(0).value(3), wire::kAnySource);
  EXPECT_EQ(enters.at(0).value(4), wire::kAnyTag);
  EXPECT_EQ(enters.at(1).address(1), wire::kIgnore);
  const auto leaves = records(t, wire::Phase::leave);
  EXPECT_EQ(leaves.at(0).result(6), enters.at(1).value(0));
  EXPECT_EQ(leaves.at(1).result(0), static_cast<std::int64_t>(text_handle(Constant::request_null)));
}

TEST(Text, completion_of_some) {
  const TextTrace t = read(
      "0 Isend request=a\n0 Send_init request=b\n0 Isend request=c\n"
      "0 Waitsome requests=[a,b,c] -> outcount=2 indices=[0,1]\n"
      "0 Waitany requests=[REQUEST_NULL,b,c] -> index=2\n"
      "0 Testall requests=[b,c] -> flag=false\n");
  const auto leaves = records(t, wire::Phase::leave);
  const auto null = static_cast<std::int64_t>(text_handle(Constant::request_null));
  const auto after = [&](std::size_t call, std::uint64_t k) {
    return leaves.at(call).result_array(leaves.at(call).info().param(Arg::array_of_requests))[k];
  };
  EXPECT_EQ(after(3, 0), null);
  EXPECT_NE(after(3, 1), null);  // persistent
  EXPECT_NE(after(3, 2), null);
  EXPECT_EQ(after(4, 2), null);
  EXPECT_NE(after(5, 1), null);
}

TEST(Text, a_call_that_returns_later_or_never) {
  const TextTrace t = read("0 Recv source=1 ...\n1 Barrier ...\n0 return -> status=(1,7,4)\n");
  EXPECT_EQ(records(t, wire::Phase::enter).size(), 2u);
  ASSERT_EQ(records(t, wire::Phase::leave).size(), 1u);
  EXPECT_EQ(records(t, wire::Phase::leave)[0].result_status(6).tag, 7);
}

TEST(Text, an_error_return_has_a_leave_record) {
  const TextTrace t = read("0 Send !ERR_RANK\n");
  ASSERT_EQ(records(t, wire::Phase::leave).size(), 1u);
  EXPECT_EQ(text_constant(Kind::error_class, static_cast<std::uint64_t>(
                                                 records(t, wire::Phase::leave)[0].error_class())),
            Constant::err_rank);
}

TEST(Text, mistakes_name_line_and_column) {
  EXPECT_EQ(wrong("0 Send\n0 Sned\n"), "2:3: no procedure is called Sned");
  EXPECT_EQ(wrong("0 Send colour=1\n"), "1:8: MPI_Send has no parameter colour");
  EXPECT_EQ(wrong("0 Send dest=one\n"), "1:13: one is no number");
  EXPECT_EQ(wrong("0 Waitall requests=[a\n"), "1:20: this is not closed");
  EXPECT_EQ(wrong("0 Send -> dest=1\n"),
            "1:11: dest of MPI_Send is not recorded when the call returns");
  EXPECT_EQ(wrong("Send\n"), "1:1: a line starts with a rank");
  EXPECT_EQ(wrong("0 return\n"), "1:3: no call of this thread is open");
}

// parse(print(e)) == e, for every procedure, with random words everywhere.
TEST(Text, round_trip_of_every_procedure) {
  std::mt19937_64 random(7);
  for (int n = 1; n < static_cast<int>(Proc::count_); ++n) {
    const ProcInfo& proc = info(static_cast<Proc>(n));
    for (int repeat = 0; repeat < 8; ++repeat) {
      std::vector<std::uint64_t> enter(2 + proc.enter_words), leave(2 + proc.leave_words);
      std::vector<std::uint64_t> enter_tails, leave_tails;
      const auto scalar = [&](const Param& p) -> std::uint64_t {
        const std::uint64_t r = random();
        if (is_handle(p.kind)) return r % 4 == 0 ? text_handle(Constant::comm_world) : r >> 8;
        if (is_address(p.kind) || p.kind == Kind::status)
          return r % 4 == 0 ? wire::kInPlace : r >> 16;
        if (r % 8 == 0) return static_cast<std::uint64_t>(wire::kUndefined);
        if (r % 8 == 1) return static_cast<std::uint64_t>(recorded_value(Constant::seek_end));
        return static_cast<std::uint64_t>(
            static_cast<std::int64_t>(static_cast<std::int32_t>(r >> 20)));
      };
      const auto status = [&] {
        return wire::Status{static_cast<std::int32_t>(random() % 9) - 2,
                            static_cast<std::int32_t>(random() % 9),
                            static_cast<std::int32_t>(random() % 3),
                            static_cast<std::uint32_t>(random() % 4), random() >> 9};
      };
      const auto tail = [&](std::vector<std::uint64_t>& tails, const Param& p,
                            std::uint64_t length) {
        const std::size_t at = tails.size();
        tails.resize(at + (length * p.elem_size + 7) / 8);
        for (std::uint64_t k = 0; k < length; ++k) {
          auto* to = reinterpret_cast<std::byte*>(&tails[at]) + k * p.elem_size;
          if (p.kind == Kind::status) {
            const wire::Status s = status();
            std::memcpy(to, &s, sizeof(s));
          } else {
            std::uint64_t v = scalar(p);
            if (p.elem_size == 4) v = random() >> 3;
            std::memcpy(to, &v, p.elem_size);
          }
        }
      };
      for (const Param& p : proc.params) {
        std::uint64_t* w = &enter[2 + static_cast<std::size_t>(p.enter_word)];
        w[0] = p.shape == Shape::scalar ? scalar(p) : random() >> 16;
        if (p.shape == Shape::pointer_inout) w[1] = scalar(p);
        if (p.is_array()) w[1] = random() % 5;
        if (p.enter_tail >= 0) tail(enter_tails, p, w[1]);
        if (p.leave_word < 0) continue;
        w = &leave[2 + static_cast<std::size_t>(p.leave_word)];
        if (p.is_array()) {
          w[0] = random() % 5;
          tail(leave_tails, p, w[0]);
        } else if (p.kind == Kind::status) {
          const wire::Status s = status();
          std::memcpy(w, &s, sizeof(s));
        } else {
          w[0] = scalar(p);
        }
      }
      if (repeat % 2 == 1) leave[2] = 3;
      enter.insert(enter.end(), enter_tails.begin(), enter_tails.end());
      leave.insert(leave.end(), leave_tails.begin(), leave_tails.end());
      const auto event = [&](std::vector<std::uint64_t>& words, wire::Phase phase) {
        const wire::RecordHeader h{static_cast<std::uint16_t>(n),
                                   phase,
                                   0,
                                   static_cast<std::uint32_t>(words.size() - 2),
                                   1,
                                   0};
        std::memcpy(words.data(), &h, sizeof(h));
        return Event(reinterpret_cast<const wire::RecordHeader*>(words.data()), words.data() + 2);
      };
      const Event before = event(enter, wire::Phase::enter),
                  after = event(leave, wire::Phase::leave);
      const std::string line = print_call(before, &after, {});
      const Result<TextTrace> parsed = read_text("0 raw\n" + line);
      ASSERT_TRUE(parsed.ok()) << line << "\n" << parsed.error();
      std::vector<Event> found;
      for (const TextItem& item : parsed.value().items) {
        if (item.what == TextItem::What::record &&
            parsed.value().event(item).phase() != wire::Phase::meta) {
          found.push_back(parsed.value().event(item));
        }
      }
      ASSERT_FALSE(found.empty()) << line;
      EXPECT_EQ(words_of(found[0]), words_of(before)) << line;
      if (proc.has_leave() || after.error_class() != 0) {
        ASSERT_EQ(found.size(), 2u) << line;
        EXPECT_EQ(words_of(found[1]), words_of(after)) << line;
      }
      if (HasFailure()) return;
    }
  }
}

TEST(Text, loads_and_stores) {
  const std::string text =
      "0 load 0x1000 8 @a.c:3\n"
      "0 store 0x1000 8 step=64 count=100 @a.c:4\n"
      "0 load 0x1000 784 step=16 count=2 stride=8192 rows=7 @a.c:5\n"
      "0 atomic_update 0x1000 4 @a.c:6\n";
  const TextTrace trace = read(text);
  std::string again;
  for (const Event& e : records(trace, wire::Phase::meta)) {
    if (static_cast<wire::Meta>(e.header().proc) != wire::Meta::access) continue;
    TextContext context;
    context.site = trace.sites[static_cast<std::uint32_t>(e.word(0))];
    again += print_access(e, context) + "\n";
  }
  EXPECT_EQ(again, text);
  EXPECT_NE(wrong("0 load 0x1000 0"), "");
  EXPECT_NE(wrong("0 load 0x1000 8 width=3"), "");
}

}  // namespace
}  // namespace vouch
