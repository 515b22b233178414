// The version of vouch, as CMake's project() states it.

#pragma once

namespace vouch {

const char* version();

}  // namespace vouch
