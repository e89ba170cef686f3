// SPDX-License-Identifier: Apache-2.0
#include "serve/api/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "search/suggest/nearest_name.h"

namespace crivello::serve {
namespace {

std::optional<uint64_t> ReadNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<bool> ReadFlag(std::string_view text) {
  if (text.empty() || text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  return std::nullopt;
}

Status Check(const ParameterSpec& spec, std::string_view value) {
  const auto wrong = [&](std::string_view wanted) {
    const bool shown = charset::IsValidUtf8(value) && value.find('\0') == std::string_view::npos;
    const std::string got = shown ? fmt::format(", got '{}'", charset::CutUtf8(value, 60)) : "";
    return Status::InvalidArgument(fmt::format("parameter '{}': expected {}{}", spec.name, wanted, got));
  };
  switch (spec.kind) {
    case ParameterSpec::Kind::kText:
      if (!charset::IsValidUtf8(value) || value.find('\0') != std::string_view::npos) {
        return wrong("UTF-8 text without NUL");
      }
      break;
    case ParameterSpec::Kind::kNumber:
      if (const auto number = ReadNumber(value);
          !number || *number < spec.minimum || *number > spec.maximum) {
        return wrong(fmt::format("a number from {} to {}", spec.minimum, spec.maximum));
      }
      break;
    case ParameterSpec::Kind::kFlag:
      if (!ReadFlag(value)) return wrong("1 or 0");
      break;
    case ParameterSpec::Kind::kChoice:
      if (std::find(spec.choices.begin(), spec.choices.end(), value) == spec.choices.end()) {
        return wrong(fmt::format("one of {}", fmt::join(spec.choices, ", ")));
      }
      break;
  }
  return Status::Ok();
}

const ParameterSpec& SpecOf(const Route& route, std::string_view name) {
  const auto spec = std::find_if(route.parameters.begin(), route.parameters.end(),
                                 [name](const ParameterSpec& one) { return one.name == name; });
  assert(spec != route.parameters.end());
  return *spec;
}

// A parameter that is misspelt must not be ignored: `lnag=it` would search all languages.
Status CheckNames(const Route& route, const HttpRequest& request) {
  for (const auto& parameter : request.parameters) {
    const std::string& name = parameter.first;
    const auto known = std::find_if(route.parameters.begin(), route.parameters.end(),
                                    [&](const ParameterSpec& spec) { return spec.name == name; });
    if (known != route.parameters.end()) continue;
    std::vector<std::string> names;
    for (const ParameterSpec& spec : route.parameters) names.emplace_back(spec.name);
    const std::string_view shown = charset::IsValidUtf8(name) ? charset::CutUtf8(name, 60) : "?";
    return Status::InvalidArgument(
        fmt::format("unknown parameter '{}'{}", shown, search::DidYouMean(shown, names)));
  }
  return Status::Ok();
}

}  // namespace

Result<Arguments> Arguments::Read(const Route& route, const HttpRequest& request) {
  if (route.path.starts_with("/api/")) CRV_TRY(CheckNames(route, request));
  for (const ParameterSpec& spec : route.parameters) {
    const auto value = request.Parameter(spec.name);
    if (!value) {
      if (spec.required) return Status::InvalidArgument(fmt::format("parameter '{}' is missing", spec.name));
      continue;
    }
    // Forms also send fields that were left empty.
    if (value->empty() && !spec.required) continue;
    CRV_TRY(Check(spec, *value));
  }
  return Arguments(route, request);
}

std::string_view Arguments::Text(std::string_view name) const {
  const ParameterSpec& spec = SpecOf(*route_, name);
  const std::string_view value = request_->Parameter(name).value_or("");
  return value.empty() ? spec.standard : value;
}

uint64_t Arguments::Number(std::string_view name) const { return ReadNumber(Text(name)).value_or(0); }

bool Arguments::Flag(std::string_view name) const {
  const auto value = request_->Parameter(name);
  return value && ReadFlag(*value).value_or(false);
}

Router::Found Router::Find(std::string_view method, std::string_view path) const {
  Found found;
  for (const Route& route : routes_) {
    if (route.path != path) continue;
    if (route.method == method) found.route = &route;
    if (!found.allow.empty()) found.allow += ", ";
    found.allow += route.method;
    if (route.method == "GET") found.allow += ", HEAD";
  }
  return found;
}

}  // namespace crivello::serve
