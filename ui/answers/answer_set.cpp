// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_set.h"

#include "core/support/error.h"
#include "data/answers/default_responses.h"
#include "data/answers/stoppable_model.h"
#include "data/mesh/place_samples.h"
#include "data/study/contents_stamp.h"
#include "data/study/study_errors.h"
#include "data/study/study_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::ui {

bool haveSameAxes(const ParameterSpace &one, const ParameterSpace &other)
{
    return std::ranges::equal(one.parameters(), other.parameters(),
                              [](const Parameter &a, const Parameter &b) {
                                  return a.name == b.name && a.unit == b.unit && a.low == b.low
                                         && a.high == b.high && a.scale == b.scale;
                              });
}

bool areSame(const data::StudyResponse &one, const data::StudyResponse &other)
{
    return one.definition == other.definition && one.problem == other.problem;
}

bool areOfOneStudy(const AnswerSet &one, const AnswerSet &other)
{
    return one.path == other.path && haveSameAxes(one.space, other.space);
}

std::uint64_t runsOf(const data::Study &study)
{
    return static_cast<std::uint64_t>(std::ranges::count(study.pointsWithSnapshots(), true))
           + study.trainingRuns().size() + study.holdOuts().size();
}

namespace {

/// How more of a study with these contents is read.
data::ResponseReading readingWith(const std::shared_ptr<const AnswerSet> &known,
                                  const std::string &stamp, const std::stop_token &stop)
{
    data::ResponseReading how{stop, {}};
    if (known && !stamp.empty() && known->stamp == stamp)
        how.known = known->responses;
    return how;
}

/// Of the study, and no response yet.
std::shared_ptr<AnswerSet> setWithout(const std::filesystem::path &path, const data::Study &study,
                                      const ExecutionContext &context, const std::string &stamp)
{
    return std::make_shared<AnswerSet>(AnswerSet{path,
                                                 data::answerSpace(study),
                                                 {},
                                                 nullptr,
                                                 {},
                                                 {},
                                                 context,
                                                 runsOf(study),
                                                 data::outlookOf(study),
                                                 stamp});
}

/// Those that are there by default become its own, so that none vanishes beside a new one.
void keepDefaults(data::StudyWriter &writer)
{
    if (writer.responses().empty())
        for (const auto &definition : data::responsesOf(writer))
            writer.putResponse(definition);
}

/// What they were read from, if that is still there.
std::string stampAfter(const data::Study &study, const std::string &before)
{
    return data::contentsStamp(study) == before ? before : std::string();
}

} // namespace

namespace {

std::shared_ptr<AnswerSet> readSet(const std::filesystem::path &path,
                                   const ExecutionContext &context,
                                   const std::shared_ptr<const AnswerSet> &known,
                                   const std::stop_token &stop)
{
    data::requireGoingOn(stop);
    const auto study = data::Study::open(path);
    const auto stamp = data::contentsStamp(study);
    auto set = setWithout(path, study, context, stamp);
    const auto definitions = data::responsesOf(study);
    if (definitions.empty())
        return set;
    set->responses = data::answerableResponses(study, definitions, data::samplesOf(study), context,
                                               readingWith(known, stamp, stop));
    set->stamp = stampAfter(study, stamp);
    return set;
}

} // namespace

std::shared_ptr<const AnswerSet> openAnswerSet(const std::filesystem::path &path,
                                               const ExecutionContext &context,
                                               const std::shared_ptr<const AnswerSet> &known,
                                               const std::stop_token &stop)
{
    auto set = data::againIfChanged([&] { return readSet(path, context, known, stop); });
    std::vector<data::StudyResponse> quick;
    for (std::size_t k = 0; k < set->responses.size(); ++k) {
        if (!set->responses[k].model)
            continue;
        const bool isQuick = set->responses[k].model->functions().empty();
        (isQuick ? set->quick : set->slow).push_back(k);
        if (isQuick)
            quick.push_back(set->responses[k]);
    }
    if (!quick.empty())
        set->quickModel = std::make_shared<answers::ResponseModel>(data::together(quick));
    return set;
}

std::shared_ptr<const AnswerSet>
putResponse(const std::filesystem::path &path, const data::ResponseDefinition &definition,
            const std::string &replaced, const ExecutionContext &context,
            const std::shared_ptr<const AnswerSet> &known, const std::stop_token &stop)
{
    std::shared_ptr<AnswerSet> with;
    data::againIfChanged([&] {
        const auto study = data::Study::open(path);
        const auto there = data::responsesOf(study);
        if (definition.name != replaced
            && std::ranges::find(there, definition.name, &data::ResponseDefinition::name)
                   != there.end())
            throw Error(fmt::format("there is a response {} already: take another name, or edit "
                                    "that one",
                                    definition.name));
        const auto stamp = data::contentsStamp(study);
        auto how = readingWith(known, stamp, stop);
        auto added =
            data::studyResponses(study, {definition}, data::samplesOf(study), context, how);
        if (!stampAfter(study, stamp).empty()) {
            with = setWithout(path, study, context, stamp);
            with->responses = std::move(how.known);
            with->responses.push_back(std::move(added.front()));
        }
        if (stop.stop_requested())
            throw Error("the response was not added: the question was taken back");
    });
    auto writer = data::StudyWriter::open(path);
    auto transaction = writer.transaction(); // never both of them
    keepDefaults(writer);
    writer.putResponse(definition);
    if (!replaced.empty() && replaced != definition.name && !writer.removeResponse(replaced))
        throw Error(fmt::format("{} has no response {} any more: add {} as a new one",
                                path.string(), replaced, definition.name));
    transaction.commit();
    writer.close();
    return with;
}

data::Study openAgain(const AnswerSet &set)
{
    auto study = data::Study::open(set.path);
    if (!haveSameAxes(data::answerSpace(study), set.space))
        throw Error(fmt::format("{} has other parameters than when it was read: open it again",
                                set.path.string()));
    return study;
}

void removeResponse(const std::filesystem::path &path, const std::string &name)
{
    auto writer = data::StudyWriter::open(path);
    auto transaction = writer.transaction();
    keepDefaults(writer);
    writer.removeResponse(name);
    transaction.commit();
    writer.close();
}

} // namespace gridhelm::ui
