// Writes a trace while the run goes on.
//
// Each process has a buffer; a full one becomes a chunk. What fails (a full disk) ends the trace,
// never the run: `problem` says it in one sentence, and all later calls do nothing.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/code.h"

namespace vouch::trace {

class Writer {
 public:
  // The file is made anew.
  static Result<int> open(const std::string& path);
  static Result<std::unique_ptr<Writer>> create(const std::string& path);
  Writer(int fd, std::string path);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Processes are numbered from 0, in this order.
  void add_process(int pid, int rank_hint);
  void record(std::size_t process, int thread, const Event&);
  // The call numbered `seq`, or a later one of the thread, was the last to return; called as often
  // as one likes.
  void returned(std::size_t process, int thread, std::uint32_t seq);
  void ended(std::size_t process, Ending);
  void sites(std::size_t process, std::span<const std::uint32_t> places);  // by local number
  void places(std::span<const std::string> names);                         // from number 1 on

  void flush();  // all that is there becomes readable
  void close();  // and the trace is whole
  const std::string& problem() const { return problem_; }
  std::uint64_t bytes() const { return written_; }
  std::uint64_t too_large() const { return too_large_; }

 private:
  struct Call {
    std::uint32_t seq = 0;
    bool open = false;
  };
  struct Stream {
    std::string buffer;
    Differences differences;
    std::vector<Call> calls;  // by thread: the last one entered
  };
  Call& call(Stream&, int thread);
  void close_if_full(std::size_t process);
  void chunk(ChunkKind, std::size_t process, std::string_view payload);
  void write(std::span<const std::byte>);

  int fd_;
  std::string path_;
  std::string problem_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::uint64_t chunks_ = 0, written_ = 0, too_large_ = 0;
};

}  // namespace vouch::trace
