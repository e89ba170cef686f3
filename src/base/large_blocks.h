// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello {

// Makes the allocator return blocks of 1 MiB and more to the system as soon as they are freed. By default
// glibc raises that threshold up to 32 MiB when such a block is freed, and keeps smaller blocks for the same
// thread to reuse, so a program whose threads take turns holds much more memory than it uses. To be called by
// main(): a library must not decide this for its program.
void ReturnLargeBlocks();

}  // namespace crivello
