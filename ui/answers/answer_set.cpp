// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_set.h"

#include "core/support/error.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::ui {

std::shared_ptr<const AnswerSet> openAnswerSet(const std::filesystem::path &path,
                                               const ExecutionContext &context)
{
    const auto study = data::Study::open(path);
    data::requireFieldsOnMesh(study);
    auto set = std::make_shared<AnswerSet>(
        AnswerSet{path, study.description().space, {}, nullptr, {}, {}, context});
    const auto definitions = study.responses();
    if (definitions.empty())
        return set;
    set->responses = data::studyResponses(study, definitions, data::samplesOf(study), context);
    std::vector<data::StudyResponse> quick;
    for (std::size_t k = 0; k < set->responses.size(); ++k) {
        const bool isQuick = set->responses[k].model->functions().empty();
        (isQuick ? set->quick : set->slow).push_back(k);
        if (isQuick)
            quick.push_back(set->responses[k]);
    }
    if (!quick.empty())
        set->quickModel = std::make_shared<answers::ResponseModel>(data::together(quick));
    return set;
}

void putResponse(const std::filesystem::path &path, const data::ResponseDefinition &definition,
                 const std::string &replaced, const ExecutionContext &context)
{
    {
        const auto study = data::Study::open(path);
        const auto known = study.responses();
        if (definition.name != replaced
            && std::ranges::find(known, definition.name, &data::ResponseDefinition::name)
                   != known.end())
            throw Error(fmt::format("there is a response {} already: take another name, or edit "
                                    "that one",
                                    definition.name));
        data::studyResponses(study, {definition}, data::samplesOf(study), context);
    }
    auto writer = data::StudyWriter::open(path);
    writer.putResponse(definition); // first, since it may refuse its name
    if (!replaced.empty() && replaced != definition.name)
        writer.removeResponse(replaced);
    writer.close();
}

void removeResponse(const std::filesystem::path &path, const std::string &name)
{
    auto writer = data::StudyWriter::open(path);
    writer.removeResponse(name);
    writer.close();
}

} // namespace gridhelm::ui
