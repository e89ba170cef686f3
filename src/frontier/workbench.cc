// SPDX-License-Identifier: Apache-2.0
#include "frontier/workbench.h"

#include <algorithm>
#include <cassert>

namespace crivello::frontier {

MonotonicTime Workbench::Key(const Address& address) const {
  return std::max(address.next, hosts_[address.first].next);
}

Workbench::HostId Workbench::Add(uint64_t name, MonotonicTime next, MonotonicTime floor) {
  const auto [it, is_new] = by_name_.try_emplace(name, 0);
  if (is_new) {
    if (free_addresses_.empty()) {
      free_addresses_.push_back(static_cast<AddressId>(addresses_.size()));
      addresses_.emplace_back();
    }
    it->second = free_addresses_.back();
    free_addresses_.pop_back();
    addresses_[it->second] = {.name = name, .next = floor};
  }
  if (free_hosts_.empty()) {
    free_hosts_.push_back(static_cast<HostId>(hosts_.size()));
    hosts_.emplace_back();
  }
  const HostId id = free_hosts_.back();
  free_hosts_.pop_back();
  hosts_in_use_++;
  hosts_[id] = {.next = next, .address = it->second};
  PullAddress(it->second);
  InsertHost(addresses_[it->second], id);
  PutAddress(it->second);
  return id;
}

std::optional<MonotonicTime> Workbench::next() const {
  if (heap_.empty()) return std::nullopt;
  return Key(addresses_[heap_[0]]);
}

Workbench::HostId Workbench::head() const { return heap_.empty() ? kNoHost : addresses_[heap_[0]].first; }

Workbench::HostId Workbench::Take(MonotonicTime now) {
  ForgetEmpty(now);
  if (heap_.empty() || Key(addresses_[heap_[0]]) > now) return kNoHost;
  const AddressId id = heap_[0];
  PullAddress(id);
  Address& address = addresses_[id];
  address.taken = address.first;
  EraseHost(address, address.taken);
  return address.taken;
}

void Workbench::Return(HostId host, MonotonicTime next, MonotonicTime address_next) {
  const AddressId id = hosts_[host].address;
  Address& address = addresses_[id];
  assert(address.taken == host);
  address.taken = kNone;
  address.next = std::max(address.next, address_next);
  hosts_[host].next = next;
  InsertHost(address, host);
  PutAddress(id);
}

void Workbench::Remove(HostId host, MonotonicTime address_next) {
  const AddressId id = hosts_[host].address;
  Address& address = addresses_[id];
  if (address.taken == host) {
    address.taken = kNone;
    address.next = std::max(address.next, address_next);
  } else {
    PullAddress(id);
    EraseHost(address, host);
  }
  hosts_[host].address = kNone;
  free_hosts_.push_back(host);
  hosts_in_use_--;
  if (address.first == kNone && address.taken == kNone) {
    NoteEmpty(id);
  } else {
    PutAddress(id);
  }
}

Workbench::Wait Workbench::WaitOf(HostId host) const {
  const Address& address = addresses_[hosts_[host].address];
  return {.host = hosts_[host].next, .address = address.next, .address_taken = address.taken != kNone};
}

uint64_t Workbench::memory_bytes() const {
  // A node of the table: name, id, link and its bucket, plus malloc overhead.
  constexpr uint64_t kTableNodeBytes = 48;
  return hosts_.capacity() * sizeof(Host) + free_hosts_.capacity() * sizeof(HostId) +
         addresses_.capacity() * sizeof(Address) +
         (free_addresses_.capacity() + heap_.capacity()) * sizeof(AddressId) +
         by_name_.size() * kTableNodeBytes;
}

// The queue of addresses.

void Workbench::PutAddress(AddressId id) {
  Address& address = addresses_[id];
  if (address.first == kNone || address.taken != kNone || address.place != kNone) return;
  heap_.push_back(id);
  SiftUp(static_cast<uint32_t>(heap_.size() - 1), id);
}

void Workbench::PullAddress(AddressId id) {
  const uint32_t place = addresses_[id].place;
  if (place == kNone) return;
  addresses_[id].place = kNone;
  const AddressId last = heap_.back();
  heap_.pop_back();
  if (last == id) return;
  const bool up = place > 0 && Key(addresses_[last]) < Key(addresses_[heap_[(place - 1) / kArity]]);
  if (up) {
    SiftUp(place, last);
  } else {
    SiftDown(place, last);
  }
}

void Workbench::SiftUp(uint32_t place, AddressId id) {
  const MonotonicTime key = Key(addresses_[id]);
  while (place > 0) {
    const uint32_t parent = (place - 1) / kArity;
    if (Key(addresses_[heap_[parent]]) <= key) break;
    heap_[place] = heap_[parent];
    addresses_[heap_[place]].place = place;
    place = parent;
  }
  heap_[place] = id;
  addresses_[id].place = place;
}

void Workbench::SiftDown(uint32_t place, AddressId id) {
  const MonotonicTime key = Key(addresses_[id]);
  const auto size = static_cast<uint32_t>(heap_.size());
  while (true) {
    const uint32_t begin = place * kArity + 1;
    if (begin >= size) break;
    uint32_t least = begin;
    MonotonicTime least_key = Key(addresses_[heap_[begin]]);
    for (uint32_t child = begin + 1; child < std::min(begin + kArity, size); child++) {
      const MonotonicTime child_key = Key(addresses_[heap_[child]]);
      if (child_key < least_key) {
        least = child;
        least_key = child_key;
      }
    }
    if (key <= least_key) break;
    heap_[place] = heap_[least];
    addresses_[heap_[place]].place = place;
    place = least;
  }
  heap_[place] = id;
  addresses_[id].place = place;
}

void Workbench::NoteEmpty(AddressId id) {
  if (addresses_[id].is_in_empty) return;
  addresses_[id].is_in_empty = true;
  empty_.push_back(id);
}

void Workbench::ForgetEmpty(MonotonicTime now) {
  while (!empty_.empty()) {
    Address& address = addresses_[empty_.front()];
    const bool is_empty = address.first == kNone && address.taken == kNone;
    if (is_empty && address.next > now) return;
    address.is_in_empty = false;
    if (is_empty) {
      by_name_.erase(address.name);
      free_addresses_.push_back(empty_.front());
    }
    empty_.pop_front();
  }
}

// The queue of hosts of an address.

Workbench::HostId Workbench::Meld(HostId a, HostId b) {
  if (a == kNone) return b;
  if (b == kNone) return a;
  if (hosts_[b].next < hosts_[a].next) std::swap(a, b);
  hosts_[b].sibling = hosts_[a].child;
  if (hosts_[b].sibling != kNone) hosts_[hosts_[b].sibling].previous = b;
  hosts_[b].previous = a;
  hosts_[a].child = b;
  return a;
}

// Melds neighbours in pairs from the left, then the pairs from the right: this order makes removal
// logarithmic.  Works in place: the pairs are chained by their sibling links until the second pass.
Workbench::HostId Workbench::MeldSiblings(HostId first) {
  HostId pairs = kNone;
  while (first != kNone) {
    const HostId second = hosts_[first].sibling;
    const HostId rest = second == kNone ? kNone : hosts_[second].sibling;
    hosts_[first].sibling = hosts_[first].previous = kNone;
    if (second != kNone) hosts_[second].sibling = hosts_[second].previous = kNone;
    const HostId pair = Meld(first, second);
    hosts_[pair].sibling = pairs;
    pairs = pair;
    first = rest;
  }
  HostId root = kNone;
  while (pairs != kNone) {
    const HostId rest = hosts_[pairs].sibling;
    hosts_[pairs].sibling = kNone;
    root = Meld(root, pairs);
    pairs = rest;
  }
  return root;
}

void Workbench::InsertHost(Address& address, HostId id) {
  Host& host = hosts_[id];
  host.child = host.sibling = host.previous = kNone;
  address.first = Meld(address.first, id);
}

void Workbench::EraseHost(Address& address, HostId id) {
  Host& host = hosts_[id];
  const HostId children = MeldSiblings(host.child);
  if (address.first == id) {
    address.first = children;
  } else {
    Host& previous = hosts_[host.previous];
    (previous.child == id ? previous.child : previous.sibling) = host.sibling;
    if (host.sibling != kNone) hosts_[host.sibling].previous = host.previous;
    address.first = Meld(address.first, children);
  }
  host.child = host.sibling = host.previous = kNone;
}

}  // namespace crivello::frontier
