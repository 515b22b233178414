// The report of any command: judged, shown, written, turned into the exit status.
//
//     auto delivery = Delivery::open(common);            // before the work
//     if (!delivery.ok()) return complain(kExitUsage, delivery.error());
//     ...
//     return delivery->deliver(summary, status);         // behind it
//
// What --json, --suppressions, --strict, --info, --quiet, --color and --error-exitcode mean is said
// here and nowhere else. A file that cannot be written is known before the work; one that could not
// be written in the end, or a report that nobody could be shown, is an internal error, whatever the
// verdict. That nobody wants to read it (a closed pipe) is none.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/output_file.h"
#include "report/finding.h"
#include "report/suppressions.h"
#include "report/text.h"

namespace vouch {

class Delivery {
 public:
  // Reads the suppressions and opens the file of the report. The error is one sentence.
  static Result<Delivery> open(const Common&);

  // Another file that is written with the report, made of it as it is shown. "" or one sentence.
  std::string also(const char* what, const std::string& path,
                   std::function<std::string(const Summary&)> text);

  // Findings that are shown while the job is still there: to end it may take its launcher a while.
  // The report then has only what is new about them.
  void show(const std::vector<Finding>&);

  // Returns the exit status. `status`: that of the program, if the verdict is clean.
  int deliver(Summary, int status);

 private:
  Delivery(const Common& common, OutputFile json);
  std::string text_of(const Summary&) const;

  Common common_;
  Suppressions suppressions_{};
  TextOptions how_{};
  OutputFile json_;
  std::vector<std::pair<OutputFile, std::function<std::string(const Summary&)>>> others_{};
};

// Whether a report on standard error gets colours.
bool use_colour(Common::Colour);

}  // namespace vouch
