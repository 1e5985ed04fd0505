// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/view_settings.h"
#include "ui/steering/steering.h"
#include "ui/steering/study_facts.h"

#include <QObject>

#include <memory>
#include <optional>

namespace gridhelm::ui {

class BackgroundThread;

/// Looks for the smallest and the largest value of a field anywhere in a study, in a thread of its
/// own: in its runs, and at the points of the grid, the coarse ones first, where the surrogate is
/// the simulation; in a very large study, in the first of these alone. Says what it has found
/// several times a second.
class StudyRange : public QObject
{
    Q_OBJECT

public:
    StudyRange(std::shared_ptr<const sparse::Backend> backend, QObject *parent = nullptr);
    ~StudyRange() override;

    /// What evaluates from now on: a search that has not come to its end begins anew.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);
    /// Begins anew, unless it is the same question. If the look does not want the range of the
    /// study, a search that has not come to its end stops, and nothing is kept of another study.
    void follow(const std::shared_ptr<const StudyFacts> &study, const Look &look);
    /// More may still be found.
    bool isSearching() const { return m_search && !m_isFinal; }

signals:
    /// `share` of the grid's points that have been looked at; 1: it is final.
    void found(gridhelm::ui::ValueRange range, double share);

private:
    struct Listener;

    void find(std::shared_ptr<const StudyFacts> study, data::FieldIndex field, Component component,
              Scale scale);
    void begin();
    void leave(const std::shared_ptr<const StudyFacts> &study);
    void end();

    std::shared_ptr<const sparse::Backend> m_backend;
    std::shared_ptr<const StudyFacts> m_study;
    data::FieldIndex m_field = 0;
    Component m_component;
    Scale m_scale = Scale::linear;
    bool m_isFinal = false;               ///< the search has come to its end
    std::shared_ptr<Listener> m_listener; ///< to the present search
    std::unique_ptr<BackgroundThread> m_search;
};

} // namespace gridhelm::ui
