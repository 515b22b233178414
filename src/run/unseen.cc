#include "run/unseen.h"

#include <fmt/format.h>

#include "run/launchers.h"
#include "run/program.h"
#include "run/wrappers.h"

namespace vouch {
namespace {

// An option by which a launcher, or env, keeps LD_PRELOAD from the processes.
std::string hides_environment(const Words& command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string next = i + 1 < command.size() ? command[i + 1] : "";
    if (word == "--export" || word.starts_with("--export=")) {
      const std::string value = word == "--export" ? next : word.substr(9);
      if (!value.starts_with("ALL")) return "--export=" + value;
    }
    if (word == "-genvnone" || word == "-envnone" || word == "-genvlist" || word == "-envlist")
      return word;
    if (base_name(word) == "env" && (next == "-i" || next == "-" || next == "--ignore-environment"))
      return "env " + next;
  }
  return "";
}

bool is_container(std::string_view word) {
  for (const std::string_view known :
       {"apptainer", "singularity", "docker", "podman", "shifter", "charliecloud", "ch-run"}) {
    if (word == known) return true;
  }
  return false;
}

// The first of the words behind the launcher's that is a program.
std::string program_of(const Words& launched) {
  for (std::size_t i = 1; i < launched.size(); ++i) {
    const std::string& word = launched[i];
    if (word.empty() || word[0] == '-') continue;
    const bool path = word.find('/') != std::string::npos;
    // A bare word may be an option's value: only one that does not stand behind an option counts.
    if (!path && launched[i - 1].starts_with("-")) continue;
    const std::string found = find_in_path(word);
    if (!found.empty() && is_regular(found) && is_elf(found)) return word;
  }
  return "";
}

}  // namespace

std::string why_unseen(const Words& command, bool alone) {
  if (const std::string option = hides_environment(command); !option.empty()) {
    return fmt::format(
        "{} keeps LD_PRELOAD and the variables VOUCH_... from the processes: let the environment "
        "through",
        option);
  }
  for (const std::string& word : command) {
    if (is_container(base_name(word))) {
      return fmt::format(
          "a process in a container ({}) sees neither the environment nor the files of vouch "
          "unless "
          "both are passed on to it: run vouch inside the container",
          base_name(word));
    }
  }
  const Words launched = launcher_behind(command);
  if (alone && !launched.empty() && may_span_nodes(command))
    return "its processes may run on other nodes, where vouch has agents only with --net";
  const std::string inner = launched.empty() ? command[0] : program_of(launched);
  if (inner.empty()) return "";
  const auto examined = examine(launched.empty() ? command : Words{inner});
  if (!examined.ok()) return examined.error();
  const Program& program = examined.value();
  const std::string& shown = program.inner.empty() ? inner : program.inner;
  if (program.python) {
    return program.mpi.kind == MpiKind::none
               ? fmt::format("{} has no module mpi4py", shown)
               : fmt::format("{} did not import mpi4py, or made no MPI call", shown);
  }
  if (program.mpi.kind != MpiKind::none) {
    return fmt::format("{} is linked with {}, but made no MPI call", shown, name(program.mpi.kind));
  }
  if (program.script) return "";
  return fmt::format("{} is linked with no MPI library", shown);
}

}  // namespace vouch
