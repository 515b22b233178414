#include "shim/core/unwind_rule.h"

#include <link.h>

#include <cstring>

namespace vouch::shim {

namespace {

constexpr std::uint64_t kRbp = 6, kRsp = 7, kReturn = 16;
constexpr int kStates = 8;  // remembered at the same time

// Bytes of unwind tables. Their end is not checked by each read but by the length of the entry they
// belong to; what is mapped is the linker's own output.
struct Reader {
  const std::uint8_t* at;
  const std::uint8_t* end;

  bool more() const { return at < end; }
  template <typename T>
  T fixed() {
    T value{};
    if (at + sizeof(T) <= end) std::memcpy(&value, at, sizeof(T));
    at += sizeof(T);
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at < end; shift += 7) {
      const std::uint8_t byte = *at++;
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0x80;
    while (at < end && (byte & 0x80) != 0) {
      byte = *at++;
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  // A pointer in one of the encodings of the exception tables (DW_EH_PE_*); 0 for those that need a
  // base which is not at hand.
  std::uint64_t pointer(std::uint8_t encoding, std::uint64_t data_base = 0) {
    if (encoding == 0xff) return 0;
    const auto here = reinterpret_cast<std::uint64_t>(at);
    std::uint64_t value = 0;
    switch (encoding & 0x0f) {
      case 0x00:
      case 0x04:
      case 0x0c:
        value = fixed<std::uint64_t>();
        break;
      case 0x01:
        value = unsigned_leb();
        break;
      case 0x09:
        value = static_cast<std::uint64_t>(signed_leb());
        break;
      case 0x02:
        value = fixed<std::uint16_t>();
        break;
      case 0x0a:
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(fixed<std::int16_t>()));
        break;
      case 0x03:
        value = fixed<std::uint32_t>();
        break;
      case 0x0b:
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(fixed<std::int32_t>()));
        break;
      default:
        at = end;
        return 0;
    }
    switch (encoding & 0x70) {
      case 0x00:
        break;
      case 0x10:
        value += here;
        break;
      case 0x30:
        value += data_base;
        break;
      default:
        return 0;
    }
    return value;
  }
};

// The table of .eh_frame_hdr has, sorted by address, where each function begins and where its entry
// stands, both as 4 bytes relative to the header.
const std::uint8_t* find_entry(std::uint64_t address, const std::uint8_t* header) {
  constexpr std::uint8_t kSorted = 0x3b;  // data relative, 4 bytes, signed
  if (header[0] != 1 || header[3] != kSorted) return nullptr;
  Reader reader{header + 4, header + 4 + 32};
  reader.pointer(header[1], reinterpret_cast<std::uint64_t>(header));
  const std::uint64_t count = reader.pointer(header[2], reinterpret_cast<std::uint64_t>(header));
  struct Row {
    std::int32_t function, entry;
  };
  const std::uint8_t* rows = reader.at;
  const auto row = [&](std::uint64_t i) {
    Row r;
    std::memcpy(&r, rows + i * sizeof(Row), sizeof(Row));
    return r;
  };
  const auto base = reinterpret_cast<std::uint64_t>(header);
  std::uint64_t low = 0, high = count;  // the last one that begins at or before the address
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (base + static_cast<std::uint64_t>(static_cast<std::int64_t>(row(middle).function)) <=
        address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? nullptr : header + row(low - 1).entry;
}

// What the instructions have said up to a place.
struct State {
  std::uint64_t top_register = kRsp;
  std::int64_t top_offset = 0;
  bool known = true;  // false: an expression
  bool saves_rbp = false, odd_rbp = false;
  std::int64_t rbp_offset = 0;
  bool odd_return = false;
};

struct Table {
  std::uint64_t code_factor = 1;
  std::int64_t data_factor = 1;
  std::uint8_t encoding = 0;
  bool signal_frame = false;
  const std::uint8_t* program = nullptr;
  const std::uint8_t* end = nullptr;
};

bool read_common(const std::uint8_t* at, Table& table) {
  Reader reader{at, at + 4};
  const std::uint32_t length = reader.fixed<std::uint32_t>();
  if (length == 0 || length == 0xffffffff) return false;
  reader = {at + 4, at + 4 + length};
  table.end = reader.end;
  if (reader.fixed<std::uint32_t>() != 0) return false;
  const std::uint8_t version = reader.fixed<std::uint8_t>();
  const char* words = reinterpret_cast<const char*>(reader.at);
  reader.at += std::strlen(words) + 1;
  table.code_factor = reader.unsigned_leb();
  table.data_factor = reader.signed_leb();
  if (version == 1) {
    reader.fixed<std::uint8_t>();
  } else {
    reader.unsigned_leb();
  }
  if (words[0] == 'z') {
    const std::uint64_t bytes = reader.unsigned_leb();
    const std::uint8_t* behind = reader.at + bytes;
    for (const char* w = words + 1; *w != 0; ++w) {
      if (*w == 'R') {
        table.encoding = reader.fixed<std::uint8_t>();
      } else if (*w == 'P') {
        reader.pointer(reader.fixed<std::uint8_t>());
      } else if (*w == 'L') {
        reader.fixed<std::uint8_t>();
      } else if (*w == 'S') {
        table.signal_frame = true;
      }
    }
    reader.at = behind;
  } else if (words[0] != 0) {
    return false;
  }
  table.program = reader.at;
  return true;
}

void save(State& state, std::uint64_t which, std::int64_t offset) {
  if (which == kRbp) {
    state.saves_rbp = true;
    state.odd_rbp = false;
    state.rbp_offset = offset;
  }
  if (which == kReturn && offset != -8) state.odd_return = true;
}

void odd(State& state, std::uint64_t which) {
  if (which == kRbp) state.odd_rbp = true;
  if (which == kReturn) state.odd_return = true;
}

void restore(State& state, const State& first, std::uint64_t which) {
  if (which != kRbp) return;
  state.saves_rbp = first.saves_rbp;
  state.odd_rbp = first.odd_rbp;
  state.rbp_offset = first.rbp_offset;
}

// The instructions of one program up to `address`. False: one that is not known.
bool execute(Reader reader, const Table& table, std::uint64_t from, std::uint64_t address,
             const State& first, State& state) {
  State remembered[kStates];
  int depth = 0;
  const auto advance = [&](std::uint64_t by) {
    from += by * table.code_factor;
    return from > address;
  };
  const auto scaled = [&](std::uint64_t value) {
    return static_cast<std::int64_t>(value) * table.data_factor;
  };
  while (reader.more()) {
    const std::uint8_t byte = *reader.at++;
    const std::uint8_t low = byte & 0x3f;
    if (byte >> 6 == 1) {  // advance_loc
      if (advance(low)) return true;
      continue;
    }
    if (byte >> 6 == 2) {  // offset
      save(state, low, scaled(reader.unsigned_leb()));
      continue;
    }
    if (byte >> 6 == 3) {  // restore
      restore(state, first, low);
      continue;
    }
    switch (low) {
      case 0x00:  // nop
        break;
      case 0x01: {  // set_loc
        from = reader.pointer(table.encoding);
        if (from > address) return true;
        break;
      }
      case 0x02:
        if (advance(reader.fixed<std::uint8_t>())) return true;
        break;
      case 0x03:
        if (advance(reader.fixed<std::uint16_t>())) return true;
        break;
      case 0x04:
        if (advance(reader.fixed<std::uint32_t>())) return true;
        break;
      case 0x05: {  // offset_extended
        const std::uint64_t which = reader.unsigned_leb();
        save(state, which, scaled(reader.unsigned_leb()));
        break;
      }
      case 0x06:  // restore_extended
        restore(state, first, reader.unsigned_leb());
        break;
      case 0x07:  // undefined: of the return address, the outermost frame
        odd(state, reader.unsigned_leb());
        break;
      case 0x08: {  // same_value
        if (reader.unsigned_leb() == kRbp) state.saves_rbp = state.odd_rbp = false;
        break;
      }
      case 0x09: {  // register
        odd(state, reader.unsigned_leb());
        reader.unsigned_leb();
        break;
      }
      case 0x0a:  // remember_state
        if (depth == kStates) return false;
        remembered[depth++] = state;
        break;
      case 0x0b:  // restore_state
        if (depth == 0) return false;
        state = remembered[--depth];
        break;
      case 0x0c:  // def_cfa
        state.top_register = reader.unsigned_leb();
        state.top_offset = static_cast<std::int64_t>(reader.unsigned_leb());
        state.known = true;
        break;
      case 0x0d:  // def_cfa_register
        state.top_register = reader.unsigned_leb();
        state.known = true;
        break;
      case 0x0e:  // def_cfa_offset
        state.top_offset = static_cast<std::int64_t>(reader.unsigned_leb());
        break;
      case 0x0f:  // def_cfa_expression
        state.known = false;
        reader.at += reader.unsigned_leb();
        break;
      case 0x10:    // expression
      case 0x16: {  // val_expression
        odd(state, reader.unsigned_leb());
        const std::uint64_t bytes = reader.unsigned_leb();
        reader.at += bytes;
        break;
      }
      case 0x11: {  // offset_extended_sf
        const std::uint64_t which = reader.unsigned_leb();
        save(state, which, reader.signed_leb() * table.data_factor);
        break;
      }
      case 0x12:  // def_cfa_sf
        state.top_register = reader.unsigned_leb();
        state.top_offset = reader.signed_leb() * table.data_factor;
        state.known = true;
        break;
      case 0x13:  // def_cfa_offset_sf
        state.top_offset = reader.signed_leb() * table.data_factor;
        break;
      case 0x14:  // val_offset
        odd(state, reader.unsigned_leb());
        reader.unsigned_leb();
        break;
      case 0x15:
        odd(state, reader.unsigned_leb());
        reader.signed_leb();
        break;
      case 0x2e:  // GNU_args_size
        reader.unsigned_leb();
        break;
      default:
        return false;
    }
  }
  return true;
}

struct Search {
  std::uint64_t address;
  const std::uint8_t* header;
  bool found;
};

int find_header(dl_phdr_info* info, std::size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  const std::uint8_t* header = nullptr;
  bool inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uint64_t from = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && search->address >= from &&
        search->address < from + segment.p_memsz)
      inside = true;
    if (segment.p_type == PT_GNU_EH_FRAME) header = reinterpret_cast<const std::uint8_t*>(from);
  }
  if (!inside) return 0;
  search->header = header;
  search->found = true;
  return 1;
}

// push rbp; mov rbp, rsp
constexpr UnwindRule kFramePointer{UnwindRule::by_frame, true, 16, -16};

}  // namespace

UnwindRule find_unwind_rule(std::uint64_t address, const std::uint8_t* header) {
  // The call may be the last instruction of its function.
  const std::uint64_t at = address - 1;
  const std::uint8_t* entry = find_entry(at, header);
  if (entry == nullptr) return {};
  Reader reader{entry, entry + 4};
  const std::uint32_t length = reader.fixed<std::uint32_t>();
  if (length == 0 || length == 0xffffffff) return {};
  reader = {entry + 4, entry + 4 + length};
  const std::uint8_t* here = reader.at;
  const std::uint32_t back = reader.fixed<std::uint32_t>();
  Table table;
  if (back == 0 || !read_common(here - back, table) || table.signal_frame) return {};
  const std::uint64_t begin = reader.pointer(table.encoding);
  const std::uint64_t bytes = reader.pointer(table.encoding & 0x0f);
  if (at < begin || at >= begin + bytes) return kFramePointer;
  const std::uint64_t more = reader.unsigned_leb();
  reader.at += more;
  State first;
  if (!execute({table.program, table.end}, table, 0, ~std::uint64_t{0}, State{}, first)) return {};
  State state = first;
  if (!execute(reader, table, begin, at, first, state)) return {};
  if (!state.known || state.odd_return || state.odd_rbp) return {};
  if (state.top_register != kRsp && state.top_register != kRbp) return {};
  constexpr std::int64_t kFar = std::int64_t{1} << 30;
  if (state.top_offset < 8 || state.top_offset > kFar) return {};
  UnwindRule rule;
  rule.kind = state.top_register == kRbp ? UnwindRule::by_frame : UnwindRule::by_stack;
  rule.top_offset = static_cast<std::int32_t>(state.top_offset);
  rule.saves_rbp = state.saves_rbp;
  rule.rbp_offset = static_cast<std::int32_t>(state.rbp_offset);
  return rule;
}

UnwindRule find_unwind_rule(std::uint64_t address) {
  Search search{address - 1, nullptr, false};
  dl_iterate_phdr(find_header, &search);
  if (!search.found || search.header == nullptr) return kFramePointer;
  return find_unwind_rule(address, search.header);
}

}  // namespace vouch::shim
