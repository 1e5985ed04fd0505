// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_service.h"
#include "ui/steering/steering_model.h"

#include <QJsonObject>
#include <QObject>

#include <filesystem>
#include <memory>

class QSettings;

namespace gridhelm::ui {

class ViewArea;

/// Opens studies and saved views: has the service read the file, and gives the model and the views
/// what is in it. What the service says of a study that has changed goes the same way.
class StudyOpening : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    StudyOpening(FieldService &service, SteeringModel &model, ViewArea &area);

    /// A study, or a saved view. Throws gridhelm::Error for a view that cannot be read.
    void open(const QString &path);
    /// The one that keep() was called for, as it was then; false if there is none.
    bool openLast();
    /// A study that may have nothing to show yet: nobody hears of it then.
    void tryToOpen(const QString &study);
    void close();

    /// The file that is being opened; empty: none.
    const QString &study() const { return m_opening; }
    /// Whether somebody waits for that one.
    bool isOpening() const { return !m_opening.isEmpty() && !m_isTrying; }

    /// The study that is to be opened the next time, by its absolute path, as it is seen now;
    /// empty: none.
    void keep(QSettings &settings, const QString &study) const;

signals:
    /// The model has the study; `isNew`: and had not, before.
    void opened(bool isNew);
    /// It has nothing to show yet: its jobs have to be run, or it has to be compressed. The model
    /// knows nothing of it.
    void openedUnfinished(const QString &study);
    /// `isAsBefore`: the study that was open, if there was one, still is, but has to be asked for
    /// all frames again. Otherwise it is that one which cannot be read any more.
    void failed(const QString &sentence, bool isAsBefore);

private:
    void begin(const QString &study, const QJsonObject &steering);
    void take(std::shared_ptr<const StudyFacts> facts);
    void takeUnfinished(const std::filesystem::path &path);

    FieldService &m_service;
    SteeringModel &m_model;
    ViewArea &m_area;
    QString m_opening;
    bool m_isTrying = false;
    QJsonObject m_steering; ///< to apply to the study that is being opened
};

} // namespace gridhelm::ui
