// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello {

// Has the allocator give blocks of a MiB and more back to the system as soon as they are freed.  By itself
// glibc moves that border up to 32 MiB when such a block is freed, and keeps those below it for whoever of
// the same thread wants as much again: a program whose threads take turns holds much more than it uses.
// For main(): a library does not choose for its program.
void ReturnLargeBlocks();

}  // namespace crivello
