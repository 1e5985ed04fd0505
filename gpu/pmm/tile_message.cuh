// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the nodes at a tile's edges send to their neighbours in other tiles: a time and a word
// that says of which plane it is, written and read as one. So it needs no fence, and the reader no
// second look.
#pragma once

#include "gpu/pmm/tiling.h"

#include <cstdint>

namespace gridhelm::gpu {

/// Of a tile's first and last row, and of its first and last column.
constexpr int messagesPerTile = 2 * (tileWidth + brickEdge);

template <typename T>
struct TileMessage;

template <>
struct alignas(8) TileMessage<float>
{
    float time;
    unsigned word;

    __device__ static void send(TileMessage *to, float time, unsigned word)
    {
        const auto both = static_cast<std::uint64_t>(word) << 32 | __float_as_uint(time);
        asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to), "l"(both) : "memory");
    }
    __device__ static TileMessage receive(const TileMessage *from)
    {
        std::uint64_t both = 0;
        asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(both) : "l"(from) : "memory");
        return {__uint_as_float(static_cast<unsigned>(both)), static_cast<unsigned>(both >> 32)};
    }
};

template <>
struct alignas(16) TileMessage<double>
{
    double time;
    unsigned word;

    __device__ static void send(TileMessage *to, double time, unsigned word)
    {
        asm volatile("{ .reg .b128 both;\n"
                     "  mov.b128 both, {%1, %2};\n"
                     "  st.relaxed.gpu.global.b128 [%0], both; }" ::"l"(to),
                     "l"(__double_as_longlong(time)), "l"(static_cast<std::uint64_t>(word))
                     : "memory");
    }
    __device__ static TileMessage receive(const TileMessage *from)
    {
        long long time = 0;
        std::uint64_t word = 0;
        asm volatile("{ .reg .b128 both;\n"
                     "  ld.relaxed.gpu.global.b128 both, [%2];\n"
                     "  mov.b128 {%0, %1}, both; }"
                     : "=l"(time), "=l"(word)
                     : "l"(from)
                     : "memory");
        return {__longlong_as_double(time), static_cast<unsigned>(word)};
    }
};

} // namespace gridhelm::gpu
