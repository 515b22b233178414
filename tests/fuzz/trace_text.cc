// Any bytes as a trace program: a clear sentence, or a program that survives printing, counting and
// running. libFuzzer looks for the bytes where that is not so.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "predict/pairs/counting.h"
#include "predict/pairs/match_pairs.h"
#include "predict/program/ctp.h"
#include "predict/program/state.h"
#include "predict/quick/steer.h"

namespace {

using namespace vouch::predict;

void require(bool good, const char* what, std::string_view detail) {
  if (good) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(detail.size()), detail.data());
  std::abort();
}

void check_error(const std::string& text) {
  require(!text.empty(), "an error without words", text);
  require(text.size() < 400, "an error longer than a sentence", text);
  for (char c : text)
    require(static_cast<unsigned char>(c) >= 0x20, "an error with control characters", text);
}

// Printed and read again it is the same.
void check_print(const Program& program, std::string (*print)(const Program&)) {
  const auto text = print(program);
  const auto again = parse(text);
  require(again.ok(), "its own print is refused", again.ok() ? "" : again.error() + "\n" + text);
  require(print(again.value()) == text, "another print the second time", text);
}

void check_runs(const Program& program) {
  const auto pairs = match_pairs(program);
  const bool always = always_deadlocks(program);
  for (auto buffering : {vouch::predict::Buffering::infinite, Buffering::zero}) {
    const auto run = steer(program, buffering, {.seed = 1});
    const auto replayed = replay(program, buffering, run.schedule);
    require(replayed.ok(), "a run that does not replay", replayed.ok() ? "" : replayed.error());
    require(replayed.value().end == run.end, "a run that ends otherwise", print_compact(program));
    require(!always || run.end == End::deadlock, "it ends, against all counting",
            print_compact(program));
    for (const auto& match : replayed.value().state.matching())
      require(pairs.contains(match), "a match outside the superset", print_compact(program));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto program = parse({reinterpret_cast<const char*>(data), size});
  if (!program.ok()) {
    check_error(program.error());
    return 0;
  }
  require(defect(program.value()).empty(), "read, but defect", defect(program.value()));
  check_print(program.value(), print_compact);
  check_print(program.value(), print_sexpr);
  if (program.value().ops.size() <= 200) check_runs(program.value());
  return 0;
}
