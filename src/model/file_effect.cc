// Files: mode, view, individual pointer, the open split collective.

#include <algorithm>
#include <array>
#include <string>

#include "model/effect.h"
#include "model/file_call.h"
#include "model/saturate.h"

namespace vouch {
namespace {

FileCall describe(Proc proc) {
  FileCall c;
  const ProcInfo& about = info(proc);
  if (about.family != Family::io) return c;
  const auto at = [&](Arg name) { return static_cast<std::int8_t>(about.param(name)); };
  c.file = at(Arg::fh);
  if (c.file < 0 || about.params[static_cast<std::size_t>(c.file)].dir == Dir::out) return {};
  const std::string name = info(about.base).name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  c.ends = name.ends_with("_end");
  c.begins = name.ends_with("_begin");
  if (c.ends) c.partner = proc_by_name(name.substr(0, name.size() - 3) + "begin");
  if (c.begins) c.partner = proc_by_name(name.substr(0, name.size() - 5) + "end");
  c.buffer = at(Arg::buf);
  if (c.buffer < 0) return c;
  c.offset = at(Arg::offset);
  c.count = at(Arg::count);
  c.type = at(Arg::datatype);
  c.status = at(Arg::status);
  c.reads = !c.ends && has("_read");
  c.writes = !c.ends && has("_write");
  c.pointer = has("_at")                          ? FilePointer::offset
              : has("_shared") || has("_ordered") ? FilePointer::shared
                                                  : FilePointer::individual;
  return c;
}

bool has_bit(const Process& process, std::int64_t amode, Constant bit) {
  return (static_cast<std::uint64_t>(amode) & process.raw_of(bit)) != 0;
}

TypeRef type_of(const Process& process, std::uint64_t raw) {
  const Datatype* t = process.datatypes.find(raw);
  return t == nullptr ? nullptr : t->type;
}

void open(const Returned& r) {
  Process& process = r.process;
  Communicator* c = process.comms.find(r.handle(Arg::comm));
  const std::uint64_t number = c == nullptr ? 0 : c->files++;
  if (!r.ok() || r.leave == nullptr) return;
  File* f = born(r, process.files, Kind::file, static_cast<std::uint64_t>(r.output(Kind::file, 0)));
  if (f == nullptr) return;
  f->name = r.enter.array(r.param(Arg::filename)).text();
  f->amode = r.value(Arg::amode);
  const bool both = has_bit(process, f->amode, Constant::mode_rdwr);
  f->reads = both || has_bit(process, f->amode, Constant::mode_rdonly);
  f->writes = both || has_bit(process, f->amode, Constant::mode_wronly);
  f->sequential = has_bit(process, f->amode, Constant::mode_sequential);
  f->pointer_known = !has_bit(process, f->amode, Constant::mode_append);
  f->number = number;
  f->view.etype = f->view.filetype = type_of(process, process.raw_of(Constant::byte));
  if (c == nullptr) return;
  f->comm_id = c->id;
  f->members = c->members;
  f->size = c->size;
}

File* file_of(const Returned& r) {
  return r.process.files.find(r.enter.handle(file_call(r.call.proc()).file));
}

void set_view(const Returned& r) {
  File* f = r.ok() ? file_of(r) : nullptr;
  if (f == nullptr) return;
  f->view.disp = r.value(Arg::disp);
  f->view.etype = type_of(r.process, r.handle(Arg::etype));
  f->view.filetype = type_of(r.process, r.handle(Arg::filetype));
  f->view.native = r.enter.array(r.param(Arg::datarep)).text() == "native";
  ++f->view.number;
  f->view.set = r.call.site();
  f->pointer = 0;  // MPI-4.1 14.3: both kinds of pointers
  f->pointer_known = true;
}

void set_atomicity(const Returned& r) {
  if (File* f = r.ok() ? file_of(r) : nullptr) f->atomic = r.value(Arg::flag) != 0;
}

void seek(const Returned& r) {
  File* f = file_of(r);
  if (f == nullptr) return;
  const std::int64_t whence = r.value(Arg::whence);
  const auto is = [&](Constant c) {
    return whence == wire::kConstantBase + static_cast<std::int64_t>(c);
  };
  if (r.ok() && is(Constant::seek_set)) {
    f->pointer = r.value(Arg::offset);
    f->pointer_known = true;
  } else if (r.ok() && is(Constant::seek_cur)) {
    f->pointer = vouch::add(f->pointer, r.value(Arg::offset));
  } else {
    f->pointer_known = false;  // the end of the file is not ours to know
  }
}

// How far an access at the individual pointer moves it, in etypes; -1: not known. A read that met
// the end of the file leaves it where libraries differ.
std::int64_t moved(const Returned& r, const File& f, const FileCall& c) {
  const TypeRef type = type_of(r.process, r.enter.handle(c.type));
  const std::int64_t count = r.enter.value(c.count);
  if (!r.ok() || count < 0) return -1;
  if (count == 0) return 0;
  if (type == nullptr || f.view.etype == nullptr || f.view.etype->size <= 0) return -1;
  const std::int64_t bytes = mul(count, type->size);
  if (c.reads && c.status >= 0 && r.leave != nullptr && r.leave->header().words >= 4) {
    const wire::Status s = r.leave->result_status(c.status);
    if ((s.flags & 2) == 0 && static_cast<std::int64_t>(s.bytes) < bytes) return -1;
  }
  return bytes % f.view.etype->size == 0 ? bytes / f.view.etype->size : -1;
}

void access(const Returned& r) {
  const FileCall& c = file_call(r.call.proc());
  if (File* f = file_of(r)) {
    if (c.pointer == FilePointer::individual) {
      const std::int64_t by = moved(r, *f, c);
      f->pointer = vouch::add(f->pointer, by);
      if (by < 0) f->pointer_known = false;
    }
    if (c.begins && r.ok()) {
      const TypeRef type = type_of(r.process, r.enter.handle(c.type));
      f->split = {r.call.info().base, r.enter.address(c.buffer),
                  r.enter.value(c.count) == 0 || (type != nullptr && type->size == 0),
                  r.call.site()};
    }
  }
  if (r.info().has(kNonblocking)) make_request(r);
}

void end_split(const Returned& r) {
  if (File* f = file_of(r)) f->split = {};
}

}  // namespace

const FileCall& file_call(Proc proc) {
  static const auto all = [] {
    std::array<FileCall, static_cast<std::size_t>(Proc::count_)> table;
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = describe(static_cast<Proc>(i));
    return table;
  }();
  return all[static_cast<std::size_t>(proc)];
}

Effect file_effect(Proc proc) {
  switch (proc) {
    case Proc::file_open:
      return open;
    case Proc::file_set_view:
      return set_view;
    case Proc::file_set_atomicity:
      return set_atomicity;
    case Proc::file_seek:
      return seek;
    default:
      break;
  }
  const FileCall& c = file_call(proc);
  return c.ends ? end_split : c.moves_data() ? access : nullptr;
}

}  // namespace vouch
