// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans of the built-in simulations with the parameters that are worth a look.
#pragma once

#include <span>
#include <string_view>

namespace gridhelm::data {

struct BuiltInSample
{
    const char *name; ///< of the built-in simulation
    const char *plan; ///< TOML; its campaign takes less than two minutes on two cores
    const char *at;   ///< parameters to begin with
    const char *field;
};

std::span<const BuiltInSample> builtInSamples();

/// Throws gridhelm::Error naming those there are.
const BuiltInSample &builtInSample(std::string_view name);

} // namespace gridhelm::data
