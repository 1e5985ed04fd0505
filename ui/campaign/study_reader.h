// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <memory>
#include <vector>

namespace gridhelm::ui {

/// Reads a study in a thread of its own, again whenever somebody (this program or another) has
/// changed it. All functions return at once; signals come in the thread of the object.
class StudyReader : public QObject
{
    Q_OBJECT

public:
    explicit StudyReader(QObject *parent = nullptr);
    /// Waits for what is being read now.
    ~StudyReader() override;

    /// Instead of the present one; empty: none.
    void setStudy(const QString &path);
    void setAxes(std::size_t across, std::size_t up);
    void readLog(data::JobId job);
    /// What a job delivers.
    void readPlaces(data::JobId job);

    /// Any thread: closes the file, so that the writer that calls it can bring everything into the
    /// one file when it closes. Opened again by reopen().
    void release();
    void reopen();

signals:
    void stateRead(gridhelm::ui::StudyStatePtr state);
    void logRead(const QString &path, gridhelm::data::JobId job, const QString &log);
    /// Values of all parameters, for each of the job's points.
    void placesRead(const QString &path, gridhelm::data::JobId job,
                    const std::vector<std::vector<double>> &places);
    /// Why it cannot be read, as a sentence. Said once until it can.
    void failed(const QString &path, const QString &sentence);

private:
    class Worker;

    QThread m_thread;
    Worker *m_worker; ///< lives in the thread
};

} // namespace gridhelm::ui
