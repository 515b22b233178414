// What each procedure means for waiting; from the API table, once.

#include "analysis/deadlock/feed.h"

namespace vouch {
namespace {

// No library can let a member out before all are in: each needs something of every other.
bool needs_all(Proc base) {
  switch (base) {
    case Proc::barrier:
    case Proc::allreduce:
    case Proc::comm_dup:
    case Proc::comm_split:
    case Proc::comm_create:
      return true;
    default:
      return false;
  }
}

}  // namespace

WaitFeed::Plan WaitFeed::make_plan(Proc proc) {
  Plan p;
  const ProcInfo& about = info(proc);
  const auto param = [&](std::string_view name) {
    return static_cast<std::int8_t>(about.param(name));
  };
  const auto either = [](std::int8_t a, std::int8_t b) { return a >= 0 ? a : b; };
  p.blocks = about.has(kBlocking);
  p.persistent = about.has(kPersistent);
  p.request = param("request");
  p.requests = param("array_of_requests");
  p.status = param("status");
  p.statuses = param("array_of_statuses");
  p.flag = param("flag");
  p.index = param("index");
  p.indices = param("array_of_indices");
  p.outcount = param("outcount");
  p.polls = p.flag >= 0 || about.has(kPoll);
  p.object = param("comm");
  p.object_kind = Kind::comm;
  p.sends = param("dest") >= 0;
  p.receives = param("source") >= 0;
  p.send = {either(param("sendcount"), param("count")),
            either(param("sendtype"), param("datatype")), param("dest"),
            either(param("sendtag"), param("tag"))};
  p.recv = {-1, -1, param("source"), either(param("recvtag"), param("tag"))};
  p.standard = about.base == Proc::send || about.base == Proc::sendrecv ||
               about.base == Proc::sendrecv_replace || about.base == Proc::isendrecv ||
               about.base == Proc::isendrecv_replace;
  p.synchronous = about.base != Proc::bsend && about.base != Proc::rsend;
  const bool message = param("message") >= 0;
  switch (about.family) {
    case Family::p2p:
      if (message) {
        p.what = p.blocks ? Do::nothing : Do::receive_message;
      } else if (p.object >= 0 && (p.sends || p.receives)) {
        p.what = Do::post;
      }
      break;
    case Family::partitioned:
      if (p.object >= 0 && (p.sends || p.receives)) p.what = Do::post;
      break;
    case Family::probe:
      p.what = message ? Do::probe_message : Do::probe;
      break;
    case Family::completion:
      p.what = Do::complete;
      // Waitany and Waitsome need one; Testall asks for all like Waitall.
      p.all = p.index < 0 && p.indices < 0;
      break;
    default:
      break;
  }
  if (about.has(kCollective) && !about.has(kUnchecked) && p.what == Do::nothing) {
    p.object = -1;
    for (const Kind kind : {Kind::comm, Kind::win, Kind::file}) {
      for (std::size_t i = 0; i < about.params.size() && p.object < 0; ++i) {
        if (about.params[i].kind != kind || about.params[i].dir == Dir::out) continue;
        p.object = static_cast<std::int8_t>(i);
        p.object_kind = kind;
      }
    }
    if (p.object >= 0) p.what = Do::collective;
    p.loose = !needs_all(about.base);
    p.makes_window = about.first(Kind::win, Dir::out) >= 0;
    p.makes_file = about.first(Kind::file, Dir::out) >= 0;
  }
  switch (proc) {
    case Proc::start:
    case Proc::startall:
      p.what = Do::start;
      break;
    case Proc::pready:
    case Proc::pready_range:
    case Proc::pready_list:
      p.what = Do::ready;
      break;
    case Proc::cancel:
      p.what = Do::cancel;
      break;
    case Proc::request_free:
      p.what = Do::free;
      break;
    case Proc::finalize:
      p.what = Do::finalize;
      break;
    case Proc::intercomm_create:
    case Proc::intercomm_create_from_groups:
      p.what = Do::two_groups;
      break;
    case Proc::comm_create_group:
    case Proc::comm_create_from_group:
      p.what = Do::group_collective;
      break;
    case Proc::buffer_detach:
      p.what = Do::detach;
      break;
    case Proc::win_post:
    case Proc::win_wait:
    case Proc::win_test:
      p.what = Do::exposure;
      break;
    case Proc::win_start:
    case Proc::win_complete:
      p.what = Do::access;
      break;
    default:
      if (lock_call(proc)) p.what = Do::lock;
      break;
  }
  if (p.what == Do::nothing && about.has(kPoll)) p.what = Do::ask;
  return p;
}

}  // namespace vouch
