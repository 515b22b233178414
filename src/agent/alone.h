// The only agent of its job: all ranks are here.

#pragma once

#include "agent/home.h"

namespace vouch {

class Alone final : public Home {
 public:
  explicit Alone(RankHost&);
  bool finished() override;
  void end() override;

 private:
  void on_command(const Command&) override;
};

}  // namespace vouch
