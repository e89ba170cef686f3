// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/epoch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"

namespace crivello::cluster {
namespace {

constexpr std::string_view kFirstWord = "crivello-epoch 1 ";
constexpr size_t kEpochDigits = 12;

std::optional<uint64_t> ParseDigits(std::string_view text, size_t digits, int base) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const bool whole = text.size() == digits && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> ParseEpoch(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return ParseDigits(name.substr(prefix.size()), kEpochDigits, 10);
}

}  // namespace

bool ValidOwner(std::string_view name) {
  return !name.empty() && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string EncodeClaim(const Claim& claim) {
  std::string line = fmt::format("{}{:012} {:016x} {} ", kFirstWord, claim.epoch, claim.nonce, claim.owner);
  line += fmt::format("{:016x}\n", Hash64(line));
  return line;
}

Result<Claim> DecodeClaim(const std::string& path, std::string_view bytes) {
  const auto damaged = [&path] {
    return Status::Corruption(fmt::format(
        "{}: not a claim of an epoch: expected 'crivello-epoch 1 EPOCH NONCE OWNER CHECKSUM'", path));
  };
  // Everything has one way to be written, so it suffices to write what was read.
  std::string_view rest = bytes;
  if (!rest.starts_with(kFirstWord)) return damaged();
  rest.remove_prefix(kFirstWord.size());
  const size_t before_owner = kEpochDigits + 1 + 16 + 1;
  if (rest.size() < before_owner) return damaged();
  const auto epoch = ParseDigits(rest.substr(0, kEpochDigits), kEpochDigits, 10);
  const auto nonce = ParseDigits(rest.substr(kEpochDigits + 1, 16), 16, 16);
  rest.remove_prefix(before_owner);
  const size_t space = rest.find(' ');
  if (!epoch || !nonce || space == std::string_view::npos || !ValidOwner(rest.substr(0, space)))
    return damaged();
  Claim claim = {.epoch = *epoch, .nonce = *nonce, .owner = std::string(rest.substr(0, space))};
  if (EncodeClaim(claim) != bytes) return damaged();
  return claim;
}

std::string EpochFileName(uint64_t epoch) { return fmt::format("EPOCH-{:012}", epoch); }
std::string EpochFolderName(uint64_t epoch) { return fmt::format("e{:012}", epoch); }
std::optional<uint64_t> ParseEpochFileName(std::string_view name) { return ParseEpoch(name, "EPOCH-"); }
std::optional<uint64_t> ParseEpochFolderName(std::string_view name) { return ParseEpoch(name, "e"); }

uint64_t HighestEpoch(std::span<const std::string> names) {
  uint64_t highest = 0;
  for (const std::string& name : names) highest = std::max(highest, ParseEpochFileName(name).value_or(0));
  return highest;
}

}  // namespace crivello::cluster
