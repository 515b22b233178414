#include "cli/common.h"

#include <cstdio>

#include <fmt/format.h>

namespace vouch {

Common common_of(const CommandLine& line, const std::vector<std::string>& typed) {
  Common common;
  common.typed = typed;
  common.json = line.text(Option::json);
  common.suppressions = line.all(Option::suppressions);
  common.error_exitcode = line.number(Option::error_exitcode);
  common.strict = line.has(Option::strict);
  common.info = line.has(Option::info);
  common.quiet = line.has(Option::quiet);
  const std::string colour = line.text(Option::color);
  if (colour == "always") common.colour = Common::Colour::always;
  if (colour == "never") common.colour = Common::Colour::never;
  return common;
}

Result<RunOptions> program_of(const CommandLine& line) {
  if (const std::string sentence = line.unknown_option(); !sentence.empty()) return Error{sentence};
  if (line.rest().empty()) return Error{"no program to run"};
  RunOptions options;
  options.command = line.rest();
  options.ranks = line.number(Option::ranks);
  const std::string mpi = line.text(Option::mpi);
  if (mpi == "openmpi") options.mpi = MpiKind::openmpi;
  if (mpi == "mpich") options.mpi = MpiKind::mpich;
  return options;
}

int complain(int status, const std::string& sentence) {
  // Not by fmt::print, which throws where nothing can be written: the status is still to be
  // returned.
  std::fputs(fmt::format("vouch: {}\n", sentence).c_str(), stderr);
  return status;
}

int complain(const Refusal& refusal) { return complain(refusal.status, refusal.why); }

}  // namespace vouch
