// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging of a field as plain bytes: 64-bit little-endian integers and floating-point numbers, in
// this order,
//
//     100, parameters (d), runs (n), of these points of the grid, groups,
//     places (n d), ids of the runs (n),
//     of each group: smoothness, whether it is warped, number of linear terms and their parameters,
//         its first output, outputs (m), share, lengths (d), nugget, warps a and b (d each, if it
//         is warped), trend (m times terms), weights (m n), variances (m),
//     errors left out (n times all outputs).
//
// In files of before, the smoothness stands in place of 100, then the rest of the form, of all
// groups, which follow one another and have no share.
//
// Private to data.
#pragma once

#include "data/study/field_kriging.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// `points` are written as they stand: ids in a file.
std::vector<std::byte> encodeKriging(const FieldKriging &kriging);

/// How many bytes the kriging of so many parameters, runs and modes can have at most.
std::uint64_t mostKrigingBytes(std::uint64_t dimension, std::uint64_t runs, std::uint64_t modes);

/// Fills `kriging` from bytes of which nothing is known. Returns what is wrong with them; nothing
/// if they are whole, and a sound model (kriging::requireSound) of so many parameters, runs and
/// modes.
std::string decodeKriging(std::span<const std::byte> bytes, std::uint64_t dimension,
                          std::uint64_t runs, std::uint64_t modes, FieldKriging &kriging);

} // namespace gridhelm::data
