#include "analysis/argument/promises.h"

#include <fmt/format.h>

#include "analysis/operation_place.h"
#include "base/count_words.h"
#include "match/channel.h"

namespace vouch {

void Promises::on_match(const Match& match) {
  const Operation &send = match.send, &recv = match.recv;
  const Process& receiver = world_.process(recv.process);
  if (receiver.exact_lengths.empty() || send.poisoned || recv.poisoned || recv.channel == nullptr)
    return;
  const auto promise = receiver.exact_lengths.find(recv.channel->id);
  if (promise == receiver.exact_lengths.end() || recv.seq < promise->second.seq) return;
  if (send.type == nullptr || recv.type == nullptr || send.partitions != 0 || !recv.buffer_known)
    return;
  const std::int64_t sent = send.count * send.type->size, room = recv.count * recv.type->size;
  if (sent >= room) return;  // a longer one is type/truncation
  const Involved places[] = {{receiver.rank, recv.site},
                             {world_.process(send.process).rank, send.site},
                             {receiver.rank, promise->second.site}};
  if (sink_.again({Rule::argument_info, Severity::error, places})) return;
  sink_.report({.rule = Rule::argument_info,
                .severity = Severity::error,
                .message = fmt::format("{} sent, room for {}, but the communicator promised "
                                       "mpi_assert_exact_length",
                                       count_words(sent, "byte"), room),
                .places = {place_of(world_, recv), place_of(world_, send, "sent here"),
                           Place{receiver.rank, promise->second.site, "", "promised here"}},
                .why = Cause::info_promise});
}

}  // namespace vouch
