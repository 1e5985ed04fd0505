// SPDX-License-Identifier: GPL-3.0-or-later
//
// What studies of analytic fields are off between their runs, by design and surrogate.
#pragma once

#include "app/bench/accuracy_fields.h"
#include "core/execution/execution_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::bench {

/// A design of runs with the surrogate that is made of them.
enum class Contender : std::uint8_t {
    clenshawCurtis, ///< adaptive, degree 3
    leja,           ///< adaptive
    lejaKriging,    ///< kriging of the same runs
    adaptive,       ///< what a plan with design = "adaptive" gets: Leja points and others, mixed
    spaceFilling    ///< kriging of places that fill the space
};
inline constexpr std::array<const char *, 5> contenderNames = {
    "clenshaw-curtis", "leja", "leja-kriging", "adaptive", "space-filling"};

/// With a wished number of runs.
struct AccuracyRow
{
    std::size_t wished = 0;
    /// By Contender: runs that there are (a block that takes more than are left is not begun), and
    /// the mean relative L2 error at accuracyPlaces().
    std::array<std::size_t, contenderNames.size()> runs{};
    std::array<double, contenderNames.size()> errors{};
    double otherKind = 0; ///< error of the kind that was not chosen, of the runs of `adaptive`

    double error(Contender contender) const { return errors[static_cast<std::size_t>(contender)]; }
};

/// 200 random places, coordinates side by side; the same as in tests/peers/accuracy_fields.py.
std::vector<double> accuracyPlaces(const AccuracyField &field);

struct AccuracyOptions
{
    std::vector<std::size_t> runs; ///< ascending, each at least d + 2
    ExecutionContext context{CpuDevice{}};
    /// After each row's contender; may throw.
    std::function<void()> checkpoint = [] {};
};

/// `folder` is empty, and gets files that are the caller's to remove. No hold-outs are made: all
/// runs are for the surrogate. Throws gridhelm::Error as the steps of a campaign do.
std::vector<AccuracyRow> measureAccuracy(const AccuracyField &field,
                                         const std::filesystem::path &folder,
                                         const AccuracyOptions &options);

} // namespace gridhelm::bench
