#include "run/program.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "run/capture.h"
#include "run/wrappers.h"

namespace vouch {
namespace {

// "python3", "python3.11", "pypy3"
bool is_python(std::string_view path) {
  std::string_view rest = base_name(path);
  if (rest.starts_with("python")) {
    rest.remove_prefix(6);
  } else if (rest.starts_with("pypy")) {
    rest.remove_prefix(4);
  } else {
    return false;
  }
  return rest.find_first_not_of("0123456789.") == std::string_view::npos;
}

// The interpreter of a `#!` line, seen through env; "" if there is none.
std::string interpreter_of(const std::string& path) {
  const Words words = shebang_of(path);
  if (words.empty()) return "";
  if (base_name(words[0]) != "env") return words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    // Options of env and assignments stand before the command.
    if (words[i][0] != '-' && words[i].find('=') == std::string::npos)
      return find_in_path(words[i]);
  }
  return "";
}

// The dynamic linker leaves LD_PRELOAD alone in a program that gets rights its caller has not.
bool gains_rights(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return false;
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != ::geteuid()) return true;
  if ((info.st_mode & S_ISGID) != 0 && info.st_gid != ::getegid()) return true;
  return ::geteuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

// What keeps libvouch.so out of a program; "": nothing.
std::string closed_to_us(const ElfFile& file, const std::string& shown) {
  if (!file.executable)
    return fmt::format("{} is a library or an object file, not a program", shown);
  if (!file.native) {
    return fmt::format(
        "{} is built for another architecture than vouch (32 bit?), so libvouch.so cannot be "
        "loaded "
        "into it: build the program, or vouch, for the same one",
        shown);
  }
  if (!file.interpreted) {
    return fmt::format(
        "{} is statically linked, so vouch cannot see its MPI calls: link it dynamically", shown);
  }
  if (file.defines_mpi) {
    return fmt::format(
        "{} has its MPI library linked into it, so vouch cannot see its MPI calls: "
        "link MPI dynamically",
        shown);
  }
  if (gains_rights(file.path)) {
    return fmt::format(
        "{} runs with another user's rights (set-user-ID, set-group-ID or capabilities), so the "
        "dynamic linker does not load libvouch.so into it: run vouch with these rights instead",
        shown);
  }
  return "";
}

Result<Program> examine_elf(Program program, const std::string& shown) {
  const auto read = read_elf(program.path);
  if (!read.ok())
    return Error{fmt::format("{} is damaged: it starts like an executable and is none", shown)};
  if (std::string why = closed_to_us(read.value(), shown); !why.empty()) return Error{why};
  if (program.python) {
    if (const std::string extension = mpi4py_of(program.path); !extension.empty())
      program.mpi = find_mpi(extension);
    return program;
  }
  program.mpi = find_mpi(program.path);
  if (program.mpi.kind == MpiKind::unknown) {
    return Error{fmt::format(
        "{} uses an MPI library that is neither Open MPI nor MPICH ({}): vouch cannot check it",
        shown, program.mpi.path)};
  }
  return program;
}

constexpr int kDeepest = 8;  // wrappers around wrappers

// The first word of a command is a file that can be executed; the error is one sentence.
Result<Program> examine_file(const std::string& shown) {
  Program program;
  program.path = find_in_path(shown);
  if (program.path.empty())
    return Error{fmt::format("no program called {} is found in PATH", shown)};
  struct stat info;
  if (::stat(program.path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return Error{fmt::format("there is no program {}", shown)};
    return Error{fmt::format("cannot look at {}: {}", shown, std::strerror(errno))};
  }
  if (S_ISDIR(info.st_mode)) return Error{fmt::format("{} is a directory, not a program", shown)};
  if (!S_ISREG(info.st_mode)) return Error{fmt::format("{} is no regular file", shown)};
  // Root may read and, with one x bit, execute anything; the mode tells what was meant.
  if (::access(program.path.c_str(), X_OK) != 0) {
    return Error{fmt::format("{} is not executable: chmod +x it, or name its interpreter", shown)};
  }
  if (::access(program.path.c_str(), R_OK) != 0)
    return Error{fmt::format("{} cannot be read: {}", shown, std::strerror(errno))};
  if (info.st_size == 0) return Error{fmt::format("{} is empty", shown)};
  return program;
}

Result<Program> examine_at(const Words& command, int depth);

bool knows_mpi(const Result<Program>& program) {
  return program.ok() && program.value().mpi.kind != MpiKind::none;
}

// The first of the words that is a program with an MPI library: an argument of a wrapper that the
// table does not know, or of a script.
void guess_from_words(Program& program, const Words& command, int depth) {
  for (std::size_t at = 1; at < command.size() && depth < kDeepest; ++at) {
    const std::string path = find_in_path(command[at]);
    if (path.empty() || !is_regular(path) || (!is_elf(path) && !is_python(path))) continue;
    const auto inner = examine_at({command[at]}, kDeepest);
    if (!knows_mpi(inner)) continue;
    program.mpi = inner.value().mpi;
    program.inner = command[at];
    return;
  }
}

// Which library the program has that this command will come to run. The error is that program's.
Result<Program> look_behind(Program program, const Words& command, const Wrapped& wrapped,
                            int depth) {
  for (const Words& words : wrapped.commands) {
    if (depth >= kDeepest) break;
    const auto inner = examine_at(words, depth + 1);
    // A wrapper's own complaint about a word that is no file is better than a guess of ours.
    if (!inner.ok() && wrapped.sure && ::access(find_in_path(words[0]).c_str(), F_OK) == 0)
      return Error{inner.error()};
    if (!knows_mpi(inner) && !(inner.ok() && wrapped.sure)) continue;
    program.mpi = inner.value().mpi;
    program.python = inner.value().python;
    program.script = inner.value().script;
    program.inner = inner.value().inner.empty() ? words[0] : inner.value().inner;
    if (knows_mpi(inner)) return program;
  }
  guess_from_words(program, command, depth);
  return program;
}

Result<Program> examine_at(const Words& command, int depth) {
  const std::string& shown = command[0];
  auto file = examine_file(shown);
  if (!file.ok()) return file;
  Program program = std::move(*file);
  if (is_elf(program.path)) {
    program.python = is_python(program.path);
    if (is_launcher(shown)) return program;
    auto examined = examine_elf(std::move(program), shown);
    if (!examined.ok() || knows_mpi(examined) || examined.value().python) return examined;
    return look_behind(std::move(*examined), command, wrapped_by(command), depth);
  }
  const std::string interpreter = interpreter_of(program.path);
  if (interpreter.empty()) {
    // The kernel refuses it too; only a shell would try to read it line by line.
    return Error{fmt::format(
        "{} is not a program: neither an executable nor a script with a #! line", shown)};
  }
  program.script = true;
  if (is_python(interpreter)) {
    program.python = true;
    if (const std::string extension = mpi4py_of(interpreter); !extension.empty())
      program.mpi = find_mpi(extension);
    return program;
  }
  if (is_launcher(shown)) return program;
  // perf, catchsegv and others may be scripts themselves.
  Wrapped wrapped = wrapped_by(command);
  if (wrapped.commands.empty()) {
    Words found = command;
    found[0] = program.path;
    wrapped = script_of(found);
  }
  return look_behind(std::move(program), command, wrapped, depth);
}

}  // namespace

bool is_launcher(std::string_view command) {
  const std::string_view base = base_name(command);
  const std::string_view stem = base.substr(0, std::min(base.find_first_of(".-_"), base.size()));
  for (const std::string_view known :
       {"mpirun", "mpiexec", "orterun", "prterun", "prun", "srun", "aprun", "jsrun", "flux",
        "palsrun", "mpirun_rsh", "oshrun", "ccc"}) {
    if (stem == known || base == known) return true;
  }
  return false;
}

std::string find_in_path(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate(rest.substr(0, end));
    candidate = (candidate.empty() ? "." : candidate) + "/" + command;
    struct stat info;
    if (::access(candidate.c_str(), X_OK) == 0 && ::stat(candidate.c_str(), &info) == 0 &&
        S_ISREG(info.st_mode)) {
      return candidate;
    }
    if (end == rest.size()) return "";
    rest.remove_prefix(end + 1);
  }
}

std::string mpi4py_of(const std::string& python) {
  // find_spec imports the package mpi4py but not its extension: MPI is not touched.
  const auto answer = capture({python, "-c",
                               "import importlib.util as u\n"
                               "s = u.find_spec('mpi4py.MPI')\n"
                               "print(s.origin if s else '')"});
  if (!answer.ok() || answer.value().status != 0) return "";
  return answer.value().output.substr(0, answer.value().output.find('\n'));
}

Result<Program> examine(const std::vector<std::string>& command) { return examine_at(command, 0); }

}  // namespace vouch
