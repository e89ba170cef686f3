// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello::crawl {

// Those who follow the rows of a crawl, an index for instance, as far as the crawl must know of them.
// Thread-safe.
class Backlog {
 public:
  virtual ~Backlog() = default;
  // Whether they are so far behind that nothing more may be fetched until they catch up.  Asked some dozen
  // times a second.
  virtual bool Full() const = 0;
};

}  // namespace crivello::crawl
