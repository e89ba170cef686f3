// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openapi.h"

#include <map>
#include <set>

#include "base/ascii.h"

namespace crivello::serve {
namespace {

Json SchemaOf(const ParameterSpec& spec) {
  Json schema;
  switch (spec.kind) {
    case ParameterSpec::Kind::kText:
      schema = {{"type", "string"}};
      if (!spec.standard.empty()) schema["default"] = spec.standard;
      break;
    case ParameterSpec::Kind::kNumber:
      schema = {{"type", "integer"}, {"minimum", spec.minimum}, {"maximum", spec.maximum}};
      if (!spec.standard.empty()) schema["default"] = std::stoull(std::string(spec.standard));
      break;
    case ParameterSpec::Kind::kFlag:
      schema = {{"type", "integer"}, {"enum", {0, 1}}, {"default", 0}};
      break;
    case ParameterSpec::Kind::kChoice:
      schema = {{"type", "string"}, {"enum", spec.choices}};
      if (!spec.standard.empty()) schema["default"] = spec.standard;
      break;
  }
  return schema;
}

// "searchGet" for GET /api/v1/search, "serverMetricsGet" for GET /metrics.
std::string OperationId(const Route& route) {
  std::string_view path = route.path;
  const bool is_api = path.starts_with("/api/v1/");
  if (is_api) path.remove_prefix(8);
  std::string id = is_api ? "" : "server";
  bool upper = false;
  for (const char c : path) {
    if (!IsAsciiAlnum(c)) {
      upper = !id.empty();
      continue;
    }
    id += upper && IsAsciiAlpha(c) ? static_cast<char>(c & ~0x20) : c;
    upper = false;
  }
  return id + (route.method == "GET" ? "Get" : route.method == "DELETE" ? "Delete" : "Post");
}

std::set<Error> ErrorsOf(const Route& route) {
  std::set<Error> errors(route.errors.begin(), route.errors.end());
  errors.insert({Error::kOverloaded, Error::kInternal, Error::kHeadTooLarge, Error::kMisdirected});
  if (!route.parameters.empty()) errors.insert(Error::kInvalidParameter);
  if (route.needs != Role::kAnyone) errors.insert(Error::kUnauthorized);
  if (route.needs == Role::kAdmin) errors.insert(Error::kForbidden);
  if (!route.body_types.empty()) {
    errors.insert({Error::kCrossSite, Error::kBodyTooLarge, Error::kUnsupportedMediaType});
  }
  return errors;
}

Json ResponsesOf(const Route& route) {
  Json content = Json::object();
  for (const std::string_view type : route.answer_types) content[type] = Json::object();
  Json responses = {{std::to_string(route.answer_status),
                     {{"description", "the response"}, {"content", std::move(content)}}}};
  std::map<unsigned, std::string> described;
  for (const Error error : ErrorsOf(route)) {
    const ErrorKind& kind = KindOf(error);
    std::string& text = described[kind.status];
    if (!text.empty()) text += "; ";
    text += std::string(kind.code) + ": " + std::string(kind.meaning);
  }
  for (const auto& [status, text] : described) {
    responses[std::to_string(status)] = {
        {"description", text},
        {"content", {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}};
  }
  return responses;
}

Json OperationOf(const Route& route) {
  Json operation = {{"summary", route.summary}, {"operationId", OperationId(route)}};
  for (const ParameterSpec& spec : route.parameters) {
    operation["parameters"].push_back({{"name", spec.name},
                                       {"in", "query"},
                                       {"required", spec.required},
                                       {"description", spec.description},
                                       {"schema", SchemaOf(spec)},
                                       {"example", spec.example}});
  }
  for (const std::string_view type : route.body_types) {
    operation["requestBody"]["content"][type] = {{"example", route.body_example}};
  }
  operation["responses"] = ResponsesOf(route);
  if (route.needs == Role::kAnyone) operation["security"] = Json::array();
  operation["x-role"] = route.needs == Role::kAdmin    ? "admin"
                        : route.needs == Role::kSearch ? "search"
                                                       : "anyone";
  return operation;
}

Json ComponentsOf() {
  Json codes = Json::array();
  for (const ErrorKind& kind : ErrorKinds()) codes.push_back(kind.code);
  const Json text = {{"type", "string"}};
  return {{"schemas",
           {{"Error",
             {{"type", "object"},
              {"required", {"error"}},
              {"properties",
               {{"error",
                 {{"type", "object"},
                  {"required", {"code", "message", "hint"}},
                  {"properties",
                   {{"code", {{"type", "string"}, {"enum", std::move(codes)}}},
                    {"message", text},
                    {"hint", text}}}}}}}}}}},
          {"securitySchemes",
           {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
            {"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}}}}}};
}

}  // namespace

Json OpenApi(const Router& router, const OpenApiOptions& options) {
  Json json = {{"openapi", "3.1.0"},
               {"info",
                {{"title", "Crivello"},
                 {"version", options.version},
                 {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
               {"security", {Json::object(), {{"bearer", Json::array()}}, {{"key", Json::array()}}}},
               {"paths", Json::object()}};
  for (const Route& route : router.routes()) {
    json["paths"][route.path][ToAsciiLower(route.method)] = OperationOf(route);
  }
  json["components"] = ComponentsOf();
  return json;
}

}  // namespace crivello::serve
