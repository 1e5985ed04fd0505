// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants of kernels that may be tuned: how many points in lock-step, rows in a tile,
// iterations in a pass. They change times, never values. Each kernel describes its own beside
// itself; the tuner (core/tuning) tries them, and a tuning table has what it found.
#pragma once

#include "core/execution/tuning_table.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gridhelm {

struct TunableConstant
{
    std::string_view name;       ///< "lock-step"
    std::string_view meaning;    ///< for people: "vectors of points that go together"
    std::span<const int> values; ///< that can be chosen, in the order in which they are tried
    int compiledIn = 0;          ///< one of them; where it is 0, the kernel chooses by the input
    int partition = 0;           ///< those of one partition are searched together, 0 first
    /// It cuts work into more and smaller pieces (*wu* of [Murarasu2013], 5.2), whose results have
    /// to be added up: searched only where the work is too small to fill the device.
    bool splitsWork = false;
};

/// An operation of one kind of device.
struct TunableOperation
{
    std::string_view name;   ///< "interpolation"
    std::string_view device; ///< "cpu", "gpu"
    std::span<const TunableConstant *const> constants;
    /// Whether constants, one value each, can go together; null: all can.
    bool (*allows)(std::span<const int> variant) = nullptr;
};

/// The key of its constants for values of so many bytes and an input of about this size. Inputs of
/// different dimensions are different operations ("interpolation, 4 dimensions"); 0: they are not.
TuningKey keyOf(const TunableOperation &operation, std::size_t valueBytes, double size,
                int dimension = 0);

/// What the table has under this name for the key's size, or the nearest one within a factor of 4,
/// if it is possible: a table is only a file.
std::optional<int> nearestTuned(std::string_view constant, const TuningTable &table,
                                const TuningKey &key, const std::function<bool(int)> &isPossible);

/// The same of a constant; the compiled-in value if there is none.
int tunedValue(const TunableConstant &constant, const TuningTable &table, const TuningKey &key);

} // namespace gridhelm
