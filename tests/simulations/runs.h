// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/simulation.h"
#include "tests/core/on_cpu.h"

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::test {

/// The default parameters, some of them changed.
inline std::vector<double>
parametersOf(const simulations::Simulation &simulation,
             const std::vector<std::pair<std::string_view, double>> &changes)
{
    auto values = simulation.defaultValues();
    for (const auto &[name, value] : changes) {
        bool isKnown = false;
        for (std::size_t p = 0; p < values.size(); ++p) {
            if (simulation.parameters()[p].name == name) {
                values[p] = value;
                isKnown = true;
            }
        }
        if (!isKnown)
            throw std::logic_error("the test has misspelt a parameter");
    }
    return values;
}

/// All snapshots of a run, in the order in which they came.
inline std::vector<simulations::Snapshot> snapshotsOf(const simulations::Simulation &simulation,
                                                      const simulations::Setup &setup,
                                                      const std::vector<double> &values,
                                                      const std::vector<double> &times)
{
    std::vector<simulations::Snapshot> snapshots;
    const auto end = simulation.run(
        setup, values, times,
        [&](std::size_t index, simulations::Snapshot snapshot) {
            if (index != snapshots.size())
                throw std::logic_error("snapshots out of order");
            snapshots.push_back(std::move(snapshot));
        },
        onCpu());
    if (end != simulations::RunEnd::finished)
        throw std::logic_error("the run was cancelled");
    return snapshots;
}

} // namespace gridhelm::test
