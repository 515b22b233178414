// Calls on requests, in a guided run.

#include "shim/band/band.h"
#include "shim/guided/guided.h"
#include "shim/guided/guided_state.h"
#include "shim/guided/stand_ins.h"

namespace vouch::shim {

namespace {

using Reason = wire::DivergenceReason;

// Indices that this call can wait for.
bool usable(Call& call, const PickDecision& pick, int count, const MPI_Request* requests) {
  const MPI_Request none = MPI_REQUEST_NULL;
  for (std::uint32_t k = 0; k < pick.count; ++k) {
    const int i = pick.indices[k];
    if (i >= count || requests == nullptr) {
      diverge(call, wire::DecisionKind::pick, pick.number, Reason::index, i, count);
      return false;
    }
    if (requests[i] == none) {
      diverge(call, wire::DecisionKind::pick, pick.number, Reason::inactive, i, 0);
      return false;
    }
  }
  std::uint64_t told[kMostTold];
  const std::uint32_t n = pick.count < kMostTold ? pick.count : kMostTold;
  for (std::uint32_t k = 0; k < n; ++k) told[k] = static_cast<std::uint64_t>(pick.indices[k]);
  tell_decided(call, wire::DecisionKind::pick, pick.number, told, n);
  return true;
}

void wrong_kind(Call& call, const PickDecision& pick) {
  diverge(call, wire::DecisionKind::pick, pick.number, Reason::kind,
          static_cast<std::int64_t>(pick.kind), 0);
}

void other_answer(Call& call, const PickDecision& pick, std::int64_t found) {
  diverge(call, wire::DecisionKind::pick, pick.number, Reason::other,
          static_cast<std::int64_t>(pick.kind), found);
}

// As MPI_Waitsome and MPI_Testsome present what is complete.
int wait_for(const PickDecision& pick, MPI_Request* requests, int* outcount, int* indices,
             MPI_Status* statuses) {
  const bool ignored = is_ignored(statuses);
  bool failed = false;
  const BandBatch together;
  for (std::uint32_t k = 0; k < pick.count; ++k) {
    MPI_Status own;
    MPI_Status* status = ignored ? &own : &statuses[k];
    const int rc = real.wait(&requests[pick.indices[k]], status);
    if (!ignored && rc != MPI_SUCCESS && !failed) {
      for (std::uint32_t i = 0; i < k; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
    }
    failed = failed || rc != MPI_SUCCESS;
    if (!ignored && failed) statuses[k].MPI_ERROR = rc;
    indices[k] = pick.indices[k];
  }
  *outcount = static_cast<int>(pick.count);
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

}  // namespace

int guide_request_get_status(Call& call, MPI_Request request, int* flag, MPI_Status* status) {
  const MPI_Request asked = stand_in_for(request);
  return guided_poll(call, flag, [&] { return real.request_get_status(asked, flag, status); });
}

int guide_wait(Call&, MPI_Request* request, MPI_Status* status) {
  RequestView view(request != nullptr ? 1 : 0, request);
  return real.wait(view.get(), status);
}

int guide_waitall(Call&, int count, MPI_Request* requests, MPI_Status* statuses) {
  RequestView view(count, requests);
  return real.waitall(count, view.get(), statuses);
}

int guide_waitany(Call& call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  tell_polls(call.thread());
  RequestView view(count, requests);
  const PickDecision pick = plan_cursor.pick();
  switch (pick.kind) {
    case PlanPickKind::indices:
      if (pick.count != 1) {
        wrong_kind(call, pick);
      } else if (index != nullptr && usable(call, pick, count, requests)) {
        *index = pick.indices[0];
        return real.wait(&view[*index], status);
      }
      break;
    case PlanPickKind::undefined: {
      const int rc = real.waitany(count, view.get(), index, status);
      if (rc == MPI_SUCCESS && index != nullptr && *index != MPI_UNDEFINED)
        other_answer(call, pick, *index);
      return rc;
    }
    case PlanPickKind::no:
    case PlanPickKind::yes:
      wrong_kind(call, pick);
      break;
    case PlanPickKind::free:
      break;
  }
  return real.waitany(count, view.get(), index, status);
}

int guide_waitsome(Call& call, int count, MPI_Request* requests, int* outcount, int* indices,
                   MPI_Status* statuses) {
  tell_polls(call.thread());
  RequestView view(count, requests);
  const PickDecision pick = plan_cursor.pick();
  switch (pick.kind) {
    case PlanPickKind::indices:
      if (outcount != nullptr && indices != nullptr && usable(call, pick, count, requests))
        return wait_for(pick, view.get(), outcount, indices, statuses);
      break;
    case PlanPickKind::undefined: {
      const int rc = real.waitsome(count, view.get(), outcount, indices, statuses);
      if (rc == MPI_SUCCESS && outcount != nullptr && *outcount != MPI_UNDEFINED)
        other_answer(call, pick, *outcount);
      return rc;
    }
    case PlanPickKind::no:
    case PlanPickKind::yes:
      wrong_kind(call, pick);
      break;
    case PlanPickKind::free:
      break;
  }
  return real.waitsome(count, view.get(), outcount, indices, statuses);
}

int guide_test(Call& call, MPI_Request* request, int* flag, MPI_Status* status) {
  RequestView view(request != nullptr ? 1 : 0, request);
  const Answer answer = request != nullptr && flag != nullptr ? decide_flag(call) : Answer::free;
  if (answer == Answer::free) return real.test(view.get(), flag, status);
  *flag = answer == Answer::yes ? 1 : 0;
  if (answer == Answer::yes) return real.wait(view.get(), status);
  make_progress();
  return MPI_SUCCESS;
}

int guide_testall(Call& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  RequestView view(count, requests);
  const Answer answer = flag != nullptr ? decide_flag(call) : Answer::free;
  if (answer == Answer::free) return real.testall(count, view.get(), flag, statuses);
  *flag = answer == Answer::yes ? 1 : 0;
  if (answer == Answer::yes) return real.waitall(count, view.get(), statuses);
  make_progress();
  return MPI_SUCCESS;
}

int guide_testany(Call& call, int count, MPI_Request* requests, int* index, int* flag,
                  MPI_Status* status) {
  RequestView view(count, requests);
  const auto ask = [&] { return real.testany(count, view.get(), index, flag, status); };
  if (index == nullptr || flag == nullptr) return ask();
  const PickDecision pick = plan_cursor.pick();
  switch (pick.kind) {
    case PlanPickKind::no:
      *flag = 0;
      *index = MPI_UNDEFINED;
      make_progress();
      return MPI_SUCCESS;
    case PlanPickKind::indices:
      if (pick.count != 1) {
        wrong_kind(call, pick);
      } else if (usable(call, pick, count, requests)) {
        *flag = 1;
        *index = pick.indices[0];
        return real.wait(&view[*index], status);
      }
      return ask();
    case PlanPickKind::undefined: {
      const int rc = ask();
      if (rc == MPI_SUCCESS && (*flag == 0 || *index != MPI_UNDEFINED))
        other_answer(call, pick, *flag != 0 ? *index : -1);
      return rc;
    }
    case PlanPickKind::yes:
      wrong_kind(call, pick);
      return ask();
    case PlanPickKind::free:
      break;
  }
  return ask();
}

int guide_testsome(Call& call, int count, MPI_Request* requests, int* outcount, int* indices,
                   MPI_Status* statuses) {
  RequestView view(count, requests);
  const auto ask = [&] { return real.testsome(count, view.get(), outcount, indices, statuses); };
  if (outcount == nullptr || indices == nullptr) return ask();
  const PickDecision pick = plan_cursor.pick();
  switch (pick.kind) {
    case PlanPickKind::no:
      *outcount = 0;
      make_progress();
      return MPI_SUCCESS;
    case PlanPickKind::indices:
      if (!usable(call, pick, count, requests)) return ask();
      return wait_for(pick, view.get(), outcount, indices, statuses);
    case PlanPickKind::undefined: {
      const int rc = ask();
      if (rc == MPI_SUCCESS && *outcount != MPI_UNDEFINED) other_answer(call, pick, *outcount);
      return rc;
    }
    case PlanPickKind::yes:
      wrong_kind(call, pick);
      return ask();
    case PlanPickKind::free:
      break;
  }
  return ask();
}

int guide_start(Call& call, MPI_Request* request) {
  if (request == nullptr) return real.start(request);
  MPI_Request started = start_as(call, *request, 0);
  return real.start(&started);
}

int guide_startall(Call& call, int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    if (requests == nullptr) return real.startall(count, requests);
    MPI_Request started = start_as(call, requests[i], static_cast<std::uint64_t>(i));
    const int rc = real.start(&started);
    if (rc != MPI_SUCCESS) return rc;
  }
  return MPI_SUCCESS;
}

int guide_cancel(Call&, MPI_Request* request) {
  RequestView view(request != nullptr ? 1 : 0, request);
  return real.cancel(view.get());
}

int guide_request_free(Call&, MPI_Request* request) {
  if (request != nullptr) forget_stand_in(*request);
  return real.request_free(request);
}

}  // namespace vouch::shim
