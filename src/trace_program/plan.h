// What each procedure means for a trace program; from the API table, once.

#pragma once

#include <cstdint>

#include "event/proc.h"
#include "predict/ctp.h"

namespace vouch {

struct ProgramPlan {
  enum class Do : std::uint8_t {
    nothing,
    post,
    probe,
    probe_message,
    complete,
    start,
    cancel,
    free,
    collective,
    unknown,  // takes part in communication in a way that a trace program cannot show
  };
  struct Side {
    int peer = -1, tag = -1;  // parameters
  };
  Do what = Do::nothing;
  bool blocks = false, persistent = false;
  bool sends = false, receives = false;
  bool all = true;      // complete: all requests; else one or some of them
  bool sparse = false;  // collective: not every member need give something to every other
  predict::SendMode mode = predict::SendMode::standard;
  predict::SyncKind sync = predict::SyncKind::all;
  Side send, recv;
  int comm = -1, root = -1, count = -1;
  int request = -1, requests = -1, flag = -1, index = -1, indices = -1, outcount = -1;
  int status = -1, statuses = -1;
};

const ProgramPlan& program_plan(Proc);

}  // namespace vouch
