// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::demo {

// A name of the built-in web and the loopback address that serves it.  As on the real web, several names
// share an address, so that politeness to an address differs from politeness to a host.
struct HostAddress {
  std::string name;
  std::string address;
};

// The content at a URL, before HTTP.
struct Answer {
  int status = 404;
  std::string content_type = "text/html; charset=utf-8";
  std::string body = {};
  std::string location = {};  // of a redirect, as the server sends it
  std::string etag = {};      // with its quotes; empty unless the status is 200
  int64_t last_modified = 0;  // seconds since 1970
};

// A small web that is part of the program: about 150 pages on ten hosts under .test, in five languages, and a
// mirror of one of them, with what crawlers meet on the real web: rules, redirects, copies, a feed, a PDF, a
// dead link, an endless calendar.  src/demo/README.md lists where each is.
//
// The pages are the files of src/demo/web/HOST, embedded at build time; "index.html" is served at the URL of
// its folder.  In them, ".test:PORT" means a host with the port, which is only known once the server has one.
// `_redirects` has a line "PATH STATUS TARGET" for each redirect of its host.  The calendar is generated, and
// the mirror is made from the pages of the original, with its own name in place of the original's.
//
// Immutable, thread-safe.  Get() copies the page; memory is about the size of the files.
class BuiltInWeb {
 public:
  explicit BuiltInWeb(uint16_t port);

  uint16_t port() const { return port_; }
  // In a fixed order; addresses are 127.0.0.1 to 127.0.0.N without gaps.
  static const std::vector<HostAddress>& hosts();
  // The same in the format of hosts(5), for resolvers that read it.
  static std::string HostsFile();
  // The home page of every host.
  std::vector<std::string> Seeds() const;

  // The content at a path (with its query) of a host, given without port and in lower case.
  Answer Get(std::string_view host, std::string_view path_and_query) const;

  // Whether this canonical URL belongs to the endless calendar; how much of it a crawl takes may vary.
  bool IsTrap(std::string_view url) const;
  // Whether a host is too busy for the first page request (except robots.txt): the server answers 503, and
  // works normally a second later.
  static bool IsBusyAtFirst(std::string_view host);

 private:
  std::string WithPort(std::string_view source) const;
  std::string Origin(std::string_view host) const;
  void AddFile(std::string_view host, std::string_view path, std::string_view bytes);
  void AddRedirects(std::string_view host, std::string_view lines);

  const uint16_t port_;
  std::map<std::string, Answer, std::less<>> answers_;  // by host and path: "a.test/b/"
};

}  // namespace crivello::demo
