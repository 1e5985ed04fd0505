// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "data/study/study.h"

#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// One field of a scalar study, loaded into a back end. Parameters and space are coordinates alike;
/// a picture is a Cartesian product in which the parameters are fixed (`car`).
class ScalarSurrogate
{
public:
    /// Reads the first `groups` groups (all by default). Throws gridhelm::Error if they do not fit
    /// into memory, or if this is a vector study. Neither argument is needed afterwards.
    ScalarSurrogate(const Study &study, FieldIndex field, const sparse::Backend &backend,
                    int groups = -1);

    const ParameterSpace &space() const { return m_space; }
    const sparse::Evaluator<float> &evaluator() const { return *m_evaluator; }

    /// All combinations of the axes, row-major, last dimension fastest. `axes` has one list for
    /// each parameter, in its own units; a list of one value fixes it. Out of range is refused.
    /// Returns where it was computed. The indicator is what the last level adds all of whose points
    /// have coefficients.
    ComputedOn evaluate(const std::vector<std::vector<double>> &axes,
                        sparse::EvaluationOutput<float> out) const;

private:
    ParameterSpace m_space;
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
    /// Of the complete levels, whose last one is the indicator; null: of all that are loaded.
    std::unique_ptr<sparse::Evaluator<float>> m_complete;
};

} // namespace gridhelm::data
