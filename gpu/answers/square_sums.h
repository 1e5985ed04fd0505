// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums of squares of combinations of rows (core/answers/square_sums.h) on the device. Device
// pointers throughout.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

/// Combinations that a thread works at together, filled up with zeros.
inline constexpr std::uint32_t squaresTogether = 16;
/// The number of columns is a multiple of this.
inline constexpr std::size_t squareColumns = 512;

/// Passes are of `squaresTogether` combinations, each of one sum. The first one has combination 0
/// alone, which is not squared; the passes of sum s are from passBegins[s] to passBegins[s + 1].
struct SquarePasses
{
    const float *weights = nullptr;            ///< passes x rows x squaresTogether
    const float *signs = nullptr;              ///< passes x squaresTogether
    const std::uint32_t *passBegins = nullptr; ///< sums + 1
    std::uint32_t rows = 0;
    std::uint32_t sums = 0;
};

/// out[0][i] and out[1 + s][i], rows of `columns` values, of rows x columns values of a matrix.
void sumSquares(const SquarePasses &passes, const float *matrix, std::size_t columns, float *out,
                cudaStream_t stream);

} // namespace gridhelm::gpu
