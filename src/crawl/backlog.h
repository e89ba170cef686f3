// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello::crawl {

// A consumer of the rows of a crawl, such as an index, as far as the crawl must know about it.  Thread-safe.
class Backlog {
 public:
  virtual ~Backlog() = default;
  // Whether it is so far behind that nothing more may be fetched until it has caught up.  Called some dozen
  // times a second.
  virtual bool Full() const = 0;
};

}  // namespace crivello::crawl
