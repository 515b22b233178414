// Feeds a text trace to a World, in the order of its lines: what the agent does with rings. For
// tests, and where a recorded run is read again (trace programs, schedules).

#pragma once

#include <map>
#include <string_view>

#include "event/text.h"
#include "model/world.h"

namespace vouch {

class Replay {
 public:
  // Sees each call before the model takes its effect over.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void on_enter(Process&, Call&) {}
    virtual void on_leave(Process&, Call&, const Event&) {}
    virtual void on_memory(Process&, int /*thread*/, const Event& /*meta*/) {}
    virtual void on_claim(Process&, const Event& /*meta*/) {}
    virtual void on_access(Process&, const Event& /*meta*/) {}
    virtual void on_value(Process&, int /*thread*/, const Event& /*meta*/) {}
    virtual void on_polls(Process&, const Event& /*meta*/) {}
    virtual void on_inside(Process&, Call&, Call& /*other*/) {}
    virtual void on_end(Process&) {}
  };

  explicit Replay(World& world) : world_(world) {}
  void run(const TextTrace&, Listener* = nullptr);
  Process& process(int rank);  // of that rank in the text

 private:
  void call(const TextTrace&, const TextItem&, Process&, Listener*);

  World& world_;
  std::map<int, std::size_t> by_rank_;
};

}  // namespace vouch
