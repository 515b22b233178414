#include "cli/deliver.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "cli/values.h"
#include "report/identity.h"
#include "report/json.h"

namespace vouch {
namespace {

bool write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(2, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno == EPIPE;  // nobody reads: no failure of ours
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

int status_of(Verdict verdict, int error, int clean) {
  switch (verdict) {
    case Verdict::error:
      return error;
    case Verdict::inconclusive:
      return kExitInconclusive;
    case Verdict::clean:
      break;
  }
  return clean;
}

}  // namespace

bool use_colour(Common::Colour choice) {
  if (choice != Common::Colour::automatic) return choice == Common::Colour::always;
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(2) != 0 && (refused == nullptr || *refused == 0) && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Delivery::Delivery(const Common& common, OutputFile json)
    : common_(common), json_(std::move(json)) {
  how_.colour = use_colour(common.colour);
  how_.info = common.info;
}

Result<Delivery> Delivery::open(const Common& common) {
  Suppressions suppressions;
  for (const std::string& path : common.suppressions) {
    auto loaded = Suppressions::load(path);
    if (!loaded.ok()) return Error{loaded.error()};
    suppressions.add(std::move(*loaded));
  }
  auto json = OutputFile::open("the report", common.json);
  if (!json.ok()) return Error{json.error()};
  Delivery delivery(common, std::move(*json));
  delivery.suppressions_ = std::move(suppressions);
  return delivery;
}

std::string Delivery::also(const char* what, const std::string& path,
                           std::function<std::string(const Summary&)> text) {
  if (path.empty()) return "";
  auto file = OutputFile::open(what, path);
  if (!file.ok()) return file.error();
  others_.emplace_back(std::move(*file), std::move(text));
  return "";
}

void Delivery::show(const std::vector<Finding>& findings) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  for (const Finding& f : findings) {
    if (Suppressions(suppressions_).matches(f)) continue;
    const auto [at, is_new] = how_.shown.try_emplace(identity(f), f);
    const std::string text = is_new ? write_text(f, how_) : follow_up(f, at->second, how_);
    at->second = f;
    if (!text.empty()) write_stderr(text + (common_.quiet ? "" : "\n"));
  }
  std::signal(SIGPIPE, before);
}

std::string Delivery::text_of(const Summary& summary) const {
  if (!common_.quiet) return write_text(summary, how_);
  std::string text;
  for (const Finding& f : summary.findings) {
    if (f.severity == Severity::info && !common_.info) continue;
    const auto before = how_.shown.find(identity(f));
    text += before == how_.shown.end() ? write_text(f, how_) : follow_up(f, before->second, how_);
  }
  return text;
}

int Delivery::deliver(Summary summary, int status) {
  std::signal(SIGPIPE, SIG_IGN);  // nobody reads the report: the exit status is still there
  summary.command = common_.typed;
  summary.strict = common_.strict;
  for (Finding& f : summary.findings)
    if (f.again.empty()) f.again = shell_quoted(common_.typed);
  suppressions_.apply(summary);  // judges too
  bool delivered = write_stderr(text_of(summary));
  const auto write = [&](OutputFile& file, const std::string& text) {
    const std::string problem = file.write(text);
    if (!problem.empty()) complain(kExitInternal, problem);
    delivered = delivered && problem.empty();
  };
  if (!common_.json.empty()) write(json_, write_json(summary));
  for (auto& [file, text] : others_) write(file, text(summary));
  return delivered ? status_of(summary.verdict, common_.error_exitcode, status) : kExitInternal;
}

}  // namespace vouch
