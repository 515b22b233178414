#include "act/window_call.h"

#include <array>
#include <string_view>

namespace vouch {
namespace {

WindowDeed deed_of(const ProcInfo& about) {
  if (about.family == Family::rma) return WindowDeed::move;
  if (about.family != Family::window) return WindowDeed::none;
  const bool one = about.first(Kind::rank, Dir::in) >= 0;  // target; else all
  switch (about.role) {
    case CallRole::win_start:
      return WindowDeed::start;
    case CallRole::win_complete:
      return WindowDeed::complete;
    case CallRole::win_post:
      return WindowDeed::post;
    case CallRole::win_wait:
      return about.has(kPoll) ? WindowDeed::test : WindowDeed::wait;
    case CallRole::win_lock:
      return one ? WindowDeed::lock : WindowDeed::lock_all;
    case CallRole::win_unlock:
      return one ? WindowDeed::unlock : WindowDeed::unlock_all;
    case CallRole::win_flush:
      return one ? WindowDeed::flush : WindowDeed::flush_all;
    default:
      break;
  }
  if (about.first(Kind::win, Dir::out) >= 0) return WindowDeed::create;
  if (about.has(kDestructor)) return WindowDeed::free;
  if (about.base == Proc::win_attach) return WindowDeed::attach;
  if (about.base == Proc::win_detach) return WindowDeed::detach;
  if (about.base == Proc::win_shared_query) return WindowDeed::query;
  if (about.base == Proc::win_sync) return WindowDeed::sync;
  return about.base == Proc::win_fence ? WindowDeed::fence : WindowDeed::none;
}

WindowCall describe(Proc proc) {
  const ProcInfo& about = info(proc);
  WindowCall c;
  c.deed = deed_of(about);
  if (c.deed == WindowDeed::none) return c;
  c.local = proc == Proc::win_flush_local || proc == Proc::win_flush_local_all;
  const auto at = [&](std::string_view name) {
    return static_cast<std::int8_t>(about.param(name));
  };
  c.win = at("win");
  c.assert = at("assert");
  c.group = at("group");
  c.comm = at("comm");
  c.info = at("info");
  c.lock_type = at("lock_type");
  c.base = at("base");
  c.base_out = at("baseptr");
  c.bytes = at("size");
  c.unit = at("disp_unit");
  c.flag = at("flag");
  c.rank = at(c.deed == WindowDeed::move ? "target_rank" : "rank");
  if (c.deed != WindowDeed::move) return c;
  c.disp = at("target_disp");
  c.origin = at("origin_addr");
  c.result = at("result_addr");
  c.compare = at("compare_addr");
  c.op = at("op");
  c.origin_count = at("origin_count");
  c.origin_type = at("origin_datatype");
  c.result_count = at("result_count");
  c.result_type = at("result_datatype");
  c.target_count = at("target_count");
  c.target_type = at("target_datatype");
  if (c.target_type < 0) c.target_type = at("datatype");
  c.swaps = c.compare >= 0;
  c.accumulates = c.op >= 0 || c.swaps;
  c.gets = !c.accumulates && about.params[0].dir == Dir::out;
  c.requests = at("request") >= 0;
  return c;
}

}  // namespace

bool changes_epochs(WindowDeed deed) {
  switch (deed) {
    case WindowDeed::fence:
    case WindowDeed::start:
    case WindowDeed::complete:
    case WindowDeed::post:
    case WindowDeed::wait:
    case WindowDeed::lock:
    case WindowDeed::unlock:
    case WindowDeed::lock_all:
    case WindowDeed::unlock_all:
      return true;
    default:
      return false;
  }
}

const WindowCall& window_call(Proc proc) {
  static const auto all = [] {
    std::array<WindowCall, static_cast<std::size_t>(Proc::count_)> table;
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = describe(static_cast<Proc>(i));
    return table;
  }();
  return all[static_cast<std::size_t>(proc)];
}

}  // namespace vouch
