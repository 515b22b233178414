// vouch doctor: what is installed, what works here, what is missing and how to get it.

#pragma once

namespace vouch {

// Prints its findings; 0, or 61 if something that vouch run needs is missing.
int doctor();

}  // namespace vouch
