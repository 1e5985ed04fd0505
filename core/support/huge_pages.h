// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace gridhelm {

/// Asks the operating system to back a large allocation with huge pages, so that random access does
/// not spend its time on address translation. Call before the memory is first touched. A wish: it
/// may have no effect.
void preferHugePages(void *memory, std::size_t bytes);

} // namespace gridhelm
