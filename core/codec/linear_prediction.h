// SPDX-License-Identifier: GPL-3.0-or-later
//
// Codes as weighted sums of codes before them, in whole numbers: the same on every machine. Private
// to core/codec.
#pragma once

#include "core/codec/code_differences.h"
#include "core/codec/row_codes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::codec {

/// Codes with zeros before the first one, as many as the farthest neighbour needs.
class PaddedCodes
{
public:
    PaddedCodes(std::span<const std::int16_t> codes, std::size_t before)
        : m_before(before)
        , m_codes(before + codes.size(), 0)
    {
        std::copy(codes.begin(), codes.end(),
                  m_codes.begin() + static_cast<std::ptrdiff_t>(before));
    }

    /// `i` back by up to as many places as there are zeros.
    const std::int16_t *at(std::size_t i) const { return m_codes.data() + m_before + i; }
    void set(std::size_t i, std::int16_t code) { m_codes[m_before + i] = code; }

private:
    std::size_t m_before;
    std::vector<std::int16_t> m_codes;
};

class LinearPrediction
{
public:
    /// Foretold numbers are in parts of a code.
    static constexpr int partBits = 4, parts = 1 << partBits;
    using Weight = std::int32_t; ///< in units of 2^-20

    /// Of neighbours within three values and three rows, those before in a row of so many values
    /// that are at most three places away.
    static std::vector<std::size_t> offsetsOf(const CodeNeighbours &neighbours, std::size_t values);

    /// Weights by which squares of what is left are least, over all values that are coded.
    static LinearPrediction fitted(const RowCodes &codes, const std::vector<bool> &isCoded,
                                   const CodeNeighbours &neighbours);

    /// One weight for each offset; these ascend.
    LinearPrediction(std::vector<std::size_t> offsets, std::vector<Weight> weights)
        : m_offsets(std::move(offsets))
        , m_weights(std::move(weights))
    {
    }

    const std::vector<Weight> &weights() const { return m_weights; }
    /// How far away the farthest neighbour is.
    std::size_t reach() const { return m_offsets.empty() ? 0 : m_offsets.back(); }

    /// In parts of a code, from those before `code`.
    std::int64_t foretold(const std::int16_t *code) const
    {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < m_offsets.size(); ++k)
            sum += std::int64_t{m_weights[k]} * code[-static_cast<std::ptrdiff_t>(m_offsets[k])];
        return sum >> (unit - partBits);
    }

private:
    static constexpr int unit = 20;

    std::vector<std::size_t> m_offsets;
    std::vector<Weight> m_weights;
};

} // namespace gridhelm::codec
