#include "cli/doctor.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <elfutils/version.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "net/address.h"
#include "net/key.h"
#include "record/handshake.h"
#include "report/version.h"
#include "run/capture.h"
#include "run/compilers.h"
#include "run/elf.h"
#include "run/exit_status.h"
#include "run/installation.h"
#include "run/launchers.h"
#include "run/probe.h"
#include "run/program.h"
#include "run/supervise.h"
#include "run/surroundings.h"

namespace vouch {
namespace {

enum class State { ok, missing, broken };

class Chart {
 public:
  void heading(const char* text) { fmt::print("\n{}\n", text); }
  // `needed`: without it vouch run does not work.
  void line(State state, bool needed, const std::string& what, const std::string& remedy = {}) {
    static constexpr const char* kNames[] = {"ok", "missing", "broken"};
    fmt::print("  {:<8} {}\n", kNames[static_cast<int>(state)], what);
    if (!remedy.empty()) fmt::print("           {}\n", remedy);
    if (state != State::ok && needed) good_ = false;
  }
  void check(bool holds, const std::string& what, const std::string& remedy) {
    line(holds ? State::ok : State::broken, true, what, holds ? "" : remedy);
  }
  bool good() const { return good_; }
  void fail() { good_ = false; }

 private:
  bool good_ = true;
};

bool has_memfd() {
  const int fd = ::memfd_create("vouch-doctor", MFD_CLOEXEC);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool has_pidfd() {
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool has_futex() {
  std::uint32_t word = 1;
  return ::syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0) == -1 && errno == EAGAIN;
}

bool has_abstract_sockets() {
  const int fd = listen_for_ranks(fmt::format("vouch-doctor-{}", ::getpid()).c_str());
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

// "Open MPI v4.1.4, package: …" and "MPICH Version: 4.0.2\n…": the part that names library and
// version.
std::string version_of(const std::string& library) {
  const auto said = capture({own_path(), kProbeCommand, library, "version"});
  if (!said.ok() || said.value().status != 0) return "";
  std::string text = said.value().output;
  text = text.substr(0, text.find_first_of(",\n"));
  constexpr std::string_view kWord = "Version:";
  if (const std::size_t at = text.find(kWord); at != std::string::npos)
    text.erase(at, kWord.size());
  std::string words;  // blanks and tabs as one blank
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank) words += c;
    if (blank && !words.empty() && words.back() != ' ') words += ' ';
  }
  return words;
}

// Runs the probe under vouch. "" if its two calls arrived, else what happened.
std::string self_check(const std::string& library, const std::string& shim) {
  Job job;
  job.command = {own_path(), kProbeCommand, library, "run"};
  job.environment = {{"LD_PRELOAD", shim},
                     {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                     {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  job.timeout = std::chrono::seconds(30);
  const Outcome outcome = supervise(job);
  if (!outcome.internal.empty()) return outcome.internal;
  if (!outcome.not_started.empty()) return outcome.not_started;
  if (outcome.timed_out) return "a program of one rank did not end within 30 s";
  if (outcome.status != 0)
    return fmt::format("a program of one rank ended with status {}", outcome.status);
  if (!outcome.summary) return "the agent " + outcome.agent_end;
  std::uint64_t seen = 0;
  for (const auto& [key, value] : outcome.summary->statistics) {
    if (key == "MPI_Init" || key == "MPI_Finalize") seen += value;
  }
  if (seen != 2) return "a program of one rank ran, but its MPI calls did not arrive";
  return "";
}

bool examine_library(Chart& chart, MpiKind kind, const std::string& shim) {
  const bool open = kind == MpiKind::openmpi;
  const std::vector<std::string> sonames =
      open ? std::vector<std::string>{"libmpi.so.40"}
           : std::vector<std::string>{"libmpich.so.12", "libmpi.so.12"};
  std::string library;
  for (const std::string& soname : sonames) {
    if (library.empty()) library = find_library(soname);
  }
  const char* install =
      open ? "apt-get install openmpi-bin libopenmpi-dev" : "apt-get install mpich libmpich-dev";
  if (library.empty()) {
    chart.line(State::missing, false, fmt::format("{}: no library", name(kind)), install);
    return false;
  }
  const std::string version = version_of(library);
  chart.line(version.empty() ? State::broken : State::ok, true,
             fmt::format("{}: {}", version.empty() ? name(kind) : version, library),
             version.empty() ? "it cannot be loaded" : "");
  const auto launcher = find_launcher(kind);
  chart.line(launcher.ok() ? State::ok : State::missing, false,
             launcher.ok() ? fmt::format("launcher: {}", find_in_path(launcher.value().command))
                           : "launcher",
             launcher.ok() ? "" : install);
  const std::string back_end = find_back_end(kind);
  chart.line(
      back_end.empty() ? State::missing : State::ok, false,
      fmt::format("part of vouch for it: {}", back_end.empty() ? "not built" : back_end),
      back_end.empty()
          ? fmt::format("build vouch again where the headers of {} are installed", name(kind))
          : "");
  if (back_end.empty() || shim.empty() || version.empty()) return false;
  const std::string problem = self_check(library, shim);
  chart.line(
      problem.empty() ? State::ok : State::broken, true,
      problem.empty() ? "a program of one rank runs under vouch and its calls arrive" : problem);
  return problem.empty() && launcher.ok();
}

void examine_python(Chart& chart) {
  std::string python = find_in_path("python3");
  // A Python of the user's own often stands before the system's, which has the packages.
  constexpr char kSystem[] = "/usr/bin/python3";
  if (!python.empty() && mpi4py_of(python).empty() && !mpi4py_of(kSystem).empty()) python = kSystem;
  if (python.empty()) {
    chart.line(State::missing, false, "python3", "apt-get install python3 python3-mpi4py");
    return;
  }
  const std::string extension = mpi4py_of(python);
  if (extension.empty()) {
    chart.line(State::missing, false, fmt::format("mpi4py for {}", python),
               "apt-get install python3-mpi4py");
    return;
  }
  chart.line(
      State::ok, false,
      fmt::format("mpi4py for {}: {}, with {}", python, extension, name(find_mpi(extension).kind)));
}

// What `vouch cc` and its like would use.
void examine_compilers(Chart& chart) {
  const std::string library = find_access_library();
  chart.line(library.empty() ? State::missing : State::ok, false,
             fmt::format("part of vouch for programs: {}", library.empty() ? "none" : library),
             library.empty() ? "build or install vouch again" : "");
  constexpr std::pair<Language, const char*> kCommands[] = {
      {Language::c, "vouch cc"}, {Language::cxx, "vouch cxx"}, {Language::fortran, "vouch fc"}};
  for (const auto& [language, command] : kCommands) {
    MpiCompiler compiler;
    Refusal refusal = find_mpi_compiler(language, MpiKind::none, compiler);
    if (!refusal) refusal = usable(compiler);
    const bool plugin = !refusal && !plugin_for(compiler, library).empty();
    chart.line(refusal ? State::missing : State::ok, false,
               refusal ? std::string(command)
                       : fmt::format("{}: {}, {}{}", command, compiler.command[0], compiler.shown,
                                     plugin ? ", with a plugin" : ", without a plugin"),
               refusal.why);
  }
}

// Jobs over several nodes: keys, and addresses on which agents would meet.
void examine_net(Chart& chart) {
  const auto keys = net::KeyPair::make();
  chart.line(keys.ok() ? State::ok : State::missing, false, "keys for agents (ZeroMQ with CURVE)",
             keys.ok() ? "" : keys.error());
  const auto chosen = net::choose(net::local_addresses(), "");
  std::string list;
  for (const net::Local& local : chosen.ok() ? chosen.value() : std::vector<net::Local>{})
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", local.address, local.interface);
  chart.line(chosen.ok() ? State::ok : State::missing, false,
             fmt::format("addresses for agents: {}", list.empty() ? "none" : list),
             chosen.ok() ? "" : chosen.error());
}

}  // namespace

int doctor() {
  Chart chart;
  fmt::print("vouch {}\n", version());
  chart.heading("System");
  chart.line(State::ok, false, fmt::format("{} cores", physical_cores()));
  chart.check(has_memfd(), "memory without a name (memfd)", "needs Linux 3.17 or newer");
  chart.check(has_futex(), "sleeping on shared memory (futex)",
              "a sandbox forbids the system call futex");
  chart.check(has_abstract_sockets(), "abstract sockets", "a sandbox forbids Unix sockets");
  chart.line(
      has_pidfd() ? State::ok : State::missing, false, "process descriptors (pidfd)",
      has_pidfd() ? "" : "needs Linux 5.3 or newer; without them vouch notices deaths later");
  chart.line(State::ok, false,
             fmt::format("reader of debug information: elfutils 0.{}", _ELFUTILS_VERSION));
  const std::string shim = find_shim();
  chart.line(shim.empty() ? State::missing : State::ok, true, shim.empty() ? "libvouch.so" : shim,
             shim.empty()
                 ? "it belongs in ../lib beside the folder of vouch: build or install again"
                 : "");
  std::fflush(stdout);

  chart.heading("MPI libraries");
  bool one = false;
  for (const MpiKind kind : {MpiKind::openmpi, MpiKind::mpich}) {
    one = examine_library(chart, kind, shim) || one;
    std::fflush(stdout);
  }
  if (!one) chart.fail();
  chart.heading("Loads and stores");
  examine_compilers(chart);
  chart.heading("Python");
  examine_python(chart);
  chart.heading("Several nodes");
  examine_net(chart);
  fmt::print("\n{}\n", chart.good()
                           ? "vouch run works here."
                           : "vouch run does not work here: see what is missing or broken above.");
  return std::fflush(stdout) != 0 ? kExitInternal : chart.good() ? 0 : kExitInconclusive;
}

}  // namespace vouch
