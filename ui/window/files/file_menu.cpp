// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_menu.h"

#include "ui/controls/action_tip.h"
#include "ui/controls/icon.h"
#include "ui/controls/plain_text.h"
#include "ui/steering/steering_model.h"
#include "ui/window/files/page_export.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/files/report_writing.h"
#include "ui/window/files/study_copying.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

namespace gridhelm::ui {

FileMenu::FileMenu(QMenu &menu, QWidget &window, const SteeringModel &model, ViewArea &area,
                   const AnswersPanel &answers, MessageBar &messages)
    : QObject(&window)
    , m_window(window)
    , m_saving(window, model, area, messages)
    , m_copying(new StudyCopying(messages, &window))
    , m_reporting(new ReportWriting(model, area, answers, messages, &window))
    , m_exporting(new PageExport(model, messages, &window))
{
    add(menu,
        {"&New study ...", "campaign", QKeySequence::New,
         "Begins with a plan: parameters, a grid, and the program that is run", false},
        [this] { emit newWanted(); });
    m_open =
        add(menu, {"&Open ...", "open", QKeySequence::Open, "Opens a study or a saved view", false},
            [this] { choose(); });
    auto *recent = menu.addMenu("Open &recent");
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    auto *import = add(menu,
                       {"&Import runs ...",
                        {},
                        QKeySequence("Ctrl+I"),
                        "Makes a study of results that exist already and a table of their "
                        "parameters",
                        false},
                       [this] { emit importWanted(); });
    import->setObjectName("importRuns");
    m_close = add(menu, {"&Close the study", {}, QKeySequence::Close, "Back to the start page"},
                  [this] { emit closeWanted(); });
    menu.addSeparator();
    m_savePicture = add(menu,
                        {"Save the &picture ...", "picture", QKeySequence::Save,
                         "Saves what the views show, in any size, also without a background"},
                        [this] { m_saving.savePicture(); });
    m_savePicture->setIconText("Picture");
    add(menu,
        {"&Export the field ...",
         {},
         QKeySequence("Ctrl+E"),
         "Saves the field at the sliders for ParaView, or as a table"},
        [this] { m_saving.saveField(); });
    add(menu,
        {"Save the &view ...", "save", QKeySequence("Ctrl+Shift+S"),
         "Sliders, colours and cameras as a small file, to go on from there"},
        [this] { m_saving.saveView(); });
    auto *report =
        add(menu,
            {"&Report ...",
             {},
             {},
             "One page for colleagues: the views, what was found, the study's errors, its "
             "responses and what drives them"},
            [this] { m_reporting->ask(m_window); });
    report->setObjectName("report");
    auto *page = add(menu,
                     {"Export an &interactive page ...",
                      {},
                      {},
                      "The study as one file that any browser opens: sliders, fields, responses"},
                     [this] { m_exporting->ask(m_window); });
    page->setObjectName("exportPage");
    auto *copying =
        add(menu,
            {"Save a cop&y of the study ...",
             {},
             {},
             "A second file with the same runs, also while the first is written"},
            [this, &model] {
                if (model.study())
                    m_copying->ask(m_window, QString::fromStdString(model.study()->path.string()));
            });
    copying->setObjectName("saveCopy");
    add(menu,
        {"Record a &movie ...", "movie", QKeySequence("Ctrl+M"),
         "A parameter, a time or the camera moves, as a film or as pictures"},
        [this] { emit recordWanted(); });
    menu.addSeparator();
    add(menu, {"&Quit", {}, QKeySequence::Quit, "The next start can go on from here", false},
        [this] { emit quitWanted(); });
}

void FileMenu::addCopying(QMenu &edit)
{
    edit.addSeparator();
    add(edit,
        {"&Copy the picture", "picture", QKeySequence("Ctrl+Shift+C"),
         "What the views show, to be pasted into a document"},
        [this] { m_saving.copyPicture(); });
}

QAction *FileMenu::add(QMenu &menu, const Entry &entry, const std::function<void()> &what)
{
    auto *action = menu.addAction(icon(entry.icon), entry.text);
    action->setShortcut(entry.key);
    explain(*action, entry.tip);
    connect(action, &QAction::triggered, this, what);
    if (entry.isOfStudy)
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
