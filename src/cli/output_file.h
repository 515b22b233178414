// A file that is written at the end of the work and opened before it, so that a wrong name does not
// cost the work.

#pragma once

#include <string>

#include "base/result.h"

namespace vouch {

class OutputFile {
 public:
  // `what` it is called if it cannot be written: "the report". The error is one sentence. Without a
  // path nothing is opened or written.
  static Result<OutputFile> open(const char* what, const std::string& path);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  const std::string& path() const { return path_; }
  // In place of what there is. "" or one sentence.
  std::string write(const std::string& text);

 private:
  OutputFile(const char* what, const std::string& path) : what_(what), path_(path) {}
  const char* what_;
  std::string path_;
  int fd_ = -1;
};

}  // namespace vouch
