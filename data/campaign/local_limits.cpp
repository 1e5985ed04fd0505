// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/local_limits.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace gridhelm::data {

namespace {

/// "4G", "500M", "1500" (megabytes, as for Slurm).
std::optional<std::uint64_t> memoryOf(std::string_view text)
{
    constexpr std::string_view units = "KMGT";
    std::size_t unit = 1;
    if (!text.empty() && units.find(text.back()) != std::string_view::npos) {
        unit = units.find(text.back());
        text.remove_suffix(1);
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 22;
    std::uint64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size() || number == 0
        || number > most)
        return std::nullopt;
    return number << (10 * (unit + 1));
}

/// Nothing if the process has gone.
std::optional<int> groupOf(const std::filesystem::path &process)
{
    std::ifstream file(process / "stat");
    std::string text;
    if (!std::getline(file, text))
        return std::nullopt;
    // Behind its name, which may be anything: state, parent, group.
    const auto name = text.rfind(')');
    char state = 0;
    int parent = 0, group = 0;
    if (name == std::string::npos
        || std::sscanf(text.c_str() + name + 1, " %c %d %d", &state, &parent, &group) != 3)
        return std::nullopt;
    return group;
}

} // namespace

std::vector<RunnerOption> localOptions()
{
    constexpr int mostCores = 1 << 16;
    return {{"memory",
             std::string(),
             {},
             {},
             {},
             "Of each run, with all that it starts: 4G; one that needs more is ended"},
            {"cores",
             0,
             {},
             0,
             mostCores,
             "Of each run, which it shares with as few as may be; 0: "
             "all"}};
}

LocalLimits localLimits(const RunPlan &run)
{
    LocalLimits limits;
    if (run.on != "local")
        return limits;
    if (const auto memory = run.settings.find("memory"); memory != run.settings.end()) {
        const auto &text = std::get<std::string>(memory->second);
        const auto bytes = memoryOf(text);
        if (!text.empty() && !bytes)
            throw Error("[run] memory is \"" + text.substr(0, 40)
                        + "\", which is no amount of memory; write it like \"4G\" or \"500M\"");
        limits.memory = bytes.value_or(0);
        if (limits.memory > 0 && !memoryOfGroup(::getpgrp()))
            throw Error("[run] memory cannot be watched on this machine, which has no /proc; take "
                        "it out");
    }
    if (const auto cores = run.settings.find("cores"); cores != run.settings.end())
        limits.cores = std::get<int>(cores->second);
    const auto there = CoreShare().size();
    if (static_cast<std::size_t>(limits.cores) > there)
        throw Error(fmt::format("[run] cores is {}, but there are {} for us on this machine; lower "
                                "it",
                                limits.cores, there));
    return limits;
}

std::optional<std::uint64_t> memoryOfGroup(int group)
{
    std::error_code code;
    std::filesystem::directory_iterator processes("/proc", code);
    if (code)
        return std::nullopt;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::uint64_t bytes = 0;
    bool isAnySeen = false;
    for (; !code && processes != std::filesystem::directory_iterator(); processes.increment(code)) {
        const auto &process = processes->path();
        const auto name = process.filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        isAnySeen = true;
        if (name == std::to_string(group) || groupOf(process) != group)
            continue;
        std::uint64_t size = 0, resident = 0, shared = 0;
        std::ifstream(process / "statm") >> size >> resident >> shared;
        bytes += (resident - std::min(resident, shared)) * page;
    }
    return isAnySeen ? std::optional(bytes) : std::nullopt;
}

CoreShare::CoreShare()
{
    cpu_set_t ours;
    CPU_ZERO(&ours);
    if (::sched_getaffinity(0, sizeof ours, &ours) == 0) {
        for (int number = 0; number < CPU_SETSIZE; ++number)
            if (CPU_ISSET(static_cast<std::size_t>(number), &ours))
                m_cores.push_back({number});
    }
}

std::vector<int> CoreShare::take(int count)
{
    const std::scoped_lock lock(m_mutex);
    std::ranges::stable_sort(m_cores, {}, &Core::users);
    std::vector<int> taken;
    for (std::size_t i = 0; i < m_cores.size() && taken.size() < static_cast<std::size_t>(count);
         ++i) {
        ++m_cores[i].users;
        taken.push_back(m_cores[i].number);
    }
    return taken;
}

void CoreShare::giveBack(const std::vector<int> &cores)
{
    const std::scoped_lock lock(m_mutex);
    for (auto &core : m_cores)
        core.users -= std::ranges::find(cores, core.number) != cores.end() ? 1 : 0;
}

} // namespace gridhelm::data
