// Processes and ports: what spawn, accept and connect are given.

#include <fmt/format.h>

#include "analysis/argument/argument.h"
#include "analysis/argument/checks.h"

namespace vouch {

void check_maxprocs(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  if (c.param(step.param).is_array()) {
    const ArrayView counts = c.event.array(step.param);
    for (std::uint64_t i = 0; i < counts.size(); ++i) {
      if (counts[i] >= 0) continue;
      c.fire(Cause::spawn_number, step.param,
             [&] { return fmt::format("{} is negative", c.show(step.param, i, counts[i])); });
      return;
    }
  } else if (c.value(step.param) < 0) {
    c.fire(Cause::spawn_number, step.param,
           [&] { return fmt::format("{} is negative", c.show(step.param)); });
  }
}

void check_command(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  const Param& p = c.param(step.param);
  const std::uint64_t address = c.event.address(step.param);
  if (address == wire::kInsignificant) return;
  if (address == 0) {
    c.fire(Cause::spawn_command, step.param, [&] { return fmt::format("{} is NULL", p.name); });
  } else if (p.is_array() && p.length == Length::nul && c.event.length(step.param) == 0) {
    c.fire(Cause::spawn_command, step.param, [&] { return fmt::format("{} is empty", p.name); });
  }
}

// Misses: names that were never a port; they may come from a place vouch does not see.
void check_port(Checker& c, const Step& step) {
  if (!c.significant(step.param) || c.event.address(step.param) == 0) return;
  if (c.param(step.param).length != Length::nul || c.param(step.param).enter_tail < 0) return;
  const std::string name(c.event.array(step.param).text());
  if (!c.port_is_closed(name)) return;
  c.fire(Cause::port_closed, step.param,
         [&] { return fmt::format("port \"{}\" was already closed", name); });
}

}  // namespace vouch
