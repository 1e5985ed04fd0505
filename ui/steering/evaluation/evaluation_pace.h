// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace gridhelm::ui {

/// How long it takes to combine rows of values, of late.
class CombiningSpeed
{
public:
    /// At first a guess.
    explicit CombiningSpeed(double secondsPerValueAndRow)
        : m_secondsPerValueAndRow(secondsPerValueAndRow)
    {
    }

    double secondsFor(double rows, double values) const
    {
        return rows * values * m_secondsPerValueAndRow;
    }
    void learn(double rows, double values, double seconds)
    {
        constexpr double ofNew = 0.3;
        m_secondsPerValueAndRow =
            (1 - ofNew) * m_secondsPerValueAndRow + ofNew * seconds / (rows * values);
    }

private:
    double m_secondsPerValueAndRow;
};

/// What an evaluation may take, and what evaluations have taken: of one study after the other. For
/// the thread that evaluates, but for the budget.
struct EvaluationPace
{
    std::atomic<double> budgetSeconds = 0.008; ///< of one with isDragging
    CombiningSpeed whole{5e-11};               ///< 80 GB/s
    CombiningSpeed part{1e-9};                 ///< where only some values are wanted
    std::uint64_t evaluations = 0;             ///< so far
};

} // namespace gridhelm::ui
