// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/cpu_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace gridhelm {
namespace {

std::optional<std::uint64_t> numberIn(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    std::uint64_t number = 0;
    if (stream >> number)
        return number;
    return std::nullopt;
}

/// Packages are zones like "intel-rapl:0", of AMD's CPUs too; what is inside of one
/// ("intel-rapl:0:1", its cores) would be counted twice.
bool isPackage(const std::filesystem::path &zone)
{
    const auto name = zone.filename().string();
    if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1)
        return false;
    std::ifstream stream(zone / "name");
    std::string kind;
    return std::getline(stream, kind) && kind.starts_with("package");
}

} // namespace

CpuEnergy::CpuEnergy(const std::filesystem::path &folder)
{
    std::error_code ignored; // no folder is no package
    for (const auto &zone : std::filesystem::directory_iterator(folder, ignored)) {
        if (!isPackage(zone.path()))
            continue;
        const auto file = zone.path() / "energy_uj";
        const auto range = numberIn(zone.path() / "max_energy_range_uj");
        const auto now = numberIn(file);
        if (!now || !range) {
            m_counters.clear();
            m_whyNot = fmt::format("the CPU's counter of energy cannot be read: let root allow it "
                                   "(chmod a+r {})",
                                   file.string());
            return;
        }
        m_counters.push_back({file, *range, *now});
    }
    if (m_counters.empty())
        m_whyNot = "not told by this machine";
}

std::optional<double> CpuEnergy::joules()
{
    if (m_counters.empty())
        return std::nullopt;
    for (auto &counter : m_counters) {
        const auto now = numberIn(counter.file);
        if (!now) {
            m_whyNot = "the CPU's counter of energy can no longer be read";
            m_counters.clear();
            return std::nullopt;
        }
        const auto wrapped = *now < counter.last ? counter.range : 0;
        m_joules += 1e-6 * static_cast<double>(*now + wrapped - counter.last);
        counter.last = *now;
    }
    return m_joules;
}

} // namespace gridhelm
