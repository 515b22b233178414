// Random programs for listing.c, one per line: ranks, number of outcomes, text. With --outcomes,
// before the text those that end: for each rank, whom its receives from any got their messages
// from, as 1.2/0//3; several are separated by commas, none at all is -.
//
//     listings [--outcomes] COUNT [FIRST_SEED]

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "predict/testing/all_executions.h"
#include "predict/testing/random_program.h"

using namespace vouch::predict;

namespace {

std::string envelope(const Operation& op, bool receives) {
  std::string text = receives && op.peer == kAny ? "*" : (receives ? "<" : ">");
  if (text != "*") text += std::to_string(op.peer);
  return text + ":" + (op.tag == kAny ? "*" : std::to_string(op.tag));
}

std::string listing(const Program& program) {
  std::string text;
  for (int p = 0; p < program.processes(); ++p) {
    if (p > 0) text += " |";
    const OpId first = program.first[p];
    for (OpId id = first; id < program.first[p + 1]; ++id) {
      const Operation& op = program[id];
      const std::string number = "#" + std::to_string(id - first);
      if (!text.empty()) text += ' ';
      if (op.kind == OpKind::sync) text += 'b';
      if (op.kind == OpKind::probe) text += 'p' + envelope(op, true);
      if (op.kind == OpKind::receive) text += "ir" + envelope(op, true) + number;
      if (op.kind == OpKind::send)
        text += (op.blocking ? "s" : "is") + envelope(op, false) + (op.blocking ? "" : number);
      if (op.kind == OpKind::wait) {
        text += "w#";
        for (std::size_t i = 0; i < op.completes.size(); ++i)
          text += (i > 0 ? "," : "") + std::to_string(op.completes[i] - first);
      }
    }
  }
  return text;
}

std::string outcome(const Program& program, const std::vector<Match>& matches) {
  std::string text;
  for (int p = 0; p < program.processes(); ++p) {
    if (p > 0) text += '/';
    std::string mine;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      if (program[id].kind != OpKind::receive || program[id].peer != kAny) continue;
      for (const Match& m : matches)
        if (m.receive == id)
          mine += (mine.empty() ? "" : ".") + std::to_string(program[m.send].process);
    }
    text += mine;
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const bool told = argc > 1 && std::string_view(argv[1]) == "--outcomes";
  argc -= told;
  argv += told;
  const int count = argc > 1 ? std::atoi(argv[1]) : 10;
  std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  RandomShape shape;
  shape.max_messages = 6;
  for (int made = 0; made < count; ++seed) {
    const Program program = random_program(seed, shape);
    const Outcomes all = explore(program, Buffering::infinite);
    const std::size_t outcomes = all.complete.size() + all.deadlocked.size();
    if (outcomes < 2 || outcomes > 8) continue;
    ++made;
    std::string ending;
    for (const auto& matches : all.complete)
      ending += (ending.empty() ? "" : ",") + outcome(program, matches);
    if (ending.empty()) ending = "-";
    ending = told ? ending + " " : "";
    std::printf("%d %zu %s%s\n", program.processes(), outcomes, ending.c_str(),
                listing(program).c_str());
  }
  return 0;
}
