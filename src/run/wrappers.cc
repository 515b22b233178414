#include "run/wrappers.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <utility>

#include <sys/stat.h>

#include "base/read_file.h"

namespace vouch {
namespace {

// How a wrapper reads the words before its command.
struct Wrapper {
  std::string_view name;
  std::string_view with_value;       // one-letter options whose value is the next word
  std::string_view long_with_value;  // long options whose value may be the next word
  int positional = 0;                // words of its own before the command
  bool assignments = false;          // NAME=VALUE before the command
  std::string_view marker = {};      // the command follows this word only
};

constexpr Wrapper kWrappers[] = {
    {"env", "uC", "unset chdir", 0, true},
    {"nice", "n", "adjustment"},
    {"nohup", "", ""},
    {"setsid", "", ""},
    {"ionice", "cn", "class classdata"},
    {"chrt", "TPD", "sched-runtime sched-period sched-deadline", 1},
    {"taskset", "", "", 1},
    {"timeout", "ks", "kill-after signal", 1},
    {"stdbuf", "ioe", "input output error"},
    {"time", "of", "output format"},
    {"catchsegv", "", ""},
    {"numactl", "iNCmpw", "interleave cpunodebind physcpubind membind preferred"},
    {"valgrind", "", ""},
    {"strace", "aAbeEIoOpPsSuUX", "attach columns const-print-style env output string-limit user"},
    {"ltrace", "aADeFlnopsuwx", "align config demangle indent library output"},
    {"perf", "acCeFGIjMoprT", "event output pid tid count freq cgroup metrics repeat cpu", 1},
    {"gdb", "", "", 0, false, "--args"},
    {"cuda-gdb", "", "", 0, false, "--args"},
    {"lldb", "", "", 0, false, "--"},
    {"vtune", "", "", 0, false, "--"},
    {"advixe-cl", "", "", 0, false, "--"},
    {"rr", "", "", 1},
    {"setarch", "", "", 1},
    {"prlimit", "", ""},
    {"heaptrack", "o", "output"},
    {"xterm", "", "", 0, false, "-e"},
};

constexpr std::string_view kShells[] = {"sh", "bash", "dash", "ksh", "zsh", "ash"};
constexpr std::string_view kKeywords[] = {"exec", "command", "if", "then",  "else", "elif",
                                          "do",   "while",   "!",  "until", "{",    "builtin"};
constexpr std::size_t kMaxScript = 1 << 18;  // bytes that are read of a script

bool is_in(std::string_view word, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

template <typename List>
bool is_one_of(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 ||
      std::isdigit(static_cast<unsigned char>(word[0])) != 0)
    return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Where the wrapper's command begins; the number of words if it has none.
std::size_t command_of(const Wrapper& wrapper, const Words& words) {
  std::size_t at = 1;
  if (!wrapper.marker.empty()) {
    while (at < words.size() && words[at] != wrapper.marker) ++at;
    return std::min(at + 1, words.size());
  }
  for (int positional = wrapper.positional; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "--") {
      // What is left of the wrapper's own words stands behind it (timeout -- 5 ./app); perf and its
      // like have had theirs.
      at += 1 + (wrapper.name == "perf" ? 0U : static_cast<std::size_t>(positional));
      break;
    }
    if (word.starts_with("--")) {
      const bool joined = word.find('=') != std::string::npos;
      if (!joined && is_in(std::string_view(word).substr(2), wrapper.long_with_value)) ++at;
    } else if (word.size() > 1 && word[0] == '-') {
      // -o FILE, but not -oFILE.
      if (word.size() == 2 && wrapper.with_value.find(word[1]) != std::string_view::npos) ++at;
    } else if (wrapper.assignments && is_assignment(word)) {
      continue;
    } else if (positional > 0) {
      --positional;
    } else {
      break;
    }
  }
  return std::min(at, words.size());
}

Words from(const Words& words, std::size_t at) {
  return {words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())), words.end()};
}

std::vector<Words> script(const std::string& path, const Words& arguments) {
  const std::string text = is_regular(path) ? read_file(path).value_or("") : "";
  return shell_commands(std::string_view(text).substr(0, kMaxScript), path, arguments);
}

// sh -c TEXT [NAME [ARGUMENTS]], or sh FILE [ARGUMENTS].
Wrapped by_shell(const Words& words) {
  bool text_follows = false;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word.size() > 1 && (word[0] == '-' || word[0] == '+')) {
      if (word[1] != '-' && word.find('c') != std::string::npos) text_follows = true;
      if (word == "-o" || word == "+o" || word == "--rcfile" || word == "--init-file") ++at;
      continue;
    }
    if (!text_follows) return {script(word, from(words, at + 1)), false};
    const std::string self = at + 1 < words.size() ? words[at + 1] : words[0];
    return {shell_commands(word, self, from(words, at + 2)), false};
  }
  return {};
}

// One word of shell text at `at`, without its quotes.
std::string shell_word(std::string_view text, std::size_t& at, bool& expands_all) {
  std::string word;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0 && (std::isspace(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view(";&|()<>").find(c) != std::string_view::npos))
      break;
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      if (text[++at] != '\n') word += text[at];
    } else if (c == '$' && quote != '\'' && at + 1 < text.size() && text[at + 1] == '(') {
      // A substitution is one piece, whatever is in it.
      int depth = 0;
      for (; at < text.size(); ++at) {
        word += text[at];
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) break;
      }
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      word += c;
    }
  }
  expands_all = word == "$@" || word == "$*" || word == "${@}" || word == "${*}";
  return word;
}

// "$HERE/app", "$(dirname "$0")/app": most of these name something beside the script.
std::string beside(const std::string& word, const std::string& self) {
  const std::size_t slash = word.rfind('/');
  if (word[0] != '$' || slash == std::string::npos || word.find('$', slash) != std::string::npos)
    return word;
  const std::size_t own = self.rfind('/');
  return (own == std::string::npos ? "." : self.substr(0, own)) + word.substr(slash);
}

}  // namespace

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<Words> shell_commands(std::string_view text, const std::string& self,
                                  const Words& arguments) {
  std::vector<Words> commands;
  Words words;
  const auto end_command = [&] {
    if (!words.empty()) commands.push_back(std::move(words));
    words.clear();
  };
  bool redirected = false;  // the next word is a file
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#' && (at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])) != 0)) {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '<' || c == '>') {
      redirected = true;
      ++at;
      if (at < text.size() && text[at] == '&') ++at;
    } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
      end_command();
      redirected = false;
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else {
      bool expands_all = false;
      const std::size_t before = at;
      std::string word = shell_word(text, at, expands_all);
      if (at == before) ++at;
      // 2>file: the number belongs to what follows.
      const bool descriptor = at < text.size() && (text[at] == '<' || text[at] == '>') &&
                              word.find_first_not_of("0123456789") == std::string::npos;
      if (std::exchange(redirected, false) || descriptor || word.empty()) continue;
      if (expands_all) {
        words.insert(words.end(), arguments.begin(), arguments.end());
      } else if (!words.empty() || (!is_assignment(word) && !is_one_of(word, kKeywords))) {
        words.push_back(word == "$0" ? self : beside(word, self));
      }
    }
  }
  end_command();
  return commands;
}

Wrapped wrapped_by(const Words& command) {
  if (command.empty()) return {};
  const std::string_view name = base_name(command[0]);
  if (is_one_of(name, kShells)) return by_shell(command);
  for (const Wrapper& wrapper : kWrappers) {
    if (wrapper.name != name) continue;
    const Words inner = from(command, command_of(wrapper, command));
    if (inner.empty()) return {};
    return {{inner}, true};
  }
  return {};
}

bool is_regular(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

Words shebang_of(const std::string& path) {
  if (!is_regular(path)) return {};
  std::ifstream in(path, std::ios::binary);
  char line[512];
  in.read(line, sizeof(line));
  std::string_view text(line, static_cast<std::size_t>(in.gcount()));
  if (!text.starts_with("#!")) return {};
  text = text.substr(2, text.find('\n') - 2);
  Words words;
  while (!text.empty()) {
    const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(" \t\r"), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

Wrapped script_of(const Words& command) {
  if (command.empty()) return {};
  const Words interpreter = shebang_of(command[0]);
  if (interpreter.empty()) return {};
  Words run;
  for (const std::string& word : interpreter) {
    // #!/usr/bin/env -S bash -e
    if (base_name(word) != "env" && word != "-S") run.push_back(word);
  }
  run.insert(run.end(), command.begin(), command.end());
  return wrapped_by(run);
}

}  // namespace vouch
