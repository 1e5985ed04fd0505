// SPDX-License-Identifier: GPL-3.0-or-later
//
// Flat fields stay where their axes are, and whole, whatever changes beside them: widths of views,
// the room that the legend takes.
#include "tests/ui/framed_field.h"
#include "tests/ui/window_case.h"
#include "ui/window/views/companion_dock.h"
#include "ui/window/views/compared_views.h"
#include "ui/window/views/view_area.h"

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

#define VERIFY_TOGETHER(...)                                                                       \
    for (auto *widget : {__VA_ARGS__})                                                             \
        QTRY_VERIFY_WITH_TIMEOUT(widget->isAtRest(), waitMilliseconds);                            \
    for (auto *widget : {__VA_ARGS__})                                                             \
    QCOMPARE(comesApart(*widget), QString())

class FramedFieldsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void besideEachOther();
    void besideEachOtherAfterMoving();
    void linked();
    void whateverRoomTheLegendTakes();
};

void FramedFieldsTest::besideEachOther()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto *right = open.window->view().sceneWidget();
    VERIFY_TOGETHER(right);
    open.press(QKeySequence("A"));
    QTRY_VERIFY_WITH_TIMEOUT(open.window->views().pinned(), waitMilliseconds);
    auto *left = open.window->views().pinned()->sceneWidget();
    for (const double to : {0.9, 0.2}) {
        drag(open.slider(0), 0.5, to);
        QVERIFY(open.waitForFrame());
        VERIFY_TOGETHER(left, right);
    }
    // Nearer, and moved by hand: by more than there is room for.
    for (const auto key : {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Left, Qt::Key_Up}) {
        QTest::keyClick(right, key);
        VERIFY_TOGETHER(left, right);
    }
    drag(open.slider(0), 0.2, 0.7);
    QVERIFY(open.waitForFrame());
    VERIFY_TOGETHER(left, right);
}

void FramedFieldsTest::besideEachOtherAfterMoving()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto *right = open.window->view().sceneWidget();
    QTest::keyClick(right, Qt::Key_Minus);
    VERIFY_TOGETHER(right);
    open.press(QKeySequence("A")); // half as wide: now it is too large
    QTRY_VERIFY_WITH_TIMEOUT(open.window->views().pinned(), waitMilliseconds);
    drag(open.slider(0), 0.5, 0.9);
    QVERIFY(open.waitForFrame());
    VERIFY_TOGETHER(open.window->views().pinned()->sceneWidget(), right);
}

void FramedFieldsTest::linked()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.press(QKeySequence("K"));
    QTRY_VERIFY_WITH_TIMEOUT(!open.window->viewArea().companions().isEmpty(), waitMilliseconds);
    auto *main = open.window->view().sceneWidget();
    auto *beside = open.window->viewArea().companions()[0]->view().sceneWidget();
    VERIFY_TOGETHER(main, beside);
    for (const auto key : {Qt::Key_Minus, Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Right}) {
        QTest::keyClick(main, key);
        drag(open.slider(0), 0.5, key == Qt::Key_Plus ? 0.9 : 0.1);
        QVERIFY(open.waitForFrame());
        VERIFY_TOGETHER(main, beside);
    }
}

void FramedFieldsTest::whateverRoomTheLegendTakes()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto *shown = open.window->view().sceneWidget();
    VERIFY_TOGETHER(shown);
    const ValueRange wide{-12345.678, 12345.75}; // of many digits
    const double before = shown->fieldArea().width();
    auto steering = open.model().now();
    steering.rangeMode = RangeMode::fixed;
    for (const auto range : {wide, ValueRange{0, 2}}) {
        steering.view.range = range;
        open.model().change("range", steering);
        VERIFY_TOGETHER(shown);
        if (range == wide)
            QVERIFY(shown->fieldArea().width() < before - 10);
        drag(open.slider(0), 0.5, 0.6);
        QVERIFY(open.waitForFrame());
        VERIFY_TOGETHER(shown);
    }
    // What the user has moved stays where it is.
    QTest::keyClick(shown, Qt::Key_Plus);
    const auto chosen = shown->camera();
    QVERIFY(chosen);
    steering.view.range = wide;
    open.model().change("range", steering);
    VERIFY_TOGETHER(shown);
    QCOMPARE(shown->camera(), chosen);
}

GRIDHELM_SCREEN_TEST(FramedFieldsTest)

#include "tst_framed_fields.moc"
