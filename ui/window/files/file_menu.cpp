// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_menu.h"

#include "ui/controls/plain_text.h"
#include "ui/steering/steering_model.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/files/study_copying.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

namespace gridhelm::ui {

FileMenu::FileMenu(QMenu &menu, QWidget &window, const SteeringModel &model, ViewArea &area,
                   MessageBar &messages)
    : QObject(&window)
    , m_window(window)
    , m_saving(window, model, area, messages)
    , m_copying(new StudyCopying(messages, &window))
{
    add(
        menu, "&New study ...", QKeySequence::New, [this] { emit newWanted(); }, false);
    m_open = add(
        menu, "&Open ...", QKeySequence::Open, [this] { choose(); }, false);
    auto *recent = menu.addMenu("Open &recent");
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    m_close = add(menu, "&Close the study", QKeySequence::Close, [this] { emit closeWanted(); });
    menu.addSeparator();
    m_savePicture =
        add(menu, "Save the &picture ...", QKeySequence::Save, [this] { m_saving.savePicture(); });
    add(menu, "&Export the field ...", QKeySequence("Ctrl+E"), [this] { m_saving.saveField(); });
    add(menu, "Save the &view ...", QKeySequence("Ctrl+Shift+S"), [this] { m_saving.saveView(); });
    auto *copying = add(menu, "Save a cop&y of the study ...", {}, [this, &model] {
        if (model.study())
            m_copying->ask(m_window, QString::fromStdString(model.study()->path.string()));
    });
    copying->setObjectName("saveCopy");
    add(menu, "Record a &movie ...", QKeySequence("Ctrl+M"), [this] { emit recordWanted(); });
    menu.addSeparator();
    add(
        menu, "&Quit", QKeySequence::Quit, [this] { emit quitWanted(); }, false);
}

void FileMenu::addCopying(QMenu &edit)
{
    edit.addSeparator();
    add(edit, "&Copy the picture", QKeySequence("Ctrl+Shift+C"),
        [this] { m_saving.copyPicture(); });
}

QAction *FileMenu::add(QMenu &menu, const QString &text, const QKeySequence &key,
                       const std::function<void()> &what, bool isOfStudy)
{
    auto *action = menu.addAction(text);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, what);
    if (isOfStudy)
        m_ofStudy << action;
    return action;
}

void FileMenu::fillRecent(QMenu &menu)
{
    menu.clear();
    for (const auto &path : recentFiles())
        connect(menu.addAction(plainName(QDir::toNativeSeparators(path))), &QAction::triggered,
                this, [this, path] { emit openWanted(path); });
    if (menu.isEmpty())
        menu.addAction("(none yet)")->setEnabled(false);
}

void FileMenu::choose()
{
    const auto path = QFileDialog::getOpenFileName(
        &m_window, "Open a study or a saved view", {},
        QString("Studies and views (*.gridhelm *%1);;All files (*)").arg(viewSuffix));
    if (!path.isEmpty())
        emit openWanted(path);
}

} // namespace gridhelm::ui
