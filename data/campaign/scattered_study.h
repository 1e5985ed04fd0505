// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study of runs that somebody has made already, at whatever places.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/campaign/scattered_columns.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gridhelm::data {

struct ScatteredStep
{
    std::filesystem::path table; ///< see TextTable
    std::filesystem::path study; ///< to be made
    ScatteredChoice columns;
    std::map<std::string, ParameterScale, std::less<>> scales; ///< see ScatteredReading
    std::vector<double> missing; ///< numbers that stand for "there is none"
    std::map<std::string, ScatteredRange, std::less<>> ranges; ///< see ScatteredReading
    std::filesystem::path folder;    ///< that names of files are relative to; empty: the table's
    std::vector<std::string> fields; ///< of the files; empty: all
    bool resample = false;
    std::string howToResample; ///< for the sentence that refuses another mesh
    ExecutionContext context{CpuDevice{}};
    std::shared_ptr<const sparse::Backend> backend = nullptr; ///< see CompressStep
};

struct ScatteredReport
{
    std::string reading;            ///< readingText()
    std::size_t runs = 0;           ///< in the study
    std::vector<std::string> notes; ///< sentences about what was left out or merged
    CompressStepReport compress;    ///< the kriging that was made of them
    std::string accuracy;           ///< a sentence, see accuraciesText()
    bool cancelled = false;         ///< there is no study then
};

/// Makes a study whose runs are those of the table, of files or of numbers (responses are then
/// fields of one value, at one point), and kriging of all fields. A run whose values are not all
/// finite is left out. Throws gridhelm::Error for what cannot be; then there is no study either.
ScatteredReport scatteredStep(const ScatteredStep &step, const StepControl &control);

} // namespace gridhelm::data
