// A word that a process and the children it forks later share.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace vouch {

// nullptr: there is no memory for it.
std::shared_ptr<std::atomic<std::uint32_t>> shared_word();

}  // namespace vouch
