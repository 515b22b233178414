#include "launch/pmi.h"

#include <charconv>

#include <fmt/format.h>

namespace vouch::launch {
namespace {

constexpr std::string_view kSpace = "kvs";

// The value of a key in a line. `value` is the last one and may hold blanks.
std::string_view field(std::string_view line, std::string_view key) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = line.find(' ', at);
    const std::string_view word = line.substr(at, end == line.npos ? line.npos : end - at);
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
      const std::size_t from = at + key.size() + 1;
      return key == "value" ? line.substr(from) : word.substr(key.size() + 1);
    }
    if (end == line.npos) break;
    at = end + 1;
  }
  return {};
}

}  // namespace

PmiServer::PmiServer(int ranks)
    : ranks_(ranks), begun_(at(ranks)), finalized_(at(ranks)), waiting_(at(ranks)) {
  // All on one node.
  keys_["PMI_process_mapping"] = fmt::format("(vector,(0,1,{}))", ranks);
}

PmiServer::Answers PmiServer::take(int rank, std::string_view line) {
  const std::string_view command = field(line, "cmd");
  const auto answer = [&](std::string text) { return Answers{{rank, std::move(text) + '\n'}}; };
  if (command == "init") {
    begun_[at(rank)] = true;
    return answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
  }
  if (command == "get_maxes")
    return answer("cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0");
  if (command == "get_appnum") return answer("cmd=appnum appnum=0 rc=0");
  if (command == "get_my_kvsname")
    return answer(fmt::format("cmd=my_kvsname kvsname={} rc=0", kSpace));
  if (command == "get_universe_size")
    return answer(fmt::format("cmd=universe_size size={} rc=0", ranks_));
  if (command == "put") {
    keys_[std::string(field(line, "key"))] = field(line, "value");
    return answer("cmd=put_result rc=0 msg=success");
  }
  if (command == "get") {
    const auto found = keys_.find(field(line, "key"));
    return answer(found == keys_.end()
                      ? std::string("cmd=get_result rc=-1 msg=key_not_found value=unknown")
                      : fmt::format("cmd=get_result rc=0 msg=success value={}", found->second));
  }
  if (command == "barrier_in") {
    if (!waiting_[at(rank)]) ++arrived_;
    waiting_[at(rank)] = true;
    if (arrived_ < ranks_) return {};
    arrived_ = 0;
    waiting_.assign(at(ranks_), false);
    Answers all;
    for (int r = 0; r < ranks_; ++r) all.emplace_back(r, "cmd=barrier_out rc=0\n");
    return all;
  }
  if (command == "finalize") {
    finalized_[at(rank)] = true;
    return answer("cmd=finalize_ack rc=0");
  }
  if (command == "abort") {
    const std::string_view code = field(line, "exitcode");
    std::from_chars(code.data(), code.data() + code.size(), abort_code_);
    aborted_ = true;
    return {};
  }
  // Spawning and name services need a real process manager.
  return answer(fmt::format("cmd={} rc=-1 msg=not_supported", command));
}

}  // namespace vouch::launch
