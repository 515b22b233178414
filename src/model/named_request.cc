#include "model/named_request.h"

#include <algorithm>
#include <map>
#include <vector>

#include "model/handle.h"

namespace vouch {
namespace {

struct Handles {
  Handles(const Call& call, int param) : enter(call.enter()), param(param) {
    many = call.info().params[static_cast<std::size_t>(param)].is_array();
    if (many) array = enter.array(param);
  }
  // What only copies of handles have to be told apart by.
  void locate(const Process& process, const Call& call) {
    // The variables of a Fortran program are not seen, only those of its binding.
    if (!call.fortran() &&
        call.info().params[static_cast<std::size_t>(param)].shape != Shape::scalar)
      base = enter.address(param);
    step = handle_size(process);
  }
  std::uint64_t size() const { return many ? array.size() : 1; }
  std::uint64_t raw(std::uint64_t i) const {
    return many ? static_cast<std::uint64_t>(array[i]) : enter.handle(param);
  }
  std::uint64_t variable(std::uint64_t i) const { return base == 0 ? 0 : base + i * step; }

  Event enter;
  int param;
  bool many = false;
  ArrayView array;
  std::uint64_t base = 0, step = 0;
};

// For each handle that is no variable of its request, the call that made the request it means.
std::vector<Meant> what_is_meant(const Process& process, const Handles& handles) {
  std::vector<Meant> meant(handles.size());
  std::map<std::uint64_t, std::vector<std::uint64_t>> copies;  // by handle
  std::vector<std::uint32_t> named;                            // by their variable
  for (std::uint64_t i = 0; i < handles.size(); ++i) {
    const Request* newest = process.requests.find(handles.raw(i));
    if (newest == nullptr || newest->twins.empty()) continue;
    if (const Request* kept = newest->kept_exactly(handles.variable(i))) {
      named.push_back(kept->call);
    } else {
      copies[handles.raw(i)].push_back(i);
    }
  }
  std::sort(named.begin(), named.end());
  for (const auto& [raw, elements] : copies) {
    const Request& newest = *process.requests.find(raw);
    std::vector<std::uint32_t> left;
    const auto add = [&](const Request& r) {
      if (!std::binary_search(named.begin(), named.end(), r.call)) left.push_back(r.call);
    };
    add(newest);
    for (const Request& twin : newest.twins) add(twin);
    std::sort(left.begin(), left.end());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      Meant& one = meant[elements[k]];
      one.certain = elements.size() == left.size();
      if (k < left.size()) one.call = left[k];
    }
  }
  return meant;
}

}  // namespace

NamedRequest named_request(const Process& process, const Call& call, int param, std::uint64_t i) {
  if (param < 0) return {};
  Handles handles(call, param);
  if (i >= handles.size()) return {};
  const Request* newest = process.requests.find(handles.raw(i));
  if (newest == nullptr) return {};
  if (newest->twins.empty() && call.meant.empty()) [[likely]]
    return {newest, true};
  handles.locate(process, call);
  // What the call meant when it was made holds until it returns.
  if (call.meant.empty()) {
    if (const Request* kept = newest->kept_exactly(handles.variable(i))) return {kept, true};
    call.meant = what_is_meant(process, handles);
  }
  const Meant& meant = call.meant[i];
  if (meant.call == 0) {
    const Request* kept = newest->kept_exactly(handles.variable(i));
    return {kept != nullptr ? kept : newest, meant.certain};
  }
  return {newest->of_call(meant.call), meant.certain};
}

}  // namespace vouch
