// SPDX-License-Identifier: Apache-2.0
#include "cli/config/host_settings.h"

#include <fmt/format.h>

#include "base/file_system.h"
#include "cli/units.h"
#include "crawl/host_settings.h"
#include "web/url/canonical.h"

namespace crivello::cli {
namespace {

using HostTable = std::map<std::string, HostOption>;

Status WrongSetting(const HostOption& option, std::string_view what) {
  return Status::InvalidArgument(fmt::format("{}: {}", option.origin, what));
}

Result<std::string> OneValue(const HostTable& table, const std::string& name) {
  const HostOption& option = table.at(name);
  if (option.values.size() != 1 || option.values[0].empty()) {
    return WrongSetting(option, fmt::format("'{}' of a host takes one value", name));
  }
  return option.values[0];
}

Result<fetch::RequestField> LoginOf(const HostTable& table) {
  const auto user = table.find("user");
  const auto file = table.find("password-file");
  if (user == table.end() || file == table.end()) {
    return WrongSetting(user == table.end() ? file->second : user->second,
                        "user and password-file of a host go together");
  }
  CRV_ASSIGN(const std::string name, OneValue(table, "user"));
  CRV_ASSIGN(const std::string path, OneValue(table, "password-file"));
  auto password = ReadFile(path);
  if (!password.ok()) return password.status().WithContext(file->second.origin);
  while (!password->empty() && (password->back() == '\n' || password->back() == '\r')) password->pop_back();
  auto field = crawl::LoginField(name, *password);
  return field.ok() ? field : WrongSetting(user->second, field.status().message());
}

}  // namespace

Status AddHostSettings(const Session& session, crawl::CrawlOptions* options) {
  for (const auto& [name, table] : session.hosts) {
    if (table.empty()) continue;
    const auto url = web::CanonicalUrl("http://" + name + "/");
    if (!url.ok() || url->host() != url->hostname() || url->path_and_query() != "/") {
      return WrongSetting(table.begin()->second, fmt::format("'{}' is not the name of a host", name));
    }
    const std::string host(url->hostname());
    if (table.contains("delay")) {
      CRV_ASSIGN(const std::string text, OneValue(table, "delay"));
      const auto delay = ParseDuration(text);
      if (!delay.ok()) return WrongSetting(table.at("delay"), delay.status().message());
      options->politeness.host_delays[host] = *delay;
    }
    crawl::HostSettings settings;
    if (const auto headers = table.find("headers"); headers != table.end()) {
      for (const std::string& header : headers->second.values) {
        auto field = crawl::HeaderField(header);
        if (!field.ok()) return WrongSetting(headers->second, field.status().message());
        settings.fields.push_back(*std::move(field));
      }
    }
    if (table.contains("user") || table.contains("password-file")) {
      CRV_ASSIGN(fetch::RequestField login, LoginOf(table));
      settings.fields.push_back(std::move(login));
    }
    if (!settings.fields.empty()) options->host_settings[host] = std::move(settings);
  }
  return Status::Ok();
}

}  // namespace crivello::cli
