// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calibration value by value: how far a surrogate may be off at each value of a field
// (docs/theory/error-bounds.md, eq:conformal-score, with no indicator).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm {

/// Of each value the k-th smallest error of N hold-outs, as calibratedBand() chooses k: at this
/// value the surrogate is at most so much off, for that share of places. Keeps only the few largest
/// errors of each value. One thread.
class ValueBands
{
public:
    /// `holdOuts`: how many will be added, at least one.
    ValueBands(std::size_t values, std::size_t holdOuts);

    /// Of one hold-out, none negative; NaN where it has no such value, which then does not count.
    void add(std::span<const float> errors);

    /// Once all hold-outs were added. The largest error where too few of them have the value for
    /// coverage(), NaN where none has it.
    std::vector<float> offsets() const;
    std::size_t valuesOfFewer() const; ///< such values, with one at least
    double coverage() const;           ///< share of places that they hold for
    std::size_t holdOuts() const { return m_holdOuts; }

private:
    std::size_t m_holdOuts;
    std::size_t m_outOf; ///< one place in so many may be outside
    std::size_t m_kept;
    std::vector<float> m_largest;        ///< m_kept of each value, descending
    std::vector<std::uint32_t> m_counts; ///< of each value its hold-outs
};

/// |evaluated - truth|, infinite for what is no number.
std::vector<float> errorsOf(std::span<const float> evaluated, std::span<const float> truth);

} // namespace gridhelm
