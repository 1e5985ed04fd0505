// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small campaigns of shell commands, which write numbers, and readers of these.
#pragma once

#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/study_plan.h"
#include "tests/data/study_cases.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>
#include <string>

namespace gridhelm::test {

using namespace data;

inline std::string commandPlan(const std::string &simulation)
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n[simulation]\n"
           + simulation;
}

/// With a time-like parameter t beside a.
inline std::string timePlan(const std::string &simulation)
{
    return "[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 2\nkind = \"time-like\"\n"
           + commandPlan(simulation);
}

/// Lines "time value", as a series of fields of one value.
inline void readSeries(const std::filesystem::path &path,
                       const std::function<void(RunSnapshot)> &visit, const std::stop_token &)
{
    std::ifstream file(path);
    double time = 0;
    float value = 0;
    while (file >> time >> value)
        visit({time, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
}

/// A number, as a field of one value.
inline void readNumber(const std::filesystem::path &path,
                       const std::function<void(RunSnapshot)> &visit, const std::stop_token & = {})
{
    std::ifstream file(path);
    float value = 0;
    if (!(file >> value))
        throw Error("there is no number in " + path.string());
    visit({{}, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
}

inline StudyWriter studyOf(const std::filesystem::path &path, const std::string &toml)
{
    return StudyWriter::create(path, parsePlan(toml, "plan", path.parent_path()).description);
}

inline CampaignReport runAll(StudyWriter &writer, const CampaignOptions &options = {},
                             const SnapshotReader &reader = readNumber)
{
    RunnerOptions runner;
    runner.workFolder = workFolderOf(writer.path());
    runner.reader = reader;
    return runCampaign(writer, *makeJobRunner(planOf(writer), runner), options);
}

} // namespace gridhelm::test
