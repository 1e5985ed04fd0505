// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/huge_pages.h"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace gridhelm {

void preferHugePages(void *memory, std::size_t bytes)
{
#if defined(__linux__)
    constexpr std::uintptr_t hugePage = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const auto first = (begin + hugePage - 1) / hugePage * hugePage;
    const auto last = (begin + bytes) / hugePage * hugePage;
    if (first < last)
        (void)madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

} // namespace gridhelm
