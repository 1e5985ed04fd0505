// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QStringList>
#include <QWidget>

#include <optional>

class QAction;
class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QSettings;
class QSortFilterProxyModel;
class QTableView;

namespace gridhelm::ui {

class JobModel;

/// The jobs of a study: sorted by a click on a column's title, filtered by their state.
class JobTable : public QWidget
{
    Q_OBJECT

public:
    explicit JobTable(QWidget *parent = nullptr);

    void setState(const StudyStatePtr &state);
    /// Nothing: all jobs.
    void showOnly(std::optional<data::JobState> state);
    /// The selected one.
    const JobRow *current() const;
    void select(data::JobId job);

    QTableView *view() const { return m_view; }

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void currentChanged();
    /// Double click or Enter.
    void activated();
    /// What the current job's run gave, in the view.
    void resultWanted(gridhelm::data::JobId job);

private:
    class Filter;

    void addResultAction(QHBoxLayout &row);
    void followCurrent();

    JobModel *m_model;
    Filter *m_filter;
    QTableView *m_view;
    QButtonGroup *m_states;
    StudyStatePtr m_state;
    QAction *m_showResult;
    QLabel *m_partial;    ///< says that there are too many to list
    QStringList m_titles; ///< of the columns whose widths have been chosen
};

} // namespace gridhelm::ui
