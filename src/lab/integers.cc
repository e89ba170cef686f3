// SPDX-License-Identifier: Apache-2.0
#include "lab/integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <string>

namespace crivello::lab {
namespace {

// A word for an error message, without characters that control a terminal.
std::string ShownWord(std::string_view word) {
  std::string shown;
  for (const char c : word) {
    const auto byte = static_cast<uint8_t>(c);
    shown += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return shown;
}

bool IsSeparator(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

void AppendGaps(const std::vector<uint64_t>& list, std::vector<uint64_t>* gaps) {
  for (size_t i = 0; i < list.size(); i++) gaps->push_back(i == 0 ? list[0] : list[i] - list[i - 1] - 1);
}

}  // namespace

Result<std::vector<uint64_t>> ParseIntegers(std::string_view text) {
  std::vector<uint64_t> values;
  size_t line = 1;
  size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '#') i = std::min(text.find('\n', i), text.size());
    if (i < text.size() && IsSeparator(text[i])) {
      line += text[i++] == '\n';
      continue;
    }
    if (i == text.size()) break;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    const size_t stop = static_cast<size_t>(end - text.data());
    if (error != std::errc() || (stop < text.size() && !IsSeparator(text[stop]) && text[stop] != '#')) {
      const std::string_view word =
          text.substr(i, std::min<size_t>(text.find_first_of(" \t\r\n,#", i) - i, 30));
      return Status::Corruption(
          fmt::format("line {}: invalid integer '{}': expected 0 to 2^64-1", line, ShownWord(word)));
    }
    values.push_back(value);
    i = stop;
  }
  return values;
}

Result<std::vector<uint64_t>> ParseBinaryIntegers(std::string_view bytes, unsigned width_bytes) {
  if (bytes.size() % width_bytes != 0) {
    return Status::Corruption(
        fmt::format("{} bytes are not a multiple of {}, the size of an integer", bytes.size(), width_bytes));
  }
  std::vector<uint64_t> values(bytes.size() / width_bytes);
  for (size_t i = 0; i < values.size(); i++)
    std::memcpy(&values[i], bytes.data() + i * width_bytes, width_bytes);
  return values;
}

Result<Integers> GapsOf(std::vector<uint64_t> list) {
  for (size_t i = 1; i < list.size(); i++) {
    if (list[i - 1] < list[i]) continue;
    return Status::InvalidArgument(
        fmt::format("the list does not increase: {} follows {} at position {}", list[i], list[i - 1], i + 1));
  }
  Integers integers;
  AppendGaps(list, &integers.values);
  integers.lists.push_back(std::move(list));
  return integers;
}

Integers PostingsOf(std::string_view text) {
  std::map<std::string, std::vector<uint64_t>> postings;
  uint64_t position = 0;
  for (size_t i = 0; i < text.size();) {
    if (!IsWordByte(text[i])) {
      i++;
      continue;
    }
    std::string word;
    for (; i < text.size() && IsWordByte(text[i]); i++) {
      word += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
    postings[word].push_back(position++);
  }
  Integers integers;
  for (auto& [word, positions] : postings) {
    AppendGaps(positions, &integers.values);
    integers.lists.push_back(std::move(positions));
  }
  return integers;
}

}  // namespace crivello::lab
