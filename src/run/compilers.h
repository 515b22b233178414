// The user's MPI compiler, and what it takes to see the loads and stores of what it builds.
//
// The callbacks are those that gcc and clang make for a thread sanitizer; its runtime is not
// linked, but a small part of vouch is (src/shim/program). gcc is told in a specs file, which
// speaks to the compiler proper and to the linker apart: so one command may compile, link, or both,
// and a command that only asks stays one. clang has an option for each.

#pragma once

#include <string>
#include <vector>

#include "run/elf.h"
#include "run/exit_status.h"

namespace vouch {

enum class Language { c, cxx, fortran };

struct MpiCompiler {
  enum class Kind { gcc, clang, unknown };
  std::vector<std::string> command;  // "mpicc", or what VOUCH_CC says
  Kind kind = Kind::unknown;
  int version = 0;      // 12
  std::string shown{};  // the first line of --version: "gcc (Debian 12.2.0-14) 12.2.0"
  int status = 0;       // of --version; if it is not 0, `words` is what it printed
  std::string words{};
};

// "": from VOUCH_CC, VOUCH_CXX or VOUCH_FC, else mpicc, mpicxx or mpifort; or those of a library.
// The refusal: there is none.
Refusal find_mpi_compiler(Language, MpiKind, MpiCompiler&);

// What there is to say of a compiler that cannot be used; nothing: it can.
Refusal usable(const MpiCompiler&);

// What a command of a compiler is about, as far as it matters here. Response files are read.
struct CompilerWords {
  bool links = true;        // nothing stops it before
  bool has_input = false;   // else it only asks
  bool has_debug = false;   // -g of some kind
  std::string sanitizer{};  // "address": one beside which nothing else can be
};
CompilerWords read_compiler_words(const std::vector<std::string>& words);

// The plugin that was built for exactly this compiler (src/instrument), beside libvouch_access.a;
// "": there is none, and a program costs more.
std::string plugin_for(const MpiCompiler&, const std::string& library);

struct CompilerCommand {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> environment;
};
// `library`: libvouch_access.a; its folder has the specs file, too.
CompilerCommand instrumented(const MpiCompiler&, Language, const std::vector<std::string>& words,
                             const std::string& library);

}  // namespace vouch
