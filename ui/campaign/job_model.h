// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <optional>
#include <vector>

namespace gridhelm::ui {

/// The jobs of a study, one a row: id, state, the parameters of the run, attempts, duration. Rows
/// stay where they are while the study is the same, so that a selection does.
class JobModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum FixedColumn { id, state, firstParameter };
    static constexpr int sortRole = Qt::UserRole + 1; ///< numbers as numbers

    explicit JobModel(QObject *parent = nullptr);

    void setState(const StudyStatePtr &read); ///< null: no study
    const JobRow *job(int row) const;
    /// Row of a job; -1 if there is none.
    int rowOf(data::JobId job) const;
    int pointsColumn() const { return firstParameter + static_cast<int>(m_parameters.size()); }
    int attemptsColumn() const { return pointsColumn() + 1; }
    int durationColumn() const { return pointsColumn() + 2; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant value(const JobRow &job, int column) const;
    QString cellText(const JobRow &job, int column) const;
    std::optional<double> duration(const JobRow &job) const;
    void tick();

    QString m_study;
    std::vector<Parameter> m_parameters; ///< those that a job has one value of
    std::vector<JobRow> m_jobs;
    QTimer m_clock; ///< durations of running jobs
};

QString jobStateText(data::JobState state);
/// The same; of one that a cluster has: "queued", "running there".
QString jobStateText(const JobRow &job);

} // namespace gridhelm::ui
