#include "analysis/argument/check.h"

#include <fmt/format.h>

#include "analysis/argument/argument.h"

namespace vouch {
namespace {

template <typename T>
const T* usable(const Found<T>& found) {
  return found.standing == Standing::live ? found.object : nullptr;
}

}  // namespace

const Communicator* Checker::comm(int param) const {
  return usable(find(process.comms, Kind::comm, event.handle(param)));
}

const Window* Checker::window(int param) const {
  return usable(find(process.windows, Kind::win, event.handle(param)));
}

const Group* Checker::group(int param) const {
  return usable(find(process.groups, Kind::group, event.handle(param)));
}

const Datatype* Checker::datatype(std::uint64_t raw) const {
  return usable(find(process.datatypes, Kind::datatype, raw));
}

const Op* Checker::op(int param) const {
  return usable(find(process.ops, Kind::op, event.handle(param)));
}

bool Checker::at_root(const Communicator& c) const {
  if (plan.root < 0) return false;
  const std::int64_t root = value(plan.root);
  return c.inter() ? root == wire::kRoot : root == c.rank;
}

// MPI_IN_PLACE for every buffer that this count or datatype describes makes it insignificant. In
// reductions the receive buffer shares them with the send buffer, so there they stay significant.
bool Checker::all_in_place(int param) const {
  std::uint32_t buffers = plan.described[static_cast<std::size_t>(param)];
  if (buffers == 0) return false;
  for (int i = 0; buffers != 0; ++i, buffers >>= 1) {
    if ((buffers & 1) == 0) continue;
    if (event.address(i) != wire::kInPlace) return false;
  }
  return true;
}

bool Checker::significant(int i) const {
  const Param& p = param(i);
  // MPI-4.1 12.3.4: with MPI_NO_OP nothing of the origin is looked at.
  if (plan.op >= 0 && info.family == Family::rma &&
      std::string_view(p.name).starts_with("origin_")) {
    if (const Op* o = op(plan.op); o && o->constant == Constant::no_op) return false;
  }
  if (all_in_place(i)) return false;
  if (p.significant == Significant::everywhere) return true;
  if (p.significant == Significant::unless_undefined) return false;
  const Communicator* c = comm();
  if (!c) return false;
  const std::int64_t root = plan.root >= 0 ? value(plan.root) : 0;
  switch (p.significant) {
    case Significant::root:
      return at_root(*c);
    case Significant::leaf:
      return !c->inter() || (root != wire::kRoot && root != wire::kProcNull);
    case Significant::both:
      return !c->inter() || root != wire::kProcNull;
    case Significant::leader:
      return plan.leader >= 0 && value(plan.leader) == c->rank;
    case Significant::not_first:
      return c->rank != 0;
    default:
      return true;
  }
}

std::int64_t Checker::wanted_length(int i) const {
  const Param& p = param(i);
  const Communicator* c = comm();
  switch (p.length) {
    case Length::param: {
      if (param(p.length_param).shape == Shape::pointer_out) return -1;
      const std::int64_t n = value(p.length_param);
      return wire::is_canonical(n) ? -1 : n * p.length_factor;
    }
    case Length::number:
      return p.length_factor;
    case Length::size:
      return c ? c->peer_size() : -1;
    case Length::localsize:
      return c ? c->size : -1;
    case Length::indegree:
      return c && c->topology != Topology::none ? c->indegree : -1;
    case Length::outdegree:
      return c && c->topology != Topology::none ? c->outdegree : -1;
    case Length::cartdims:
      return c ? static_cast<std::int64_t>(c->dims.size()) : -1;
    case Length::sum: {
      std::int64_t sum = 0;
      const ArrayView array = event.array(p.length_param);
      for (std::uint64_t k = 0; k < array.size(); ++k) sum += array[k];
      return sum;
    }
    case Length::last: {
      const ArrayView array = event.array(p.length_param);
      return array.empty() ? 0 : array[array.size() - 1];
    }
    case Length::nul:
      return 1;
    case Length::none:
      break;
  }
  return -1;
}

std::int64_t Checker::count_at(int count_param, std::uint64_t i) const {
  if (count_param < 0) return 1;
  if (!param(count_param).is_array()) return value(count_param);
  const ArrayView counts = event.array(count_param);
  return i < counts.size() ? counts[i] : 0;
}

bool Checker::any_counted(int count_param) const {
  if (count_param < 0) return true;
  if (!param(count_param).is_array()) return value(count_param) > 0;
  const ArrayView counts = event.array(count_param);
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) return true;
  }
  return false;
}

std::string Checker::common_null(Kind kind) const {
  return owner_.nulls_.any(process, kind) ? std::string()
                                          : fmt::format("null {}", static_cast<int>(kind));
}

std::uint64_t WrongValue::key() const {
  std::uint64_t h = static_cast<unsigned char>(*what);
  const auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15u, h ^= h >> 29; };
  mix(static_cast<std::uint64_t>(value));
  mix(static_cast<std::uint64_t>(more));
  if (of != nullptr)
    mix(of->predefined() ? static_cast<std::uint64_t>(of->constant)
                         : ~std::uint64_t{of->made.value});
  return h | 1;
}

std::string WrongValue::text() const {
  std::string text = fmt::format("{} {} {}", what, value, more);
  if (of != nullptr) text += of->predefined() ? vouch::info(of->constant).name : mention(of->made);
  return text;
}

bool Checker::known(const Charge& charge, int i, const Trails& more, std::uint64_t common_key) {
  if (charge.severity == Severity::info && !owner_.first_time(call, i)) return true;
  return owner_.known(process, call, charge, i >= 0 ? param(i).name : "", more, common_key);
}

void Checker::tell(const Charge& charge, int i, std::string message, const Trails& more,
                   std::string common, std::uint64_t common_key) {
  for (int k = 0; more.shared && k < more.count; ++k) common += mention(more.list[k].site);
  owner_.tell(process, call, charge, i >= 0 ? param(i).name : "", std::move(message), more,
              std::move(common), common_key);
}

void Checker::record_damage() { owner_.damage().record(process, call.site()); }

void Checker::unseen(int i) {
  // Before the library is up its predefined handles are not known yet; MPI_Session_init takes some.
  // Misses: handles of unseen birth before MPI_Init.
  if (process.has(Constant::info_null)) call.unseen |= std::uint64_t{1} << (i & 63);
}

bool Checker::keyval_is_held(std::uint64_t raw) const {
  return owner_.attributes_.any(process, raw);
}

bool Checker::port_is_closed(const std::string& name) const {
  const auto closed = owner_.closed_ports_.find(name);
  return closed != owner_.closed_ports_.end() && closed->second.contains(process.index);
}

std::string value_text(std::int64_t v) {
  switch (v) {
    case wire::kAnySource:
      return "MPI_ANY_SOURCE";
    case wire::kProcNull:
      return "MPI_PROC_NULL";
    case wire::kRoot:
      return "MPI_ROOT";
    case wire::kAnyTag:
      return "MPI_ANY_TAG";
    case wire::kUndefined:
      return "MPI_UNDEFINED";
    default:
      break;
  }
  if (wire::is_canonical(v) && v > wire::kConstantBase &&
      v < wire::kConstantBase + static_cast<int>(Constant::count_)) {
    return vouch::info(static_cast<Constant>(v - wire::kConstantBase)).name;
  }
  return std::to_string(v);
}

bool is_library_value(const Process& process, Constant constant, std::int64_t value) {
  return process.has(constant) && static_cast<std::int32_t>(process.raw_of(constant)) == value;
}

std::string Checker::show(int i) const { return show(i, value(i)); }

std::string Checker::show(int i, std::int64_t v) const {
  return fmt::format("{}={}", param(i).name, value_text(v));
}

std::string Checker::show(int i, std::uint64_t index, std::int64_t v) const {
  return fmt::format("{}[{}]={}", param(i).name, index, value_text(v));
}

std::string Checker::name_of(const Object& object, const char* what) const {
  if (object.predefined()) return vouch::info(object.constant).name;
  if (object.made_by == Proc::none) return fmt::format("the {}", what);
  return fmt::format("the {} of {}", what, vouch::info(object.made_by).name);
}

std::string Checker::name(const Communicator& c) const {
  return name_of(c, c.inter() ? "inter-communicator" : "communicator");
}
std::string Checker::name(const Datatype& d) const { return name_of(d, "datatype"); }
std::string Checker::name(const Op& o) const { return name_of(o, "operation"); }

Trails Checker::origin(const Object& object) const {
  Trails trails;
  if (!object.predefined() && object.made_by != Proc::none)
    trails.add(object.made, object.made_by, "made here");
  return trails;
}

Trails Checker::root(const Object& object) const {
  Trails trails = origin(object);
  trails.shared = trails.count > 0;
  return trails;
}

Trails Checker::death(const Object& object) const {
  Trails trails;
  trails.add(object.freed, object.freed_by, "freed here");
  if (object.made_by != Proc::none) trails.add(object.made, object.made_by, "made here");
  trails.shared = true;
  return trails;
}

Trails Checker::null_origin(Kind kind) const {
  Trails trails;
  if (const NullOrigins::Origin* origin = owner_.nulls_.only(process, kind)) {
    trails.add(origin->site, origin->by, "null since here");
    trails.shared = true;
  }
  return trails;
}

}  // namespace vouch
