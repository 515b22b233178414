// Acts as text, for tests and for people.
//
//     0#3 posted recv any:7               rank 0, its call 3: peer and tag
//     0#3 returned from 1:7               what the status says
//     0#5 completed #2 from 1:7, #4.1     the operations of call 2 and, first one, of MPI_Startall
//     0#4.1 started #1                  its pattern

#pragma once

#include <string>

#include "act/act.h"

namespace vouch {

std::string to_text(const Process&, const Call&, const Act&);

}  // namespace vouch
