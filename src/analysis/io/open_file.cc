#include "analysis/io/open_file.h"

#include <algorithm>

#include <fmt/format.h>

namespace vouch {

void OpenFiles::take(const FileNews& news) {
  std::unique_ptr<OpenFile>& file = files_[news.file];
  if (file == nullptr) file = std::make_unique<OpenFile>(news.members);
  using What = FileNews::What;
  switch (news.what) {
    case What::access: {
      const std::uint32_t group = file->conflicts.group_of(news.access);
      for (const auto& [lo, hi] : news.ranges) file->conflicts.add(group, news.rank, lo, hi);
      return;
    }
    case What::unknown:
      return file->conflicts.add_unplaced(news.access, news.rank, false);
    case What::shared: {
      SharedPointer::Step step = news.step;
      step.access = news.access;
      if (news.append) file->pointer.begin_unknown();
      return file->pointer.add(news.rank, step);
    }
    case What::settled:
      return file->conflicts.settle(news.rank, news.number);
    case What::view: {
      SharedPointer::Step back;
      back.what = SharedPointer::Step::What::set;
      file->pointer.add(news.rank, back);
      return set_view(*file, news);
    }
    case What::pointer: {
      View& view = file->views[news.number];
      if (!view.used || news.place.rank < view.shared.rank) view.shared = news.place;
      view.used = true;
      return;
    }
    case What::closed:
      if (++file->closed < file->members->size) return;
      conclude(*file);
      files_.erase(news.file);
      return;
    case What::count_:
      return;
  }
}

void OpenFiles::set_view(OpenFile& file, const FileNews& news) {
  View& view = file.views[news.number];
  ++view.ranks;
  if (news.print != 0) {
    const auto [at, is_new] = view.kinds.emplace(news.print, news.place);
    if (!is_new && news.place.rank < at->second.rank) at->second = news.place;
  }
  if (view.ranks == file.members->size && view.kinds.size() <= 1) file.views.erase(news.number);
}

void OpenFiles::finish() {
  for (const auto& [key, file] : files_) conclude(*file);
  files_.clear();
}

void OpenFiles::conclude(OpenFile& file) {
  file.pointer.finish();
  for (const auto& [sites, conflict] : file.conflicts.conflicts()) tell(file, conflict);
  for (const auto& [number, view] : file.views) {
    if (view.used && view.kinds.size() > 1) tell(view);
  }
  const auto not_checked = [&](Site site, const char* why) {
    sink_.not_checked(
        {.what = "conflicting file accesses", .reason = why, .count = 1, .site = site});
  };
  Site site;
  if (file.conflicts.over_budget()) {
    not_checked(site, "too many pieces of a file were accessed");
  } else if (file.conflicts.unplaced(site)) {
    not_checked(site, "where in the file is not known");
  }
}

void OpenFiles::tell(const OpenFile& file, const FileConflicts::Conflict& c) {
  const auto place = [&](const FileAccess& access, int rank) {
    return Place{file.members->world(CommRank{rank}), access.site, info(access.proc).name, {}};
  };
  const Place a = place(c.a, c.rank_a), b = place(c.b, c.rank_b);
  sink_.report({.rule = Rule::io_conflict,
                .severity = info(Rule::io_conflict).severity,
                .message = fmt::format("{} bytes {}..{}, which rank {} also {}, without sync, "
                                       "barrier, sync in between",
                                       c.a.writes ? "writes" : "reads", c.lo, c.hi - 1,
                                       b.rank.value, c.b.writes ? "writes" : "reads"),
                .places = {a, b}});
}

void OpenFiles::tell(const View& view) {
  Report report{.rule = Rule::io_args,
                .severity = info(Rule::io_args).severity,
                .message = "uses the shared file pointer, but not all processes have the same view",
                .places = {view.shared},
                .why = Cause::views_differ};
  std::vector<Place> set;
  for (const auto& [print, place] : view.kinds) set.push_back(place);
  std::sort(set.begin(), set.end(), [](const Place& a, const Place& b) { return a.rank < b.rank; });
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < set.size() && i < kShown; ++i) report.places.push_back(set[i]);
  sink_.report(std::move(report));
}

}  // namespace vouch
