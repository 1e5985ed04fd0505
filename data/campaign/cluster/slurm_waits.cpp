// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_waits.h"

#include <fmt/format.h>

#include <array>

namespace gridhelm::data {

namespace {

struct Meaning
{
    std::string_view reason, text, remedy;
};

constexpr std::string_view askForLess =
    "stop, remove them there (scancel), let [run] (or its retry) ask for less, let the study "
    "follow it with gridhelm-cli plan FILE.toml --update STUDY, and run again";
constexpr std::string_view askForAnother =
    "stop, remove them there (scancel), correct [run], let the study follow it with gridhelm-cli "
    "plan FILE.toml --update STUDY, and run again";
constexpr std::string_view release = "release them there (scontrol release)";
constexpr std::string_view ask = "ask who runs the cluster";

/// What depends on other jobs, or on nodes that come back, passes by itself.
constexpr std::array meanings{
    Meaning{"PartitionTimeLimit", "they ask for more time than their partition gives", askForLess},
    Meaning{"QOSMaxWallDurationPerJobLimit",
            "they ask for more time than their quality of service gives", askForLess},
    Meaning{"AssocMaxWallDurationPerJobLimit", "they ask for more time than their account gives",
            askForLess},
    Meaning{"QOSMaxCpuPerJobLimit", "they ask for more cores than their quality of service gives",
            askForLess},
    Meaning{"AssocMaxCpuPerJobLimit", "they ask for more cores than their account gives",
            askForLess},
    Meaning{"QOSMaxCpuMinutesPerJobLimit",
            "they ask for more time on their cores than their quality of service gives",
            askForLess},
    Meaning{"AssocMaxCpuMinutesPerJobLimit",
            "they ask for more time on their cores than their account gives", askForLess},
    Meaning{"QOSMaxCpuPerNode",
            "they ask for more cores of a node than their quality of service gives", askForLess},
    Meaning{"AssocMaxCpuPerNode", "they ask for more cores of a node than their account gives",
            askForLess},
    Meaning{"QOSMinCpuNotSatisfied", "they ask for fewer cores than their quality of service takes",
            askForAnother},
    Meaning{"QOSMaxMemoryPerNode",
            "they ask for more memory of a node than their quality of service gives", askForLess},
    Meaning{"AssocMaxMemPerNode", "they ask for more memory of a node than their account gives",
            askForLess},
    Meaning{"MaxMemPerLimit", "they ask for more memory than their partition gives", askForLess},
    Meaning{"QOSMaxMemoryPerJob", "they ask for more memory than their quality of service gives",
            askForLess},
    Meaning{"AssocMaxMemPerJob", "they ask for more memory than their account gives", askForLess},
    Meaning{"BadConstraints", "no node has what they ask for", askForLess},
    Meaning{"InvalidAccount", "their account is not valid there", askForAnother},
    Meaning{"AccountNotAllowed", "their account may not use this partition", askForAnother},
    Meaning{"InvalidQOS", "their quality of service is not valid there", askForAnother},
    Meaning{"QOSNotAllowed", "their quality of service may not be used in this partition",
            askForAnother},
    Meaning{"JobHeldUser", "they are held", release},
    Meaning{"JobHeldAdmin", "an administrator holds them", ask},
};

} // namespace

std::optional<std::string> endlessWait(std::string_view reason, const std::string &host)
{
    for (const auto &meaning : meanings)
        if (meaning.reason == reason)
            return fmt::format("Runs on {} wait for good, because {} (Slurm: {}): {}", host,
                               meaning.text, meaning.reason, meaning.remedy);
    return std::nullopt;
}

} // namespace gridhelm::data
