#include "analysis/io/io.h"

#include <algorithm>

#include <fmt/format.h>

#include "event/wire.h"
#include "match/hidden.h"
#include "model/effect.h"
#include "model/saturate.h"

namespace vouch {
namespace {

const char* mode_words(const File& f) {
  return f.reads && f.writes ? "MPI_MODE_RDWR" : f.reads ? "MPI_MODE_RDONLY" : "MPI_MODE_WRONLY";
}

// Where a file is, counts from here: not for a sequential one (MPI-4.1 14.4.2-4).
bool needs_positions(const FileCall& c, Proc base) {
  return info(base).is(Trait::seekable) || c.pointer == FilePointer::offset ||
         c.pointer == FilePointer::individual;
}

// MPI-4.1 14.2.2, 14.2.4, 14.3, 14.6.1: all that was begun on the handle must be complete.
bool needs_rest(Proc base) {
  return base == Proc::file_close || base == Proc::file_set_view || base == Proc::file_set_size ||
         base == Proc::file_sync;
}

// The active operation on this file that a request of the process stands for.
Request* pending_on(Process& process, std::uint64_t file) {
  Request* found = nullptr;
  const auto look = [&](Request& r) {
    if (r.kind == RequestKind::io && r.comm == file && r.state == RequestState::active &&
        !r.poisoned && (found == nullptr || r.call < found->call))
      found = &r;
  };
  process.requests.for_each([&](Request& newest) {
    look(newest);
    for (Request& twin : newest.twins) look(twin);
  });
  return found;
}

TypeRef type_at(const Process& process, std::uint64_t raw) {
  const Datatype* t = process.datatypes.find(raw);
  return t == nullptr ? nullptr : t->type;
}

bool appends(const Process& process, const File& f) {
  return (static_cast<std::uint64_t>(f.amode) & process.raw_of(Constant::mode_append)) != 0;
}

// A read that met the end of the file leaves the pointer where libraries differ. Of one that only
// begins nobody knows yet.
bool reads_all(const Event& leave, const FileCall& c, std::int64_t bytes) {
  if (bytes == 0) return true;
  if (c.status < 0 || !leave.has_words()) return false;
  const wire::Status s = leave.result_status(c.status);
  return !s.defined() || static_cast<std::int64_t>(s.bytes) >= bytes;
}

}  // namespace

Wants Io::wants(Proc proc) const {
  const FileCall& c = file_call(proc);
  if (c.file < 0) return {};
  return {.enter = true,
          .leave = c.moves_data() || c.ends || proc == Proc::file_sync ||
                   proc == Proc::file_set_view || proc == Proc::file_seek_shared ||
                   proc == Proc::file_close};
}

void Io::not_checked(Site site, const char* what, const char* why) {
  sink_.not_checked({.what = what, .reason = why, .count = 1, .site = site});
}

// Single calls ------------------------------------------------
void Io::on_enter(Process& process, Call& call) {
  if (call.poisoned) return;
  const FileCall& c = file_call(call.proc());
  const File* f = process.files.find(call.enter().handle(c.file));
  if (f == nullptr || f->poisoned) return;
  if (!check_access(process, call, *f, c) || !check_split(process, call, *f, c) ||
      !check_pending(process, call, *f))
    return;
  if (call.proc() == Proc::file_set_view) return check_view(process, call, *f);
  if (c.moves_data()) check_type(process, call, *f, c);
}

bool Io::check_access(Process& process, Call& call, const File& f, const FileCall& c) {
  if (c.ends || (c.moves_data() && call.enter().value(c.count) == 0)) return true;
  const Proc base = call.info().base;
  const bool resizes = base == Proc::file_set_size || base == Proc::file_preallocate;
  if ((c.reads && !f.reads) || ((c.writes || resizes) && !f.writes)) {
    if (again(process, call, Rule::io_access, {}, {f.made})) return false;
    report(process, call, Rule::io_access,
           fmt::format("{} a file that was opened with {}",
                       c.reads   ? "reads"
                       : resizes ? "changes the size of"
                                 : "writes",
                       mode_words(f)),
           {}, {made_place(process, f, "opened here")});
    return false;
  }
  if (!f.sequential || !needs_positions(c, base)) return true;
  if (!again(process, call, Cause::file_sequential, {f.made}))
    report(process, call, Cause::file_sequential,
           "needs positions in a file that was opened with MPI_MODE_SEQUENTIAL",
           {made_place(process, f, "opened here")});
  return false;
}

bool Io::check_split(Process& process, Call& call, const File& f, const FileCall& c) {
  const File::Split& open = f.split;
  const auto fire = [&](Cause cause, const char* before, const char* name, const char* after = "") {
    if (open.begun == Proc::none) {
      if (!again(process, call, cause)) report(process, call, cause, before);
    } else if (!again(process, call, cause, {open.site})) {
      report(process, call, cause, fmt::format("{}{}{}", before, name, after),
             {{process.rank, open.site, info(open.begun).name, "begun here"}});
    }
    return false;
  };
  const char* begun = open.begun == Proc::none ? "" : info(open.begun).name;
  if (c.ends) {
    if (open.begun == Proc::none)
      return fire(Cause::split_none, "no split collective is open on this file", "");
    if (open.begun != c.partner)
      return fire(Cause::split_other, "the split collective that is open was begun by ", begun);
    if (!open.empty && open.buffer != call.enter().address(c.buffer))
      return fire(Cause::split_buffer, "its buffer is not the one that it was begun with", "");
    return true;
  }
  if (open.begun == Proc::none || !call.info().has(kCollective)) return true;
  // Those that need rest have a rule of their own; MPI_File_sync is one of the collectives, too.
  if (needs_rest(call.info().base) && call.proc() != Proc::file_sync) return true;
  return fire(Cause::split_open, "collective on a file on which ", begun, " is open");
}

bool Io::check_pending(Process& process, Call& call, const File& f) {
  if (!needs_rest(call.info().base)) return true;
  if (f.split.begun != Proc::none) {
    if (again(process, call, Rule::io_pending, {}, {f.split.site})) return false;
    report(process, call, Rule::io_pending,
           fmt::format("{} has not been ended", info(f.split.begun).name), {},
           {{process.rank, f.split.site, info(f.split.begun).name, "begun here"}});
    return false;
  }
  Request* r = pending_on(process, f.raw);
  if (r == nullptr) return true;
  if (!again(process, call, Rule::io_pending, {}, {r->made}))
    report(process, call, Rule::io_pending, fmt::format("{} is pending", info(r->made_by).name), {},
           {made_place(process, *r, "begun here")});
  r->poisoned = true;
  r->blamed = call.site();
  return false;
}

void Io::check_view(Process& process, Call& call, const File& f) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const std::int64_t disp = enter.value(about.param(Arg::disp));
  const bool current =
      disp == wire::kConstantBase + static_cast<std::int64_t>(Constant::displacement_current);
  if (current != f.sequential || (!current && disp < 0)) {
    if (again(process, call, Cause::view_displacement)) return;
    return report(process, call, Cause::view_displacement,
                  current == f.sequential ? fmt::format("disp={} is negative", disp)
                  : current ? "disp=MPI_DISPLACEMENT_CURRENT, but the file was opened without "
                              "MPI_MODE_SEQUENTIAL"
                            : "disp is not MPI_DISPLACEMENT_CURRENT, but the file was opened with "
                              "MPI_MODE_SEQUENTIAL");
  }
  const TypeRef etype = type_at(process, enter.handle(about.param(Arg::etype)));
  const TypeRef filetype = type_at(process, enter.handle(about.param(Arg::filetype)));
  if (etype == nullptr || filetype == nullptr) return;
  const auto judge = [&](const char* name, const ViewFault& fault) {
    if (fault.over_budget)
      not_checked(call.site(), "file view", "its filetype has too many pieces");
    if (!fault) return false;
    const Cause why = fault.kind == ViewFault::Kind::negative ? Cause::view_negative
                      : fault.kind == ViewFault::Kind::twice  ? Cause::view_twice
                                                              : Cause::none;
    if (why != Cause::none) {
      if (!again(process, call, why)) report(process, call, why, name + fault.what());
    } else if (!again(process, call, Rule::io_view, name)) {
      report(process, call, Rule::io_view, name + fault.what(), name);
    }
    return true;
  };
  if (judge("etype ", order_fault(*etype, f.writes))) return;
  if (judge("filetype ", order_fault(*filetype, f.writes))) return;
  judge("filetype: ", etype_fault(*etype, *filetype));
}

void Io::check_type(Process& process, Call& call, const File& f, const FileCall& c) {
  const Event enter = call.enter();
  const std::int64_t count = enter.value(c.count);
  const TypeRef type = type_at(process, enter.handle(c.type));
  if (count <= 0 || type == nullptr || f.view.etype == nullptr) return;
  const ViewFault fault = buffer_fault(*f.view.etype, *type, count);
  if (!fault) return;
  const bool set = f.view.set.value != 0;
  if (set ? again(process, call, Rule::io_type, {}, {f.view.set})
          : again(process, call, Rule::io_type))
    return;
  std::vector<Place> more;
  if (set) more.push_back({process.rank, f.view.set, "MPI_File_set_view", "view set here"});
  report(process, call, Rule::io_type, fault.what(), {}, std::move(more));
}

// Between processes ------------------------------------------------
Io::Handle& Io::handle(Process& process, const File& f) {
  Handle& h = handles_[process][f.raw];
  if (h.generation == f.generation) return h;
  h = {};
  h.generation = f.generation;
  if (f.size <= 1 || f.members == nullptr) return h;
  if (process.stranger()) {
    not_checked(f.made, "file accesses of a spawned world", reason(Hidden::world));
    return h;
  }
  h.rank = f.members->rank_of(process.rank).value;
  if (h.rank < 0) return h;
  if (f.members->unseen) {
    not_checked(f.made, "file accesses", "some of the processes that share the file are not seen");
    return h;
  }
  h.members = f.members;
  h.file = mix(mix(world_.inter_id(f.comm_id), f.members->hash), f.number) | 1;
  return h;
}

FileNews Io::news_of(const Handle& h, FileNews::What what) {
  FileNews news;
  news.what = what;
  news.file = h.file;
  news.members = h.members;
  news.rank = h.rank;
  return news;
}

void Io::tell(const FileNews& news) {
  const int home = news.members->away ? home_(*news.members) : -1;
  if (home < 0 || home == world_.own()) return files_.take(news);
  remote_->tell(home, news);
}

void Io::on_leave(Process& process, Call& call, const Event& leave) {
  const FileCall& c = file_call(call.proc());
  const File* f = process.files.find(call.enter().handle(c.file));
  if (f == nullptr || leave.error_class() != 0) return;
  Handle& h = handle(process, *f);
  if (c.ends) return tell_begun(h, h.begun && reads_all(leave, c, h.begun->step.amount));
  // What comes before its end is in no order with it, if it is at the shared pointer, too.
  if (c.pointer != FilePointer::offset && c.pointer != FilePointer::individual)
    tell_begun(h, false);
  if (call.proc() == Proc::file_close) {
    if (f->born_during(call.seq())) return;
    if (h.file != 0) tell(news_of(h, FileNews::What::closed));
    handles_[process].erase(f->raw);
    return;
  }
  if (h.file == 0) return;
  if (call.proc() == Proc::file_sync) {
    sync(process, *f, h);
  } else if (call.proc() == Proc::file_set_view) {
    set_view(process, call, *f, h);
  } else if (call.proc() == Proc::file_seek_shared) {
    seek_shared(process, call, *f, h);
  } else if (c.pointer == FilePointer::shared) {
    access_shared(process, call, leave, *f, c, h);
  } else {
    access(process, call, *f, c, h);
  }
}

void Io::sync(Process& process, const File& f, Handle& h) {
  ++h.synced;
  // It does not move the pointer, but parts those that came before from those that come after.
  FileNews step = news_of(h, FileNews::What::shared);
  step.append = appends(process, f);
  step.step.what = SharedPointer::Step::What::move;
  tell(step);
  // The first one settles nothing: what another did before it was not told to this process yet.
  if (h.synced > 1 && process.communications != h.communications) {
    h.settled = h.synced;
    FileNews news = news_of(h, FileNews::What::settled);
    news.number = h.settled;
    tell(news);
  }
  h.communications = process.communications;
}

void Io::set_view(Process& process, const Call& call, const File& f, Handle& h) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const TypeRef etype = type_at(process, enter.handle(about.param(Arg::etype)));
  const TypeRef filetype = type_at(process, enter.handle(about.param(Arg::filetype)));
  FileNews news = news_of(h, FileNews::What::view);
  news.number = f.view.number + 1;
  if (etype != nullptr && filetype != nullptr && !call.poisoned) {
    const Tiles& tiles = tiles_.of(filetype);
    if (tiles.known()) {
      std::uint64_t print = mix(static_cast<std::uint64_t>(enter.value(about.param(Arg::disp))),
                                etype->signature->digest.h[0]);
      print = mix(mix(print, static_cast<std::uint64_t>(etype->extent())), tiles.hash());
      news.print = print | 1;
      news.place = place_of(process, call, "view set here");
    }
  }
  tell(news);
}

// Where they are the file's home finds out (shared_pointer.h).
void Io::access_shared(Process& process, const Call& call, const Event& leave, const File& f,
                       const FileCall& c, Handle& h) {
  using Step = SharedPointer::Step;
  const Event enter = call.enter();
  if (!call.poisoned && f.view.number > 0) {
    FileNews news = news_of(h, FileNews::What::pointer);
    news.number = f.view.number;
    news.place = place_of(process, call);
    tell(news);
  }
  FileNews news = news_of(h, FileNews::What::shared);
  news.append = appends(process, f);
  Step& step = news.step;
  step.what = call.info().has(kCollective) ? Step::What::ordered : Step::What::free;
  const std::int64_t count = enter.value(c.count);
  const TypeRef type = type_at(process, enter.handle(c.type));
  const FileView& view = f.view;
  const Tiles* tiles = view.filetype == nullptr ? nullptr : &tiles_.of(view.filetype);
  if (tiles != nullptr && tiles->known() && view.native && !wire::is_canonical(view.disp))
    step.origin = tiles->gapless_from(view.disp);
  step.known = !call.poisoned && count >= 0 && (count == 0 || type != nullptr);
  if (step.known && count > 0) step.amount = mul(count, type->size);
  step.compared = !call.poisoned && !f.atomic && count != 0;
  news.access = {call.site(), call.proc(), c.writes, h.synced, h.settled, true};
  if (c.begins && c.reads && step.known && step.amount > 0) {
    h.begun = std::move(news);
    return;
  }
  if (c.reads && step.known) step.known = reads_all(leave, c, step.amount);
  if (!step.known) step.amount = 0;
  tell(news);
}

void Io::tell_begun(Handle& h, bool known) {
  if (!h.begun) return;
  FileNews news = *std::exchange(h.begun, {});
  news.step.known = known;
  if (!known) news.step.amount = 0;
  tell(news);
}

void Io::seek_shared(const Process& process, const Call& call, const File& f, Handle& h) {
  using Step = SharedPointer::Step;
  const Event enter = call.enter();
  const std::int64_t whence = enter.value(call.info().param(Arg::whence));
  const auto is = [&](Constant c) {
    return whence == wire::kConstantBase + static_cast<std::int64_t>(c);
  };
  FileNews news = news_of(h, FileNews::What::shared);
  news.append = appends(process, f);
  news.step.what = is(Constant::seek_cur) ? Step::What::move : Step::What::set;
  // The end of the file is not ours to know.
  news.step.known = !call.poisoned && f.view.etype != nullptr &&
                    (is(Constant::seek_cur) || is(Constant::seek_set));
  if (news.step.known)
    news.step.amount = mul(enter.value(call.info().param(Arg::offset)), f.view.etype->size);
  tell(news);
}

void Io::access(Process& process, const Call& call, const File& f, const FileCall& c, Handle& h) {
  if (call.poisoned) return;
  const Event enter = call.enter();
  const std::int64_t count = enter.value(c.count);
  if (f.atomic || count == 0) return;
  using What = FileNews::What;
  FileNews news = news_of(h, What::access);
  news.access = {call.site(), call.proc(), c.writes, h.synced, h.settled};
  const TypeRef type = type_at(process, enter.handle(c.type));
  const FileView& view = f.view;
  const Tiles* tiles = view.filetype == nullptr ? nullptr : &tiles_.of(view.filetype);
  const std::int64_t at = c.pointer == FilePointer::offset ? enter.value(c.offset) : f.pointer;
  const bool place_known =
      c.pointer == FilePointer::offset || (c.pointer == FilePointer::individual && f.pointer_known);
  if (!place_known || type == nullptr || view.etype == nullptr || tiles == nullptr ||
      !tiles->known() || !view.native || wire::is_canonical(view.disp)) {
    news.what = What::unknown;
    return tell(news);
  }
  // Also what a read did not get: whether the file ended there is what the write decides.
  const std::int64_t bytes = mul(count, type->size);
  if (bytes <= 0) return;
  if (!tiles->for_each_range(
          view.disp, mul(at, view.etype->size), bytes,
          [&](std::int64_t lo, std::int64_t hi) { news.ranges.emplace_back(lo, hi); }))
    news.what = What::unknown;
  tell(news);
}

void Io::finish() { files_.finish(); }

}  // namespace vouch
