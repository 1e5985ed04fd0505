// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many combinations of the same rows at once, a block of columns at a time: what maps of variance
// and of percentiles are made of.
#pragma once

#include "core/linalg/combination.h"

#include <cstddef>
#include <vector>

namespace gridhelm::answers {

/// Columns of a block.
inline constexpr std::size_t blockColumns = 48;

/// Rows of weights, filled up with zeros to whole tiles.
class PackedWeights
{
public:
    PackedWeights(std::size_t combinations, std::size_t depth);

    std::size_t combinations() const { return m_combinations; }
    std::size_t depth() const { return m_depth; }
    std::size_t padded() const { return m_weights.size() / (m_depth == 0 ? 1 : m_depth); }
    float &operator()(std::size_t combination, std::size_t row)
    {
        return m_weights[combination * m_depth + row];
    }
    const float *data() const { return m_weights.data(); }

private:
    std::size_t m_combinations, m_depth;
    std::vector<float> m_weights;
};

/// block[b * blockColumns + j] = rows(b, first + j), and 0 beyond the last column. b < `depth`.
void packColumns(linalg::MatrixView<const float> rows, std::size_t depth, std::size_t first,
                 std::vector<float> &block);

/// out[i * blockColumns + j] = sum_b weights(i, b) block[b * blockColumns + j], for i <
/// weights.padded(), in single precision.
void multiplyBlock(const PackedWeights &weights, const std::vector<float> &block,
                   std::vector<float> &out);

} // namespace gridhelm::answers
