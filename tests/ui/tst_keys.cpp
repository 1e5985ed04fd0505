// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys of the window: what they do, and that they do nothing where they are typed for something
// else.
#include "tests/ui/window_case.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QWindow>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class KeysTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void spacePlaysTheChosenParameter();
    void choosingAnotherOneWhilePlayingPlaysIt();
    void typingIsNoShortcut();
    void typingIntoACellIsNoShortcut();
    void spacePressesTheButtonThatHasTheFocus();
};

void KeysTest::spacePlaysTheChosenParameter()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &played = *box(*open.window, "Parameter to play");
    QCOMPARE(played.currentText(), QString("t")); // what is like time
    auto &animation = open.window->animation();
    for (const std::size_t parameter : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
        choose(played, static_cast<int>(parameter));
        open.window->view().sceneWidget()->setFocus();
        const auto before = open.model().now().parameters;
        open.press(QKeySequence("Space"));
        QVERIFY(animation.isPlaying());
        QTRY_VERIFY_WITH_TIMEOUT(open.model().now().parameters[parameter] != before[parameter],
                                 waitMilliseconds);
        open.press(QKeySequence("Space"));
        QVERIFY(!animation.isPlaying());
        for (std::size_t t = 0; t < before.size(); ++t)
            QCOMPARE(open.model().now().parameters[t] == before[t], t != parameter);
    }
}

void KeysTest::choosingAnotherOneWhilePlayingPlaysIt()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &played = *box(*open.window, "Parameter to play");
    QTest::mouseClick(named<QToolButton>(*open.window, "Play"), Qt::LeftButton);
    QVERIFY(open.window->animation().isPlaying());
    choose(played, 0);
    QVERIFY(open.window->animation().isPlaying());
    const auto before = open.model().now().parameters;
    QTRY_VERIFY_WITH_TIMEOUT(open.model().now().parameters[0] != before[0], waitMilliseconds);
    QCOMPARE(open.model().now().parameters[2], before[2]);
}

void KeysTest::typingIsNoShortcut()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (auto *dock : open.window->findChildren<QDockWidget *>()) {
        dock->show();
        dock->raise();
    }
    open.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(open.window.get(), waitMilliseconds));
    QStringList fired;
    QString where;
    for (auto *action : open.window->findChildren<QAction *>())
        connect(action, &QAction::triggered, this,
                [&fired, &where, action] { fired << action->text() + " from " + where; });
    int tried = 0;
    for (auto *widget : open.window->findChildren<QWidget *>()) {
        const auto *line = qobject_cast<QLineEdit *>(widget);
        const auto *text = qobject_cast<QPlainTextEdit *>(widget);
        if ((!line || line->isReadOnly()) && (!text || text->isReadOnly())
            && !qobject_cast<QAbstractSpinBox *>(widget))
            continue;
        for (QWidget *holder = widget->parentWidget(); holder; holder = holder->parentWidget())
            if (auto *dock = qobject_cast<QDockWidget *>(holder))
                dock->raise();
        QCoreApplication::processEvents(); // so that the raised dock shows its widgets
        if (!widget->isVisible() || !widget->isEnabled())
            continue;
        widget->setFocus();
        where = widget->accessibleName() + " (" + widget->metaObject()->className() + ")";
        ++tried;
        for (const auto key : {Qt::Key_A, Qt::Key_K, Qt::Key_T, Qt::Key_P, Qt::Key_X, Qt::Key_1,
                               Qt::Key_0, Qt::Key_Space})
            QTest::keyClick(open.window->windowHandle(), key);
        QTest::keyClick(open.window->windowHandle(), Qt::Key_S, Qt::ShiftModifier);
    }
    open.window->close(); // what was typed is refused while all is there
    QVERIFY2(tried > 10, qPrintable(QString::number(tried)));
    QVERIFY2(fired.isEmpty(), qPrintable(fired.join("; ")));
}

void KeysTest::typingIntoACellIsNoShortcut()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(open.window.get(), waitMilliseconds));
    QStandardItemModel model(2, 1);
    QTableView cells(open.window.get());
    cells.setModel(&model);
    cells.setGeometry(0, 0, 200, 200);
    cells.show();
    cells.setFocus();
    cells.setCurrentIndex(model.index(0, 0));
    auto *window = open.window->windowHandle();
    QTest::keyClick(window, Qt::Key_A); // begins a name; nothing there begins with it
    QVERIFY(!open.model().now().pinned);
    QTest::keyClick(window, Qt::Key_1);
    QTest::keyClick(window, Qt::Key_Return);
    QCOMPARE(model.index(0, 0).data().toString(), QString("a1"));
    auto *fixed = new QStandardItem("fixed");
    fixed->setEditable(false);
    model.setItem(1, fixed);
    cells.setCurrentIndex(model.index(1, 0));
    QTest::qWait(QApplication::keyboardInputInterval() + 100);
    QTest::keyClick(window, Qt::Key_K); // nothing can be typed here
    QCOMPARE(open.model().now().companions.size(), std::size_t{1});
}

void KeysTest::spacePressesTheButtonThatHasTheFocus()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(open.window.get(), waitMilliseconds));
    auto *window = open.window->windowHandle();
    QCheckBox *edges = nullptr;
    for (auto *candidate : open.window->findChildren<QCheckBox *>())
        edges = candidate->text() == "edges of the cells" ? candidate : edges;
    QVERIFY(edges && edges->isVisible());
    edges->setFocus();
    QTest::keyClick(window, Qt::Key_Space);
    QVERIFY(open.model().now().view.edges);
    QVERIFY(!open.window->animation().isPlaying());
    auto &kinds = *box(*open.window, "Kind of view");
    kinds.setFocus();
    QTest::keyClick(window, Qt::Key_Space);
    QVERIFY(!open.window->animation().isPlaying());
    kinds.hidePopup();
    open.window->view().sceneWidget()->setFocus();
    QTest::keyClick(window, Qt::Key_Space);
    QVERIFY(open.window->animation().isPlaying());
}

GRIDHELM_SCREEN_TEST(KeysTest)

#include "tst_keys.moc"
