// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <new>

namespace gridhelm::linalg {

/// Scratch memory aligned for SIMD, kept from use to use (mostly as a thread_local).
template <typename T>
class AlignedBuffer
{
public:
    /// At least `count` values, uninitialised.
    T *require(std::size_t count)
    {
        if (count > m_capacity) {
            m_memory = hwy::AllocateAligned<T>(count);
            m_capacity = m_memory ? count : 0;
            if (!m_memory)
                throw std::bad_alloc();
        }
        return m_memory.get();
    }

private:
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
    std::size_t m_capacity = 0;
};

} // namespace gridhelm::linalg
