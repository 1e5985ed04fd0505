// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jobs of a study that run elsewhere: what an earlier campaign has left there.
#pragma once

#include "data/campaign/job_runner.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// Name of the job's run, and of its working folder.
std::string runNameOf(JobId job);

/// Unlike any other, on any machine: the name, and 128 random bits.
std::string newToken(std::string_view name);

/// Whether a run that could not be submitted may have been, all the same. Local ones never are:
/// their token is empty.
bool mayRun(JobRunner &runner, const std::string &token);

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
};

/// Looks after all of a study's submissions. Those that the runner does not know have never begun,
/// or nothing is known of how they ended: their jobs wait again. Throws what the runner throws if
/// it cannot be asked; nothing has changed then.
FoundSubmissions findSubmissions(StudyWriter &writer, JobRunner &runner);

} // namespace gridhelm::data
