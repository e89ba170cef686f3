// SPDX-License-Identifier: Apache-2.0
#include "serve/http/assets.h"

#include <fmt/format.h>

#include <cassert>
#include <string>
#include <vector>

#include "base/hash.h"
#include "serve/embedded_files.h"

namespace crivello::serve {
namespace {

struct Asset {
  std::string_view name;
  std::string path;
  std::string_view type;
  std::string_view bytes;
};

std::string_view TypeOf(std::string_view name) {
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "image/svg+xml";
}

const std::vector<Asset>& Assets() {
  static const std::vector<Asset> assets = [] {
    std::vector<Asset> made;
    for (const EmbeddedFile& file : EmbeddedFiles()) {
      const size_t dot = file.path.rfind('.');
      made.push_back({file.path,
                      fmt::format("/assets/{}.{:016x}{}", file.path.substr(0, dot), Hash64(file.bytes),
                                  file.path.substr(dot)),
                      TypeOf(file.path), file.bytes});
    }
    return made;
  }();
  return assets;
}

}  // namespace

std::string_view AssetPath(std::string_view name) {
  for (const Asset& asset : Assets()) {
    if (asset.name == name) return asset.path;
  }
  assert(false);
  return "";
}

HttpResponse ServeAsset(std::string_view path) {
  for (const Asset& asset : Assets()) {
    if (asset.path != path) continue;
    return {.status = 200,
            .type = std::string(asset.type),
            .body = std::string(asset.bytes),
            .headers = {{"Cache-Control", "public, max-age=31536000, immutable"}}};
  }
  return {.status = 404, .body = "file not found\n"};
}

}  // namespace crivello::serve
