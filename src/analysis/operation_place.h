// Where an operation was called, with what tells it apart: "MPI_Recv(count=4, source=1, tag=7)".

#pragma once

#include <string>

#include "match/operation.h"
#include "model/world.h"
#include "report/finding.h"

namespace vouch {

Place place_of(const World&, const Operation&, std::string role = {});

}  // namespace vouch
