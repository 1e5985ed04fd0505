// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_start.h"
#include "app/cli/study_evaluation.h"
#include "data/mesh/field_at_places.h"

#include <memory>
#include <utility>

namespace gridhelm::cli {

solvers::FieldAtPlaces fieldOfStudy(const GlobalOptions &global, const std::string &study,
                                    const StartOptions &options)
{
    EvaluationOptions wanted;
    wanted.study = study;
    if (!options.field.empty())
        wanted.fields.push_back(options.field);
    wanted.firstFieldOnly = true;
    const auto evaluation = std::make_shared<StudyEvaluation>(global, wanted);
    auto parameters = evaluation->parse(options.at);
    evaluation->requireRange({parameters});
    return [evaluation, parameters = std::move(parameters)](std::span<const double> places) {
        const auto result = evaluation->evaluate(parameters);
        return data::fieldAtPlaces(*evaluation->mesh(), result.geometry, result.fields.front(),
                                   result.values.front(), places);
    };
}

} // namespace gridhelm::cli
