// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies that are refined, and how.
#pragma once

#include "data/campaign/refine_step.h"
#include "tests/data/small_campaigns.h"

#include <cstdint>
#include <string>

namespace gridhelm::test {

/// Two parameters and time, all times of which every run delivers.
inline std::string cavityPlan(int level, int times = 5)
{
    return "[[parameter]]\nname = \"Re\"\nlow = 100\nhigh = 400\ntreatment = \"leja\"\n"
           "[[parameter]]\nname = \"bottom\"\nlow = -0.5\nhigh = 0.5\ntreatment = \"leja\"\n"
           "[[parameter]]\nname = \"t\"\ntimes = "
           + std::to_string(times) + "\n[grid]\nlevel = " + std::to_string(level)
           + "\n[simulation]\nbuiltin = \"cavity\"\nresolution = 13\n";
}

/// A shell command of a and b, in awk; no time.
inline std::string formulaPlan(const std::string &formula, const std::string &treatment = "leja",
                               int level = 2, const std::string &then = "")
{
    const auto parameter = [&](const std::string &name) {
        return "[[parameter]]\nname = \"" + name + "\"\nlow = 0\nhigh = 1\ntreatment = \""
               + treatment + "\"\n";
    };
    return parameter("a") + parameter("b") + "[grid]\nlevel = " + std::to_string(level)
           + "\n[simulation]\ncommand = 'awk \"BEGIN { a = {a}; b = {b}; " + formula + " }\" > out"
           + then + "'\nresult = \"out\"\n";
}

inline StepControl control()
{
    StepControl control;
    control.files.read = readNumber;
    return control;
}

/// Agreed to.
inline RefineReport refine(StudyWriter &writer, const RefineStep &step, StepControl how = control())
{
    try {
        return refineStep(writer, step, how);
    } catch (const UntrustedExecution &error) {
        how.trusted = error.execution()->digest();
        return refineStep(writer, step, how);
    }
}

inline RefineStep forRuns(std::uint64_t runs)
{
    RefineStep step;
    step.runs = runs;
    step.jobs = 4;
    step.isDeterministic = true;
    return step;
}

inline std::uint64_t runsIn(const Study &study)
{
    return study.jobs().size();
}

} // namespace gridhelm::test
