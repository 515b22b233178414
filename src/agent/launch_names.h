// What a launcher has written into the environment of a process: how it calls the process, the
// world that it belongs to and the process that has spawned that world.
//
// Open MPI's launchers, and others that speak PMIx, give each world a name (PMIX_NAMESPACE) and
// each process its rank in it (PMIX_RANK). A spawned process of Open MPI finds its parent by the
// port "WORLD.RANK:number" (OMPI_PARENT_PORT). Launchers that speak PMI alone (MPICH's) name no
// world.

#pragma once

#include <string_view>

#include "model/process.h"

namespace vouch {

// `environment`: "NAME=value" with a zero byte behind each.
LaunchNames launch_names(std::string_view environment);
// Of a process of this node; nothing if the system does not show it.
LaunchNames launch_names_of(int pid);

}  // namespace vouch
