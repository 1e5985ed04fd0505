// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

namespace gridhelm::solvers {

/// MLSSOR makes whole sweeps of K layers (iterations) only: what is left of a request is done with
/// the next one.
class OwedSweeps
{
public:
    explicit OwedSweeps(std::uint64_t layers)
        : m_layers(layers)
    {
    }

    /// sweep(most) makes some whole sweeps of at most so many iterations, and returns how many
    /// those are. Returns the sum. After a stop nothing is owed.
    template <typename Sweep>
    std::uint64_t operator()(std::uint64_t iterations, const std::stop_token &stop,
                             const Sweep &sweep)
    {
        m_owed += iterations;
        std::uint64_t done = 0;
        while (m_owed >= m_layers) {
            if (stop.stop_requested()) {
                m_owed = 0;
                break;
            }
            const std::uint64_t now = sweep(m_owed / m_layers * m_layers);
            m_owed -= now;
            done += now;
        }
        return done;
    }

private:
    std::uint64_t m_layers;
    std::uint64_t m_owed = 0;
};

} // namespace gridhelm::solvers
