// Whether the processes of a job make up one MPI_COMM_WORLD.
//
// A launcher of another library (Open MPI's mpirun and a program of MPICH), or srun without the
// right plug-in, starts processes that do not know of each other: each is alone in a world of size
// 1 (MPI-4.1 11.10.2), all of them are rank 0, and whatever the program does next is wrong. A
// script that runs one job after the other gives several worlds, too. Neither can be judged as one
// program: the cause is told instead.

#pragma once

#include <string>
#include <vector>

#include "model/process.h"

namespace vouch {

class OneWorld {
 public:
  // How many processes the launcher was told to start; 0: not known.
  explicit OneWorld(int ranks) : ranks_(ranks) {}

  // A process that was not spawned by another has told its rank and the size of its world.
  // `told_size`: what its launcher says there are, where it says so (0: not). `others`: the
  // processes that came before it. True: they are not one world, which was not known before.
  bool came(const Process&, int told_size, const std::vector<const Process*>& others);

  bool broken() const { return !why_.empty(); }
  // One came when another of its rank was gone: a job after another. What was found in the first
  // one stands.
  bool in_turn() const { return in_turn_; }
  // One sentence.
  const std::string& why() const { return why_; }

 private:
  const int ranks_;
  std::string why_;
  bool in_turn_ = false;
};

// The size that the environment of this process tells of a job it belongs to itself; 0: none. A
// rank inherits it, so the same number there says nothing.
int size_in_environment();

}  // namespace vouch
