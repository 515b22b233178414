// The command line.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/common.h"
#include "cli/compile.h"
#include "cli/doctor.h"
#include "cli/explore.h"
#include "cli/generate.h"
#include "cli/manual.h"
#include "cli/predict.h"
#include "cli/run.h"
#include "cli/trace.h"
#include "report/version.h"
#include "run/agent_command.h"
#include "run/exit_status.h"
#include "run/probe.h"
#include "run/surroundings.h"

namespace {

using namespace vouch;

int print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? 0
             : kExitInternal;
}

int no_such(const char* kind, const std::string& typed) {
  const std::string near = command_meant(typed);
  return complain(kExitUsage,
                  fmt::format("there is no {} {}{} (see vouch --help)", kind, typed,
                              near.empty() ? "" : fmt::format(": did you mean {}?", near)));
}

int help(const std::string& about) {
  if (about.empty() || about == "vouch" || about == "help")
    return print(manual_text(Subcommand::count_));
  const Subcommand command = command_named(about);
  return command == Subcommand::count_ ? no_such("command", about) : print(manual_text(command));
}

int do_command(const CommandLine& line, const std::vector<std::string>& typed) {
  switch (line.command()) {
    case Subcommand::run:
    case Subcommand::record:
    case Subcommand::replay:
      return run_command(line, typed);
    case Subcommand::explore:
      return explore_command(line, typed);
    case Subcommand::predict:
      return predict_command(line, typed);
    case Subcommand::trace:
      return trace_command(line);
    case Subcommand::cc:
    case Subcommand::cxx:
    case Subcommand::fc:
    case Subcommand::doctor:
    case Subcommand::count_:
      break;
  }
  if (const std::string sentence = line.unknown_option(); !sentence.empty())
    return wrong_usage(sentence, Subcommand::doctor);
  if (!line.rest().empty())
    return wrong_usage(
        fmt::format("vouch doctor looks at everything: {} is too much", line.rest()[0]),
        Subcommand::doctor);
  return doctor();
}

int main_of(const std::vector<std::string>& words) {
  if (words.empty()) {
    print(manual_text(Subcommand::count_));
    return kExitUsage;
  }
  const std::string& first = words[0];
  if (first == "--version" || first == "version")
    return print(fmt::format("vouch {}\n", version()));
  if (first == "agent" && words.size() == 1) return agent_command();
  if (first == kProbeCommand && words.size() == 3) return probe(words[1], words[2]);
  if (first == kGenerateCommand) return generate({words.begin() + 1, words.end()});
  if (first == "--help" || first == "-h") return help("");
  if (first == "help" && words.size() > 2)
    return complain(
        kExitUsage,
        fmt::format("help is about one command, not also {} (see vouch --help)", words[2]));
  if (first == "help") return help(words.size() > 1 ? words[1] : "");
  const Subcommand command = command_named(first);
  if (command == Subcommand::count_)
    return no_such(first.starts_with("-") ? "option" : "command", first);
  if (compiles(command)) return compile_command(command, {words.begin() + 1, words.end()});
  const auto line = CommandLine::parse(command, {words.begin() + 1, words.end()});
  if (!line.ok()) return wrong_usage(line.error(), command);
  if (line.value().has(Option::help)) return help(first);
  std::vector<std::string> typed = words;
  typed.insert(typed.begin(), "vouch");
  return do_command(line.value(), typed);
}

}  // namespace

int main(int argc, char** argv) {
  vouch::settle_in();
  try {
    return main_of({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "vouch: internal error: {}\n", error.what());
    return vouch::kExitInternal;
  }
}
