// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus.h"

#include "ui/controls/action_tip.h"
#include "ui/controls/icon.h"
#include "ui/controls/message_bar.h"
#include "ui/performance/performance_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/window/files/file_menu.h"
#include "ui/window/help/about_dialog.h"
#include "ui/window/help/guided_tour.h"
#include "ui/window/help/keys_dialog.h"
#include "ui/window/help/manual_window.h"
#include "ui/window/look/view_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/palette/window_commands.h"
#include "ui/window/panels.h"
#include "ui/window/preferences/preferences_dialog.h"
#include "ui/window/tool_bar.h"
#include "ui/window/views/compare_actions.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QToolBar>

#include <initializer_list>

namespace gridhelm::ui {
namespace {

struct UndoActions
{
    QAction *undo, *redo;
};

QAction *addEntry(QMenu &menu, const QString &text, const QString &iconName,
                  const QKeySequence &key, const QString &tip)
{
    auto *action = menu.addAction(icon(iconName), text);
    action->setShortcut(key);
    explain(*action, tip);
    return action;
}

void showPreferences(MainWindow &window)
{
    auto *dialog = new PreferencesDialog(window.preferences(),
                                         window.performancePanel().backends().names(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, &window,
                     [&window, dialog] { window.use(dialog->preferences()); });
    dialog->open();
}

/// `log`: what has been said, to report a problem; empty: nothing is reported.
void showAbout(MainWindow &window, const QString &log)
{
    auto *dialog =
        new AboutDialog(window.performancePanel().backends().deviceTexts(), log, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

UndoActions fillEditMenu(QMenu &menu, MainWindow &window, FileMenu &files)
{
    auto &steps = window.model().undoStack();
    const UndoActions actions{steps.createUndoAction(&window, "&Undo"),
                              steps.createRedoAction(&window, "&Redo")};
    actions.undo->setShortcut(QKeySequence::Undo);
    actions.undo->setIcon(icon("undo"));
    actions.redo->setShortcut(QKeySequence::Redo);
    actions.redo->setIcon(icon("redo"));
    explain(*actions.undo, "Takes the last step back");
    explain(*actions.redo, "Does again what was taken back");
    menu.addActions({actions.undo, actions.redo});
    files.addCopying(menu);
    menu.addSeparator();
    auto *find = addEntry(menu, "&Find what to do ...", "find", QKeySequence("Ctrl+Shift+P"),
                          "One field for all entries of the menus, parameters, colours and files");
    QObject::connect(find, &QAction::triggered, &window, [&window] { showCommandPalette(window); });
    auto *preferences = addEntry(menu, "Pr&eferences ...", "preferences", QKeySequence("Ctrl+,"),
                                 "What the program looks like, starts with and asks");
    preferences->setMenuRole(QAction::PreferencesRole);
    QObject::connect(preferences, &QAction::triggered, &window,
                     [&window] { showPreferences(window); });
    return actions;
}

/// What is behind the entries that change a view.
void fillWindowEntries(QMenu &menu, MainWindow &window, const Panels &panels)
{
    menu.addSeparator();
    auto *dark = addEntry(menu, "&Dark theme", {}, QKeySequence("Ctrl+T"),
                          "Light letters on a dark window, or the reverse");
    dark->setObjectName("dark theme");
    dark->setCheckable(true);
    QObject::connect(dark, &QAction::toggled, &window, [&window](bool isDark) {
        window.setTheme(isDark ? Theme::dark : Theme::light);
    });
    auto *whole = addEntry(menu, "&Full screen", {}, QKeySequence::FullScreen,
                           "The window takes the whole screen, or goes back to its size");
    QObject::connect(whole, &QAction::triggered, &window, [&window] {
        window.setWindowState(window.windowState() ^ Qt::WindowFullScreen);
    });
    auto *ofPanels = menu.addMenu("Pa&nels");
    for (auto *dock : panels.ofStudy + panels.tools) {
        auto *toggle = dock->toggleViewAction();
        if (!ofPanels->actions().contains(toggle))
            ofPanels->addAction(toggle);
        toggle->setIcon(icon(dock->objectName().toLower()));
        explain(*toggle, "Shows or hides the panel " + dock->windowTitle());
    }
}

/// What works without a study.
void fillToolsMenu(QMenu &menu, const Panels &panels)
{
    for (const auto *panel :
         std::initializer_list<const QWidget *>{panels.solve, panels.performance})
        for (auto *dock : panels.tools)
            if (dock->widget() == panel)
                menu.addAction(dock->toggleViewAction());
}

void fillHelpMenu(QMenu &menu, MainWindow &window)
{
    auto *manual = addEntry(menu, "&Manual", "keys", QKeySequence::HelpContents,
                            "The page about the panel that has the focus; no network is needed");
    QObject::connect(manual, &QAction::triggered, &window, [&window] {
        if (manualFolder().isEmpty())
            window.messages().say(MessageBar::Kind::warning,
                                  "The manual is not installed beside this program: install it "
                                  "again, or read docs/ in its sources");
        else
            showManual(window, manualPageFor(QApplication::focusWidget()));
    });
    auto *keys = addEntry(menu, "&Keys", "keys", QKeySequence("?"), "What keys and the mouse do");
    QObject::connect(keys, &QAction::triggered, &window, [&window] { showKeys(window); });
    auto *tour =
        addEntry(menu, "&Tour", "tour", {}, "Five sentences on what the window has, and where");
    tour->setObjectName("tour again");
    QObject::connect(tour, &QAction::triggered, &window.tour(), &GuidedTour::start);
    auto *messages = addEntry(menu, "&Message log", "messages", QKeySequence("Ctrl+Shift+M"),
                              "All messages since the program started");
    QObject::connect(messages, &QAction::triggered, &window.messages(), &MessageBar::showHistory);
    menu.addSeparator();
    auto *report = addEntry(menu, "&Report a problem ...", "messages", {},
                            "A text with versions, devices and messages, to be copied");
    QObject::connect(report, &QAction::triggered, &window, [&window] {
        const auto log = window.messages().history().text();
        showAbout(window, log.isEmpty() ? "(no messages)" : log);
    });
    auto *about = addEntry(menu, "&About Gridhelm", "about", {},
                           "Version, licence, libraries, and what computes and draws here");
    about->setMenuRole(QAction::AboutRole);
    QObject::connect(about, &QAction::triggered, &window, [&window] { showAbout(window, {}); });
}

/// With names below the icons, where the screen is high enough for them.
QToolBar &addTools(MainWindow &window)
{
    auto &tools = *window.addToolBar("Tools");
    tools.setObjectName("tools");
    tools.setMovable(false);
    constexpr int highEnough = 700;
    tools.setToolButtonStyle(window.screen()->availableSize().height() < highEnough
                                 ? Qt::ToolButtonIconOnly
                                 : Qt::ToolButtonTextUnderIcon);
    constexpr QSize iconSize(20, 20);
    tools.setIconSize(iconSize);
    return tools;
}

/// Qt shows none in menus unless it is told to.
void showTipsOf(const QMenuBar &bar)
{
    for (auto *menu : bar.findChildren<QMenu *>())
        menu->setToolTipsVisible(true);
}

} // namespace

Menus makeMenus(MainWindow &window, const Panels &panels)
{
    auto &bar = *window.menuBar();
    Menus menus;
    menus.files = new FileMenu(*bar.addMenu("&File"), window, window.model(), window.viewArea(),
                               *panels.answers, window.messages());
    const auto steps = fillEditMenu(*bar.addMenu("&Edit"), window, *menus.files);
    auto &view = *bar.addMenu("&View");
    const auto looking = addViewActions(view, window.model(), window.view(), window.animation(),
                                        [&messages = window.messages()](const QString &sentence) {
                                            messages.say(MessageBar::Kind::news, sentence);
                                        });
    fillWindowEntries(view, window, panels);
    const auto comparing = addCompareActions(*bar.addMenu("&Compare"), window.model());
    fillToolsMenu(*bar.addMenu("&Tools"), panels);
    fillHelpMenu(*bar.addMenu("&Help"), window);
    showTipsOf(bar);

    menus.ofStudy = menus.files->ofStudy() + looking.ofStudy;
    menus.groupsOfStudy = {comparing.all, looking.companions};
    auto &tools = addTools(window);
    fillToolBar(tools,
                {{menus.files->open(), menus.files->savePicture()},
                 {nameless(*steps.undo, "Undo", tools), nameless(*steps.redo, "Redo", tools)},
                 {chooserOf(looking.kinds, "View", tools), looking.fit},
                 comparing.ofToolBar,
                 togglesOf(panels.tools)});
    return menus;
}

} // namespace gridhelm::ui
