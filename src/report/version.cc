#include "report/version.h"

namespace vouch {

const char* version() { return VOUCH_VERSION; }

}  // namespace vouch
