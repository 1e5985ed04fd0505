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
treatment = "clenshaw-curtis"
degree = 3

[[parameter]]
name = "bottom"
treatment = "clenshaw-curtis"
degree = 3

[[parameter]]
name = "t"
degree = 3

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
treatment = "leja"

[[parameter]]
name = "y"
treatment = "leja"

[[parameter]]
name = "strength"
treatment = "leja"
cap = 2      # the temperature depends on it linearly

[grid]
level = 10

[simulation]
builtin = "plate"
)",
     "x=0.3,y=0.6,strength=120", "temperature"},
    {"folds", R"([study]
title = "Geological folds"

[[parameter]]
name = "F"
treatment = "clenshaw-curtis"
degree = 3

[[parameter]]
name = "psi"
treatment = "clenshaw-curtis"
degree = 3

[[parameter]]
name = "azimuth"
treatment = "clenshaw-curtis"
degree = 3

[[parameter]]
name = "plunge"
treatment = "clenshaw-curtis"
degree = 3

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
