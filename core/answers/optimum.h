// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a response is smallest, largest, or nearest to a value, under constraints on others.
#pragma once

#include "core/answers/response_model.h"
#include "core/execution/device.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gridhelm::answers {

enum class Aim { minimum, maximum, target };

/// low <= response <= high, as far as they are given.
struct Constraint
{
    std::size_t response = 0;
    std::optional<double> low{}, high{};
};

struct Goal
{
    Aim aim = Aim::minimum;
    std::size_t response = 0;
    double target = 0; ///< of Aim::target
    std::vector<Constraint> constraints{};
    /// Of the unit cube, one for each parameter: where to look. Equal ones hold a parameter fast.
    std::vector<double> low{}, high{};
};

struct OptimumOptions
{
    std::size_t places = 4096; ///< that are tried at first, in all of the box
    std::size_t starts = 24;   ///< the best ones, from which optimizers start
    std::uint64_t seed = 1;
    CpuDevice cpu = {};
};

struct Optimum
{
    std::vector<double> x;      ///< in the unit cube
    std::vector<double> values; ///< of all responses there
    /// The largest share by which a constraint is missed, of its response's spread over the box; at
    /// most 1e-9 where isFeasible.
    double violation = 0;
    bool isFeasible = true; ///< else: the place that fulfils the constraints best
    std::size_t evaluations = 0;
    std::size_t startsThatAgree = 0; ///< that ended within 1e-6 of the spread of the best value
    std::size_t starts = 0;
};

/// Several starts, each polished by NLopt: COBYLA where there are constraints, else Sbplx, which
/// both need no derivatives, since those of piecewise polynomials have jumps; then by steps along
/// the axes. Deterministic. Throws gridhelm::Error for a goal that names what is not there.
Optimum optimize(const ResponseModel &model, const Goal &goal, const OptimumOptions &options = {});

} // namespace gridhelm::answers
