#include "cli/compile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/manual.h"
#include "run/compilers.h"
#include "run/installation.h"
#include "run/surroundings.h"

namespace vouch {
namespace {

Language language_of(Subcommand command) {
  return command == Subcommand::cc    ? Language::c
         : command == Subcommand::cxx ? Language::cxx
                                      : Language::fortran;
}

int become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  give_back_signals();
  ::execvp(arguments[0], arguments.data());
  return complain(errno == ENOENT ? 127 : 126,
                  fmt::format("{} cannot be started: {}", words[0], std::strerror(errno)));
}

// Our options stand before the compiler's words. "" or one sentence.
std::string take_own_options(std::vector<std::string>& words, MpiKind& mpi, bool& counts) {
  for (;;) {
    if (!words.empty() && words[0].starts_with("--counts=")) return "--counts takes no value";
    if (!words.empty() && words[0] == "--counts") {
      counts = true;
      words.erase(words.begin());
      continue;
    }
    if (words.empty() || (words[0] != "--mpi" && !words[0].starts_with("--mpi="))) return "";
    const bool joined = words[0] != "--mpi";
    if (!joined && words.size() < 2) return "--mpi needs a value: LIBRARY";
    const std::string value = joined ? words[0].substr(6) : words[1];
    if (value != "openmpi" && value != "mpich")
      return fmt::format("--mpi is openmpi or mpich, not '{}'", value);
    mpi = value == "openmpi" ? MpiKind::openmpi : MpiKind::mpich;
    words.erase(words.begin(), words.begin() + (joined ? 1 : 2));
  }
}

}  // namespace

bool compiles(Subcommand command) {
  return command == Subcommand::cc || command == Subcommand::cxx || command == Subcommand::fc;
}

int compile_command(Subcommand command, const std::vector<std::string>& typed) {
  std::vector<std::string> words = typed;
  MpiKind mpi = MpiKind::none;
  bool counts = false;
  if (const std::string sentence = take_own_options(words, mpi, counts); !sentence.empty())
    return wrong_usage(sentence, command);
  if (words.empty()) return wrong_usage("there is nothing to compile", command);
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h"))
    return std::fputs(manual_text(command).c_str(), stdout) < 0 ? kExitInternal : 0;

  MpiCompiler compiler;
  if (const Refusal none = find_mpi_compiler(language_of(command), mpi, compiler))
    return complain(none);
  if (compiler.status != 0) std::fputs(compiler.words.c_str(), stderr);
  if (const Refusal refusal = usable(compiler)) return complain(refusal);

  const CompilerWords about = read_compiler_words(words);
  std::vector<std::string> plain = compiler.command;
  plain.insert(plain.end(), words.begin(), words.end());
  if (!about.sanitizer.empty()) {
    complain(0, fmt::format("-fsanitize={} leaves no room for anything else: compiled without "
                            "seeing loads and stores",
                            about.sanitizer));
    return become(plain);
  }
  const std::string library = find_access_library();
  if (library.empty())
    return complain(kExitInternal,
                    "libvouch_access.a is missing beside libvouch.so: build or install again");
  const CompilerCommand result = instrumented(compiler, language_of(command), words, library);
  if (counts) {
    ::setenv("VOUCH_COUNTS", "1", 1);  // the plugins look at it
    if (plugin_for(compiler, library).empty())
      complain(0, fmt::format("--counts: there is no plugin for {}, so nothing is counted",
                              compiler.shown));
  }
  for (const auto& [name, value] : result.environment) ::setenv(name.c_str(), value.c_str(), 1);
  return become(result.words);
}

}  // namespace vouch
