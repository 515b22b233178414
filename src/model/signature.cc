#include "model/signature.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace vouch {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase[2] = {0x12f3a1c95d84b7e3u & (kPrime - 1), 0x0b5ad4eceda1ce2au | 1};
constexpr std::uint32_t kParametrised = 0x80000000u;
constexpr std::size_t kSplice = 64;  // longer lists stay nodes of their own

std::uint64_t reduce(unsigned __int128 x) {
  const std::uint64_t sum =
      static_cast<std::uint64_t>(x & kPrime) + static_cast<std::uint64_t>(x >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return reduce(static_cast<unsigned __int128>(a) * b);
}
std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

// A digest that can be continued.
struct Piece {
  Digest digest;
  std::uint64_t power[2] = {1, 1};
};

Piece operator+(const Piece& a, const Piece& b) {
  Piece r;
  r.digest.atoms = a.digest.atoms + b.digest.atoms;
  r.digest.bytes = a.digest.bytes + b.digest.bytes;
  for (int i = 0; i < 2; ++i) {
    r.digest.h[i] = plus(times(a.digest.h[i], b.power[i]), b.digest.h[i]);
    r.power[i] = times(a.power[i], b.power[i]);
  }
  return r;
}

Piece operator*(std::uint64_t n, Piece p) {
  Piece r;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) r = r + p;
    if (n > 1) p = p + p;
  }
  return r;
}

Piece piece_of(Atom atom) {
  // Any spreading of the ids over the field will do; it must not change between versions that
  // exchange digests.
  std::uint64_t x = (atom.id + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
  Piece p;
  p.digest = {1, atom.bytes, {(x >> 3) % kPrime, ((x * 0xa0761d6478bd642fu) >> 3) % kPrime}};
  p.power[0] = kBase[0] % kPrime;
  p.power[1] = kBase[1] % kPrime;
  return p;
}

Piece whole(const Signature& s) { return {s.digest, {s.power[0], s.power[1]}}; }
Piece body(const Signature& s) { return {s.body, {s.body_power[0], s.body_power[1]}}; }

SignatureRef finish(Signature s, const Piece& once) {
  const Piece all = s.n * once;
  s.body = once.digest;
  s.digest = all.digest;
  for (int i = 0; i < 2; ++i) {
    s.body_power[i] = once.power[i];
    s.power[i] = all.power[i];
  }
  return std::make_shared<const Signature>(std::move(s));
}

bool is_run(const Signature& s) { return s.children.empty(); }

// Adds to a list in normal form.
void append(std::vector<SignatureRef>& list, const SignatureRef& s) {
  if (s->n == 0) return;
  if (!is_run(*s) && s->n == 1 && s->children.size() <= kSplice) {
    for (const SignatureRef& child : s->children) append(list, child);
    return;
  }
  if (!list.empty()) {
    const Signature& last = *list.back();
    if (is_run(last) && is_run(*s) && last.atom == s->atom) {
      list.back() = run_of(s->atom, last.n + s->n);
      return;
    }
    if (!is_run(last) && !is_run(*s) && last.body == s->body) {
      Signature joined;
      joined.n = last.n + s->n;
      joined.children = last.children;
      const Piece once = body(last);
      list.back() = finish(std::move(joined), once);
      return;
    }
  }
  list.push_back(s);
}

Piece prefix_of(const Signature& s, std::uint64_t k) {
  if (k >= s.digest.atoms) return whole(s);
  const Piece once = body(s);
  Piece p = (k / once.digest.atoms) * once;
  k %= once.digest.atoms;
  for (const SignatureRef& child : s.children) {
    if (k == 0) break;
    p = p + prefix_of(*child, k);
    k -= std::min(k, child->digest.atoms);
  }
  return p;
}

}  // namespace

Constant Atom::constant() const {
  return (id & kParametrised) != 0 ? Constant::none : static_cast<Constant>(id);
}

Atom atom_of(Constant named, std::int64_t size) {
  // MPI-4.1 3.2.2: different names of one type.
  if (named == Constant::long_long) named = Constant::long_long_int;
  if (named == Constant::c_complex) named = Constant::c_float_complex;
  return {static_cast<std::uint32_t>(named),
          static_cast<std::uint32_t>(std::max<std::int64_t>(size, 0))};
}

Atom f90_atom(Constant combiner, std::int64_t p, std::int64_t r) {
  const auto field = [](std::int64_t v, int bits) {
    return v < 0 || v >= (1 << bits) - 1
               ? (1u << bits) - 1
               : static_cast<std::uint32_t>(v);  // all ones: MPI_UNDEFINED
  };
  const std::uint32_t which = combiner == Constant::combiner_f90_real      ? 0
                              : combiner == Constant::combiner_f90_complex ? 1
                                                                           : 2;
  std::uint32_t bytes;
  if (which == 2) {
    bytes = r <= 2 ? 1 : r <= 4 ? 2 : r <= 9 ? 4 : r <= 18 ? 8 : 16;
  } else {
    bytes = p <= 6 && r <= 37 ? 4 : p <= 15 && r <= 307 ? 8 : 16;
    if (which == 1) bytes *= 2;
  }
  return {kParametrised | which << 29 | field(p, 12) << 16 | field(r, 16), bytes};
}

std::string name_of(Atom atom) {
  if ((atom.id & kParametrised) == 0) return info(atom.constant()).name;
  const std::uint32_t which = (atom.id >> 29) & 3;
  const auto text = [](std::uint32_t v, std::uint32_t none) {
    return v == none ? std::string("any") : std::to_string(v);
  };
  const std::string r = "r=" + text(atom.id & 0xffff, 0xffff) + ")";
  if (which == 2) return "INTEGER(" + r;
  return (which == 0 ? "REAL(p=" : "COMPLEX(p=") + text((atom.id >> 16) & 0xfff, 0xfff) + ", " + r;
}

const SignatureRef& empty_signature() {
  static const SignatureRef empty = std::make_shared<const Signature>();
  return empty;
}

SignatureRef run_of(Atom atom, std::uint64_t n) {
  if (n == 0) return empty_signature();
  Signature s;
  s.atom = atom;
  s.n = n;
  return finish(std::move(s), piece_of(atom));
}

SignatureRef sequence(const std::vector<SignatureRef>& parts) {
  std::vector<SignatureRef> list;
  for (const SignatureRef& part : parts) append(list, part);
  if (list.empty()) return empty_signature();
  if (list.size() == 1) return list[0];
  Piece once;
  for (const SignatureRef& child : list) once = once + whole(*child);
  Signature s;
  s.n = 1;
  s.children = std::move(list);
  return finish(std::move(s), once);
}

SignatureRef repeat(std::uint64_t n, const SignatureRef& s) {
  if (n == 0 || s->n == 0) return empty_signature();
  if (n == 1) return s;
  Signature r;
  r.atom = s->atom;
  r.n = n * s->n;
  r.children = s->children;
  return finish(std::move(r), body(*s));
}

Digest digest_of(const SignatureRef& s, std::uint64_t n) { return (n * whole(*s)).digest; }

Digest prefix(const SignatureRef& s, std::uint64_t k) {
  return s->n == 0 ? Digest{} : prefix_of(*s, k).digest;
}

Atom atom_at(const SignatureRef& s, std::uint64_t k) {
  VOUCH_CHECK(k < s->digest.atoms);
  const Signature* at = s.get();
  while (!is_run(*at)) {
    k %= at->body.atoms;
    for (const SignatureRef& child : at->children) {
      if (k < child->digest.atoms) {
        at = child.get();
        break;
      }
      k -= child->digest.atoms;
    }
  }
  return at->atom;
}

std::uint64_t first_difference(const SignatureRef& a, const SignatureRef& b) {
  // Longest common prefix by bisection on digests.
  std::uint64_t same = 0, length = std::min(a->digest.atoms, b->digest.atoms);
  std::uint64_t differ = length + 1;
  while (differ - same > 1) {
    const std::uint64_t middle = same + (differ - same) / 2;
    (prefix(a, middle) == prefix(b, middle) ? same : differ) = middle;
  }
  return same;
}

}  // namespace vouch
