// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jobs of a study that run elsewhere: what an earlier campaign has left there.
#pragma once

#include "core/support/error.h"
#include "data/campaign/job_runner.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// Name of the job's run, and of its working folder.
std::string runNameOf(JobId job);
std::string runNameOf(const PlannedRun &run);

/// The same of a hold-out at this place that runs elsewhere: the same one whenever it is run.
std::string runNameOf(std::span<const double> parameters);

/// Whether runs that could not be submitted may have been, all the same, which is asked once. Local
/// ones never are: their tokens are empty.
std::vector<bool> mayRun(JobRunner &runner, std::span<const std::string> tokens);

/// A run of a schedule that its runner has already.
struct AdoptedRun
{
    std::size_t index = 0;
    std::string id;
};

struct FoundSubmissions
{
    std::map<JobId, std::string> toAdopt;  ///< their ids
    std::map<JobId, std::string> ofOthers; ///< the names of their runners
    std::size_t lost = 0;                  ///< wait again
    /// Lost ones, too, but with limits that have been raised, which would be forgotten if they
    /// waited: they are as they were.
    std::map<JobId, RaisedLimits> toRetry;
};

/// What has been submitted to this runner's place by another copy of a study, or by this one where
/// it was before it was copied to here: nothing was asked or changed. Both may go on with them, and
/// each would take away the results that the other one waits for.
class CopiedStudy : public Error
{
public:
    CopiedStudy(const std::string &sentence, std::string digest)
        : Error(sentence)
        , m_digest(std::move(digest))
    {
    }

    /// Of the two copies, for TrustStore: who agrees takes up what the other has submitted.
    const std::string &digest() const { return m_digest; }

private:
    std::string m_digest;
};

/// Throws CopiedStudy, unless its digest is `agreed` or trusted.
void requireOwnSubmissions(const Study &study, const JobRunner &runner, const std::string &agreed);

/// Of programs that were killed: runs that were stored, but whose places there were not removed.
void removeLeftovers(const Study &study, JobRunner &runner);

/// Looks after all of a study's submissions. Those that the runner does not know have never begun,
/// or nothing is known of how they ended: their jobs wait again. Throws what the runner throws if
/// it cannot be asked; nothing has changed then.
FoundSubmissions findSubmissions(StudyWriter &writer, JobRunner &runner);

} // namespace gridhelm::data
