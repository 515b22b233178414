#include "type/compare.h"

#include <algorithm>
#include <vector>

namespace vouch {
namespace {

constexpr std::uint64_t kBudget = 1'000'000;

bool contains(const Signature& s, AtomClass what) {
  if (s.n == 0) return false;
  if (s.children.empty()) return class_of(s.atom) == what;
  return std::any_of(s.children.begin(), s.children.end(),
                     [&](const SignatureRef& c) { return contains(*c, what); });
}

bool only(const Signature& s, AtomClass what) {
  if (s.n == 0) return true;
  if (s.children.empty()) return class_of(s.atom) == what;
  return std::all_of(s.children.begin(), s.children.end(),
                     [&](const SignatureRef& c) { return only(*c, what); });
}

// One atom for all that is alike on this machine. Ids far above those of constants.
Atom stand_in(Atom atom) {
  const AtomClass what = class_of(atom);
  return what == AtomClass::other
             ? atom
             : Atom{0x10000u + static_cast<std::uint32_t>(what) * 256 + atom.bytes, atom.bytes};
}

SignatureRef with_stand_ins(const Signature& s) {
  if (s.n == 0) return empty_signature();
  if (s.children.empty()) return run_of(stand_in(s.atom), s.n);
  std::vector<SignatureRef> parts;
  for (const SignatureRef& child : s.children) parts.push_back(with_stand_ins(*child));
  return repeat(s.n, sequence(parts));
}

// Runs of equal atoms, one after the other; each is as long as it can be.
class Runs {
 public:
  explicit Runs(const SignatureRef& s) {
    descend(s.get());
    load();
  }
  bool done() const { return left_ == 0; }
  Atom atom() const { return atom_; }
  std::uint64_t left() const { return left_; }
  std::uint64_t at() const { return at_; }
  void skip(std::uint64_t n) {
    left_ -= n;
    at_ += n;
    if (left_ == 0) load();
  }

 private:
  struct Level {
    const Signature* signature;
    std::uint64_t round;
    std::size_t child;
  };
  void descend(const Signature* s) {
    while (s->n > 0 && !s->children.empty()) {
      levels_.push_back({s, 0, 0});
      s = s->children[0].get();
    }
    following_ = s;
  }
  void advance() {
    following_ = nullptr;
    while (!levels_.empty()) {
      Level& top = levels_.back();
      if (++top.child == top.signature->children.size()) {
        top.child = 0;
        if (++top.round == top.signature->n) {
          levels_.pop_back();
          continue;
        }
      }
      return descend(top.signature->children[top.child].get());
    }
  }
  void load() {
    if (following_ == nullptr) return;
    atom_ = following_->atom;
    do {
      left_ += following_->n;
      advance();
    } while (following_ != nullptr && following_->atom == atom_);
  }
  std::vector<Level> levels_;
  const Signature* following_ = nullptr;  // the run after this one
  Atom atom_;
  std::uint64_t left_ = 0, at_ = 0;
};

// Where MPI_BYTE stands among other types, items do not correspond one by one: walk along the
// bytes.
Comparison walk(const SignatureRef& sent, const SignatureRef& received) {
  Comparison c;
  Runs s(sent), r(received);
  for (std::uint64_t steps = 0; !s.done() && !r.done(); ++steps) {
    if (steps == kBudget) {
      c.what = Comparison::What::over_budget;
      return c;
    }
    const Atom a = s.atom(), b = r.atom();
    const bool alike = a == b || stand_in(a) == stand_in(b);
    if (a != b && c.what == Comparison::What::fits) {
      c = {Comparison::What::equivalent, s.at(), r.at(), a, b};
    }
    if (alike) {
      const std::uint64_t n = std::min(s.left(), r.left());
      s.skip(n);
      r.skip(n);
    } else if (class_of(a) == AtomClass::byte && s.left() >= b.bytes) {
      const std::uint64_t n = b.bytes == 0 ? r.left() : std::min(s.left() / b.bytes, r.left());
      s.skip(n * b.bytes);
      r.skip(n);
    } else if (class_of(b) == AtomClass::byte && r.left() >= a.bytes) {
      const std::uint64_t n = a.bytes == 0 ? s.left() : std::min(r.left() / a.bytes, s.left());
      s.skip(n);
      r.skip(n * a.bytes);
    } else {
      return {Comparison::What::mismatch, s.at(), r.at(), a, b};
    }
  }
  return c;
}

// Whether the first so many bytes of a signature end inside an element, and how many bytes and
// elements come before that one.
struct Cut {
  bool inside = false;
  std::uint64_t bytes = 0, atoms = 0;
};

Cut cut_at(const Signature& s, std::uint64_t bytes) {
  const std::uint64_t round = s.children.empty() ? s.atom.bytes : s.body.bytes;
  if (round == 0 || bytes >= s.digest.bytes) return {};
  const std::uint64_t rounds = bytes / round, rest = bytes % round;
  if (rest == 0) return {};
  if (s.children.empty()) return {true, rounds * round, rounds};
  Cut before{false, rounds * round, rounds * s.body.atoms};
  for (const SignatureRef& child : s.children) {
    const std::uint64_t here = rounds * round + rest - before.bytes;
    if (here < child->digest.bytes) {
      const Cut within = cut_at(*child, here);
      return {within.inside, before.bytes + within.bytes, before.atoms + within.atoms};
    }
    before.bytes += child->digest.bytes;
    before.atoms += child->digest.atoms;
  }
  return {};
}

// MPI-4.1 3.3.1: MPI_BYTE matches MPI_BYTE only. Where it meets whole elements of something else it
// moves their bytes on this machine; an element of which only a part comes is none of the
// receiver's type on any machine.
Comparison explain_bytes(const SignatureRef& sent, const SignatureRef& received) {
  const Cut cut = cut_at(*received, sent->digest.bytes);
  if (only(*sent, AtomClass::byte) && cut.inside) {
    return {Comparison::What::mismatch, cut.bytes, cut.atoms, atom_at(sent, cut.bytes),
            atom_at(received, cut.atoms)};
  }
  return {Comparison::What::equivalent, 0, 0, atom_at(sent, 0), atom_at(received, 0)};
}

Comparison explain(const SignatureRef& sent, const SignatureRef& received, bool whole) {
  using What = Comparison::What;
  if (sent->digest.bytes > received->digest.bytes) return {What::truncation, 0, 0, {}, {}};
  // Packed data may be received as what it is, and the other way round (MPI-4.1 5.2).
  if (contains(*sent, AtomClass::packed) || contains(*received, AtomClass::packed)) return {};
  const bool any_bytes = contains(*sent, AtomClass::byte) || contains(*received, AtomClass::byte);
  if (any_bytes) {
    if (only(*sent, AtomClass::byte) || only(*received, AtomClass::byte)) {
      if (whole && sent->digest.bytes != received->digest.bytes)
        return {What::mismatch, 0, 0, atom_at(sent, 0), atom_at(received, 0)};
      return explain_bytes(sent, received);
    }
    return walk(sent, received);
  }
  const std::uint64_t length = std::min(sent->digest.atoms, received->digest.atoms);
  const std::uint64_t strict = first_difference(sent, received);
  const SignatureRef a = with_stand_ins(*sent), b = with_stand_ins(*received);
  const std::uint64_t loose = first_difference(a, b);
  if (loose < length)
    return {What::mismatch, loose, loose, atom_at(sent, loose), atom_at(received, loose)};
  if (strict < length) {
    const bool equal = sent->digest.atoms == received->digest.atoms;
    return {whole && !equal ? What::mismatch : What::equivalent, strict, strict,
            atom_at(sent, strict), atom_at(received, strict)};
  }
  // One is a prefix of the other; the sender's is not the longer one in bytes, so what is left over
  // has none.
  return {};
}

bool is_raw(Atom atom) {
  const AtomClass what = class_of(atom);
  return what == AtomClass::byte || what == AtomClass::packed;
}

// As explain(), of n times one atom and m times another one.
Comparison explain_runs(Atom sent, std::uint64_t n, Atom received, std::uint64_t m, bool whole) {
  using What = Comparison::What;
  if (n * sent.bytes > m * received.bytes) return {What::truncation, 0, 0, {}, {}};
  if (stand_in(sent) != stand_in(received)) return {What::mismatch, 0, 0, sent, received};
  return {whole && n != m ? What::mismatch : What::equivalent, 0, 0, sent, received};
}

}  // namespace

Comparison compare(const SignatureRef& sent, std::uint64_t n, const SignatureRef& received,
                   std::uint64_t m, bool whole) {
  using What = Comparison::What;
  if (sent->children.empty() && received->children.empty() && sent->atom == received->atom) {
    const std::uint64_t a = n * sent->n, b = m * received->n;
    if (a == b || (a < b && !whole)) return {};
    return {a > b ? What::truncation : What::mismatch, std::min(a, b), std::min(a, b), sent->atom,
            received->atom};
  }
  if (n == 0 || sent->n == 0) {
    if (!whole || m == 0 || received->n == 0) return {};
  } else if (n == m && (sent == received || sent->digest == received->digest)) {
    return {};
  }
  if (sent->children.empty() && received->children.empty() && n * sent->n > 0 &&
      m * received->n > 0 && !is_raw(sent->atom) && !is_raw(received->atom))
    return explain_runs(sent->atom, n * sent->n, received->atom, m * received->n, whole);
  const SignatureRef s = repeat(n, sent), r = repeat(m, received);
  if (s->digest.atoms <= r->digest.atoms && s->digest.bytes <= r->digest.bytes &&
      s->digest == (s->digest.atoms == r->digest.atoms ? r->digest : prefix(r, s->digest.atoms))) {
    if (!whole || s->digest.atoms == r->digest.atoms) return {};
    return {What::mismatch, s->digest.atoms, s->digest.atoms, {}, atom_at(r, s->digest.atoms)};
  }
  return explain(s, r, whole);
}

AtomClass class_of(Atom atom) {
  const Constant c = atom.constant();
  if (c == Constant::none) {  // a Fortran type by precision and range
    const std::string name = name_of(atom);
    return name.starts_with("INTEGER") ? AtomClass::integer
           : name.starts_with("REAL")  ? AtomClass::floating
                                       : AtomClass::complex;
  }
  switch (c) {
    case Constant::signed_char:
    case Constant::unsigned_char:
    case Constant::short_:
    case Constant::unsigned_short:
    case Constant::int_:
    case Constant::unsigned_:
    case Constant::long_:
    case Constant::unsigned_long:
    case Constant::long_long_int:
    case Constant::long_long:
    case Constant::unsigned_long_long:
    case Constant::int8_t:
    case Constant::int16_t:
    case Constant::int32_t:
    case Constant::int64_t:
    case Constant::uint8_t:
    case Constant::uint16_t:
    case Constant::uint32_t:
    case Constant::uint64_t:
    case Constant::integer:
    case Constant::integer1:
    case Constant::integer2:
    case Constant::integer4:
    case Constant::integer8:
    case Constant::integer16:
    case Constant::aint:
    case Constant::offset:
    case Constant::count:
      return AtomClass::integer;
    case Constant::float_:
    case Constant::double_:
    case Constant::long_double:
    case Constant::real:
    case Constant::double_precision:
    case Constant::real2:
    case Constant::real4:
    case Constant::real8:
    case Constant::real16:
      return AtomClass::floating;
    case Constant::complex_:
    case Constant::double_complex:
    case Constant::complex4:
    case Constant::complex8:
    case Constant::complex16:
    case Constant::complex32:
    case Constant::c_complex:
    case Constant::c_float_complex:
    case Constant::c_double_complex:
    case Constant::c_long_double_complex:
    case Constant::cxx_float_complex:
    case Constant::cxx_double_complex:
    case Constant::cxx_long_double_complex:
      return AtomClass::complex;
    case Constant::logical:
    case Constant::logical1:
    case Constant::logical2:
    case Constant::logical4:
    case Constant::logical8:
    case Constant::logical16:
    case Constant::c_bool:
    case Constant::cxx_bool:
      return AtomClass::logical;
    case Constant::char_:
    case Constant::character:
      return AtomClass::text;
    case Constant::byte:
      return AtomClass::byte;
    case Constant::packed:
      return AtomClass::packed;
    default:
      return AtomClass::other;
  }
}

}  // namespace vouch
