#include "run/launchers.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <stdlib.h>

#include "run/capture.h"
#include "run/program.h"
#include "run/wrappers.h"

namespace vouch {
namespace {

MpiKind kind_in(const std::string& text) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (has("Open MPI") || has("OpenRTE") || has("openmpi") || has("orterun") || has("PRTE") ||
      has("prte"))
    return MpiKind::openmpi;
  if (has("HYDRA") || has("hydra") || has("mpich") || has("MPICH") || has("Intel(R) MPI"))
    return MpiKind::mpich;
  return MpiKind::unknown;
}

constexpr int kDeepest = 4;  // wrappers around a launcher

Words launcher_behind(const Words& command, int depth) {
  if (command.empty()) return {};
  if (is_launcher(command[0])) return command;
  if (depth >= kDeepest) return {};
  Wrapped wrapped = wrapped_by(command);
  if (wrapped.commands.empty()) wrapped = script_of(command);
  for (const Words& inner : wrapped.commands) {
    if (Words found = launcher_behind(inner, depth + 1); !found.empty()) return found;
  }
  return {};
}

// Those that ask a batch system for nodes: without an allocation no rank comes to this machine.
bool is_batch_launcher(std::string_view command) {
  const std::string_view base = base_name(command);
  for (const std::string_view known :
       {"srun", "aprun", "jsrun", "flux", "palsrun", "prun", "ccc_mprun"}) {
    if (base == known) return true;
  }
  return false;
}

}  // namespace

Words launcher_behind(const Words& command) { return launcher_behind(command, 0); }

const std::vector<std::string>& launcher_names(MpiKind kind) {
  static const std::vector<std::string> openmpi = {"mpirun.openmpi", "mpiexec.openmpi", "orterun",
                                                   "mpirun", "mpiexec"};
  static const std::vector<std::string> mpich = {"mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",
                                                 "mpirun", "mpiexec"};
  static const std::vector<std::string> any = {"mpirun.openmpi", "mpirun.mpich", "mpirun",
                                               "mpiexec"};
  return kind == MpiKind::openmpi ? openmpi : kind == MpiKind::mpich ? mpich : any;
}

MpiKind launcher_kind(const std::string& command) {
  const std::string path = find_in_path(command);
  if (path.empty()) return MpiKind::none;
  char* real = ::realpath(path.c_str(), nullptr);
  const std::string target = real != nullptr ? real : path;
  ::free(real);
  for (const std::string& name : {command, target}) {
    if (const MpiKind kind = kind_in(name); kind != MpiKind::unknown) return kind;
  }
  const auto said = capture({path, "--version"});
  return said.ok() ? kind_in(said.value().output) : MpiKind::unknown;
}

Result<Launcher> find_launcher(MpiKind wanted) {
  for (const std::string& command : launcher_names(wanted)) {
    const MpiKind kind = launcher_kind(command);
    if (kind == MpiKind::none || kind == MpiKind::unknown) continue;
    if (wanted == MpiKind::none || kind == wanted) return Launcher{command, kind};
  }
  return Error{fmt::format(
      "no launcher of {} is installed (looked for {}): install one, or give your own after --",
      wanted == MpiKind::none ? "any MPI library" : name(wanted),
      fmt::join(launcher_names(wanted), ", "))};
}

bool may_span_nodes(const std::vector<std::string>& command) {
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::atoi(text);
  };
  if (number("SLURM_JOB_NUM_NODES") > 1 || number("SLURM_NNODES") > 1) return true;
  for (const char* name : {"PBS_NODEFILE", "PE_HOSTFILE", "LSB_MCPU_HOSTS", "HYDRA_HOST_FILE",
                           "OMPI_MCA_orte_default_hostfile"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != 0) return true;
  }
  constexpr std::string_view kHosts[] = {"-H",
                                         "-host",
                                         "--host",
                                         "-hosts",
                                         "-hostfile",
                                         "--hostfile",
                                         "-machinefile",
                                         "--machinefile",
                                         "-f",
                                         "-hostlist",
                                         "-w",
                                         "--nodelist",
                                         "-N",
                                         "--nodes",
                                         "--default-hostfile",
                                         "orte_default_hostfile"};
  const Words launched = launcher_behind(command);
  if (launched.empty()) return false;
  if (is_batch_launcher(launched[0])) return true;
  return std::any_of(launched.begin() + 1, launched.end(), [&](const std::string& word) {
    const std::string_view option = std::string_view(word).substr(0, word.find('='));
    return std::find(std::begin(kHosts), std::end(kHosts), option) != std::end(kHosts);
  });
}

int physical_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    std::ifstream in(
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string siblings;
    std::getline(in, siblings);
    cores.insert(siblings.empty() ? std::to_string(cpu) : siblings);
  }
  return std::max(1, static_cast<int>(cores.size()));
}

std::vector<std::string> launch_line(const Launcher& launcher, int ranks,
                                     const std::vector<std::string>& command) {
  std::vector<std::string> line = {launcher.command, "-n", std::to_string(ranks)};
  if (launcher.mpi == MpiKind::openmpi && ranks > physical_cores())
    line.push_back("--oversubscribe");
  line.insert(line.end(), command.begin(), command.end());
  return line;
}

}  // namespace vouch
