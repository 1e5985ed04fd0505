// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window says of itself: tips and names of all that can be touched, icons, the tour, the
// list of messages, what the program is.
#include "tests/ui/window_case.h"
#include "ui/controls/icon.h"
#include "ui/controls/message_list.h"
#include "ui/controls/theme.h"
#include "ui/trust/trust_panel.h"
#include "ui/trust/validation_page.h"
#include "ui/window/help/about_dialog.h"
#include "ui/window/help/guided_tour.h"
#include "ui/window/help/manual_window.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

bool canBeTouched(const QWidget &widget)
{
    const auto *parent = widget.parentWidget();
    const bool isPart =
        widget.objectName().startsWith("qt_") || qobject_cast<const QScrollBar *>(&widget)
        || qobject_cast<const QHeaderView *>(&widget)
        || qobject_cast<const QAbstractSpinBox *>(parent) || qobject_cast<const QComboBox *>(parent)
        || qobject_cast<const QLineEdit *>(parent) || qobject_cast<const QTabBar *>(parent)
        || qobject_cast<const QAbstractItemView *>(parent)
        || (parent && parent->inherits("QComboBoxPrivateContainer"));
    return !isPart
           && (qobject_cast<const QAbstractButton *>(&widget)
               || qobject_cast<const QComboBox *>(&widget)
               || qobject_cast<const QAbstractSpinBox *>(&widget)
               || qobject_cast<const QLineEdit *>(&widget)
               || qobject_cast<const QPlainTextEdit *>(&widget)
               || qobject_cast<const QAbstractSlider *>(&widget)
               || qobject_cast<const QAbstractItemView *>(&widget));
}

QString nameOf(const QWidget &widget)
{
    auto *accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(&widget));
    return accessible ? accessible->text(QAccessible::Name) : QString();
}

/// What of it says neither what it does nor what it is called.
QStringList silentOnes(const QWidget &in, const QString &where)
{
    QStringList silent;
    for (const auto *widget : in.findChildren<QWidget *>()) {
        if (!widget->isVisible() || !canBeTouched(*widget))
            continue;
        const auto name = nameOf(*widget);
        const auto what = where + ": " + widget->metaObject()->className() + " \"" + name + "\" in "
                          + widget->parentWidget()->metaObject()->className();
        if (name.isEmpty())
            silent << what + " has no name";
        if (widget->toolTip().isEmpty())
            silent << what + " has no tip";
    }
    return silent;
}

void addSilentActions(QStringList &silent, const QMenu &menu, const QString &path)
{
    for (auto *action : menu.actions()) {
        const auto text = QString(action->text()).remove('&').remove(" ...");
        if (action->menu())
            addSilentActions(silent, *action->menu(), path + text + " > ");
        else if (!action->isSeparator() && (action->toolTip().size() < text.size() + 4))
            silent << path + text + ": " + action->toolTip();
    }
}

/// Says what is in it: it may be longer than a message of Qt Test.
bool isEmpty(const QStringList &silent)
{
    for (const auto &one : silent)
        qWarning("%s", qPrintable(one));
    return silent.isEmpty();
}

QWidget *dialogNamed(const QString &name)
{
    for (auto *widget : QApplication::topLevelWidgets()) {
        if (widget->objectName() == name && widget->isVisible())
            return widget;
    }
    return nullptr;
}

} // namespace

class WindowHelpTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void allThatCanBeTouchedSaysWhatItDoes();
    void dialogsSayWhatTheyDo();
    void entriesOfMenusSayWhatTheyDo();
    void noKeyIsTwice();
    void allIsReachedByTheTabKey();
    void iconsFollowTheTheme();
    void theToolBarHasAllKindsOfViews();
    void messagesFoldIntoOneLine();
    void theListOfMessagesKeepsAll();
    void theTourIsShownOnce();
    void theTourIsSkippedAndShownAgain();
    void aboutSaysVersionsAndDevices();
    void theManualIsHere();
};

void WindowHelpTest::allThatCanBeTouchedSaysWhatItDoes()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.model().change("all", [&] {
        auto steering = open.model().now();
        steering.pinned = steering.parameters;
        steering.companions.push_back(steering);
        return steering;
    }());
    open.window->messages().say(MessageBar::Kind::error, "One");
    open.window->messages().say(MessageBar::Kind::error, "Two");
    QStringList silent;
    for (auto *dock : open.window->findChildren<QDockWidget *>()) {
        dock->show();
        dock->raise();
        QTest::qWait(20);
        for (auto *tabs : dock->findChildren<QTabWidget *>()) {
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                silent += silentOnes(*dock, dock->windowTitle() + " " + tabs->tabText(tab));
            }
        }
        silent += silentOnes(*open.window, dock->windowTitle());
        dock->hide();
    }
    open.window->closeStudy();
    silent += silentOnes(*open.window, "start page");
    silent.removeDuplicates();
    QVERIFY(isEmpty(silent));
}

void WindowHelpTest::dialogsSayWhatTheyDo()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QStringList silent;
    for (const auto *key : {"?", "Ctrl+,", "Ctrl+Shift+M", "Ctrl+Shift+P", "Ctrl+M"}) {
        const auto before = QApplication::topLevelWidgets();
        action(*open.window, QKeySequence(key))->trigger();
        QTest::qWait(50);
        int opened = 0;
        for (auto *widget : QApplication::topLevelWidgets()) {
            if (!widget->isVisible() || widget == open.window.get()
                || widget->windowType() == Qt::ToolTip)
                continue;
            ++opened;
            silent += silentOnes(*widget, key);
            widget->close();
        }
        QVERIFY2(opened > 0, key);
    }
    QVERIFY(isEmpty(silent));
}

void WindowHelpTest::entriesOfMenusSayWhatTheyDo()
{
    MainWindow window(onCpu());
    QStringList silent;
    for (auto *action : window.menuBar()->actions()) {
        QVERIFY2(action->text().contains('&'), qPrintable(action->text())); // Alt opens it
        addSilentActions(silent, *action->menu(), action->text().remove('&') + " > ");
    }
    QVERIFY(isEmpty(silent));
}

void WindowHelpTest::noKeyIsTwice()
{
    MainWindow window(onCpu());
    QMap<QString, QString> keys;
    for (const auto *action : window.findChildren<QAction *>()) {
        for (const auto &key : action->shortcuts()) {
            QVERIFY2(!keys.contains(key.toString()),
                     qPrintable(key.toString() + ": " + action->text() + " and "
                                + keys[key.toString()]));
            keys[key.toString()] = action->text();
        }
    }
    QVERIFY(keys.size() > 30);
}

void WindowHelpTest::allIsReachedByTheTabKey()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.window->messages().say(MessageBar::Kind::error, "Something is wrong");
    open.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(open.window.get(), waitMilliseconds));
    open.window->view().sceneWidget()->setFocus();
    QSet<const QWidget *> reached;
    QStringList unseen;
    for (int i = 0; i < 200; ++i) {
        QTest::keyClick(open.window->windowHandle(), Qt::Key_Tab);
        auto *focused = QApplication::focusWidget();
        QVERIFY(focused);
        if (reached.contains(focused))
            break; // once around
        reached << focused;
        const auto *tabs = qobject_cast<const QTabBar *>(focused);
        if (tabs && tabs->count() == 0) // Qt keeps one where docks had tabs
            continue;
        const auto with = focused->grab().toImage();
        focused->clearFocus();
        if (focused->grab().toImage() == with)
            unseen << QString(focused->metaObject()->className()) + " " + nameOf(*focused) + " in "
                          + focused->parentWidget()->metaObject()->className();
        focused->setFocus(Qt::TabFocusReason);
    }
    for (const auto *widget : open.window->findChildren<QWidget *>()) {
        if (!widget->isVisible() || !widget->isEnabled() || !canBeTouched(*widget)
            || widget->isWindow())
            continue;
        if (!reached.contains(widget) && !reached.contains(widget->focusProxy()))
            unseen << "not reached: " + QString(widget->metaObject()->className()) + " "
                          + nameOf(*widget);
    }
    QVERIFY(reached.contains(open.window->view().sceneWidget()));
    QVERIFY(isEmpty(unseen));
}

void WindowHelpTest::iconsFollowTheTheme()
{
    MainWindow window(onCpu());
    int drawn = 0;
    for (const auto *action : window.findChildren<QAction *>()) {
        if (action->icon().isNull() || action->text().isEmpty())
            continue;
        applyTheme(Theme::light);
        const auto onLight = action->icon().pixmap(24, 24).toImage();
        applyTheme(Theme::dark);
        const auto onDark = action->icon().pixmap(24, 24).toImage();
        const auto opaque = [](const QImage &image, bool isLight) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const auto pixel = image.pixelColor(x, y);
                    count += pixel.alpha() > 200 && (pixel.lightness() > 128) == isLight ? 1 : 0;
                }
            }
            return count;
        };
        QVERIFY2(opaque(onLight, false) > 10 && opaque(onLight, true) == 0,
                 qPrintable(action->text()));
        QVERIFY2(opaque(onDark, true) > 10 && opaque(onDark, false) == 0,
                 qPrintable(action->text()));
        ++drawn;
    }
    applyTheme(Theme::light);
    QVERIFY2(drawn > 25, qPrintable(QString::number(drawn)));
    QVERIFY(ui::icon("there is none").isNull());
}

void WindowHelpTest::theToolBarHasAllKindsOfViews()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 3, 5));
    QVERIFY(open.isOpen());
    auto *bar = open.window->findChild<QToolBar *>("tools");
    QMenu *kinds = nullptr;
    for (const auto *entry : bar->actions())
        kinds = entry->menu() ? entry->menu() : kinds;
    QVERIFY(kinds);
    QCOMPARE(kinds->actions().size(), static_cast<qsizetype>(allViewKinds.size()));
    QVERIFY(kinds->menuAction()->text().startsWith("Slice"));
    kinds->actions()[2]->trigger();
    QVERIFY(open.model().now().view.kind == ViewKind::surface);
    QVERIFY(kinds->menuAction()->text().startsWith("Surface"));
    open.window->closeStudy();
    QVERIFY(!kinds->menuAction()->isEnabled());
}

void WindowHelpTest::messagesFoldIntoOneLine()
{
    MainWindow window(onCpu());
    window.resize(1200, 700);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    auto &bar = window.messages();
    QVERIFY(!bar.isVisible());
    bar.say(MessageBar::Kind::error, "The first is wrong");
    QTest::qWait(20);
    const int height = bar.height();
    for (const auto *sentence : {"The second is wrong", "The third is wrong", "The fourth is odd"})
        bar.say(MessageBar::Kind::warning, sentence);
    QTest::qWait(20);
    QVERIFY(bar.height() <= height + 2);
    auto &others = *bar.findChild<QToolButton *>("further messages");
    QCOMPARE(others.text(), QString("and 3 more"));
    QVERIFY(bar.findChild<QLabel *>()->text().contains("fourth"));
    QTest::mouseClick(named<QToolButton>(bar, "Close this message"), Qt::LeftButton);
    QVERIFY(bar.findChild<QLabel *>()->text().contains("third"));
    QCOMPARE(bar.sentences().size(), 3);
    QTest::mouseClick(&others, Qt::LeftButton);
    QVERIFY(dialogNamed("messages"));
    bar.clear();
    QVERIFY(!bar.isVisible());
}

void WindowHelpTest::theListOfMessagesKeepsAll()
{
    MainWindow window(onCpu());
    window.show();
    window.messages().say(MessageBar::Kind::news, "This is news");
    window.messages().say(MessageBar::Kind::error, "This is <b>wrong</b>");
    window.messages().clear();
    auto *button = named<QToolButton>(*window.statusBar(), "Messages");
    QVERIFY(button);
    QCOMPARE(button->text(), QString("2"));
    QTest::mouseClick(button, Qt::LeftButton);
    auto *list = qobject_cast<MessageList *>(dialogNamed("messages"));
    QVERIFY(list);
    auto &rows = *list->findChild<QTreeWidget *>();
    QCOMPARE(rows.topLevelItemCount(), 2);
    QCOMPARE(rows.topLevelItem(0)->text(1), QString("Error"));
    QCOMPARE(rows.topLevelItem(0)->text(2), QString("This is <b>wrong</b>"));
    window.messages().say(MessageBar::Kind::warning, "A third");
    QCOMPARE(rows.topLevelItemCount(), 3);
    for (auto *one : list->findChildren<QPushButton *>()) {
        if (one->text() == "Cop&y")
            one->click();
    }
    const auto copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains("News\tThis is news\n") && copied.count('\n') == 3,
             qPrintable(copied));
}

void WindowHelpTest::theTourIsShownOnce()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    for (const bool isFirst : {true, false}) {
        MainWindow window(onCpu());
        window.offerTour();
        window.show();
        QVERIFY(!window.tour().isShown()); // without a study there is nothing to point at
        window.openFile(QString::fromStdString(path.string()));
        QSignalSpy shown(&window, &MainWindow::frameShown);
        QVERIFY(shown.wait(waitMilliseconds));
        QCOMPARE(window.tour().isShown(), isFirst);
        if (!isFirst)
            return;
        auto &bubble = *window.findChild<QWidget *>("tour");
        QSet<QString> said;
        int places = 0;
        for (QPoint last; window.tour().isShown() && said.size() < 10;) {
            QVERIFY(window.rect().contains(bubble.geometry()));
            places += bubble.pos() != last ? 1 : 0;
            last = bubble.pos();
            said << bubble.findChild<QLabel *>()->text();
            auto *next = bubble.findChild<QPushButton *>();
            QTest::mouseClick(next, Qt::LeftButton);
        }
        QCOMPARE(said.size(), 5);
        QVERIFY(places >= 4);
    }
}

void WindowHelpTest::theTourIsSkippedAndShownAgain()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(!open.window->tour().isShown() && !GuidedTour::wasSeen());
    open.window->findChild<QAction *>("tour again")->trigger();
    QVERIFY(open.window->tour().isShown());
    QTest::keyClick(open.window->findChild<QWidget *>("tour"), Qt::Key_Escape);
    QVERIFY(!open.window->tour().isShown() && GuidedTour::wasSeen());
    open.window->findChild<QAction *>("tour again")->trigger();
    QVERIFY(open.window->tour().isShown());
    open.clickSlider(0, 0.3); // the window goes on meanwhile
    QVERIFY(open.waitForFrame());
}

void WindowHelpTest::aboutSaysVersionsAndDevices()
{
    AboutDialog about({"GPU 0: Some"}, {});
    about.show();
    QTRY_VERIFY_WITH_TIMEOUT(!about.text().contains("asking"), waitMilliseconds);
    for (const auto *part : {"Gridhelm 0", "commit", "General Public License", "Qt 6", "VTK 9",
                             "SQLite 3", "QCustomPlot 2", "GPU 0: Some", "CPU: ", ", OpenGL "})
        QVERIFY2(about.text().contains(part), qPrintable(QString(part) + '\n' + about.text()));
    for (auto *button : about.findChildren<QPushButton *>()) {
        if (button->text() == "&Copy")
            button->click();
    }
    QCOMPARE(QGuiApplication::clipboard()->text(), about.text());
    // Of a problem also what was said; what is written meanwhile stays.
    AboutDialog report({"GPU 0: Some"}, "12:00 Error Something is wrong");
    auto &text = *report.findChild<QPlainTextEdit *>();
    QVERIFY(!text.isReadOnly());
    text.insertPlainText("mine ");
    report.show();
    QTRY_VERIFY_WITH_TIMEOUT(!report.text().contains("asking"), waitMilliseconds);
    for (const auto *part : {"mine What I did:", "Something is wrong", "Qt 6", ", OpenGL "})
        QVERIFY2(report.text().contains(part), qPrintable(QString(part) + '\n' + report.text()));
}

/// F1 opens the page of the panel that has the focus; all pages and their pictures are there.
void WindowHelpTest::theManualIsHere()
{
    QVERIFY(!manualFolder().isEmpty());
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.press(QKeySequence("T"));
    auto &plots = *open.window->trustPanel().validation();
    QTRY_VERIFY_WITH_TIMEOUT(!plots.isComputing() && plots.quantity()->isEnabled(),
                             waitMilliseconds);
    plots.quantity()->setFocus();
    open.press(QKeySequence::HelpContents);
    auto *manual = open.window->findChild<QDialog *>("manual");
    QVERIFY(manual && manual->isVisible());
    auto &page = *manual->findChild<QTextBrowser *>();
    QVERIFY2(page.source().path().endsWith("window/trust.md"), qPrintable(page.source().path()));
    QVERIFY(page.toPlainText().contains("The error bound"));
    auto &contents = *manual->findChild<QTreeWidget *>();
    int pages = 0;
    for (QTreeWidgetItemIterator item(&contents); *item; ++item) {
        const auto path = (*item)->data(0, Qt::UserRole).toString();
        if (path.isEmpty())
            continue;
        ++pages;
        emit contents.itemActivated(*item, 0);
        QVERIFY2(page.source().path().endsWith(path), qPrintable(path));
        QVERIFY2(page.toPlainText().size() > 200, qPrintable(path));
        for (auto block = page.document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                if (const auto format = part.fragment().charFormat(); format.isImageFormat()) {
                    const auto name = QUrl(format.toImageFormat().name());
                    const auto picture = page.source().resolved(name).toLocalFile();
                    QVERIFY2(QFileInfo(picture).isFile(), qPrintable(path + ": " + picture));
                }
    }
    QVERIFY(pages > 20);
    QVERIFY(page.isBackwardAvailable());
}

GRIDHELM_SCREEN_TEST(WindowHelpTest)

#include "tst_window_help.moc"
