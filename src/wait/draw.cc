#include "wait/draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace vouch::wait {
namespace {

constexpr std::size_t kMostNodes = 60;  // what a person can still look at

std::string ranks_text(const RankSet& set) {
  std::string text = set.size() == 1 ? "rank " : "ranks ";
  constexpr std::size_t kRuns = 8;
  const auto& runs = set.runs();
  for (std::size_t i = 0; i < runs.size() && i < kRuns; ++i) {
    if (i > 0) text += ',';
    text += runs[i].first == runs[i].last ? fmt::format("{}", runs[i].first)
                                          : fmt::format("{}-{}", runs[i].first, runs[i].last);
  }
  if (runs.size() > kRuns) text += ",...";
  return text;
}

struct Node {
  std::string label;
  RankSet ranks;
  bool core = false, finished = false;
};
struct Edge {
  std::size_t from, to;
  bool one;  // one of several suffices
  bool operator==(const Edge&) const = default;
};
struct Picture {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

Picture make(const Snapshot& snapshot, const Verdict& verdict, const Groups& groups,
             const NameOf& name) {
  Picture p;
  std::vector<const Stuck*> entries;
  RankSet finished;
  const auto add = [&](const Stuck& s, bool core) {
    if (p.nodes.size() >= kMostNodes) return;
    p.nodes.push_back(
        {fmt::format("{}\n{}", ranks_text(s.ranks), name(s.label)), s.ranks, core, false});
    entries.push_back(&s);
  };
  for (const Deadlock& d : verdict.deadlocks) {
    for (const Stuck& s : d.core) add(s, true);
    finished.add(d.finished);
  }
  for (const Stuck& s : verdict.waiting) add(s, false);
  if (!finished.empty())
    p.nodes.push_back({ranks_text(finished) + "\nfinished", finished, false, true});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Stuck& s = *entries[i];
    for (const Term& t : s.terms) {
      const bool one = !s.all || t.kind == Term::Kind::any;
      // For a relative term every rank of the entry points somewhere else; for others the first
      // stands for all.
      RankSet to;
      if (t.kind == Term::Kind::offset) {
        for (const RankSet::Run& run : s.ranks.runs())
          to.add(run.first + t.rank, run.last + t.rank);
      } else {
        to = targets(t, s.ranks.first(), snapshot, groups);
        if (t.kind == Term::Kind::any && s.ranks.size() > 1) to.add(s.ranks.first());
      }
      for (std::size_t j = 0; j < p.nodes.size(); ++j) {
        const auto& runs = to.runs();
        const bool hit = std::any_of(runs.begin(), runs.end(), [&](const RankSet::Run& run) {
          const auto& mine = p.nodes[j].ranks.runs();
          return std::any_of(mine.begin(), mine.end(), [&](const RankSet::Run& other) {
            return run.first <= other.last && other.first <= run.last;
          });
        });
        const Edge edge{i, j, one};
        if (hit && std::find(p.edges.begin(), p.edges.end(), edge) == p.edges.end())
          p.edges.push_back(edge);
      }
    }
  }
  return p;
}

std::string escaped(const std::string& text, bool xml) {
  std::string out;
  for (const char c : text) {
    if (xml && (c == '<' || c == '>' || c == '&' || c == '"')) {
      out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : "&quot;";
    } else if (!xml && (c == '"' || c == '\\')) {
      out += {'\\', c};
    } else if (!xml && c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string draw_dot(const Snapshot& snapshot, const Verdict& verdict, const Groups& groups,
                     const NameOf& name) {
  const Picture p = make(snapshot, verdict, groups, name);
  std::string out = "digraph waits {\n  node [shape=box];\n";
  for (std::size_t i = 0; i < p.nodes.size(); ++i) {
    const Node& n = p.nodes[i];
    out += fmt::format("  n{} [label=\"{}\"{}];\n", i, escaped(n.label, false),
                       n.finished ? ", style=dashed"
                       : n.core   ? ", style=bold"
                                  : "");
  }
  for (const Edge& e : p.edges)
    out += fmt::format("  n{} -> n{}{};\n", e.from, e.to, e.one ? " [style=dashed]" : "");
  return out + "}\n";
}

std::string draw_svg(const Snapshot& snapshot, const Verdict& verdict, const Groups& groups,
                     const NameOf& name) {
  const Picture p = make(snapshot, verdict, groups, name);
  constexpr double kWidth = 220, kHeight = 44, kMargin = 60;
  const double n = static_cast<double>(std::max<std::size_t>(p.nodes.size(), 1));
  // On an ellipse: boxes are wide and low.
  const double rx = n < 3 ? 0 : std::max(180.0, n * 60), ry = n < 2 ? 0 : std::max(80.0, n * 30);
  const double width = 2 * rx + kWidth + 2 * kMargin, height = 2 * ry + kHeight + kMargin;
  const auto place = [&](std::size_t i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / n - std::numbers::pi / 2;
    return std::pair(width / 2 + rx * std::cos(angle), height / 2 + ry * std::sin(angle));
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" "
      "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n",
      width, height);
  for (const Edge& e : p.edges) {
    const auto [x1, y1] = place(e.from);
    const auto [x2, y2] = place(e.to);
    const char* dash = e.one ? " stroke-dasharray=\"5 4\"" : "";
    if (e.from == e.to) {
      out += fmt::format(
          "<path d=\"M{:.1f} {:.1f}c50 -18 50 38 0 20\" fill=\"none\" "
          "stroke=\"#333\"{} marker-end=\"url(#tip)\"/>\n",
          x1 + kWidth / 2, y1 - 10, dash);
      continue;
    }
    // From border to border, a little aside: there may be one back.
    const double dx = x2 - x1, dy = y2 - y1, length = std::hypot(dx, dy);
    const double aside_x = -dy / length * 9, aside_y = dx / length * 9;
    // How far from the middle of a box its border is, in direction (x, y).
    const auto border = [&](double x, double y) {
      const double across = std::abs(x) > 1e-6 ? (std::copysign(kWidth / 2, x) - aside_x) / x : 1e9;
      const double up = std::abs(y) > 1e-6 ? (std::copysign(kHeight / 2, y) - aside_y) / y : 1e9;
      return std::min(across, up);
    };
    const double out_of = border(dx, dy), into = border(-dx, -dy);
    const double bend = 0.06;
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
        "stroke=\"#333\"{} marker-end=\"url(#tip)\"/>\n",
        x1 + dx * out_of + aside_x, y1 + dy * out_of + aside_y, (x1 + x2) / 2 + aside_x - dy * bend,
        (y1 + y2) / 2 + aside_y + dx * bend, x2 - dx * into + aside_x, y2 - dy * into + aside_y,
        dash);
  }
  for (std::size_t i = 0; i < p.nodes.size(); ++i) {
    const Node& node = p.nodes[i];
    const auto [x, y] = place(i);
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"6\" "
        "fill=\"{}\" stroke=\"#333\"{}/>\n",
        x - kWidth / 2, y - kHeight / 2, kWidth, kHeight,
        node.finished ? "#eee"
        : node.core   ? "#fdd"
                      : "#fff",
        node.finished ? " stroke-dasharray=\"5 4\"" : "");
    const std::size_t line = node.label.find('\n');
    const std::string first = node.label.substr(0, line);
    const std::string second = line == std::string::npos ? "" : node.label.substr(line + 1);
    out += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\" font-weight=\"bold\">{2}</text>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x, y - 4, escaped(first, true), y + 14, escaped(second, true));
  }
  return out + "</svg>\n";
}

}  // namespace vouch::wait
