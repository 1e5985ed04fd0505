// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_service.h"
#include "ui/steering/steering_model.h"
#include "ui/steering/study_range.h"

#include <filesystem>

namespace gridhelm::ui {

class ViewArea;

/// Asks the service for the fields that the views need for what is steered, whenever that changes;
/// and for a field's range over the whole study, if that is the colours' range.
class FieldRequester : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it. The back end looks for ranges.
    FieldRequester(const SteeringModel &model, FieldService &service, ViewArea &area,
                   std::shared_ptr<const sparse::Backend> backend);

    /// What looks for ranges from now on.
    void setBackend(std::shared_ptr<const sparse::Backend> backend)
    {
        m_studyRange.setBackend(std::move(backend));
    }
    /// For everything: of another study, say.
    void askAll();
    /// The ends of the colours may still move.
    bool isRangeMoving() const { return m_studyRange.isSearching(); }
    /// What the run of this job gave at the present parameters, until they change; 0: the surrogate
    /// again.
    void showResult(data::JobId job);

private:
    void follow(const Steering &before);
    void ask();
    void askPinned();
    void followRange();
    void frameIsThere(const FieldFrame &frame);

    const SteeringModel &m_model;
    FieldService &m_service;
    ViewArea &m_area;
    StudyRange m_studyRange;
    bool m_rangeWaits = false;        ///< for a large study's first exact field
    data::JobId m_job = 0;            ///< whose result is shown
    std::filesystem::path m_jobStudy; ///< that it is of
};

} // namespace gridhelm::ui
