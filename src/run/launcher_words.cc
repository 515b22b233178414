#include "run/launcher_words.h"

#include <algorithm>
#include <charconv>

namespace vouch {
namespace {

// Open MPI, PRRTE, Hydra, Slurm, in this order.
constexpr std::string_view kBlame[] = {
    "exited with non-zero status",
    "exited on signal",
    "noticed that process rank",
    "noticed that the job aborted",
    "non-zero exit code. Per user-direction",
    "MPI_ABORT was invoked",
    "has exited due to process rank",  // "... exiting improperly"
    "has exited without calling",      // "... calling \"finalize\""
    "exited improperly",
    "An error occurred in MPI_",
    "processes in this communicator will now abort",
    "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
    "APPLICATION TERMINATED WITH THE EXIT STRING",
    "application called MPI_Abort",
    "Abort(",
    "Exited with exit code",
    ": Killed",
    ": Terminated",
    ": Segmentation fault",
    ": Aborted",
    "terminated badly",
    "Job step aborted",
    "task 0: ",
};

// "mpirun.openmpi: ...", "srun: error: ...": the name of a launcher and a colon.
bool named(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view word = line.substr(0, colon);
  for (const std::string_view known : {"mpirun", "mpiexec", "orterun", "prterun", "prun", "srun",
                                       "slurmstepd", "ssh", "orted", "prted", "hydra_pmi_proxy"}) {
    if (word.starts_with(known) && word.find(' ') == std::string_view::npos) return true;
  }
  return false;
}

bool of_hydra(std::string_view line) {
  return line.starts_with("[mpiexec@") || line.starts_with("[proxy:");
}

// "pipe error (Too many open files)": the system refused it something.
bool was_refused(std::string_view line) {
  return of_hydra(line) && line.find(" error (") != std::string_view::npos;
}

// A proxy lost its connection: after a process has died, or because the launcher gave up.
bool lost_connection(std::string_view line) {
  return line.starts_with("[proxy:") &&
         line.find("assert (!closed) failed") != std::string_view::npos;
}

// "mpirun noticed that process rank 0 with PID 0 on node a exited on signal 11 (...)."
int signal_in(std::string_view line) {
  constexpr std::string_view kNoticed = "noticed that process rank ", kOn = "exited on signal ";
  const std::size_t at = line.find(kOn);
  if (line.find(kNoticed) == std::string_view::npos || at == std::string_view::npos) return 0;
  int signal = 0;
  std::from_chars(line.data() + at + kOn.size(), line.data() + line.size(), signal);
  return signal > 0 && signal < 128 ? signal : 0;
}

// "=   PID 4711 RUNNING AT a": of the node from which it heard first, though not of the process
// there that was first.
int process_in(std::string_view line) {
  constexpr std::string_view kPid = "=   PID ", kAt = " RUNNING AT ";
  int pid = 0;
  if (!line.starts_with(kPid)) return 0;
  const auto end = std::from_chars(line.data() + kPid.size(), line.data() + line.size(), pid).ptr;
  return line.substr(static_cast<std::size_t>(end - line.data())).starts_with(kAt) ? pid : 0;
}

bool is_frame(std::string_view line) {
  return line.size() >= 20 && line.find_first_not_of("-=") == std::string_view::npos;
}

// Open MPI lost the words of a process whose call failed (its relay of such words is broken: of two
// at once they are often lost). That is no failure of the launcher.
bool lost_words(std::string_view line) {
  return line.find("ORTE_ERROR_LOG") != std::string_view::npos &&
         line.find("show_help.c") != std::string_view::npos;
}

bool is_own(std::string_view line) {
  if (lost_words(line)) return false;
  return named(line) || of_hydra(line) || line.find("ORTE_ERROR_LOG") != std::string_view::npos ||
         line.find("PMIX ERROR") != std::string_view::npos ||
         line.find("total processes failed to start") != std::string_view::npos;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

LauncherWords launcher_words(std::string_view text, bool frames) {
  LauncherWords words;
  bool framed = false, refused = false, lost = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_frame(line)) {
      framed = !framed;
      continue;
    }
    const auto blames = [&](std::string_view part) {
      return line.find(part) != std::string_view::npos;
    };
    words.blames_process =
        words.blames_process || std::any_of(std::begin(kBlame), std::end(kBlame), blames);
    if (words.signal == 0) words.signal = signal_in(line);
    if (words.process == 0) words.process = process_in(line);
    refused = refused || was_refused(line);
    lost = lost || lost_connection(line);
    words.status_is_own =
        words.status_is_own || (line.starts_with("[mpiexec@") && blames("process manager error"));
    if (!line.empty() && ((frames && framed) || is_own(line))) words.own.emplace_back(line);
  }
  words.blames_process = words.blames_process || (lost && !refused);
  return words;
}

std::string in_short(const std::vector<std::string>& lines) {
  constexpr std::size_t kLines = 4, kBytes = 400;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kLines) && text.size() < kBytes; ++i) {
    if (!text.empty()) text += ' ';
    text += lines[i];
  }
  if (text.size() > kBytes || lines.size() > kLines) text = text.substr(0, kBytes) + " ...";
  return text;
}

}  // namespace vouch
