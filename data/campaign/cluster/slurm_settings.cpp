// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_settings.h"

#include "core/support/error.h"
#include "data/campaign/cluster/remote_shell.h"
#include "data/campaign/cluster/slurm_limits.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace gridhelm::data {

namespace {

constexpr const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr const char *digits = "0123456789";

/// Empty, or of letters, digits and these, and no option.
void requireWord(const std::string &key, const std::string &value, const std::string &others,
                 const std::string &example)
{
    constexpr std::size_t longest = 200;
    const auto allowed = std::string(letters) + digits + others;
    if (value.size() > longest || value.find_first_not_of(allowed) != std::string::npos
        || value.starts_with('-'))
        throw Error("[run] " + key + " is \"" + value.substr(0, longest)
                    + "\", which Slurm would not understand; write it like " + example);
}

void requireFolder(const std::string &folder)
{
    const bool isPlain =
        std::ranges::none_of(folder, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (folder.empty() || !isPlain || folder.front() == '-' || folder.front() == '~')
        throw Error("[run] folder is no name of a folder on the cluster; write a path, absolute or "
                    "in the home folder, like \"gridhelm-jobs\"");
}

/// Of "retry.time" or "retry.memory"; 1 if there is none.
double readFactor(const std::string &key, const std::string &text, const std::string &value,
                  bool isKnown)
{
    if (text.empty())
        return 1;
    const auto factor = retryFactor(text);
    if (!factor)
        throw Error("[run] retry: " + key + " is \"" + text.substr(0, 40)
                    + "\", which is not how often more; write it like " + key
                    + " = \"x2\" (above x1, at most x100)");
    if (!isKnown)
        throw Error(
            "[run] retry multiplies the " + key + " of each run, which "
            + (value.empty() ? "the plan does not say" : "is \"" + value + "\", which is no limit")
            + "; write [run] " + key + " = " + (key == "time" ? "\"30\"" : "\"4G\"") + ", say");
    return *factor;
}

} // namespace

std::vector<RunnerOption> slurmOptions()
{
    constexpr int mostCores = 1 << 16;
    return {
        {"host",
         std::string(),
         {},
         {},
         {},
         "The cluster's login node, as for ssh: name or user@name; or local, on the login node "
         "itself"},
        {"folder",
         std::string("gridhelm-jobs"),
         {},
         {},
         {},
         "Where the runs work there, in the home folder if the path is relative"},
        {"partition", std::string(), {}, {}, {}, "As for sbatch"},
        {"account", std::string(), {}, {}, {}, "As for sbatch"},
        {"qos", std::string(), {}, {}, {}, "As for sbatch"},
        {"time",
         std::string(),
         {},
         {},
         {},
         "That each run may take, as for sbatch: 30 (minutes), 1:30:00, 2-00"},
        {"memory", std::string(), {}, {}, {}, "Of each run, as for sbatch: 4G"},
        {"cores", 1, {}, 1, mostCores, "Of each run"},
        {"modules",
         std::string(),
         {},
         {},
         {},
         "To be loaded before each command, separated by blanks"},
        {"setup",
         std::string(),
         {},
         {},
         {},
         "Lines for bash before each command: conda activate, say"},
        {"retry.time",
         std::string(),
         {},
         {},
         {},
         "By what time is multiplied for another try of a run that has reached it: x2"},
        {"retry.memory",
         std::string(),
         {},
         {},
         {},
         "By what memory is multiplied for another try of a run that needed more: x2"},
        {"retry.at-most", 2, "tries", 1, 10, "Of a run, with more time or memory"},
        {"at-once", 100, "runs", 1, 100'000,
         "That Slurm starts at a time, of those that were handed over together"},
        {"most-queued", 1000, "runs", 1, 100'000, "That the cluster holds at once"},
        {"keep",
         false,
         {},
         {},
         {},
         "Whether folders of runs stay there when their results are stored"},
        {"cancel-on-stop",
         false,
         {},
         {},
         {},
         "Whether runs are cancelled when the campaign is stopped; else they go on, and the next "
         "run command takes them up"},
        {"poll", 60.0, "s", 0.2, 3600,
         "Between two questions to the cluster, which are about all runs at once"},
    };
}

RunPlan slurmRunPlan()
{
    RunPlan run{"slurm", {}};
    for (const auto &option : slurmOptions())
        run.settings[option.name] = option.defaultValue;
    return run;
}

SlurmSettings slurmSettings(const RunPlan &run)
{
    const auto text = [&](const char *key) { return std::get<std::string>(run.settings.at(key)); };
    SlurmSettings settings;
    settings.host = text("host");
    if (settings.host.empty())
        throw Error("[run] names no host; write the cluster's login node as you do for ssh, like "
                    "host = \"me@login.cluster\", or host = \"local\" on the login node itself");
    requireHostName(settings.host);
    settings.folder = text("folder");
    requireFolder(settings.folder);
    settings.partition = text("partition");
    requireWord("partition", settings.partition, "._-,", "\"short\"");
    settings.account = text("account");
    requireWord("account", settings.account, "._-", "\"project-12\"");
    settings.qos = text("qos");
    requireWord("qos", settings.qos, "._-", "\"normal\"");
    settings.time = text("time");
    requireWord("time", settings.time, ":-", "\"1:30:00\"");
    settings.memory = text("memory");
    requireWord("memory", settings.memory, "", "\"4G\"");
    settings.cores = std::get<int>(run.settings.at("cores"));
    settings.retry.time = readFactor("time", text("retry.time"), settings.time,
                                     slurmSeconds(settings.time).has_value());
    settings.retry.memory = readFactor("memory", text("retry.memory"), settings.memory,
                                       slurmMemory(settings.memory, 1).has_value());
    settings.retry.atMost = std::get<int>(run.settings.at("retry.at-most"));
    settings.modules = text("modules");
    requireWord("modules", settings.modules, "._-+/: ", "\"gcc/12 openmpi\"");
    settings.setup = text("setup");
    settings.atOnce = std::get<int>(run.settings.at("at-once"));
    settings.mostQueued = std::get<int>(run.settings.at("most-queued"));
    settings.keep = std::get<bool>(run.settings.at("keep"));
    settings.cancelOnStop = std::get<bool>(run.settings.at("cancel-on-stop"));
    settings.pollEvery =
        std::chrono::milliseconds(std::llround(1000 * std::get<double>(run.settings.at("poll"))));
    return settings;
}

} // namespace gridhelm::data
