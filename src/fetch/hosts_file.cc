// SPDX-License-Identifier: Apache-2.0
#include "fetch/hosts_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::fetch {
namespace {

constexpr std::string_view kSpace = " \t\r\v\f";

// The next word of a line, or "".
std::string_view TakeWord(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

}  // namespace

Result<std::vector<HostsEntry>> ParseHostsFile(std::string_view text) {
  std::vector<HostsEntry> entries;
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const std::string_view address_text = TakeWord(line);
    if (address_text.empty()) continue;
    const auto address = IpAddress::Parse(address_text);
    if (!address) {
      return Status::InvalidArgument(
          fmt::format("hosts file, line {}: invalid IP address '{}'", number, address_text));
    }
    std::string_view name = TakeWord(line);
    if (name.empty())
      return Status::InvalidArgument(fmt::format("hosts file, line {}: missing host name", number));
    for (; !name.empty(); name = TakeWord(line)) entries.push_back({*address, LowerAscii(name)});
  }
  return entries;
}

}  // namespace crivello::fetch
