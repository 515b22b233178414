#include "analysis/rma/rma_call.h"

#include <array>
#include <string_view>

namespace vouch {
namespace {

WindowDeed deed_of(const ProcInfo& about) {
  if (about.family == Family::rma) return WindowDeed::move;
  if (about.family != Family::window) return WindowDeed::none;
  switch (about.base) {
    case Proc::win_create:
    case Proc::win_allocate:
    case Proc::win_allocate_shared:
    case Proc::win_create_dynamic:
      return WindowDeed::create;
    case Proc::win_free:
      return WindowDeed::free;
    case Proc::win_attach:
      return WindowDeed::attach;
    case Proc::win_detach:
      return WindowDeed::detach;
    case Proc::win_shared_query:
      return WindowDeed::query;
    case Proc::win_fence:
      return WindowDeed::fence;
    case Proc::win_start:
      return WindowDeed::start;
    case Proc::win_complete:
      return WindowDeed::complete;
    case Proc::win_post:
      return WindowDeed::post;
    case Proc::win_wait:
      return WindowDeed::wait;
    case Proc::win_test:
      return WindowDeed::test;
    case Proc::win_lock:
      return WindowDeed::lock;
    case Proc::win_unlock:
      return WindowDeed::unlock;
    case Proc::win_lock_all:
      return WindowDeed::lock_all;
    case Proc::win_unlock_all:
      return WindowDeed::unlock_all;
    case Proc::win_flush:
    case Proc::win_flush_local:
      return WindowDeed::flush;
    case Proc::win_flush_all:
    case Proc::win_flush_local_all:
      return WindowDeed::flush_all;
    default:
      return WindowDeed::none;
  }
}

RmaCall describe(Proc proc) {
  const ProcInfo& about = info(proc);
  RmaCall c;
  c.deed = deed_of(about);
  if (c.deed == WindowDeed::none) return c;
  const auto at = [&](std::string_view name) {
    return static_cast<std::int8_t>(about.param(name));
  };
  c.win = at("win");
  c.assert = at("assert");
  c.group = at("group");
  c.comm = at("comm");
  c.base = at("base");
  c.bytes = at("size");
  c.unit = at("disp_unit");
  c.flag = at("flag");
  c.rank = at(c.deed == WindowDeed::move ? "target_rank" : "rank");
  if (c.deed != WindowDeed::move) return c;
  c.disp = at("target_disp");
  c.op = at("op");
  c.origin_count = at("origin_count");
  c.origin_type = at("origin_datatype");
  c.result_count = at("result_count");
  c.result_type = at("result_datatype");
  c.target_count = at("target_count");
  c.target_type = at("target_datatype");
  if (c.target_type < 0) c.target_type = at("datatype");
  c.swaps = at("compare_addr") >= 0;
  c.accumulates = c.op >= 0 || c.swaps;
  c.gets = !c.accumulates && about.params[0].dir == Dir::out;
  c.requests = at("request") >= 0;
  return c;
}

}  // namespace

const RmaCall& rma_call(Proc proc) {
  static const auto all = [] {
    std::array<RmaCall, static_cast<std::size_t>(Proc::count_)> table;
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = describe(static_cast<Proc>(i));
    return table;
  }();
  return all[static_cast<std::size_t>(proc)];
}

}  // namespace vouch
