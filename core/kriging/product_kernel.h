// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace gridhelm::kriging {

/// A matrix in memory: entry (i, j) at values[i + j * stride].
struct Block
{
    double *values;
    std::size_t stride;

    Block from(std::size_t i, std::size_t j) const { return {values + i + j * stride, stride}; }
    double &operator()(std::size_t i, std::size_t j) const { return values[i + j * stride]; }
};
struct ConstBlock
{
    const double *values;
    std::size_t stride;

    ConstBlock(const double *values_, std::size_t stride_)
        : values(values_)
        , stride(stride_)
    {
    }
    ConstBlock(const Block &block) // NOLINT(google-explicit-constructor): as T* to const T*
        : values(block.values)
        , stride(block.stride)
    {
    }
    ConstBlock from(std::size_t i, std::size_t j) const
    {
        return {values + i + j * stride, stride};
    }
};

/// c += sign a b^T, where c is rows x columns, a rows x depth, and b columns x depth. Runs at a
/// good part of the machine's peak where the depth is more than some tens. No two may overlap.
void addProduct(double sign, ConstBlock a, ConstBlock b, Block c, std::size_t rows,
                std::size_t columns, std::size_t depth);

} // namespace gridhelm::kriging
