#include "run/compilers.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/read_file.h"
#include "run/capture.h"
#include "run/program.h"
#include "run/wrappers.h"

namespace vouch {
namespace {

struct LanguageRow {
  const char *variable, *names[3], *install;
};
constexpr LanguageRow kLanguages[] = {
    {"VOUCH_CC", {"mpicc", nullptr, nullptr}, "C"},
    {"VOUCH_CXX", {"mpicxx", "mpic++", "mpiCC"}, "C++"},
    {"VOUCH_FC", {"mpifort", "mpif90", nullptr}, "Fortran"},
};

// Functions of the C library that read and write memory: calls of them lead to libvouch_access.a.
// src/shim/vouch_gcc.specs has them, too.
constexpr const char* kWrapped[] = {"memcpy", "memmove",      "memset",        "mempcpy",
                                    "memcmp", "__memcpy_chk", "__memmove_chk", "__memset_chk"};

constexpr std::size_t kMostResponse = 1 << 20;  // bytes that are read of a response file
constexpr int kMostNested = 8;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      any = true;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      any = true;
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

std::string suffix(MpiKind kind) {
  return kind == MpiKind::openmpi ? ".openmpi" : kind == MpiKind::mpich ? ".mpich" : "";
}

// A plain mpicc that belongs to this library.
bool is_of(const std::string& command, MpiKind kind) {
  const auto said = capture({command, "-show"});
  if (!said.ok() || said.value().status != 0) return false;
  const bool mpich = said.value().output.find("mpich") != std::string::npos;
  return mpich == (kind == MpiKind::mpich);
}

// The number behind a word like "version" or at the end of the line.
int version_in(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ' ';
    if (begins && std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
        text.find('.', i) != std::string::npos)
      return std::atoi(text.c_str() + i);
  }
  return 0;
}

void identify(MpiCompiler& compiler) {
  std::vector<std::string> ask = compiler.command;
  ask.push_back("--version");
  const auto said = capture(ask, 60000);
  if (!said.ok()) {
    compiler.status = 127;
    compiler.words = said.error() + "\n";
    return;
  }
  const std::string& text = said.value().output;
  compiler.status = said.value().status;
  compiler.words = text;
  compiler.shown = text.substr(0, text.find('\n'));
  compiler.version = version_in(compiler.shown);
  const bool clang = text.find("clang version") != std::string::npos;
  if (clang)
    compiler.kind = MpiCompiler::Kind::clang;
  else if (text.find("Free Software Foundation") != std::string::npos)
    compiler.kind = MpiCompiler::Kind::gcc;
}

bool is_debug(std::string_view word) {
  if (!word.starts_with("-g")) return false;
  const std::string_view what = word.substr(2);
  if (what.empty() || (what.size() == 1 && what[0] >= '0' && what[0] <= '9')) return true;
  for (const std::string_view kind : {"gdb", "dwarf", "stabs", "line-tables-only", "vms", "mlt"})
    if (what.starts_with(kind)) return true;
  return false;
}

bool is_in(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void read_words(const std::vector<std::string>& words, int nested, CompilerWords& about) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("@") && word.size() > 1) {
      const std::string file = word.substr(1);
      if (nested < kMostNested && is_regular(file))
        read_words(split(read_file(file).value_or("").substr(0, kMostResponse)), nested + 1, about);
      continue;
    }
    if (!word.starts_with("-") || word == "-") {
      about.has_input = true;
      continue;
    }
    if (is_in(word, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile"}))
      about.links = false;
    if (is_in(word, {"-o",
                     "-x",
                     "-I",
                     "-L",
                     "-D",
                     "-U",
                     "-MF",
                     "-MT",
                     "-MQ",
                     "-include",
                     "-isystem",
                     "-Xlinker",
                     "-Xpreprocessor",
                     "-Xassembler",
                     "-T",
                     "-u",
                     "-J",
                     "-arch",
                     "-target",
                     "-iquote",
                     "-idirafter",
                     "-imacros",
                     "-mllvm",
                     "-Xclang",
                     "-z",
                     "-aux-info",
                     "-dumpbase",
                     "-dumpdir",
                     "--param",
                     "-wrapper",
                     "-specs"}))
      ++i;
    if (is_debug(word)) about.has_debug = true;
    if (word.starts_with("-fsanitize=")) {
      for (const char* other : {"address", "thread", "memory"})
        if (word.find(other) != std::string::npos) about.sanitizer = other;
    }
  }
}

std::string folder_of(const std::string& library) {
  return std::filesystem::path(library).parent_path().string();
}

}  // namespace

std::string plugin_for(const MpiCompiler& compiler, const std::string& library) {
  constexpr std::string_view kGcc = VOUCH_GCC_PLUGIN_FOR, kClang = VOUCH_CLANG_PLUGIN_FOR;
  const bool gcc = compiler.kind == MpiCompiler::Kind::gcc;
  const bool made =
      gcc ? !kGcc.empty() && compiler.shown.ends_with(kGcc)
          : !kClang.empty() &&
                (compiler.shown + " ").find(fmt::format("clang version {} ", kClang)) !=
                    std::string::npos;
  const std::string path = folder_of(library) + (gcc ? "/vouch_gcc.so" : "/vouch_clang.so");
  return made && is_regular(path) ? path : "";
}

Refusal find_mpi_compiler(Language language, MpiKind mpi, MpiCompiler& compiler) {
  const LanguageRow& row = kLanguages[static_cast<int>(language)];
  const char* chosen = std::getenv(row.variable);
  if (chosen != nullptr && *chosen != '\0' && mpi == MpiKind::none) {
    compiler.command = split(chosen);
    if (compiler.command.empty() || find_in_path(compiler.command[0]).empty())
      return {kExitUsage,
              fmt::format("{} is {}, and there is no such program", row.variable, chosen)};
    identify(compiler);
    return {};
  }
  for (const char* name : row.names) {
    if (name == nullptr) break;
    const std::string own = name + suffix(mpi);
    if (!find_in_path(own).empty()) {
      compiler.command = {own};
    } else if (mpi != MpiKind::none && !find_in_path(name).empty() && is_of(name, mpi)) {
      compiler.command = {name};
    } else {
      continue;
    }
    identify(compiler);
    return {};
  }
  const char* package = mpi == MpiKind::mpich ? "libmpich-dev" : "libopenmpi-dev";
  return {
      kExitUsage,
      fmt::format("there is no MPI compiler for {}: no {}{} in PATH (apt-get install {}, or name "
                  "it in {})",
                  row.install, row.names[0], suffix(mpi), package, row.variable)};
}

Refusal usable(const MpiCompiler& compiler) {
  const std::string command = fmt::format("{}", fmt::join(compiler.command, " "));
  if (compiler.status != 0)
    return {compiler.status,
            fmt::format("{} --version ends with status {}, so the compiler behind it is not known",
                        command, compiler.status)};
  if (compiler.kind == MpiCompiler::Kind::unknown)
    return {
        kExitUsage,
        fmt::format("{} is a compiler that vouch cannot instrument: \"{}\". gcc, g++, gfortran, "
                    "clang and clang++ can be (OMPI_CC or MPICH_CC says which one {} uses)",
                    command, compiler.shown, command)};
  return {};
}

CompilerWords read_compiler_words(const std::vector<std::string>& words) {
  CompilerWords about;
  read_words(words, 0, about);
  return about;
}

CompilerCommand instrumented(const MpiCompiler& compiler, Language language,
                             const std::vector<std::string>& words, const std::string& library) {
  const CompilerWords about = read_compiler_words(words);
  CompilerCommand result;
  std::vector<std::string>& out = result.words;
  out = compiler.command;
  // The user's own words come later and win.
  if (!about.has_debug) out.push_back("-g1");
  const std::string folder = folder_of(library);
  const std::string plugin = plugin_for(compiler, library);
  if (compiler.kind == MpiCompiler::Kind::gcc) {
    out.push_back("-specs=" + folder + "/vouch_gcc.specs");
    result.environment.emplace_back("VOUCH_ACCESS_FOLDER", folder);
    // Entering and leaving functions is of no interest; gcc 12 can leave these calls out.
    if (compiler.version >= 12)
      out.insert(out.end(), {"--param", "tsan-instrument-func-entry-exit=0"});
    // gfortran takes arrays of the main program for private, though they are passed to MPI. The
    // plugin knows that they are not.
    if (!plugin.empty())
      out.push_back("-fplugin=" + plugin);
    else if (language == Language::fortran)
      out.push_back("-fno-tree-pta");
    out.insert(out.end(), words.begin(), words.end());
    return result;
  }
  const bool guards = compiler.version >= 14;
  out.push_back(guards ? "--start-no-unused-arguments" : "-Qunused-arguments");
  if (!plugin.empty())
    out.insert(out.end(), {"-fpass-plugin=" + plugin, "-gdwarf-aranges"});
  else
    out.insert(out.end(), {"-fsanitize=thread", "-fno-sanitize-link-runtime", "-mllvm",
                           "-tsan-instrument-func-entry-exit=0", "-gdwarf-aranges"});
  if (guards) out.push_back("--end-no-unused-arguments");
  out.insert(out.end(), words.begin(), words.end());
  if (about.links && about.has_input) {
    for (const char* name : kWrapped) out.push_back(fmt::format("-Wl,--wrap={}", name));
    out.push_back(library);
  }
  return result;
}

}  // namespace vouch
