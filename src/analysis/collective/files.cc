// What the processes of a file must give alike [U64]: the access mode, the etype's
// extent and the data representation of a view, sizes, atomicity, the shared pointer's place.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/collective/collective.h"
#include "event/wire.h"

namespace vouch {
namespace {

std::string mode_words(const Process& process, std::int64_t amode) {
  std::string words;
  for (const Constant c :
       {Constant::mode_rdonly, Constant::mode_rdwr, Constant::mode_wronly, Constant::mode_create,
        Constant::mode_excl, Constant::mode_delete_on_close, Constant::mode_unique_open,
        Constant::mode_sequential, Constant::mode_append}) {
    if ((static_cast<std::uint64_t>(amode) & process.raw_of(c)) == 0) continue;
    words += (words.empty() ? "" : "|") + std::string(info(c).name);
  }
  return words.empty() ? std::to_string(amode) : words;
}

}  // namespace

void Collective::file(const Wave& wave) {
  const Said& first = wave.classes[0].said;
  const ProcInfo& about = info(first.proc);
  const std::span<const std::int8_t> params = info(first.proc).agree;
  const Rule rule = first.proc == Proc::file_open       ? Rule::io_mode
                    : first.proc == Proc::file_set_view ? Rule::io_view
                                                        : Rule::io_args;
  const Cause why = rule == Rule::io_mode   ? Cause::mode_differs
                    : rule == Rule::io_view ? Cause::view_differs
                                            : Cause::none;
  for (std::size_t i = 0; i < first.args.size(); ++i) {
    const auto words = [&](const Said& s) {
      const std::vector<std::int64_t>& v = s.args[i];
      if (v.empty()) return std::string();
      if (i >= params.size()) return fmt::format("an etype of extent {}", v[0]);
      const Param& param = about.params[static_cast<std::size_t>(params[i])];
      if (param.kind == Kind::amode)
        return "amode=" + mode_words(world_.process(wave.classes[0].members[0].process), v[0]);
      if (param.is_array())
        return fmt::format("{}=\"{}\"", param.name, std::string(v.begin(), v.end()));
      if (wire::is_canonical(v[0]) && v[0] > wire::kConstantBase &&
          v[0] < wire::kConstantBase + static_cast<int>(Constant::count_))
        return fmt::format("{}={}", param.name,
                           info(static_cast<Constant>(v[0] - wire::kConstantBase)).name);
      return fmt::format("{}={}", param.name, v[0]);
    };
    const std::vector<std::int64_t>& one = first.args[i];
    const bool agree = std::all_of(wave.classes.begin(), wave.classes.end(),
                                   [&](const Wave::Class& c) { return c.said.args[i] == one; });
    if (agree) continue;
    const std::vector<Part> parts = parts_of(wave, words);
    if (parts.size() < 2) continue;
    if (again(wave, rule, Severity::error)) return;
    return tell(wave, rule, Severity::error, parts, "", {.why = why});
  }
}

}  // namespace vouch
