// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace gridhelm {

/// While it lives, denormal numbers (below 1.2e-38 in float, 2.2e-308 in double) count as 0 in this
/// thread. Heat that spreads from a spike into zeros leaves them by the million, and each operation
/// with one takes a hundred times as long as any other. Nothing happens on CPUs for which we
/// do not know how.
class FlushDenormals
{
public:
    FlushDenormals()
        : m_before(mode())
    {
        setMode(m_before | flushBits);
    }
    ~FlushDenormals() { setMode(m_before); }
    FlushDenormals(const FlushDenormals &) = delete;
    FlushDenormals &operator=(const FlushDenormals &) = delete;

private:
#if defined(__SSE2__)
    using Mode = unsigned int;
    static constexpr Mode flushBits = 0x8040; // results to 0, operands as 0
    static Mode mode()
    {
        return _mm_getcsr();
    }
    static void setMode(Mode mode)
    {
        _mm_setcsr(mode);
    }
#elif defined(__aarch64__)
    using Mode = std::uint64_t;
    static constexpr Mode flushBits = Mode{1} << 24;
    static Mode mode()
    {
        Mode mode;
        asm volatile("mrs %0, fpcr" : "=r"(mode));
        return mode;
    }
    static void setMode(Mode mode)
    {
        asm volatile("msr fpcr, %0" : : "r"(mode));
    }
#else
    using Mode = int;
    static constexpr Mode flushBits = 0;
    static Mode mode()
    {
        return 0;
    }
    static void setMode(Mode) {}
#endif

    Mode m_before;
};

} // namespace gridhelm
