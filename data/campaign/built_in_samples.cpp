// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/built_in_samples.h"

#include "core/support/error.h"

#include <array>
#include <string>

namespace gridhelm::data {
namespace {

constexpr std::array<BuiltInSample, 3> all = {{
    {"cavity", R"([study]
title = "Lid-driven cavity"

[[parameter]]
name = "Re"

[[parameter]]
name = "bottom"

[[parameter]]
name = "t"

[grid]
level = 5

[simulation]
builtin = "cavity"
)",
     "Re=400,bottom=0,t=5", "velocity"},
    {"plate", R"([study]
title = "Heated plate"

[[parameter]]
name = "x"

[[parameter]]
name = "y"

[[parameter]]
name = "strength"
cap = 2      # the temperature depends on it linearly

[grid]
level = 5

[simulation]
builtin = "plate"
)",
     "x=0.3,y=0.6,strength=120", "temperature"},
    {"folds", R"([study]
title = "Geological folds"

[[parameter]]
name = "F"

[[parameter]]
name = "psi"

[[parameter]]
name = "azimuth"

[[parameter]]
name = "plunge"

[grid]
level = 4

[simulation]
builtin = "folds"
)",
     "F=1.5,psi=0.3,azimuth=60,plunge=20", "time"},
}};

} // namespace

std::span<const BuiltInSample> builtInSamples()
{
    return all;
}

const BuiltInSample &builtInSample(std::string_view name)
{
    for (const auto &sample : all) {
        if (sample.name == name)
            return sample;
    }
    throw Error("there is no sample '" + std::string(name) + "'; choose cavity, plate or folds");
}

} // namespace gridhelm::data
