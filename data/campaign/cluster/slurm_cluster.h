// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cluster as it is seen from here: each call is one conversation with its shell.
#pragma once

#include "data/campaign/cluster/remote_shell.h"
#include "data/campaign/cluster/slurm_scripts.h"
#include "data/campaign/cluster/slurm_settings.h"
#include "data/campaign/raised_limits.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::data {

class JobFolder;

/// What it says of itself.
struct ClusterFacts
{
    std::string folder; ///< where runs work, absolute
    std::string version;
    std::string name;               ///< of the cluster; empty: it does not say
    std::vector<std::string> lacks; ///< programs that we need
    std::size_t mostInArray = 1000;
    bool hasAccounting = false;
};

/// A run, as its folder and the queue say.
struct RunSeen
{
    enum class Place {
        nowhere, ///< its folder is not there
        waits,   ///< in the queue, or on its way there
        started,
        ended,
        claimed, ///< by us: it is never run
    } place = Place::nowhere;
    bool isQueued = false;   ///< Slurm has it
    bool isPending = false;  ///< in its queue, and does not run yet
    std::string job;         ///< Slurm's number, "12_7"; empty: not known
    std::optional<int> code; ///< the command's, of one that has ended
    std::string reason = {}; ///< Slurm's, why it does not run yet; empty: it has none
};

/// What goes there for a run.
struct RunParcel
{
    std::string token;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
    /// Fills a folder of this machine with its templates, and calls with it.
    std::function<void(const std::function<void(const std::filesystem::path &)> &)> templates;
};

/// Thread-safe. All throw gridhelm::Error if the cluster cannot be reached, or refuses.
class SlurmCluster
{
public:
    /// Throws as RemoteShell does; asks nobody yet.
    explicit SlurmCluster(SlurmSettings settings);

    const SlurmSettings &settings() const { return m_settings; }
    const std::string &host() const { return m_shell.host(); }

    /// Makes the folder.
    ClusterFacts contact(const std::stop_token &stop = {}) const;

    // `folder`: ClusterFacts::folder.
    /// Of one array, all with limits that were raised so often. After an exception nobody knows
    /// whether it was taken; it is not if another owner has asked after the study's runs since this
    /// one has (takeOver()).
    void submit(const std::string &folder, std::span<const RunParcel> runs,
                RaisedLimits raised = {}, const RunOwner &owner = {},
                const std::stop_token &stop = {}) const;
    /// In the order of the tokens; nothing if the queue cannot be read (Slurm's controller is
    /// starting, say). The folders of `released` are removed.
    std::optional<std::vector<RunSeen>> look(const std::string &folder,
                                             std::span<const std::string> tokens,
                                             std::span<const std::string> released = {},
                                             const std::stop_token &stop = {}) const;
    /// Which of them are never run, from now on. The others have been started.
    std::vector<bool> claim(const std::string &folder, std::span<const std::string> tokens) const;
    /// Slurm's word for how a job has ended ("TIMEOUT"); those of which it knows none (yet) are
    /// left out.
    std::map<std::string, std::string> endsOf(std::span<const std::string> jobs) const;
    /// What a run has written goes into the folder; returns what it printed.
    std::string fetch(const std::string &folder, const std::string &token, const JobFolder &to,
                      const std::stop_token &stop) const;
    /// Whether each can never begin. Others of an array that submit() has thrown for may have
    /// begun: sbatch may fail after the controller has taken it. None if Slurm does not answer.
    std::vector<bool> areClaimed(const std::string &folder, std::span<const RunParcel> runs) const;
    /// Of runs of the study with the owner's deskMark(), but for those that are never run: whether
    /// each has ended, by its token. What other sessions have sent for it, and is not among these,
    /// is never run, either.
    std::map<std::string, bool> takeOver(const std::string &folder, const RunOwner &owner) const;
    /// The same runs; nobody is kept from anything. What cut uploads have left is removed.
    std::map<std::string, bool> leftovers(const std::string &folder, std::string_view mark) const;
    /// The end of what it has printed.
    std::string log(const std::string &folder, const std::string &token) const;
    void cancel(const std::string &folder, std::span<const std::string> tokens) const;

private:
    std::map<std::string, bool> tokensOf(const RemoteScript &script, std::string_view mark) const;
    RemoteAnswer require(const RemoteScript &script, const char *what,
                         const std::stop_token &stop = {}) const;

    SlurmSettings m_settings;
    RemoteShell m_shell;
};

} // namespace gridhelm::data
