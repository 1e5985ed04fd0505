// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies whose fields are kriged.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/study_surrogate.h"
#include "tests/data/modes_cases.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::test {

inline CompressStep surrogateStep(SurrogateKind kind, std::vector<std::string> fields = {})
{
    CompressStep step;
    step.surrogate = SurrogateStep{kind, std::move(fields)};
    return step;
}

inline CompressStepReport krige(const std::filesystem::path &path)
{
    auto writer = StudyWriter::open(path);
    const auto report = compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
    writer.close();
    return report;
}

/// Of the field's first one, without weights.
inline double relativeError(const std::vector<float> &values, const std::vector<float> &exact)
{
    return distance(values, exact, std::vector<double>(exact.size(), 1.0))
           / distance(exact, std::vector<float>(exact.size(), 0.0F),
                      std::vector<double>(exact.size(), 1.0));
}

/// Root mean square over somePlaces().
inline double errorOf(const std::filesystem::path &path)
{
    StudyFields fields(Study::open(path), omp());
    const auto places = somePlaces(fields.study());
    double squares = 0;
    for (const auto &at : places) {
        const auto x = fields.study().description().space.toUnit(at);
        const double error =
            relativeError(evaluated(fields, at).values, snapshotAt(x, fields.study(), 0));
        squares += error * error;
    }
    return std::sqrt(squares / static_cast<double>(places.size()));
}

/// Some jobs have failed, that of the coarsest point among them: there are no coefficients at all.
inline void makeStudyWithFailures(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(4));
    writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {0.5, 0.25, 1}}));
    writer.addField(smallField("u", width * height));
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (i % 6 == 0) {
            writer.startJob(jobs[i].id);
            writer.failJob(jobs[i].id, "diverged");
        } else {
            runJob(writer, jobs[i]);
        }
    }
    writer.close();
}

} // namespace gridhelm::test
