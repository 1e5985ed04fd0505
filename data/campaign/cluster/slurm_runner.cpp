// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_runner.h"

#include "core/support/error.h"
#include "data/campaign/cluster/host_news.h"
#include "data/campaign/cluster/slurm_cluster.h"
#include "data/campaign/cluster/slurm_limits.h"
#include "data/campaign/cluster/slurm_run.h"
#include "data/campaign/command_job.h"
#include "data/campaign/run_on.h"
#include "data/campaign/run_token.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;

class SlurmRunner final : public JobRunner
{
public:
    SlurmRunner(const Plan &plan, const RunnerOptions &options)
        : m_of(plan, options)
        , m_name(nameOf(m_of.execution->run))
        , m_cluster(slurmSettings(m_of.execution->run))
        , m_news(m_cluster.host(), m_cluster.settings().pollEvery)
        , m_worker([this](const std::stop_token &stop) { watch(stop); })
    {
    }

    ~SlurmRunner() override
    {
        m_worker.request_stop();
        m_worker.join();
        for (const auto &[token, run] : m_runs)
            if (run.folder) // nobody has wanted its results
                m_of.folders.remove(run.request->name);
        try {
            if (m_facts && !m_released.empty())
                m_cluster.look(m_facts->folder, {}, m_released);
        } catch (const std::exception &) {
            // They stay there: nobody runs in them.
        }
    }

    SlurmRunner(const SlurmRunner &) = delete;
    SlurmRunner &operator=(const SlurmRunner &) = delete;

    bool isLocal() const override { return false; }
    std::string_view name() const override { return m_name; }
    bool leavesRunsOnStop() const override { return !m_cluster.settings().cancelOnStop; }
    std::size_t maxSubmitted(std::size_t atATime) const override
    {
        return std::max(atATime, static_cast<std::size_t>(m_cluster.settings().mostQueued));
    }

    std::optional<Retry> retry(RaisedLimits raised, RunLimit failedAt) const override
    {
        return nextTry(m_cluster.settings(), raised, failedAt);
    }

    std::vector<std::string> submit(std::span<const RunRequest> runs, std::size_t) override
    {
        const auto facts = requireFacts();
        for (const auto &array : arraysOf(runs, facts.mostInArray))
            submitArray(facts.folder, array);
        std::vector<std::string> ids;
        for (const auto &request : runs)
            ids.push_back(request.token);
        return ids;
    }

    void adopt(const std::string &id, const RunRequest &request) override
    {
        const std::scoped_lock lock(m_mutex);
        auto &run = m_runs[id];
        run.request = request;
        run.request->token = id;
        m_isDue = true;
        m_wake.notify_all();
    }

    std::vector<RunStatus> poll(std::span<const std::string> ids) override
    {
        askAfterNew(ids);
        std::vector<RunStatus> statuses;
        const std::scoped_lock lock(m_mutex);
        if (m_problem)
            std::rethrow_exception(std::exchange(m_problem, nullptr));
        for (const auto &id : ids) {
            statuses.push_back(m_runs[id].status);
            if (!m_runs[id].request && statuses.back().state == RunState::lost)
                m_runs.erase(id);
        }
        return statuses;
    }

    RunStatus collect(const std::string &id, const RunSink &sink,
                      const std::stop_token &stop) override
    {
        SlurmRun *run = nullptr;
        {
            const std::scoped_lock lock(m_mutex);
            run = &m_runs.at(id);
        }
        if (run->status.state != RunState::finished || !run->folder)
            return run->status; // nothing of it is here before its end
        return readResultsOf(m_of, *run, sink, stop);
    }

    void cancel(std::span<const std::string> ids) override
    {
        m_cluster.cancel(requireFacts().folder, ids);
        const std::scoped_lock lock(m_mutex);
        for (const auto &id : ids)
            m_runs[id].isCancelled = true;
        m_isDue = true;
        m_wake.notify_all();
    }

    void release(const std::string &id) override
    {
        std::optional<std::string> goesOn;
        {
            const std::scoped_lock lock(m_mutex);
            const auto found = m_runs.find(id);
            if (found == m_runs.end())
                return;
            if (!hasEnded(found->second.status.state))
                goesOn = id;
            m_runs.erase(found);
        }
        if (goesOn) {
            try {
                m_cluster.cancel(requireFacts().folder, {&*goesOn, 1});
            } catch (const Error &) {
                return; // it stays there
            }
        }
        const std::scoped_lock lock(m_mutex);
        m_released.push_back(id); // removed, or marked as kept
    }

    std::string whatIsRun() const override
    {
        constexpr std::size_t digits = 8;
        return m_of.execution->resultsDigest().substr(0, digits);
    }

    bool tellsTokens() const override { return true; }

    std::vector<std::string> tokensThere(std::string_view mark) override
    {
        const auto folder = requireFacts().folder;
        RunOwner owner{std::string(mark), m_session};
        std::vector<std::string> all;
        for (const auto &[token, hasEnded] : m_cluster.takeOver(folder, owner))
            all.push_back(token);
        const std::scoped_lock lock(m_mutex);
        m_owner = std::move(owner);
        return all;
    }

    void removeLeftovers(std::string_view mark,
                         const std::function<bool(const std::string &token)> &isNeeded) override
    {
        if (m_cluster.settings().keep)
            return;
        try {
            for (const auto &[token, hasEnded] : m_cluster.leftovers(requireFacts().folder, mark)) {
                if (!hasEnded || isNeeded(token))
                    continue;
                const std::scoped_lock lock(m_mutex);
                if (!m_runs.contains(token))
                    m_released.push_back(token);
            }
        } catch (const Error &) {
            // Another time: they do no harm.
        }
    }

    std::vector<std::string> takeNews() override { return m_news.take(); }

    void waitForNews(std::chrono::milliseconds most) override
    {
        std::unique_lock lock(m_mutex);
        m_newsCame.wait_for(lock, most, [this] { return m_hasNews; });
        m_hasNews = false;
    }

private:
    /// Asks the cluster what it is, the first time.
    ClusterFacts requireFacts()
    {
        const std::scoped_lock lock(m_asking);
        if (!m_facts)
            m_facts = m_cluster.contact();
        return *m_facts;
    }

    RunOwner owner()
    {
        const std::scoped_lock lock(m_mutex);
        return m_owner;
    }

    void submitArray(const std::string &folder, std::span<const RunRequest *const> runs)
    {
        std::vector<RunParcel> parcels;
        for (const auto *request : runs)
            parcels.push_back(parcelOf(m_of, *request, folder));
        const auto raised = runs.front()->raised;
        std::string refusal;
        std::vector<bool> isRefused(runs.size(), false);
        try {
            m_cluster.submit(folder, parcels, raised, owner());
        } catch (const RemoteError &) {
            throw;
        } catch (const Error &error) {
            if (raised.total() == 0)
                throw;
            isRefused = m_cluster.areClaimed(folder, parcels); // others may have begun all the same
            if (std::ranges::count(isRefused, true) == 0)
                throw; // a full disk, say
            refusal = error.what();
        }
        const std::scoped_lock lock(m_mutex);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            auto &run = m_runs[runs[i]->token];
            run.request = *runs[i];
            run.isKnown = true;
            if (!isRefused[i])
                continue;
            run.status.state = RunState::failed;
            run.status.log = "gridhelm: with more time or memory " + refusal;
            noteNews();
        }
    }

    /// Who asks after a run that nobody has asked after yet waits for the answer.
    void askAfterNew(std::span<const std::string> ids)
    {
        std::vector<std::string> unknown;
        {
            const std::scoped_lock lock(m_mutex);
            for (const auto &id : ids)
                if (!m_runs[id].isKnown)
                    unknown.push_back(id);
        }
        if (unknown.empty())
            return;
        const auto folder = requireFacts().folder;
        if (!ask(folder, unknown, {}))
            throw Error(m_cluster.host()
                        + " does not say which runs it has (squeue); try again later");
    }

    /// What is seen of them; nothing if Slurm does not answer.
    std::optional<std::vector<RunSeen>> ask(const std::string &folder,
                                            const std::vector<std::string> &tokens,
                                            const std::vector<std::string> &released,
                                            const std::stop_token &stop = {})
    {
        const auto seen = m_cluster.look(folder, tokens, released, stop);
        if (!seen)
            return std::nullopt;
        std::vector<std::string> unstarted;
        std::vector<std::pair<std::string, RunSeen>> vanished;
        {
            const std::scoped_lock lock(m_mutex);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const auto found = m_runs.find(tokens[i]);
                if (found == m_runs.end())
                    continue;
                switch (conclude(found->second, (*seen)[i])) {
                case Doubt::none:
                    break;
                case Doubt::whetherItStarts:
                    unstarted.push_back(tokens[i]);
                    break;
                case Doubt::howItFailed:
                    vanished.emplace_back(tokens[i], (*seen)[i]);
                    break;
                }
            }
        }
        claim(folder, unstarted);
        explain(folder, vanished);
        return seen;
    }

    /// Those that Slurm does not have are lost, and cannot begin any more, however late an order
    /// for them arrives.
    void claim(const std::string &folder, const std::vector<std::string> &tokens)
    {
        if (tokens.empty())
            return;
        const auto claimed = m_cluster.claim(folder, tokens);
        const std::scoped_lock lock(m_mutex);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto found = m_runs.find(tokens[i]);
            if (found != m_runs.end())
                concludeClaim(found->second, claimed[i]);
        }
        noteNews();
    }

    /// Why they have failed, with what they have printed.
    void explain(const std::string &folder,
                 const std::vector<std::pair<std::string, RunSeen>> &failed)
    {
        if (failed.empty())
            return;
        std::vector<std::string> jobs;
        for (const auto &[token, run] : failed)
            if (!run.job.empty())
                jobs.push_back(run.job);
        const auto ends = m_cluster.endsOf(jobs);
        for (const auto &[token, run] : failed) {
            const auto end = ends.find(run.job);
            auto log = m_cluster.log(folder, token);
            const auto word = end == ends.end() ? std::string() : end->second;
            const std::scoped_lock lock(m_mutex);
            const auto found = m_runs.find(token);
            if (found != m_runs.end()
                && !isEndUnsaid(found->second, word, m_cluster.settings().retry))
                concludeFailure(found->second, word, run.code, std::move(log),
                                m_cluster.settings());
        }
        const std::scoped_lock lock(m_mutex);
        noteNews();
    }

    // ---- the thread that looks after all runs ---------------------------------------------------

    void watch(const std::stop_token &stop)
    {
        const std::stop_callback wake(stop, [this] {
            const std::scoped_lock lock(m_mutex);
            m_wake.notify_all();
        });
        auto next = Clock::now() + m_cluster.settings().pollEvery;
        for (;;) {
            std::vector<std::string> tokens, released;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait_until(lock, next, [&] { return stop.stop_requested() || m_isDue; });
                if (stop.stop_requested())
                    return;
                m_isDue = false;
                for (const auto &[token, run] : m_runs)
                    if (run.request && !hasEnded(run.status.state))
                        tokens.push_back(token);
                released.swap(m_released);
            }
            next = Clock::now() + m_cluster.settings().pollEvery;
            lookAfter(tokens, std::move(released), stop);
        }
    }

    /// A cluster that does not answer is asked again: its runs go on.
    void lookAfter(const std::vector<std::string> &tokens, std::vector<std::string> released,
                   const std::stop_token &stop)
    {
        try {
            if (!tokens.empty() || !released.empty()) {
                const auto folder = requireFacts().folder;
                if (const auto seen = ask(folder, tokens, released, stop)) {
                    released.clear();
                    m_news.noteAnswer();
                    m_news.noteWaits(*seen);
                    fetchEnded(folder, tokens, *seen, stop);
                } else {
                    m_news.noteSilence(m_cluster.host()
                                       + " does not say which runs it has, "
                                         "since squeue fails there");
                }
            }
        } catch (const StorageError &) {
            const std::scoped_lock lock(m_mutex);
            m_problem = std::current_exception();
            noteNews();
        } catch (const ReadingStopped &) { // no std::exception: whoever waited for it has gone
        } catch (const std::exception &error) {
            if (!stop.stop_requested())
                m_news.noteSilence(error.what());
        }
        const std::scoped_lock lock(m_mutex);
        m_released.insert(m_released.end(), released.begin(), released.end());
    }

    /// Those whose results are not here yet. Those that are no results of a run are looked at
    /// a few times more: file systems there may lag.
    void fetchEnded(const std::string &folder, const std::vector<std::string> &tokens,
                    const std::vector<RunSeen> &seen, const std::stop_token &stop)
    {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (seen[i].place != RunSeen::Place::ended || seen[i].code != 0)
                continue;
            std::string name;
            {
                const std::scoped_lock lock(m_mutex);
                const auto found = m_runs.find(tokens[i]);
                if (found == m_runs.end() || hasEnded(found->second.status.state))
                    continue;
                name = found->second.request->name;
            }
            try {
                fetch(folder, tokens[i], name, stop);
            } catch (const StorageError &) {
                throw;
            } catch (const RemoteError &error) {
                if (!stop.stop_requested())
                    m_news.noteSilence(error.what());
                return; // another time
            } catch (const Error &error) {
                noteUnfetched(tokens[i], error.what());
            }
        }
    }

    void fetch(const std::string &folder, const std::string &token, const std::string &name,
               const std::stop_token &stop)
    {
        auto results = m_of.folders.begin(name);
        std::string log;
        try {
            log = m_cluster.fetch(folder, token, results, stop);
        } catch (...) {
            m_of.folders.remove(name);
            throw;
        }
        const std::scoped_lock lock(m_mutex);
        const auto found = m_runs.find(token);
        if (found == m_runs.end())
            return;
        found->second.folder = std::move(results);
        found->second.status = {RunState::finished, 1, std::move(log), true};
        noteNews();
    }

    void noteUnfetched(const std::string &token, const std::string &why)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_runs.find(token);
        if (found != m_runs.end() && concludeUnfetched(found->second, why))
            noteNews();
    }

    /// The mutex is held.
    void noteNews()
    {
        m_hasNews = true;
        m_newsCame.notify_all();
    }

    CommandOfPlan m_of;
    std::string m_name;
    SlurmCluster m_cluster;
    HostNews m_news;
    const std::string m_session = newToken("session");
    std::mutex m_asking; ///< for m_facts
    std::optional<ClusterFacts> m_facts;
    std::mutex m_mutex; ///< for what follows
    std::condition_variable m_newsCame, m_wake;
    std::map<std::string, SlurmRun> m_runs; ///< by token
    std::vector<std::string> m_released;
    RunOwner m_owner; ///< as soon as runs that no study remembers were asked for
    std::exception_ptr m_problem;
    bool m_hasNews = false, m_isDue = false;
    std::jthread m_worker;
};

} // namespace

const RunnerType &slurmRunner()
{
    static const RunnerType type{
        "slurm", "a command, on a cluster with Slurm", slurmOptions(),
        // Not of its own accord: the plan has to say so.
        [](const Plan &plan) {
            return plan.run.on == "slurm" && std::holds_alternative<CommandPlan>(plan.simulation);
        },
        [](const Plan &plan, const RunnerOptions &options) {
            return std::unique_ptr<JobRunner>(std::make_unique<SlurmRunner>(plan, options));
        }};
    return type;
}

} // namespace gridhelm::data
