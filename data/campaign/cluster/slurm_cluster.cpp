// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_cluster.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/cluster/run_archive.h"
#include "data/campaign/cluster/slurm_limits.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/run_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace gridhelm::data {

namespace {

constexpr double transferLimit =
    24 * 3600; ///< seconds, for files; a dead connection ends by itself
constexpr std::uint64_t largestRun = ArchiveLimits().bytes;

std::string linesOf(std::span<const std::string> tokens)
{
    std::string lines;
    for (const auto &token : tokens)
        lines += token + "\n";
    return lines;
}

std::function<void(int)> inputOf(std::span<const std::string> tokens)
{
    return [lines = linesOf(tokens)](int file) {
        if (!writeAll(file, lines))
            throwFolderError("", "What goes to the cluster cannot be written");
    };
}

template <typename Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number{};
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// The words of each line; what is no text is spelled out.
std::vector<std::vector<std::string>> wordsOf(const RemoteAnswer &answer)
{
    std::vector<std::vector<std::string>> lines;
    std::istringstream text(validUtf8(answer.text()));
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        auto &all = lines.emplace_back();
        for (std::string word; words >> word;)
            all.push_back(std::move(word));
    }
    return lines;
}

RunSeen::Place placeOf(std::string_view word)
{
    using Place = RunSeen::Place;
    return word == "W"   ? Place::waits
           : word == "S" ? Place::started
           : word == "E" ? Place::ended
           : word == "C" ? Place::claimed
                         : Place::nowhere;
}

/// Letters, digits and '-', and no option.
bool isTokenLike(std::string_view word)
{
    return !word.starts_with('-') && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

bool isPending(std::string_view state)
{
    return state == "PENDING" || state == "CONFIGURING" || state.starts_with("REQUEUE")
           || state == "RESV_DEL_HOLD" || state == "SPECIAL_EXIT";
}

} // namespace

SlurmCluster::SlurmCluster(SlurmSettings settings)
    : m_settings(std::move(settings))
    , m_shell(m_settings.host)
{
}

RemoteAnswer SlurmCluster::require(const RemoteScript &script, const char *what,
                                   const std::stop_token &stop) const
{
    constexpr int noFolder = 90, refused = 93;
    auto answer = m_shell.run(script, stop);
    if (answer.code() == 0)
        return answer;
    const auto why = answer.errors().empty() ? fmt::format("code {}", answer.code())
                                             : validUtf8(answer.errors());
    for (const char *full : {"No space left on device", "Disk quota exceeded"})
        if (why.find(full) != std::string::npos)
            throw Error(fmt::format("{} has no room left for runs in its folder \"{}\" ({}); make "
                                    "room there, or let [run] folder name another one",
                                    host(), m_settings.folder, full));
    if (answer.code() == noFolder)
        throw Error(fmt::format("{} has no folder \"{}\" for runs, and none can be made ({}); let "
                                "[run] folder name another one",
                                host(), m_settings.folder, why));
    throw Error(fmt::format("{} {} ({}){}", host(), what, why,
                            answer.code() == refused
                                ? "; correct [run] in the plan, if that is what it minds, and let "
                                  "the study follow it with: gridhelm-cli plan FILE.toml --update "
                                  "STUDY"
                                : ""));
}

ClusterFacts SlurmCluster::contact(const std::stop_token &stop) const
{
    const auto answer = require({contactScript(m_settings)}, "does not say what it is", stop);
    ClusterFacts facts;
    std::istringstream text(validUtf8(answer.text()));
    for (std::string line; std::getline(text, line);) {
        const auto blank = line.find(' ');
        const auto key = line.substr(0, blank);
        const auto value = blank == std::string::npos ? "" : line.substr(blank + 1);
        const auto setting = [&] {
            return value.substr(std::min(value.rfind(' ') + 1, value.size()));
        };
        if (key == "folder")
            facts.folder = value;
        else if (key == "lacks")
            facts.lacks.push_back(value);
        else if (key == "version")
            facts.version = value;
        else if (key == "ClusterName")
            facts.name = setting();
        else if (key == "MaxArraySize")
            facts.mostInArray =
                std::max<std::size_t>(numberOf<std::size_t>(setting()).value_or(2), 2) - 1;
        else if (key == "AccountingStorageType")
            facts.hasAccounting =
                setting().find("none") == std::string::npos && setting() != "(null)";
    }
    if (!facts.lacks.empty()) {
        std::string all;
        for (const auto &program : facts.lacks)
            all += (all.empty() ? "" : ", ") + program;
        throw Error(host() + " has no " + all
                    + "; is it the login node of a cluster with Slurm, and do these programs come "
                      "into the PATH without a terminal (\"ssh "
                    + host() + " sbatch --version\")?");
    }
    if (facts.folder.empty() || facts.folder.front() != '/')
        throw Error(host() + " does not say where its folder " + m_settings.folder + " is");
    return facts;
}

void SlurmCluster::submit(const std::string &folder, std::span<const RunParcel> runs,
                          RaisedLimits raised, const RunOwner &owner,
                          const std::stop_token &stop) const
{
    const auto settings = raisedSettings(m_settings, raised);
    const auto batch = newToken("batch");
    const auto write = [&](int file) {
        RunArchiveWriter archive(file);
        std::string tokens;
        for (const auto &run : runs)
            tokens += run.token + "\n";
        archive.addText("batch/runs", tokens);
        archive.addText("batch/script", elementScript(settings, folder, batch));
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto &run = runs[i];
            run.templates([&](const std::filesystem::path &from) {
                archive.addFolder(run.token + "/run", from);
            });
            archive.addText(run.token + "/command", commandScript(run.arguments, run.environment));
            archive.addText(run.token + "/batch", fmt::format("{} {}\n", batch, i));
        }
        archive.addText("whole", "");
        archive.finish();
    };
    require(
        {submitScript(settings, folder, batch, runs.size(), owner), write, 1 << 16, transferLimit},
        "has not taken the runs", stop);
}

std::optional<std::vector<RunSeen>> SlurmCluster::look(const std::string &folder,
                                                       std::span<const std::string> tokens,
                                                       std::span<const std::string> released,
                                                       const std::stop_token &stop) const
{
    constexpr std::uint64_t largest = std::uint64_t{1} << 26;
    constexpr double patience = 120;
    const auto answer =
        require({pollScript(folder, released, m_settings.keep), inputOf(tokens), largest, patience},
                "does not say how the runs are doing", stop);
    struct Queued
    {
        bool isPending;
        std::string reason;
    };
    std::map<std::string, Queued> queue; ///< by element, "INDEX BATCH"
    std::map<std::string, RunSeen> seen;
    std::map<std::string, std::string> batches;
    bool isQueueKnown = false;
    for (const auto &words : wordsOf(answer)) {
        if (words.size() >= 4 && words[0] == "queue") {
            queue[words[2] + " " + words[3]] = {isPending(words[1]),
                                                words.size() == 5 ? words[4] : std::string()};
        } else if (words.size() == 2 && words[0] == "queued") {
            isQueueKnown = words[1] == "0";
        } else if (words.size() >= 5) {
            auto &run = seen[words[1]];
            run.place = placeOf(words[0]);
            if (words[2] != "-" && words[3] != "-")
                run.job = words[2] + "_" + words[3];
            batches[words[1]] = words[3] + " " + words[4];
            if (words.size() > 5)
                run.code = numberOf<int>(words[5]);
        }
    }
    if (!isQueueKnown)
        return std::nullopt;
    std::vector<RunSeen> all;
    for (const auto &token : tokens) {
        auto &run = all.emplace_back(seen[token]);
        const auto found = queue.find(batches[token]);
        run.isQueued = found != queue.end();
        run.isPending = run.isQueued && found->second.isPending;
        if (run.isPending)
            run.reason = found->second.reason;
    }
    return all;
}

std::vector<bool> SlurmCluster::claim(const std::string &folder,
                                      std::span<const std::string> tokens) const
{
    const auto answer =
        require({claimScript(folder), inputOf(tokens)}, "does not say which runs have begun");
    std::map<std::string, bool> claimed;
    for (const auto &words : wordsOf(answer))
        if (words.size() == 2)
            claimed[words[1]] = words[0] == "claimed";
    std::vector<bool> all;
    for (const auto &token : tokens)
        all.push_back(claimed[token]);
    return all;
}

std::map<std::string, std::string> SlurmCluster::endsOf(std::span<const std::string> jobs) const
{
    std::map<std::string, std::string> ends;
    if (jobs.empty())
        return ends;
    for (const auto &job : jobs)
        if (job.find_first_not_of("0123456789_") != std::string::npos)
            throw Error(host() + " gives a job the number " + job + ", which is none");
    const auto answer = m_shell.run({endsScript(jobs)}); // where it fails, it knows nothing
    std::istringstream text(validUtf8(answer.text()));
    for (std::string line; std::getline(text, line);) {
        const auto bar = line.find('|');
        if (bar == std::string::npos)
            continue;
        const auto word = line.substr(bar + 1, line.find_first_of(" |", bar + 1) - bar - 1);
        if (!isPending(word) && word != "RUNNING" && word != "COMPLETING") // "CANCELLED by 0"
            ends[line.substr(0, bar)] = word;
    }
    return ends;
}

std::string SlurmCluster::fetch(const std::string &folder, const std::string &token,
                                const JobFolder &to, const std::stop_token &stop) const
{
    const auto answer = require({fetchScript(folder, token), {}, largestRun, transferLimit},
                                "does not hand over what a run has written", stop);
    return validUtf8(readRunArchive(answer.file(), to, {}, stop));
}

std::vector<bool> SlurmCluster::areClaimed(const std::string &folder,
                                           std::span<const RunParcel> runs) const
{
    std::vector<std::string> tokens;
    for (const auto &run : runs)
        tokens.push_back(run.token);
    const auto seen = look(folder, tokens);
    std::vector<bool> claimed(runs.size(), false);
    for (std::size_t i = 0; seen && i < runs.size(); ++i)
        claimed[i] = (*seen)[i].place == RunSeen::Place::claimed;
    return claimed;
}

std::map<std::string, bool> SlurmCluster::takeOver(const std::string &folder,
                                                   const RunOwner &owner) const
{
    return tokensOf({takeOverScript(folder, owner)}, owner.mark);
}

std::map<std::string, bool> SlurmCluster::leftovers(const std::string &folder,
                                                    std::string_view mark) const
{
    return tokensOf({leftoversScript(folder, mark)}, mark);
}

std::map<std::string, bool> SlurmCluster::tokensOf(const RemoteScript &script,
                                                   std::string_view mark) const
{
    std::map<std::string, bool> all;
    for (const auto &words : wordsOf(require(script, "does not say which runs it has"))) {
        if (words.size() != 2 || !isTokenLike(words[1])) // it will be part of a script
            continue;
        if (isOfStudy(words[1], mark))
            all[words[1]] = words[0] == "ended";
    }
    return all;
}

std::string SlurmCluster::log(const std::string &folder, const std::string &token) const
{
    constexpr std::size_t kept = 1 << 16;
    return validUtf8(
        require({logScript(folder, token, kept)}, "does not say what a run has printed").text());
}

void SlurmCluster::cancel(const std::string &folder, std::span<const std::string> tokens) const
{
    require({cancelScript(folder), inputOf(tokens)}, "does not cancel the runs");
}

} // namespace gridhelm::data
