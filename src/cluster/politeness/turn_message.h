// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace crivello::cluster {

// What agents tell each other so that all of them together are polite to an address.  Format:
// docs/formats/turns.md.  Times are whole milliseconds.

// From an agent to the owner of a tablet, about the addresses of that tablet (AddressTablet()).
struct TurnRequest {
  struct Ask {
    std::string address;
    uint64_t number = 0;    // counts the asks of this process; above those of earlier asks for the address
    Duration delay = {};    // the pause that the agent wants after its last request
    Duration request = {};  // its longest request
    friend bool operator==(const Ask&, const Ask&) = default;
  };
  struct Return {
    std::string address;
    uint64_t through = 0;  // the agent uses no turn that answers an ask up to this number
    Duration rested = {};  // since the end of its last request
    friend bool operator==(const Return&, const Return&) = default;
  };
  std::string agent = {};
  uint64_t process = 0;  // random, differs each time that the agent starts
  std::string tablet = {};
  std::vector<Return> returns = {};  // come before the asks
  std::vector<Ask> asks = {};
  friend bool operator==(const TurnRequest&, const TurnRequest&) = default;
};

// From the owner of a tablet to an agent.
struct TurnReply {
  struct Grant {
    std::string address;
    uint64_t number = 0;  // of the ask that it answers
    // Requests may begin until so long after the ask was sent.  0: the turn is called back, because others
    // wait, and ends with the request that is under way or, if there was none yet, with the next.
    Duration term = {};
    bool once = false;  // for one request, because others wait
    friend bool operator==(const Grant&, const Grant&) = default;
  };
  std::string agent = {};
  uint64_t process = 0;
  std::string tablet = {};
  uint64_t epoch = 0;  // of the owner
  std::vector<Grant> grants = {};
  friend bool operator==(const TurnReply&, const TurnReply&) = default;
};

using TurnMessage = std::variant<TurnRequest, TurnReply>;

// With a checksum over everything.
std::string EncodeTurns(const TurnMessage& message);
// Corruption if the bytes are not one message.
Result<TurnMessage> DecodeTurns(std::string_view bytes);

}  // namespace crivello::cluster
