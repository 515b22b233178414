#include "match/hidden.h"

namespace vouch {

Hidden hidden(const World& world, const Process& process, const Communicator& comm) {
  if (process.stranger()) return Hidden::world;
  if (comm.leads_outside()) return Hidden::other_end;
  if (!world.unseen(comm)) return Hidden::no;
  return comm.inter() ? Hidden::inter : Hidden::members;
}

const char* reason(Hidden why) {
  switch (why) {
    case Hidden::world:
      return "which processes a spawned world has is not known: the launcher does not say, or the "
             "job is watched on several nodes";
    case Hidden::other_end:
      return "which processes are at the other end of MPI_Comm_accept, MPI_Comm_connect or "
             "MPI_Comm_join, or were spawned by a process that no launcher started, is not known";
    case Hidden::inter:
      return "inter-communicators are not followed over several nodes";
    case Hidden::members:
      return "some members of the communicator are not watched";
    case Hidden::no:
    case Hidden::count_:
      break;
  }
  return "";
}

}  // namespace vouch
