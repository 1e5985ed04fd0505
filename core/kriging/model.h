// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/form.h"
#include "core/kriging/hyperparameters.h"

#include <cstddef>
#include <vector>

namespace gridhelm::kriging {

/// Outputs side by side that share form and hyperparameters. What several groups have of one output
/// adds up: a mixture, of whose parts each has a share (surrogates.md, eq:mixture).
struct OutputGroup
{
    std::size_t first = 0, outputs = 0;
    Form form;
    Hyperparameters hyperparameters;
    double share = 1; ///< above 0
    // Times the share:
    std::vector<double> trend;     ///< outputs x terms of the mean, an output's side by side
    std::vector<double> weights;   ///< outputs x runs, B y (surrogates.md, eq:bordered-matrix)
    std::vector<double> variances; ///< of each output's process

    bool operator==(const OutputGroup &) const = default;
};

/// How many outputs groups (with `first` and `outputs`) have that stand by their first outputs and
/// leave none out; 0 if they do not.
template <typename Groups>
std::size_t coveredOutputs(const Groups &groups)
{
    std::size_t end = 0, before = 0;
    for (const auto &group : groups) {
        if (group.first < before || group.first > end || group.outputs == 0)
            return 0;
        before = group.first;
        end = end < group.first + group.outputs ? group.first + group.outputs : end;
    }
    return end;
}

/// All numbers of a fitted surrogate, a value to be stored; the runs' values are not needed any
/// more.
struct Model
{
    int dimension = 0;
    std::size_t runs = 0;
    std::vector<double> places;      ///< runs x dimension, in the unit cube, a run's side by side
    std::vector<OutputGroup> groups; ///< by their first outputs

    std::size_t outputs() const;
    /// That with the largest share in the outputs, the first of equals.
    Form mainForm() const;
    bool hasOneForm() const;
    bool operator==(const Model &) const = default;
};

/// Throws gridhelm::Error unless all arrays have the sizes above, numbers are finite, lengths and
/// warps positive, nuggets and variances not negative, and groups, in their order,
/// leave no output out: what is read from a file may be damaged.
void requireSound(const Model &model);

} // namespace gridhelm::kriging
