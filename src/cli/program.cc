#include "cli/program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/capture.h"

namespace vouch {
namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

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
  std::ifstream in(path, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("#!")) return "";
  std::vector<std::string> words;
  for (std::size_t at = 2; at < line.size();) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  if (words.empty()) return "";
  if (base_name(words[0]) != "env") return words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    // Options of env and assignments stand before the command.
    if (words[i][0] != '-' && words[i].find('=') == std::string::npos)
      return find_in_path(words[i]);
  }
  return "";
}

Result<Program> examine_elf(Program program, const std::string& shown) {
  const auto read = read_elf(program.path);
  if (!read.ok())
    return Error{fmt::format("{} is damaged: it starts like an executable and is none", shown)};
  const ElfFile& file = read.value();
  if (!file.executable) {
    return Error{fmt::format("{} is a library or an object file, not a program", shown)};
  }
  if (!file.interpreted) {
    return Error{fmt::format(
        "{} is statically linked, so vouch cannot see its MPI calls: link it dynamically", shown)};
  }
  if (file.defines_mpi) {
    return Error{
        fmt::format("{} has its MPI library linked into it, so vouch cannot see its MPI calls: "
                    "link MPI dynamically",
                    shown)};
  }
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

Result<Program> examine(const std::vector<std::string>& command) {
  const std::string& shown = command[0];
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

  if (is_elf(program.path)) {
    program.python = is_python(program.path);
    if (is_launcher(shown)) return program;
    return examine_elf(std::move(program), shown);
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
  }
  return program;
}

}  // namespace vouch
