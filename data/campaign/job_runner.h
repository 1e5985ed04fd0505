// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a study's simulations run: in this process, as commands beside it, or elsewhere. Runs are
// handed over, asked after and fetched; nobody waits within a call. What can run a plan is
// registered in runner_registry.h.
//
// The life of a run, as a campaign has it (run_schedule.h):
//
//     submit(runs) -> ids           many at once: an array of them is one order for a cluster
//     poll(ids) -> states           queued -> running -> finished, failed, cancelled or lost
//     collect(id, sink)             its snapshots: what has arrived so far, or all at the end
//     release(id)                   nothing of it is needed any more
//
// Ids are texts that a runner can be asked about by another process, later. Runs that need this
// process (isLocal()) end with it; the others go on elsewhere whatever happens here, so that a
// study remembers them (Submission) from before they are submitted, by a token of ours, to after
// they are stored:
//
//     the token is committed -> submit() -> the id is committed -> ... -> stored, and forgotten
//
// Whoever is killed in between finds in the study all that may be running: poll() says which of it
// is, and adopt() takes it up again.
#pragma once

#include "data/campaign/raised_limits.h"
#include "data/mesh/snapshot_reader.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct Execution;

struct RunRequest
{
    std::string name; ///< of its working folder, and unique in its study: "job-12"
    /// Of the study's runSpaceOf(); that of the time-like one is not used.
    std::vector<double> parameters;
    std::vector<double> times; ///< of the time-like one, ascending; empty if there is none
    /// What can be done to a snapshot by any thread before it is collected; may be empty.
    std::function<RunSnapshot(RunSnapshot)> prepare = {};
    /// Unlike that of any other run; empty if the runner is local. As good as an id from the moment
    /// on in which the run can begin.
    std::string token = {};
    RaisedLimits raised = {}; ///< since its last tries have failed at them
};

/// Receives the snapshot of times[index] (index 0 if there are none).
using RunSink = std::function<void(std::size_t index, RunSnapshot snapshot)>;

/// How a run has ended.
enum class RunResult { finished, failed, cancelled };

enum class RunState {
    queued,
    running,
    finished,
    failed,
    cancelled, ///< because it was asked for
    lost,      ///< nobody runs it any more, and nothing is known of how it ended; as if it had not
               ///< been submitted. Never because its host does not answer.
};

/// Whether nothing more will happen.
constexpr bool hasEnded(RunState state)
{
    return state != RunState::queued && state != RunState::running;
}

struct RunStatus
{
    RunState state = RunState::queued;
    double part = 0;           ///< of its work that is done, 0 .. 1; 0 if it does not say
    std::string log = {};      ///< at the end: what it printed, with the reason of a failure last
    bool hasSnapshots = false; ///< some can be collected before its end
    RunLimit failedAt = RunLimit::none; ///< if that is why it has failed
    /// At the end: what the run itself took, where its runner knows better than by when it was
    /// submitted, since it may have waited for others.
    std::optional<std::chrono::duration<double>> took = {};
};

/// Any thread may call anything, but one at a time collects. Calls return at once, except
/// waitForNews(), and collect(), which takes as long as reading the results does.
class JobRunner
{
public:
    virtual ~JobRunner() = default;

    /// Whether runs end with this process: then those that an earlier one has submitted are gone.
    virtual bool isLocal() const = 0;
    /// Studies remember by it who runs a job elsewhere, and where: begins with that of its
    /// RunnerType, and is as runOn() takes it, if that does. Local ones need none.
    virtual std::string_view name() const { return {}; }
    /// Whether runs go on when the campaign is stopped, for a later one to take up; else they are
    /// cancelled.
    virtual bool leavesRunsOnStop() const { return false; }
    /// How many runs it wants to hold at once when `atATime` of them shall run at a time.
    virtual std::size_t maxSubmitted(std::size_t atATime) const { return atATime; }

    /// How a run whose limits were raised so often is to be tried again when it has failed at this
    /// one; nothing if it is not.
    virtual std::optional<Retry> retry(RaisedLimits raised, RunLimit failedAt) const
    {
        static_cast<void>(raised);
        static_cast<void>(failedAt);
        return std::nullopt;
    }

    /// Returns their ids, in the same order; all are submitted, or none and it throws. If it cannot
    /// be told which, it throws, and poll() will tell by their tokens.
    virtual std::vector<std::string> submit(std::span<const RunRequest> runs,
                                            std::size_t atATime) = 0;
    /// In the same order. An id that is not known is that of a lost run; elsewhere, tokens are ids.
    virtual std::vector<RunStatus> poll(std::span<const std::string> ids) = 0;
    /// A run that an earlier process has submitted, with this request (but for its token), will be
    /// collected by this one. Local runners are never asked.
    virtual void adopt(const std::string &id, const RunRequest &request)
    {
        static_cast<void>(id);
        static_cast<void>(request);
    }
    /// Hands over what has arrived since the last call; of a finished run, everything that is left.
    /// Returns the state afterwards: a finished run whose results cannot be read has failed, and
    /// one whose reading ended because `stop` was requested was cancelled. Throws what the sink
    /// throws, and StorageError if the disk that the run worked on is full: then it is as if it had
    /// not been run.
    virtual RunStatus collect(const std::string &id, const RunSink &sink,
                              const std::stop_token &stop) = 0;
    /// Asks them to end; they are polled until they have.
    virtual void cancel(std::span<const std::string> ids) = 0;
    /// The run is stored, or of no use: nothing is kept of it. One that goes on is cancelled.
    virtual void release(const std::string &id) = 0;
    /// What its runs execute, with what files and in what environment, but not where and with what
    /// limits: 8 hexadecimal digits, which runs' tokens say. Empty if it does not say.
    virtual std::string whatIsRun() const { return {}; }
    /// Whether it tells the tokens of runs that it has: then those of which a study remembers
    /// nothing (hold-outs, runs off the grid) are taken up again, too, by their names.
    virtual bool tellsTokens() const { return false; }
    /// Of the study with this deskMark(), whether they have ended or not; what another runner has
    /// handed over for it, and is still on its way, is never run from then on. Throws if it cannot
    /// be asked.
    virtual std::vector<std::string> tokensThere(std::string_view mark)
    {
        static_cast<void>(mark);
        return {};
    }
    /// Of the same, what has ended and is of no use any more is removed there, in time: leftovers
    /// of programs that were killed. To be called before anything is submitted. Nothing happens if
    /// it cannot be asked.
    virtual void removeLeftovers(std::string_view mark,
                                 const std::function<bool(const std::string &token)> &isNeeded)
    {
        static_cast<void>(mark);
        static_cast<void>(isNeeded);
    }
    /// Sentences for the user since the last call, each told once: that a host does not answer,
    /// say.
    virtual std::vector<std::string> takeNews() { return {}; }
    /// Returns when the state of a run may have changed, or after `most`.
    virtual void waitForNews(std::chrono::milliseconds most) = 0;
};

struct RunnerOptions
{
    std::filesystem::path workFolder; ///< of commands: each run gets a folder in it
    bool keepFolders = false;         ///< of runs that went well; those of failed ones are kept
    SnapshotReader reader = noSnapshotReader();
    double patience = 2; ///< seconds that a command has to end when it is asked to
    /// What the user has agreed to. If there is none, it is read from the plan.
    std::shared_ptr<const Execution> execution = {};
};

} // namespace gridhelm::data
