// The one thing a back end exports.

#include "shim/access/access.h"
#include "shim/core/claims.h"
#include "shim/core/runtime.h"
#include "shim/front/front_back.h"
#include "shim/guided/guided.h"

namespace vouch::shim {

extern "C" {
#include "wrapper_names.inc"
}

const volatile std::uint32_t* yield_word();

namespace {
void* const kWrappers[] = {
#include "wrappers.inc"
};
void* const kDirect[] = {
#include "direct.inc"
};
void* const kChecked[] = {
#include "checked.inc"
};
void* const kGuided[] = {
#include "guided.inc"
};
}  // namespace

}  // namespace vouch::shim

extern "C" __attribute__((visibility("default"))) const vouch::BackEnd vouch_back_end = {
    vouch::kBackEndVersion,     sizeof(vouch::shim::kWrappers) / sizeof(void*),
    vouch::shim::kWrappers,     vouch::shim::kDirect,
    vouch::shim::attach,        vouch::shim::ending,
    vouch::shim::thread_made,   vouch::shim::helper,
    vouch::shim::yield_word,    vouch::shim::kChecked,
    vouch::shim::claimed,       vouch::shim::kGuided,
    vouch::shim::guiding,       vouch::shim::time_asked,
    vouch::shim::access_module,
};
