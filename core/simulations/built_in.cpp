// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/built_in.h"

#include "core/support/error.h"

#include <array>

namespace gridhelm::simulations {

std::span<const Simulation *const> builtInSimulations()
{
    static const std::array<std::unique_ptr<const Simulation>, 4> owned{
        makeCavity(2), makeCavity(3), makePlate(), makeFolds()};
    static const std::array<const Simulation *, 4> all{owned[0].get(), owned[1].get(),
                                                       owned[2].get(), owned[3].get()};
    return all;
}

const Simulation &findSimulation(std::string_view name)
{
    std::string names;
    for (const Simulation *simulation : builtInSimulations()) {
        if (simulation->name() == name)
            return *simulation;
        names += (names.empty() ? "" : ", ") + std::string(simulation->name());
    }
    throw Error("there is no built-in simulation '" + std::string(name)
                + "'; choose one of: " + names);
}

} // namespace gridhelm::simulations
