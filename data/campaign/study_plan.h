// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans and the studies that are made of them.
#pragma once

#include "data/campaign/plan_file.h"
#include "data/study/study_writer.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace gridhelm::data {

/// The plan that a study was made from; its space and level are those of the study, which may have
/// grown. The text may come from anybody: it is parsed in a process of its own before it is parsed
/// here. It is the user's own only if it was made so on this machine (see TrustStore); any other
/// one's paths begin in the study's folder. Throws gridhelm::Error if there is none, or a stop was
/// requested, and PlanError if it cannot be read.
Plan planOf(const Study &study, const std::stop_token &stop = {});
/// planOf(), if there is one, for who begins threads before the plan is asked for (VTK's, by
/// decoding a mesh): a copy of a process with threads may find a lock taken that nobody gives back,
/// and what was tried once is not tried in a process of its own again.
void tryPlan(const Study &study, const std::stop_token &stop = {});
/// The same, as somebody's, in a folder.
Plan planOf(const StudyDescription &description, const std::filesystem::path &folder,
            const std::stop_token &stop = {});

// The user's own plan becomes a study's: what it executes is trusted, for its user has written it,
// and its paths may lead anywhere. `note`: why this could not be remembered, as a sentence; the
// study is in order all the same.
StudyWriter createStudy(const std::filesystem::path &path, const Plan &plan, std::string &note,
                        const std::stop_token &stop = {});
void setPlan(StudyWriter &study, const Plan &plan, std::string &note);

} // namespace gridhelm::data
