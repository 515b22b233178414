// The messages of the wait-state engine as bytes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/mesh.h"
#include "wait/message.h"

namespace vouch {

inline constexpr net::Type kWaitMessage = net::kFirstUserType;

void write_message(std::string& out, const wait::Message&);
// Nothing: it is no such message, or names a process that is none of the job's `ranks`.
std::optional<wait::Message> read_message(std::string_view, int ranks);

// Who owns which process, and the tree: what the root tells all with Mesh::open().
std::string write_layout(const wait::Layout&);
// Nothing: it is none, or not of `nodes` agents.
std::optional<wait::Layout> read_layout(std::string_view, int nodes);

}  // namespace vouch
