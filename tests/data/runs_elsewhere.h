// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cluster for tests: a folder, in which each run that was accepted is a file of its token's name.
// It outlives every process of ours, and knows how often anything was run.
#pragma once

#include "core/support/error.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/run_token.h"
#include "data/study/study_writer.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace gridhelm::test {

/// A study of runs elsewhere: three jobs, of three times and of five.
inline void makeStudyElsewhere(const std::filesystem::path &path)
{
    using namespace data;
    const Parameter a{"a", "", 0, 4};
    Parameter time{"t", "s", 0, 2};
    time.kind = ParameterKind::timeLike;
    StudyWriter::create(path, {"elsewhere", StudyKind::vector, ParameterSpace({a, time}), 2, ""})
        .close();
}

class RunsElsewhere : public data::JobRunner
{
public:
    explicit RunsElsewhere(std::filesystem::path cluster)
        : m_cluster(std::move(cluster))
    {
        std::filesystem::create_directories(m_cluster);
    }

    // What happens to it.
    std::function<void()> moment = [] {}; ///< called at each moment in which it may be killed
    bool isReachable = true;              ///< otherwise it cannot be polled, nor asked to cancel
    bool isStalled = false;               ///< nothing ends, unless it is cancelled
    bool isQueuing = false;               ///< nothing begins
    std::string place = "elsewhere";      ///< name()
    int timeNeeded = 0; ///< runs fail at their limit of time that was not raised so often
    int triesGranted = 2;
    std::string what;                ///< whatIsRun()
    bool isLosing = false;           ///< it loses runs with raised limits
    std::vector<std::size_t> orders; ///< how many runs each call of submit() had
    enum class Answer { given, refused, lost } answer = Answer::given; ///< to submit()

    static float valueAt(double parameter, double time)
    {
        return static_cast<float>(10 * parameter + time);
    }

    /// How often runs of this name were accepted.
    static std::size_t timesRun(const std::filesystem::path &cluster, const std::string &name)
    {
        std::size_t count = 0;
        for (const auto &entry : std::filesystem::directory_iterator(cluster))
            count += entry.path().extension().empty()
                     && entry.path().filename().string().starts_with(name + "-");
        return count;
    }

    bool isLocal() const override { return false; }
    std::string_view name() const override { return place; }
    std::size_t maxSubmitted(std::size_t atATime) const override { return atATime + 1; }

    std::vector<std::string> submit(std::span<const data::RunRequest> runs, std::size_t) override
    {
        moment();
        if (answer == Answer::refused)
            throw Error("the cluster takes no runs today; try tomorrow");
        orders.push_back(runs.size());
        std::vector<std::string> ids;
        for (const auto &run : runs) {
            // All at once: a run is there, or is not.
            const auto file = fileOf(run.token);
            std::ofstream(file.string() + ".part") << textOf(run);
            moment();
            std::filesystem::rename(file.string() + ".part", file);
            ids.push_back("id-of-" + run.token);
            adopt(ids.back(), run);
            if (isLosing && run.raised.total() > 0)
                m_lost.insert(run.token);
            moment();
        }
        if (answer == Answer::lost)
            throw Error("the cluster's answer got lost; try again");
        return ids;
    }

    void adopt(const std::string &id, const data::RunRequest &request) override
    {
        moment();
        m_requests[tokenOf(id)] = request;
    }

    std::vector<data::RunStatus> poll(std::span<const std::string> ids) override
    {
        moment();
        requireReachable();
        std::vector<data::RunStatus> all;
        for (const auto &id : ids) {
            data::RunStatus status;
            const auto token = tokenOf(id);
            if (!std::filesystem::exists(fileOf(token)) || m_lost.contains(token))
                status.state = data::RunState::lost;
            else if (std::filesystem::exists(fileOf(token).string() + ".cancelled"))
                status.state = data::RunState::cancelled;
            else if (isQueuing)
                status.state = data::RunState::queued;
            else if (data::partsOfToken(token).raised.time < timeNeeded && m_polls[token] > 0)
                status = {data::RunState::failed, 1, "printed\ngridhelm: it took too long", false,
                          data::RunLimit::time};
            else if (isStalled || m_polls[token]++ == 0)
                status = {data::RunState::running, 0.5, {}, !isStalled};
            else
                status = {data::RunState::finished, 1, "went well there"};
            all.push_back(status);
        }
        moment();
        return all;
    }

    data::RunStatus collect(const std::string &id, const data::RunSink &sink,
                            const std::stop_token &) override
    {
        moment();
        const auto token = tokenOf(id);
        const auto found = m_requests.find(token);
        if (found == m_requests.end())
            throw Error("the cluster was not told what " + token + " is");
        const auto &run = found->second;
        std::ostringstream submitted;
        submitted << std::ifstream(fileOf(token)).rdbuf();
        if (submitted.str() != textOf(run))
            throw Error("the cluster was told another run than " + token + " is");
        auto &collected = m_collected[token];
        const bool hasEnded = m_polls[token] > 1; // half of it is there before
        const auto until = hasEnded ? run.times.size() : (run.times.size() + 1) / 2;
        for (; collected < until;) {
            data::RunSnapshot snapshot{{},
                                       {"test", "one", 1, 0},
                                       {{"value", "", 1, data::Association::point, 1}},
                                       {{valueAt(run.parameters[0], run.times[collected])}}};
            if (run.prepare)
                snapshot = run.prepare(std::move(snapshot));
            sink(collected++, std::move(snapshot));
            moment();
        }
        return {hasEnded ? data::RunState::finished : data::RunState::running, 1,
                "went well there"};
    }

    void cancel(std::span<const std::string> ids) override
    {
        requireReachable();
        for (const auto &id : ids)
            mark(id, ".cancelled");
    }

    void release(const std::string &id) override
    {
        moment();
        mark(id, ".released");
        moment();
    }

    std::string whatIsRun() const override { return what; }
    bool tellsTokens() const override { return true; }
    std::vector<std::string> tokensThere(std::string_view mark) override
    {
        moment();
        requireReachable();
        std::vector<std::string> all;
        for (const auto &entry : std::filesystem::directory_iterator(m_cluster)) {
            const auto name = entry.path().filename().string();
            if (data::isOfStudy(name, mark)
                && !std::filesystem::exists(entry.path().string() + ".released"))
                all.push_back(name);
        }
        std::ranges::sort(all);
        return all;
    }

    std::optional<data::Retry> retry(data::RaisedLimits raised,
                                     data::RunLimit failedAt) const override
    {
        if (failedAt != data::RunLimit::time || raised.total() >= triesGranted)
            return std::nullopt;
        ++raised.time;
        return data::Retry{raised, "more time"};
    }

    void waitForNews(std::chrono::milliseconds) override {}

private:
    static std::string tokenOf(const std::string &id)
    {
        return id.starts_with("id-of-") ? id.substr(6) : id;
    }

    static std::string textOf(const data::RunRequest &run)
    {
        std::ostringstream text;
        text << run.name;
        for (const auto *numbers : {&run.parameters, &run.times}) {
            text << " /";
            for (const double number : *numbers)
                text << ' ' << number;
        }
        return text.str();
    }

    std::filesystem::path fileOf(const std::string &token) const { return m_cluster / token; }

    void mark(const std::string &id, const std::string &end) const
    {
        std::ofstream(fileOf(tokenOf(id)).string() + end).close();
    }

    void requireReachable() const
    {
        if (!isReachable)
            throw Error("the cluster does not answer; try again later");
    }

    std::filesystem::path m_cluster;
    std::map<std::string, data::RunRequest> m_requests;
    std::map<std::string, std::size_t> m_collected;
    std::map<std::string, int> m_polls;
    std::set<std::string> m_lost;
};

} // namespace gridhelm::test
