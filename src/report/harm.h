// Cause and effect between findings: what can follow from a call that has one.
//
// "One cause, one finding" [U51] needs to know what a finding explains. It explains only
// what can follow from it: a wrong rank makes a call that nobody can match, and a partner of it may
// wait forever; overlapping buffers leave wrong data and nothing else, so the types of that call
// are compared, its message is matched, and a deadlock with it is a deadlock. harms.def says it for
// every rule, in one table; all readers ask that table through Call::spoil().
//
// clang-format off
// | harm     | what it means for the call                          | what is silenced or attached    |
// |----------|-----------------------------------------------------|---------------------------------|
// | meaning  | what it asks for is not defined                     | later stages; it is not matched |
// |          |                                                     | or compared                     |
// | memory   | what is wrong with its memory was said              | later checks of its buffers     |
// | requests | nobody knows the state of the requests it names     | rules about these requests      |
// | failure  | the library may refuse it or die in it              | the error or death in this call |
// |          |                                                     | or in one that completes it; if |
// |          |                                                     | it did fail, also a hang        |
// | hang     | it, or a partner of it, may wait forever            | a deadlock with its rank        |
// | damage   | memory, or what the library holds of messages, is   | how this process dies later     |
// |          | not what it should be                               |                                 |
// clang-format on
//
// A warning is about a call that does what it says: it silences repetitions of itself (memory,
// requests) and an error that this call returns, but nothing is attached to it: a deadlock or a
// death has a finding of its own. An info silences nothing.

#pragma once

#include "base/harm.h"
#include "report/finding.h"

namespace vouch {

// What can follow from a finding of this rule with this severity.
Harms harms_of(Rule, Severity);
inline Harms harms_of(Rule rule) { return harms_of(rule, info(rule).severity); }

}  // namespace vouch
