// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies with commands, as somebody sends them.
#pragma once

#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_plan.h"
#include "tests/data/study_cases.h"
#include "tests/data/text_files.h"

#include <stop_token>
#include <string>

namespace gridhelm::test {

/// One parameter a at level 2: three jobs.
inline std::string commandPlan(const std::string &simulation)
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n[simulation]\n"
           + simulation;
}

/// Nobody has agreed to its plan, and its templates need not be there.
inline data::StudyWriter foreignStudy(const std::filesystem::path &path, const std::string &toml)
{
    auto description = smallDescription(2);
    description.space = ParameterSpace({{"a", "", 0, 4}});
    description.simulation = toml;
    return data::StudyWriter::create(path, description);
}

/// A number, as a field of one value.
inline void readNumber(const std::filesystem::path &path,
                       const std::function<void(data::RunSnapshot)> &visit,
                       const std::stop_token & = {})
{
    std::ifstream file(path);
    float value = 0;
    if (!(file >> value))
        throw Error("there is no number in " + path.string());
    visit({{},
           {"test", "one", 1, 0},
           {{"value", "", 1, data::Association::point, 1}},
           {{value}},
           {}});
}

inline data::StepControl numberControl()
{
    data::StepControl control;
    control.files.read = readNumber;
    return control;
}

/// What an action throws; empty if it goes well. Anything but gridhelm::Error escapes.
template <typename Action>
std::string errorOf(Action action)
{
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace gridhelm::test
