// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "serve/api/api_keys.h"
#include "serve/api/errors.h"
#include "serve/http/http.h"

namespace crivello::serve {

// A parameter that an endpoint accepts in the query string.
struct ParameterSpec {
  enum class Kind : uint8_t {
    kText,    // UTF-8 without NUL
    kNumber,  // from minimum to maximum
    kFlag,    // 1, true or empty; 0, false
    kChoice,  // one of choices
  };
  std::string_view name;
  Kind kind = Kind::kText;
  std::string_view description;
  std::string_view example;  // a realistic value
  bool required = false;
  std::string_view standard = {};  // the default value, or empty
  uint64_t minimum = 0;
  uint64_t maximum = 0;
  std::vector<std::string_view> choices = {};
};

struct Route;

// The parameters of a request, checked against their specs.  Views into the request.
class Arguments {
 public:
  // InvalidArgument says which parameter is wrong and what is expected.  An unknown parameter is an error in
  // the API; other endpoints ignore it, because their clients add parameters of their own.
  static Result<Arguments> Read(const Route& route, const HttpRequest& request);

  const HttpRequest& request() const { return *request_; }
  // The default if it was not given.  REQUIRES: the endpoint has a parameter of this name and kind.
  std::string_view Text(std::string_view name) const;
  uint64_t Number(std::string_view name) const;
  bool Flag(std::string_view name) const;

 private:
  Arguments(const Route& route, const HttpRequest& request) : route_(&route), request_(&request) {}
  const Route* route_;
  const HttpRequest* request_;
};

// An endpoint: everything that the server and its documentation (openapi.h) need to know about it.
struct Route {
  std::string_view method;  // "GET" serves HEAD too
  std::string_view path;
  std::string_view summary;
  Role needs = Role::kSearch;
  std::vector<ParameterSpec> parameters = {};
  std::vector<std::string_view> body_types = {};  // that it accepts
  std::string_view body_example = {};
  unsigned answer_status = 200;  // on success; the handler sets it
  std::vector<std::string_view> answer_types = {"application/json"};
  bool reads_rows = false;         // HttpHandler::ReadsRows
  std::vector<Error> errors = {};  // besides those that any endpoint may return
  std::function<HttpResponse(const Arguments&)> handle;
};

// A table of endpoints, each with a path of its own.
class Router {
 public:
  void Add(Route route) { routes_.push_back(std::move(route)); }
  const std::vector<Route>& routes() const { return routes_; }

  struct Found {
    const Route* route = nullptr;
    std::string allow;  // the methods of the path; empty if there is no such path
  };
  Found Find(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace crivello::serve
