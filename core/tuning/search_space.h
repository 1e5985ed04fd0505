// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tunable.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gridhelm::tuning {

/// A value of each constant of an operation, in its order.
using Variant = std::vector<int>;

/// The variants among which a search chooses ([Murarasu2013], 5.3.2): the product of what each
/// constant can be, without those that cannot go together.
struct SearchSpace
{
    struct Dimension
    {
        std::vector<int> values; ///< in the order in which they are tried
        int partition = 0;       ///< those of one partition are searched together, 0 first
        bool splitsWork = false; ///< a constant of work units: see `fills`
    };

    std::vector<Dimension> dimensions;
    Variant start;                               ///< the compiled-in one
    std::function<bool(const Variant &)> allows; ///< empty: all can go together

    /// Whether the work fills the device with such a variant, whose work units are the compiled-in
    /// ones: they then stay, and are no part of a climb ([Murarasu2013], Listing 5.2, line 6).
    /// Empty: never.
    std::function<bool(const Variant &)> fills = {};

    bool isAllowed(const Variant &variant) const { return !allows || allows(variant); }
    /// All variants that are allowed, the last constant fastest.
    std::vector<Variant> all() const;
};

SearchSpace spaceOf(const TunableOperation &operation);

/// By the constants' names.
std::map<std::string, int> constantsOf(const TunableOperation &operation, const Variant &variant);

/// "lock-step 4, task 512".
std::string textOf(const TunableOperation &operation, const Variant &variant);

} // namespace gridhelm::tuning
