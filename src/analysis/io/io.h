// Use of files [U64]: what the access mode allows, views, split collectives, what is
// pending, and which bytes are touched by several processes.
//
// Calls are judged when they are made; what concerns several processes is news for OpenFiles.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/io/open_file.h"
#include "analysis/io/view.h"
#include "model/file_call.h"
#include "model/per_process.h"

namespace vouch {

class Io : public Analysis {
 public:
  Io(World& world, Sink& sink) : Analysis(world, sink), files_(sink) {}
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void finish() override;

  // Several agents. `home`: which of them compares what these members do.
  void spread(RemoteFiles* remote, std::function<int(const Members&)> home) {
    remote_ = remote;
    home_ = std::move(home);
  }
  // We are the home of a file, and another agent's process has done this.
  void take(const FileNews& news) { files_.take(news); }

 private:
  // A handle of one process.
  struct Handle {
    std::uint32_t generation = 0;
    std::uint64_t file = 0;  // 0: nobody else has it open
    const Members* members = nullptr;
    int rank = -1;
    std::uint32_t synced = 0, settled = 0;
    std::uint64_t communications = 0;  // of the process, at the latest sync
    // A split read at the shared pointer: how much it moves is told by its end.
    std::optional<FileNews> begun{};
  };

  bool check_access(Process&, Call&, const File&, const FileCall&);
  bool check_split(Process&, Call&, const File&, const FileCall&);
  bool check_pending(Process&, Call&, const File&);
  void check_view(Process&, Call&, const File&);
  void check_type(Process&, Call&, const File&, const FileCall&);
  void set_view(Process&, const Call&, const File&, Handle&);
  void access_shared(Process&, const Call&, const Event& leave, const File&, const FileCall&,
                     Handle&);
  void tell_begun(Handle&, bool known);
  void seek_shared(const Process&, const Call&, const File&, Handle&);
  void access(Process&, const Call&, const File&, const FileCall&, Handle&);
  void sync(Process&, const File&, Handle&);
  Handle& handle(Process&, const File&);
  void not_checked(Site, const char* what, const char* why);
  static FileNews news_of(const Handle&, FileNews::What);
  void tell(const FileNews&);

  PerProcess<std::unordered_map<std::uint64_t, Handle>> handles_;  // by raw handle
  OpenFiles files_;
  RemoteFiles* remote_ = nullptr;
  std::function<int(const Members&)> home_;
  TileCache tiles_;
};

}  // namespace vouch
