#include "cli/generate.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "cli/common.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/pages.h"
#include "run/exit_status.h"

namespace vouch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTypes[] = {"flag", "text", "number", "duration",  "choice",
                                  "list", "file", "folder", "buffering", "checks"};

std::string listing() {
  std::string out;
  for (const Subcommand command : all_commands())
    for (const OptionRow* row : options_of(command))
      out += fmt::format("{}\t--{}\t{}\t{}\t{}\t{}\t{}\n", name(command), row->option,
                         row->letter != 0 ? std::string{'-', row->letter} : "", row->value,
                         kTypes[static_cast<std::size_t>(row->kind.type)], row->kind.words,
                         row->fallback);
  return out;
}

// "": there is no such page.
std::string page(const std::string& about) {
  const Subcommand command = command_named(about);
  return command == Subcommand::count_ && about != "vouch" ? "" : manual_roff(command);
}

// man1/vouch-run.1, bash/vouch, zsh/_vouch.
int write_all(const fs::path& folder) {
  std::vector<std::pair<fs::path, std::string>> files = {
      {fs::path("bash") / "vouch", completion_bash()},
      {fs::path("zsh") / "_vouch", completion_zsh()}};
  for (const Page& page : pages())
    files.emplace_back(fs::path("man1") / (page_name(page.command) + ".1"),
                       manual_roff(page.command));
  for (const auto& [path, text] : files) {
    const fs::path file = folder / path;
    std::error_code none;
    fs::create_directories(file.parent_path(), none);
    std::ofstream out(file);
    out << text;
    if (!out.flush())
      return complain(kExitInternal, fmt::format("cannot write to {}", file.string()));
  }
  return 0;
}

int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : kExitInternal;
}

}  // namespace

int generate(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "all" && words.size() == 2) return write_all(words[1]);
  const std::string text = what == "bash"                       ? completion_bash()
                           : what == "zsh"                      ? completion_zsh()
                           : what == "options"                  ? listing()
                           : what == "checks"                   ? checks_markdown()
                           : what == "man" && words.size() == 2 ? page(words[1])
                                                                : "";
  if (text.empty())
    return complain(kExitUsage, "it generates man PAGE, bash, zsh, options, checks or all");
  return print(text);
}

}  // namespace vouch
