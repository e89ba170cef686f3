// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_format.h"

#include <fmt/format.h>

#include <charconv>
#include <initializer_list>
#include <span>
#include <string_view>

#include "graph/graph.h"

namespace crivello::graph {
namespace {

using Kind = BvCode::Kind;

struct NamedKind {
  Kind kind;
  std::string_view name;
};
constexpr NamedKind kNamedKinds[] = {
    {Kind::kUnary, "UNARY"},   {Kind::kGamma, "GAMMA"},   {Kind::kDelta, "DELTA"}, {Kind::kZeta, "ZETA"},
    {Kind::kGolomb, "GOLOMB"}, {Kind::kNibble, "NIBBLE"}, {Kind::kOmega, "OMEGA"}, {Kind::kPi, "PI"}};

// A part of a graph and the codes that version 0 supports for it.
struct FlagPart {
  std::string_view name;
  BvCode BvCodes::*code;
  std::initializer_list<Kind> kinds;
};
// In WebGraph's order.
const FlagPart kParts[] = {
    {"OUTDEGREES", &BvCodes::outdegrees, {Kind::kGamma, Kind::kDelta}},
    {"BLOCKS", &BvCodes::blocks, {Kind::kUnary, Kind::kGamma, Kind::kDelta}},
    {"RESIDUALS",
     &BvCodes::residuals,
     {Kind::kGamma, Kind::kZeta, Kind::kDelta, Kind::kNibble, Kind::kGolomb}},
    {"REFERENCES", &BvCodes::references, {Kind::kGamma, Kind::kDelta, Kind::kUnary}},
    {"BLOCK_COUNT", &BvCodes::block_counts, {Kind::kGamma, Kind::kDelta, Kind::kUnary}},
    {"OFFSETS", &BvCodes::offsets, {Kind::kGamma, Kind::kDelta}},
    {"INTERVALS", &BvCodes::intervals, {Kind::kGamma}},
};

std::string_view TrimProperty(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool HasKind(std::span<const Kind> kinds, Kind kind) {
  for (const Kind k : kinds) {
    if (k == kind) return true;
  }
  return false;
}

// The numeric value of a property, from 0 to `limit`; `absent` if there is no such key.
class PropertyNumbers {
 public:
  explicit PropertyNumbers(const JavaProperties& properties) : properties_(properties) {}

  Result<uint64_t> Required(const std::string& key, uint64_t limit) const {
    const auto found = properties_.find(key);
    if (found == properties_.end()) return Status::Corruption(fmt::format("the key '{}' is missing", key));
    const std::string_view text = TrimProperty(found->second);
    uint64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size() || value > limit) {
      return Status::Corruption(
          fmt::format("'{}' is '{}': expected a number from 0 to {}", key, found->second, limit));
    }
    return value;
  }
  Result<uint64_t> Optional(const std::string& key, uint64_t limit, uint64_t absent) const {
    if (!properties_.contains(key)) return absent;
    return Required(key, limit);
  }

 private:
  const JavaProperties& properties_;
};

Status UnknownFlag(std::string_view flag) {
  std::string known;
  for (const FlagPart& part : kParts) {
    for (const Kind kind : part.kinds) {
      fmt::format_to(std::back_inserter(known), "{}{}_{}", known.empty() ? "" : ", ", part.name,
                     BvCode{kind}.Name());
    }
  }
  return Status::InvalidArgument(fmt::format(
      "'compressionflags' has '{}', an unknown part or code of a BVGraph; known are {}; and, in version 1, "
      "OMEGA, PI1 to PI4 and ZETA1 to ZETA7",
      flag, known));
}

// The code that a flag names after the part.  Version 1 (WebGraph in Rust) allows any code for any part, and
// code names that include the parameter.
Result<BvCode> ParseCode(std::string_view flag, const FlagPart& part, uint32_t version, uint32_t zeta_k) {
  std::string_view name = flag.substr(part.name.size() + 1);
  if (version > 0 && name.size() > 1 && name.back() >= '1' && name.back() <= '7') {
    const auto digit = static_cast<uint32_t>(name.back() - '0');
    name.remove_suffix(1);
    if (name == "ZETA") return BvCode{Kind::kZeta, digit};
    if (name == "PI" && digit <= 4) return BvCode{Kind::kPi, digit};
    return UnknownFlag(flag);
  }
  for (const NamedKind& known : kNamedKinds) {
    if (known.name != name) continue;
    const bool in_rust = known.kind == Kind::kUnary || known.kind == Kind::kGamma ||
                         known.kind == Kind::kDelta || known.kind == Kind::kZeta ||
                         known.kind == Kind::kOmega;
    if (!HasKind(part.kinds, known.kind) && !(version > 0 && in_rust && part.name != "OFFSETS")) break;
    BvCode code = {known.kind};
    if (known.kind == Kind::kZeta || known.kind == Kind::kGolomb) code.parameter = zeta_k;
    return code;
  }
  return UnknownFlag(flag);
}

Status ParseFlags(std::string_view text, uint32_t version, bool by_rust, uint32_t zeta_k, BvCodes& codes) {
  bool has_block_count = false;
  bool has_blocks = false;
  while (!TrimProperty(text).empty()) {
    const size_t bar = text.find('|');
    const std::string_view flag = TrimProperty(text.substr(0, bar));
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    const FlagPart* found = nullptr;
    for (const FlagPart& part : kParts) {
      if (flag.starts_with(part.name) && flag.substr(part.name.size()).starts_with("_")) found = &part;
    }
    if (found == nullptr) return UnknownFlag(flag);
    CRV_ASSIGN(codes.*(found->code), ParseCode(flag, *found, version, zeta_k));
    has_block_count |= found->code == &BvCodes::block_counts;
    has_blocks |= found->code == &BvCodes::blocks;
  }
  // WebGraph in Rust has one code and one flag for blocks and their number.
  if (by_rust && has_blocks && !has_block_count) codes.block_counts = codes.blocks;
  return Status::Ok();
}

}  // namespace

std::string BvCode::Name() const {
  for (const NamedKind& known : kNamedKinds) {
    if (known.kind == kind) return std::string(known.name);
  }
  return "?";
}

Result<BvProperties> ReadBvProperties(const JavaProperties& properties) {
  const PropertyNumbers numbers(properties);
  const auto text = [&](const std::string& key) -> std::string_view {
    const auto found = properties.find(key);
    return found == properties.end() ? std::string_view() : TrimProperty(found->second);
  };
  const std::string_view graph_class = text("graphclass");
  if (graph_class != "it.unimi.dsi.webgraph.BVGraph" && graph_class != "it.unimi.dsi.big.webgraph.BVGraph") {
    return Status::InvalidArgument(fmt::format(
        "'graphclass' is '{}': expected it.unimi.dsi.webgraph.BVGraph; convert the graph with WebGraph first",
        graph_class));
  }
  BvProperties result;
  CRV_ASSIGN(const uint64_t version, numbers.Required("version", ~uint32_t{0}));
  if (version > 1) {
    return Status::InvalidArgument(
        fmt::format("the graph has format version {}: this program reads versions 0 and 1", version));
  }
  CRV_ASSIGN(result.nodes, numbers.Required("nodes", ~uint64_t{0}));
  if (result.nodes > kMaxNodes) {
    return Status::InvalidArgument(
        fmt::format("the graph has {} nodes: this program reads at most {}", result.nodes, kMaxNodes));
  }
  CRV_ASSIGN(result.arcs, numbers.Required("arcs", ~uint64_t{0}));
  if (result.arcs > result.nodes * result.nodes) {
    return Status::Corruption(fmt::format("'arcs' is {}: expected at most {}, the square of 'nodes'",
                                          result.arcs, result.nodes * result.nodes));
  }
  BvParameters& parameters = result.parameters;
  CRV_ASSIGN(const uint64_t window, numbers.Required("windowsize", BvParameters::kMaxWindow));
  CRV_ASSIGN(const uint64_t max_ref_count, numbers.Required("maxrefcount", ~uint64_t{0}));
  CRV_ASSIGN(const uint64_t min_interval, numbers.Required("minintervallength", BvParameters::kNoLimit));
  parameters.window = static_cast<uint32_t>(window);
  parameters.max_ref_count =
      max_ref_count < BvParameters::kNoLimit ? static_cast<uint32_t>(max_ref_count) : BvParameters::kNoLimit;
  parameters.min_interval = static_cast<uint32_t>(min_interval);

  // Also the modulus of the Golomb code.
  CRV_ASSIGN(const uint64_t zeta_k, numbers.Optional("zetak", BvParameters::kNoLimit, 3));
  const std::string_view endianness = text("endianness");
  if (!endianness.empty() && endianness != "big" && endianness != "little") {
    return Status::InvalidArgument(fmt::format("'endianness' is '{}': expected big or little", endianness));
  }
  parameters.little_endian = endianness == "little";
  parameters.codes.residuals.parameter = static_cast<uint32_t>(zeta_k);
  CRV_TRY(ParseFlags(text("compressionflags"), static_cast<uint32_t>(version), !endianness.empty(),
                     static_cast<uint32_t>(zeta_k), parameters.codes));
  for (const FlagPart& part : kParts) {
    const BvCode code = parameters.codes.*(part.code);
    const uint64_t most = code.kind == Kind::kZeta ? 64 : ~uint64_t{0};
    if ((code.kind == Kind::kZeta || code.kind == Kind::kGolomb) &&
        (code.parameter == 0 || code.parameter > most)) {
      return Status::Corruption(fmt::format(
          "'zetak' is {}: expected a number from 1 to 64, or any modulus from 1 for Golomb's code",
          code.parameter));
    }
  }
  return result;
}

Status CheckWritable(const BvParameters& parameters) {
  if (parameters.little_endian) {
    return Status::InvalidArgument("cannot write a little-endian BVGraph: only big-endian ones are written");
  }
  if (parameters.window > BvParameters::kMaxWindow) {
    return Status::InvalidArgument(fmt::format("a window of {} nodes: expected at most {}", parameters.window,
                                               BvParameters::kMaxWindow));
  }
  if (parameters.max_ref_count > BvParameters::kNoLimit || parameters.min_interval > BvParameters::kNoLimit) {
    return Status::InvalidArgument(
        fmt::format("a reference count of {} and intervals from {}: expected numbers up to {}",
                    parameters.max_ref_count, parameters.min_interval, BvParameters::kNoLimit));
  }
  for (const FlagPart& part : kParts) {
    const BvCode code = parameters.codes.*(part.code);
    if (!HasKind(part.kinds, code.kind)) {
      return Status::InvalidArgument(
          fmt::format("the code {} for {}: version 0 of BVGraph does not have it", code.Name(), part.name));
    }
  }
  const BvCode residuals = parameters.codes.residuals;
  if (residuals.kind == Kind::kZeta && (residuals.parameter < 1 || residuals.parameter > 31)) {
    return Status::InvalidArgument(fmt::format("zeta{}: expected a k from 1 to 31", residuals.parameter));
  }
  // A modulus far below the gaps would give unary codewords as long as the gaps.
  if (residuals.kind == Kind::kGolomb &&
      (residuals.parameter < 1 || residuals.parameter > BvParameters::kNoLimit)) {
    return Status::InvalidArgument(fmt::format("Golomb's code with modulus {}: expected 1 to {}",
                                               residuals.parameter, BvParameters::kNoLimit));
  }
  return Status::Ok();
}

std::string FormatCompressionFlags(const BvCodes& codes) {
  const BvCodes defaults;
  std::string flags;
  for (const FlagPart& part : kParts) {
    const BvCode code = codes.*(part.code);
    if (code.kind == (defaults.*(part.code)).kind) continue;
    fmt::format_to(std::back_inserter(flags), "{}{}_{}", flags.empty() ? "" : " | ", part.name, code.Name());
  }
  return flags;
}

}  // namespace crivello::graph
