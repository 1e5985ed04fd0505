// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "data/evaluate/study_fields.h"
#include "ui/steering/evaluation/evaluation_pace.h"
#include "ui/steering/evaluation/frame_memory.h"
#include "ui/steering/field_frame.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace gridhelm::ui {

/// A study that is in order, but has no coefficients yet.
class NothingToShow : public Error
{
public:
    NothingToShow();
};

/// A study that is open to be steered: makes frames of its fields. One thread at a time, throws
/// gridhelm::Error.
class OpenStudy
{
public:
    /// Throws NothingToShow if there is nothing to evaluate yet. `pace` must outlive it.
    OpenStudy(const std::filesystem::path &path, std::shared_ptr<const sparse::Backend> backend,
              EvaluationPace &pace);

    const std::shared_ptr<const StudyFacts> &facts() const { return m_facts; }
    /// Whether somebody has written to the file since; then it has to be opened anew.
    bool hasChanged() const { return m_fields.study().dataVersion() != m_version; }
    /// What evaluates from now on.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);
    /// Whether the question makes sense here: of another state of the study, say.
    bool knows(const FieldRequest &request) const;

    /// See data::StudyFields.
    std::shared_ptr<data::FieldSurrogate> surrogate(data::FieldIndex field)
    {
        return m_fields.surrogate(field);
    }
    /// In which frames may need to know where the body is.
    std::vector<data::FieldIndex> geometryFields() const { return m_fields.geometryFields().all(); }

    /// All levels, and all modes of a field that has some.
    data::FieldPrefix all(data::FieldIndex field) const;
    /// Levels, or leading modes, that it takes no longer to evaluate than the budget says.
    data::FieldPrefix withinBudget(const FieldRequest &request) const;
    /// Those that can be evaluated without waiting for a large file.
    data::FieldPrefix atHand(const FieldRequest &request, const data::FieldPrefix &wanted);

    /// Whether what is visible of the field, alone, would be there noticeably earlier.
    bool gainsFromPart(const FieldRequest &request);
    /// That part, of as many levels or modes as there is time for. Only if it gainsFromPart().
    std::shared_ptr<FieldFrame> part(const FieldRequest &request);
    /// All of the field, by so many levels and modes. `stop`, if given, is asked while it is
    /// evaluated: null if it said yes.
    std::shared_ptr<FieldFrame> whole(const FieldRequest &request, const data::FieldPrefix &prefix,
                                      const std::function<bool()> &stop = {});

    /// The snapshot that the request's job has brought. Throws if there is none (any more).
    std::shared_ptr<FieldFrame> result(const FieldRequest &request);

private:
    using Clock = FieldRequest::Clock;

    struct Opening;

    OpenStudy(Opening &&opening, std::shared_ptr<const sparse::Backend> backend,
              EvaluationPace &pace);
    double rows(data::FieldIndex field, int groups) const
    {
        return static_cast<double>(m_fields.rows(field, groups));
    }
    const std::vector<std::uint32_t> &columnsOf(const FieldRequest &request);
    data::FieldPrefix affordable(data::FieldIndex field, data::FieldPrefix most, double values,
                                 const CombiningSpeed &speed) const;
    /// Rows that an evaluation of these reads.
    double rowsOf(data::FieldIndex field, const data::FieldPrefix &prefix) const
    {
        return prefix.modes > 0 ? static_cast<double>(prefix.modes) : rows(field, prefix.groups);
    }
    bool evaluateInChunks(const FieldRequest &request, const data::FieldSurrogate &surrogate,
                          const data::FieldPrefix &prefix, FieldFrame &frame,
                          data::EvaluationWork &work, const std::function<bool()> &stop) const;
    void sign(FieldFrame &frame, Clock::time_point begin, const data::EvaluationWork &work);

    std::shared_ptr<const sparse::Backend> m_backend;
    EvaluationPace &m_pace;
    std::int64_t m_version; ///< of what is read from then on
    data::StudyFields m_fields;
    std::shared_ptr<const StudyFacts> m_facts;
    std::shared_ptr<FrameMemory> m_memory = std::make_shared<FrameMemory>();
    std::shared_ptr<const std::vector<std::uint32_t>> m_visible; ///< that m_columns are of
    std::vector<std::uint32_t> m_columns;
};

} // namespace gridhelm::ui
