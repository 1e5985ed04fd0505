// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm {

/// What the CPU's packages have consumed, by their own counters (RAPL, as Linux's powercap shows
/// them). All that runs on them counts, and what they take when idle. One thread at a time.
class CpuEnergy
{
public:
    explicit CpuEnergy(const std::filesystem::path &folder = "/sys/class/powercap");

    /// Joules since it was made; none if the machine does not tell. To be asked more often than the
    /// counters go round, which takes minutes.
    std::optional<double> joules();
    /// Why it does not tell, without a full stop; empty if it does.
    const std::string &whyNot() const { return m_whyNot; }

private:
    struct Counter
    {
        std::filesystem::path file;
        std::uint64_t range; ///< microjoules until it begins at 0 again
        std::uint64_t last;
    };

    std::vector<Counter> m_counters;
    double m_joules = 0;
    std::string m_whyNot;
};

} // namespace gridhelm
