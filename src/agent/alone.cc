#include "agent/alone.h"

namespace vouch {

Alone::Alone(RankHost& host) : Home(host) { enter(JobStage::running); }

void Alone::on_command(const Command& command) {
  host_.obey(command);
  all_obeyed(command);
}

bool Alone::finished() {
  return host_.launcher_ended() && (host_.alive() == 0 || host_.launcher_long_gone());
}

void Alone::end() {
  enter(JobStage::concluding);
  host_.deaths().add(host_.drain(), Clock::now());
  judge(true);
  deliver(host_.conclude(true));
  enter(JobStage::over);
}

}  // namespace vouch
