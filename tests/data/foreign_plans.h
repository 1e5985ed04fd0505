// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies with commands, as somebody sends them.
#pragma once

#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_plan.h"
#include "tests/data/small_campaigns.h"
#include "tests/data/study_cases.h"
#include "tests/data/text_files.h"

#include <stop_token>
#include <string>

namespace gridhelm::test {

/// Nobody has agreed to its plan, and its templates need not be there.
inline data::StudyWriter foreignStudy(const std::filesystem::path &path, const std::string &toml)
{
    auto description = smallDescription(2);
    description.space = ParameterSpace({{"a", "", 0, 4}});
    description.simulation = toml;
    return data::StudyWriter::create(path, description);
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
