// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/page_of_study.h"

#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_for_page.h"
#include "data/mesh/place_samples.h"

#include <algorithm>
#include <optional>

namespace gridhelm::data {

namespace {

/// Whether there is anything to draw: tables have one number a run.
bool hasPicture(const Study &study)
{
    return study.description().kind == StudyKind::scalar
           || std::ranges::any_of(study.fields(),
                                  [](const Field &field) { return field.entities > 1; });
}

} // namespace

InteractivePage pageOfStudy(const Study &study, const PageQuestion &question)
{
    auto options = question.options;
    for (const auto &name : question.fields)
        options.fields.push_back(study.fieldIndex(name));
    const auto report = studyReport(
        study, {question.place, {}, question.remedy, false}, [&] { return samplesOf(study); },
        options.context);
    std::optional<StudyFields> fields;
    vtkSmartPointer<vtkDataSet> mesh;
    if (hasPicture(study)) {
        fields.emplace(Study::open(study.path()), sparse::makeOmpBackend(options.context));
        mesh = decodeMesh(*fields->mesh());
    }
    return interactivePage(
        study, fields ? &*fields : nullptr,
        [&](std::size_t mostPoints) { return pageMesh(*mesh, mostPoints); }, report, options);
}

} // namespace gridhelm::data
