#include "report/identity.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace vouch {

std::string identity(const Finding& f) {
  // Its lines may grow in number.
  if (!f.common.empty())
    return fmt::format("{}\n{}\n{}", f.rule, static_cast<int>(f.severity), f.common);
  return identity_by_places(f);
}

std::string identity_by_places(const Finding& f) {
  std::vector<std::string> places;
  // Lines, and the procedure where there is none or several share one.
  for (const Location& l : f.locations)
    places.push_back(fmt::format("{}\t{}\t{}\t{}", l.file, l.line, l.offset,
                                 l.call.substr(0, l.call.find('('))));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::string text = fmt::format("{}\n{}\n{}", f.rule, static_cast<int>(f.severity), f.cause);
  for (const std::string& place : places) text.append(1, '\n').append(place);
  return text;
}

}  // namespace vouch
