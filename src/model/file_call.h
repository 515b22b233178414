// What a file procedure does: which way the data go, and where in the file.

#pragma once

#include <cstdint>

#include "event/proc.h"

namespace vouch {

// What tells the place in the file (MPI-4.1 14.4.1).
enum class FilePointer : std::uint8_t { none, offset, individual, shared };

struct FileCall {
  std::int8_t file = -1;  // parameters; -1: it has none
  std::int8_t offset = -1, buffer = -1, count = -1, type = -1, status = -1;
  bool reads = false, writes = false;  // moves data; not the end of a split collective
  FilePointer pointer = FilePointer::none;
  bool begins = false, ends = false;  // a split collective
  Proc partner = Proc::none;          // begin: its end; end: its begin
  bool moves_data() const { return reads || writes; }
};

const FileCall& file_call(Proc);

}  // namespace vouch
