// The state of the whole program, rebuilt from events alone; read by every analysis, changed only by World::apply.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event/event.h"
#include "model/objects.h"
#include "model/process.h"

namespace vouch {

class World {
 public:
  World();
  ~World();

  // A process appears when its first ring does. Its world rank is the launcher's hint until MPI_Init tells.
  Process& add_process(int pid, WorldRank hint);
  std::size_t processes() const { return processes_.size(); }
  Process& process(std::size_t i) { return *processes_[i]; }
  const Process& process(std::size_t i) const { return *processes_[i]; }

  // Takes over the effect of a meta record or of the end of a call. Enter records only open a Call (Process::open).
  void apply_meta(Process&, int thread, const Event&);
  void apply_leave(Process&, Call&, const Event& leave);
  // A call whose success wrote no leave record: same effect with nothing returned.
  void apply_return(Process&, Call&);

  const Members* intern(Members);
  int size() const { return size_; }  // of MPI_COMM_WORLD, 0 while unknown

 private:
  std::vector<std::unique_ptr<Process>> processes_;
  int size_ = 0;
  struct Interned;
  std::unique_ptr<Interned> interned_;
};

}  // namespace vouch
