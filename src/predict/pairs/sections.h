// Match pairs in slices: a small part first, the whole superset in the end.
//
// Each endpoint is cut into sections: receives in order, each with a send that a fair run would
// give it, until every sender has been taken k times or is empty. Only pairs within a section are
// kept. A witness found with few pairs is a witness; that there is none means something only at the
// largest bound, where each endpoint is one section and the set is the superset itself.

#pragma once

#include <vector>

#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

// Which of equally used senders a wildcard takes: the last by process number (what reproduces the
// published sizes), or the first.
enum class Ties : std::uint8_t { last, first };

struct Sections {
  std::vector<Endpoint> list{};       // each a part of an endpoint
  std::vector<std::size_t> counts{};  // sections of each endpoint that has receives
};

Sections sections(const Program&, int k, Ties = Ties::last);
MatchPairs match_pairs(const Program&, const Sections&, MatchRule = MatchRule::source_aware);

// Another part of the superset: what differs little from one complete execution. A pair is kept if
// the message was taken by the receive itself or by one at most `distance` receives before or after
// it, at the same endpoint. That execution stays possible.
MatchPairs pairs_near(const Program&, const MatchPairs& superset, const std::vector<Match>& run,
                      std::size_t distance);

// The bound at which nothing is missed: the most messages of one channel.
int max_bound(const Program&);
// The bounds worth trying, growing, the last one is max_bound: others section nothing differently.
std::vector<int> bounds(const Program&, Ties = Ties::last);

}  // namespace vouch::predict
