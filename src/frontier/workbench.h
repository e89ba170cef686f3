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

// When may what be fetched: a time queue of addresses, each with a time queue of its hosts.  The key of an
// address is max(its own time, the time of its first host), so something may be fetched now if and only if
// the head of the queue is due (BUbiNG's workbench; the lecture notes' queue of hosts).
//
// Hosts and addresses are tokens: Take() takes a host and its address out of the queues, so no one else can
// reach either until Return() or Remove() puts the address back.  Politeness is whatever times the caller
// puts in; this class only keeps the promise that nothing is handed out before its time, or twice.
//
// Addresses are a heap of four children a node, with positions; the hosts of an address are a pairing heap
// whose links lie in the hosts, so an address with one host and one with a million cost the same a host.
// Take, Return, Remove and Add cost O(log), amortised.  Memory: 24 bytes a host, about 90 an address
// (with its place in the table of addresses).  Among equals the order is not defined but the same in each
// run.
//
// An address without hosts is remembered until its time has come: hosts that come and go cannot hurry it.
//
// Pure: no I/O, no clock.  One thread at a time.
class Workbench {
 public:
  using HostId = uint32_t;
  static constexpr HostId kNoHost = std::numeric_limits<HostId>::max();

  // Adds a host that may be fetched from at `next`, under the address of that key.  `floor` is the time of an
  // address that was not known.
  HostId Add(uint64_t address, MonotonicTime next, MonotonicTime floor = MonotonicTime::min());

  // The time at which Take() will give something; nothing while there is nothing but what is taken.
  std::optional<MonotonicTime> next() const;
  // The host that it will give then, or kNoHost.
  HostId head() const;

  // Takes the first host that may be fetched from at `now`, and its address; kNoHost if there is none.
  HostId Take(MonotonicTime now);

  // Puts a taken host back, not to be taken before `next`, nor its address before `address_next`.
  // REQUIRES: `host` is taken.
  void Return(HostId host, MonotonicTime next, MonotonicTime address_next);
  // Takes a host off the bench, taken or not; the id may be given to another.  For a taken one, its address
  // goes back, not to be taken before `address_next`; else `address_next` is not looked at.
  void Remove(HostId host, MonotonicTime address_next = MonotonicTime::min());

  struct Wait {
    MonotonicTime host;
    MonotonicTime address;
    bool address_taken = false;  // by this host or another
  };
  // What a host waits for.
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
    uint32_t place = kNone;    // in heap_, or kNone if it has no host there or is taken
    HostId taken = kNone;      // the host that holds it
    bool is_in_empty = false;  // an entry of empty_ is for it
  };

  MonotonicTime Key(const Address& address) const;
  void PutAddress(AddressId id);   // into heap_, if it may be there
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
  // Addresses in the order in which they lost their last host; forgotten from the front, once due.
  std::deque<AddressId> empty_;
};

}  // namespace crivello::frontier
