// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/page_of_study.h"

#include "core/support/error.h"
#include "core/support/html_page.h"
#include "core/support/output_file.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_for_page.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_errors.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace gridhelm::data {

namespace {

/// Whether there is anything to draw: others have one number a run.
bool hasPicture(const Study &study)
{
    if (study.description().kind == StudyKind::scalar)
        return !study.description().space.spatial().empty();
    return std::ranges::any_of(study.fields(),
                               [](const Field &field) { return field.entities > 1; });
}

InteractivePage pageNow(const std::filesystem::path &path, const PageQuestion &question)
{
    const auto study = Study::open(path);
    auto options = question.options;
    for (const auto &name : question.fields)
        options.fields.push_back(study.fieldIndex(name));
    const auto space = answerSpace(study);
    ReportQuestion asked{question.place, {}, question.remedy, true};
    if (asked.place.empty())
        asked.place = space.fromUnit(std::vector<double>(space.parameters().size(), 0.5));
    const auto report = studyReport(
        study, asked, [&] { return samplesOf(study); }, options.context, options.stop);
    std::optional<StudyFields> fields;
    vtkSmartPointer<vtkDataSet> mesh;
    if (hasPicture(study)) {
        fields.emplace(Study::open(path), sparse::makeOmpBackend(options.context));
        mesh = decodeMesh(*fields->mesh());
    }
    return interactivePage(
        study, fields ? &*fields : nullptr,
        [&](std::size_t mostPoints) { return pageMesh(*mesh, mostPoints); }, report, options);
}

} // namespace

InteractivePage pageOfStudy(const std::filesystem::path &path, const PageQuestion &question)
{
    return againIfChanged([&] { return pageNow(path, question); });
}

void requirePageFile(const std::filesystem::path &path)
{
    std::error_code failed;
    if (std::filesystem::exists(path, failed) && !isPageOf(path.string(), interactivePageGenerator))
        throw Error(path.string()
                    + " is there, and is no interactive page: give the page another name");
    requireWritable(path);
}

} // namespace gridhelm::data
