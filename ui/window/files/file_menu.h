// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/files/saving_dialogs.h"

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>

class QMenu;

namespace gridhelm::ui {

class AnswersPanel;
class PageExport;
class ReportWriting;
class StudyCopying;

/// The menu File: asks which file, saves what is seen, and says what else is wanted.
class FileMenu : public QObject
{
    Q_OBJECT

public:
    /// `window` is the parent of dialogs. All must outlive it.
    FileMenu(QMenu &menu, QWidget &window, const SteeringModel &model, ViewArea &area,
             const AnswersPanel &answers, MessageBar &messages);

    /// What goes to the clipboard instead of to a file; before ofStudy() is asked.
    void addCopying(QMenu &edit);

    /// For the tool bar.
    QAction *open() const { return m_open; }
    QAction *savePicture() const { return m_savePicture; }
    QAction *close() const { return m_close; }
    /// That are of no use without a study.
    const QList<QAction *> &ofStudy() const { return m_ofStudy; }

    /// Asks for a file; nothing if the user names none.
    void choose();

signals:
    void newWanted();
    void openWanted(const QString &path);
    void importWanted();
    void closeWanted();
    void recordWanted();
    void quitWanted();

private:
    struct Entry
    {
        QString text, icon;
        QKeySequence key;
        QString tip;
        bool isOfStudy = true;
    };

    QAction *add(QMenu &menu, const Entry &entry, const std::function<void()> &what);
    void fillRecent(QMenu &menu);

    QWidget &m_window;
    SavingDialogs m_saving;
    StudyCopying *m_copying;
    ReportWriting *m_reporting;
    PageExport *m_exporting;
    QAction *m_open = nullptr;
    QAction *m_close = nullptr;
    QAction *m_savePicture = nullptr;
    QList<QAction *> m_ofStudy;
};

} // namespace gridhelm::ui
