// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/host_copy.h"

#include <algorithm>
#include <cstring>

namespace gridhelm::gpu {

void copyWithThreads(const void *from, void *to, std::size_t bytes, const CpuDevice &cpu)
{
    constexpr std::ptrdiff_t threadBytes = std::ptrdiff_t{128} << 10;
    const auto *source = static_cast<const std::byte *>(from);
    auto *target = static_cast<std::byte *>(to);
    const auto end = static_cast<std::ptrdiff_t>(bytes);
#pragma omp parallel for num_threads(cpu.threads) if (end > threadBytes)
    for (std::ptrdiff_t begin = 0; begin < end; begin += threadBytes)
        std::memcpy(target + begin, source + begin,
                    static_cast<std::size_t>(std::min(threadBytes, end - begin)));
}

} // namespace gridhelm::gpu
