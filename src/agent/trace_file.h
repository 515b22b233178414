// The trace of a run (--trace): what is read goes there as well, and at its end the places in
// words.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "model/world.h"
#include "report/sink.h"
#include "source/site_table.h"
#include "trace/writer.h"

namespace vouch {

class TraceFile {
 public:
  using Clock = std::chrono::steady_clock;
  // `fd`: -1 if no trace is wanted.
  TraceFile(int fd, const std::string& path);
  trace::Writer* writer() { return writer_.get(); }  // nullptr: no trace is wanted
  // What is not in the file is lost if this process is killed: now and then, when there is time.
  void keep();
  void finish(const World&, SiteTable&, Sink&);

 private:
  std::unique_ptr<trace::Writer> writer_;
  Clock::time_point kept_{};  // up to here it is in the file
};

}  // namespace vouch
