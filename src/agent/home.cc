#include "agent/home.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "agent/fate.h"
#include "report/json.h"

namespace vouch {
namespace {

// Between two looks for ranks that are stuck: when nothing is left to read, and when there is.
constexpr auto kQuietLook = std::chrono::milliseconds(25);
constexpr auto kBusyLook = std::chrono::milliseconds(250);

}  // namespace

void Home::on_finding(const Finding& finding) {
  send_line(host_.options().control, LineKind::finding, write_json_line(finding));
}

void Home::on_deaths(std::vector<Deaths::Death> batch) {
  host_.deaths().add(std::move(batch), Clock::now());
}

void Home::on_control() {
  char buffer[256];
  const ssize_t got = ::recv(host_.options().control, buffer, sizeof(buffer), MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) vouch_gone_ = true;
  if (got <= 0) return;
  command_bytes_.append(buffer, static_cast<std::size_t>(got));
  for (; command_bytes_.size() >= sizeof(Command); command_bytes_.erase(0, sizeof(Command))) {
    Command command;
    std::copy_n(command_bytes_.data(), sizeof(command), reinterpret_cast<char*>(&command));
    on_command(command);
  }
}

// The launcher's status, if it is one of a process that failed.
int Home::blames(const Command& command) const {
  return host_.options().known_launcher && command.pid != 0 && WIFEXITED(command.value)
             ? WEXITSTATUS(command.value)
             : -1;
}

void Home::all_obeyed(const Command& command) {
  if (command.kind == CommandKind::time_limit)
    send_line(host_.options().control, LineKind::ready, "");
  if (command.kind == CommandKind::launcher_failed) host_.deaths().launcher_failed();
  if (command.kind == CommandKind::launcher_ended) named_ = command.named;
  if (command.kind == CommandKind::launcher_ended)
    host_.deaths().launcher_ended(Clock::now(), host_.killed_launcher(command), command.value == 0,
                                  blames(command));
}

void Home::judge(bool all) {
  if (named_ != 0) host_.deaths().launcher_names(named_, ranks_missing());
  for (const auto& judged : host_.deaths().judge(Clock::now(), all)) {
    Judgement judgement{Deaths::local(judged.process), judged.how, judged.from_outside, {}};
    if (judged.from_outside) {
      const std::ptrdiff_t cause = host_.deaths().cause();
      judgement.when = !host_.stopped().empty() ? host_.stopped()
                       : cause >= 0
                           ? fmt::format("when {} ended it, after {} had failed",
                                         judged.gave_up ? "the MPI library" : "the launcher",
                                         dead_name(static_cast<std::size_t>(cause)))
                           : "when it was ended from outside";
    }
    tell_judgement(judgement, judged.process);
  }
}

std::string Home::dead_name(std::size_t process) {
  return name_of(host_.pipeline().process(process));
}

void Home::look_about(std::size_t read) {
  const auto now = Clock::now();
  if (!time_to_look(read, now) || stage() != JobStage::running || !host_.can_be_stuck()) return;
  looked_ = now;
  host_.ask(look_for_stuck(now));
}

// Every process inside a call that waits and nothing left to read shows at once what is stuck;
// where a part of the job goes on, a look now and then does.
bool Home::time_to_look(std::size_t read, Clock::time_point now) {
  return now - looked_ >= (read == 0 ? kQuietLook : kBusyLook);
}

Task<> Home::look_for_stuck(Clock::time_point now) {
  const Pause pause = host_.pause(now);
  Pipeline& pipeline = host_.pipeline();
  if (co_await pipeline.pause(pause)) {
    std::string text = host_.how_to_look_at(pipeline.stuck());
    text += co_await tell_others_stuck(pipeline.stuck());
    if (host_.options().ends_deadlocks) host_.note_stuck(pipeline.stuck());
    send_line(host_.options().control, LineKind::deadlock, text);
  }
  if (const std::string text = host_.search().take_notice(); !text.empty())
    send_line(host_.options().control, LineKind::notice, host_.collector().with_places(text));
}

Task<std::string> Home::tell_others_stuck(const std::vector<int>&) { co_return std::string(); }

void Home::deliver(const Summary& summary) {
  delivered_ = send_line(host_.options().control, LineKind::summary, write_json_line(summary));
}

}  // namespace vouch
