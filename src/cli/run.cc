#include "cli/run.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/schedules.h"
#include "cli/values.h"
#include "report/identity.h"
#include "report/json.h"
#include "report/suppressions.h"
#include "report/text.h"
#include "run/run_job.h"

namespace vouch {
namespace {

int complain(int status, const std::string& sentence) {
  fmt::print(stderr, "vouch: {}\n", sentence);
  return status;
}

// Opened before the run, so that a wrong name does not cost one.
class OutputFile {
 public:
  OutputFile(const char* what, const std::string& path) : what_(what), path_(path) {
    if (path.empty()) return;
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) why_ = errno;
  }
  ~OutputFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::string problem() const {
    return why_ == 0 ? "" : fmt::format("cannot write to {}: {}", path_, std::strerror(why_));
  }
  // "" or one sentence.
  std::string write(const std::string& text) {
    if (fd_ < 0) return "";
    struct stat info;
    const bool regular = ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    if (regular && ::ftruncate(fd_, 0) != 0) why_ = errno;
    for (std::size_t at = 0; at < text.size() && why_ == 0;) {
      const ssize_t put = ::write(fd_, text.data() + at, text.size() - at);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) why_ = errno;
      if (put > 0) at += static_cast<std::size_t>(put);
    }
    if (::close(std::exchange(fd_, -1)) != 0 && why_ == 0) why_ = errno;
    return why_ == 0 ? ""
                     : fmt::format("{} could not be written to {}: {}", what_, path_,
                                   std::strerror(why_));
  }

 private:
  const char* const what_;
  const std::string path_;
  int fd_ = -1, why_ = 0;
};

bool write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(2, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno == EPIPE;  // nobody reads: no failure of ours
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool use_colour(ReportOptions::Colour choice) {
  if (choice != ReportOptions::Colour::automatic) return choice == ReportOptions::Colour::always;
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(2) != 0 && (refused == nullptr || *refused == 0) && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

TextOptions text_options(const ReportOptions& options) {
  TextOptions how;
  how.colour = use_colour(options.colour);
  how.info = options.info;
  return how;
}

std::string text_of(const Summary& summary, const ReportOptions& options, const TextOptions& how) {
  if (!options.quiet) return write_text(summary, how);
  std::string text;
  for (const Finding& f : summary.findings) {
    if (f.severity == Severity::info && !options.info) continue;
    const auto before = how.shown.find(identity(f));
    text += before == how.shown.end() ? write_text(f, how) : follow_up(f, before->second, how);
  }
  return text;
}

// Of the first finding that has one.
std::string picture_of(const Summary& summary, const std::string& path) {
  Picture picture{"digraph waits {\n}\n", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"};
  for (auto f = summary.findings.rbegin(); f != summary.findings.rend(); ++f) {
    if (!f->picture.empty()) picture = f->picture;
  }
  return path.ends_with(".svg") ? picture.svg : picture.dot;
}

}  // namespace

int run(const RunOptions& run_options, const ReportOptions& options) {
  Suppressions suppressions;
  for (const std::string& path : options.suppressions) {
    auto loaded = Suppressions::load(path);
    if (!loaded.ok()) return complain(kExitUsage, loaded.error());
    suppressions.add(std::move(*loaded));
  }
  Prepared prepared = prepare(run_options);
  if (prepared.refusal) return complain(prepared.refusal.status, prepared.refusal.why);
  OutputFile json("the report", options.json), record("the schedule", options.record),
      picture("the picture", options.picture);
  for (const OutputFile* file : {&json, &record, &picture}) {
    if (const std::string problem = file->problem(); !problem.empty())
      return complain(kExitUsage, problem);
  }
  // A deadlock is told when it is known; to end the job may take its launcher a while.
  TextOptions how = text_options(options);
  prepared.job.show = [&](const std::vector<Finding>& findings) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    for (const Finding& f : findings) {
      if (Suppressions(suppressions).matches(f)) continue;
      const auto [at, is_new] = how.shown.try_emplace(identity(f), f);
      const std::string text = is_new ? write_text(f, how) : follow_up(f, at->second, how);
      at->second = f;
      if (!text.empty()) write_stderr(text + (options.quiet ? "" : "\n"));
    }
    std::signal(SIGPIPE, before);
  };
  JobResult ran = run_job(prepared.job);
  if (ran.refusal) return complain(ran.refusal.status, ran.refusal.why);

  std::signal(SIGPIPE, SIG_IGN);  // nobody reads the report: the exit status still tells
  Summary& summary = ran.summary;
  summary.command = options.typed;
  summary.strict = options.strict;
  for (Finding& f : summary.findings) {
    if (f.again.empty())
      f.again = shell_quoted(again_command(options.typed, summary.schedule, options.record));
  }
  suppressions.apply(summary);  // judges too
  bool delivered = write_stderr(text_of(summary, options, how));
  const auto deliver = [&](OutputFile& file, const std::string& text) {
    const std::string problem = file.write(text);
    if (!problem.empty()) complain(kExitInternal, problem);
    delivered = delivered && problem.empty();
  };
  deliver(json, write_json(summary));
  deliver(picture, picture_of(summary, options.picture));
  if (!options.record.empty()) deliver(record, schedule_file(summary.schedule, options.typed));
  if (!delivered) return kExitInternal;
  switch (summary.verdict) {
    case Verdict::error:
      return options.error_exitcode;
    case Verdict::inconclusive:
      return kExitInconclusive;
    case Verdict::clean:
      break;
  }
  return ran.status;
}

}  // namespace vouch
