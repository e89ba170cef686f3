// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/clock.h"

namespace crivello::frontier {

// Which host may be fetched from when: a time queue of addresses, each with a time queue of its hosts.  The
// key of an address is max(its own time, the time of its first host), so something may be fetched now if and
// only if the head of the queue is due (BUbiNG's workbench; the lecture notes' queue of hosts).
//
// Hosts and addresses are tokens: Take() removes a host and its address from the queues, so nobody else can
// get either until Return() or Remove() puts the address back.  The caller's times determine politeness; this
// class only guarantees that nothing is handed out before its time, or twice.
//
// Addresses are in a heap with four children per node, with positions.  The hosts of an address are in a
// pairing heap whose links are in the hosts, so the cost per host is the same for an address with one host
// and one with a million. Take, Return, Remove and Add cost O(log), amortised.  Memory: 24 bytes per host,
// about 90 per address (with its entry in the table of addresses).  The order among equals is undefined but
// reproducible.
//
// An address without hosts is remembered until its time has come: adding and removing hosts cannot hurry it.
//
// Pure: no I/O, no clock.  One thread at a time.
class Workbench {
 public:
  using HostId = uint32_t;
  static constexpr HostId kNoHost = std::numeric_limits<HostId>::max();

  // Adds a host that may be fetched from at `next`, under the address with this key.  `floor` is the time of
  // the address if it is new.
  HostId Add(uint64_t address, MonotonicTime next, MonotonicTime floor = MonotonicTime::min());

  // The time at which Take() will return a host; nullopt if all hosts are taken.
  std::optional<MonotonicTime> next() const;
  // The host that it will return then, or kNoHost.
  HostId head() const;

  // Takes the first host that may be fetched from at `now`, and its address; kNoHost if there is none.
  HostId Take(MonotonicTime now);

  // Puts a taken host back: it cannot be taken before `next`, nor its address before `address_next`.
  // REQUIRES: `host` is taken.
  void Return(HostId host, MonotonicTime next, MonotonicTime address_next);
  // Removes a host from the bench, taken or not; the id may be reused.  If it was taken, its address goes
  // back, and cannot be taken before `address_next`; otherwise `address_next` is ignored.
  void Remove(HostId host, MonotonicTime address_next = MonotonicTime::min());

  struct Wait {
    MonotonicTime host;
    MonotonicTime address;
    bool address_taken = false;  // by this host or another
  };
  // What a host is waiting for.
  Wait WaitOf(HostId host) const;

  uint64_t hosts() const { return hosts_in_use_; }
  uint64_t addresses() const { return addresses_.size() - free_addresses_.size(); }
  uint64_t memory_bytes() const;

 private:
  using AddressId = uint32_t;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  static constexpr uint32_t kArity = 4;

  struct Host {
    MonotonicTime next;
    AddressId address = kNone;
    // Pairing heap: first child, next sibling, and the previous sibling or, for a first child, the parent.
    HostId child = kNone;
    HostId sibling = kNone;
    HostId previous = kNone;
  };
  struct Address {
    uint64_t name = 0;
    MonotonicTime next;
    HostId first = kNone;      // root of the heap of hosts
    uint32_t place = kNone;    // in heap_; kNone if it has no waiting host or is taken
    HostId taken = kNone;      // the host that holds it
    bool is_in_empty = false;  // empty_ has an entry for it
  };

  MonotonicTime Key(const Address& address) const;
  void PutAddress(AddressId id);   // into heap_, if allowed
  void PullAddress(AddressId id);  // out of heap_, if it is there
  void SiftUp(uint32_t place, AddressId id);
  void SiftDown(uint32_t place, AddressId id);
  void NoteEmpty(AddressId id);
  void ForgetEmpty(MonotonicTime now);

  HostId Meld(HostId a, HostId b);
  HostId MeldSiblings(HostId first);
  void InsertHost(Address& address, HostId id);
  void EraseHost(Address& address, HostId id);

  std::vector<Host> hosts_;
  std::vector<HostId> free_hosts_;
  uint64_t hosts_in_use_ = 0;
  std::vector<Address> addresses_;
  std::vector<AddressId> free_addresses_;
  std::unordered_map<uint64_t, AddressId> by_name_;
  std::vector<AddressId> heap_;
  // Addresses in the order in which they lost their last host; removed from the front, once due.
  std::deque<AddressId> empty_;
};

}  // namespace crivello::frontier
