// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colour maps of the user's own: in the window, through events as a user makes them.
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/window/look/colour_editor.h"
#include "ui/window/look/colour_stripe.h"
#include "ui/window/look/kept_colour_maps.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// The menu beside the colours, up to date.
QMenu &menuOfColours(OpenWindow &open)
{
    auto &menu = *named<QToolButton>(*open.window, "Colours of your own")->menu();
    emit menu.aboutToShow();
    return menu;
}

} // namespace

class ColourEditorTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void coloursOfOnesOwn();
};

/// One is made, shown, kept, comes back after a restart, and is deleted.
void ColourEditorTest::coloursOfOnesOwn()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    QDir(colourMapFolder()).removeRecursively();
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
        choose(*box(*open.window, "Colours"), "grey");
        QVERIFY(!entry(menuOfColours(open), "Delete")->isEnabled());
        entry(menuOfColours(open), "Edit")->trigger();
        auto &editor = *open.window->findChild<ColourEditor *>();
        auto &stripe = *editor.findChild<ColourStripe *>();
        const auto handles = editor.map()->nodes.size();
        QTest::keyClick(&stripe, Qt::Key_Right);
        QTest::keyClick(&stripe, Qt::Key_Delete);
        QCOMPARE(editor.map()->nodes.size(), handles - 1);
        const auto at = [&](double place) {
            return QPoint(static_cast<int>(std::lround(stripe.xOf(place))), stripe.height() - 4);
        };
        QTest::mouseDClick(&stripe, Qt::LeftButton, {}, at(0.03));
        QCOMPARE(editor.map()->nodes.size(), handles);
        const auto grey = editor.map()->nodes[1].colour;
        QTest::mousePress(&stripe, Qt::LeftButton, {}, at(0.03));
        QTest::mouseMove(&stripe, at(0.5)); // not beyond its neighbour
        QTest::mouseRelease(&stripe, Qt::LeftButton, {}, at(0.5));
        QCOMPARE(editor.map()->nodes[1].place, editor.map()->nodes[2].place);
        QVERIFY(editor.map()->nodes[1].colour == grey);
        auto &name = *named<QLineEdit>(editor, "Name of the colours");
        QCOMPARE(name.text(), QString("my grey"));
        name.clear();
        auto &save = *editor.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
        QTest::mouseClick(&save, Qt::LeftButton);
        QVERIFY(editor.isVisible()); // says that a name is needed
        QTest::keyClicks(&name, "Ours & theirs");
        QTest::mouseClick(&save, Qt::LeftButton);
        QCOMPARE(box(*open.window, "Colours")->currentText(), QString("Ours & theirs"));
        QVERIFY(open.model().now().view.colours.custom);
        QVERIFY(open.waitForFrame());
        QCOMPARE(
            wrongColours(open.window->view(), open.frame().values, open.model().now().view.colours),
            QString());
        open.model().undoStack().undo();
        QCOMPARE(box(*open.window, "Colours")->currentText(), QString("grey"));
        open.model().undoStack().redo();
        QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
        open.window->close();
    }
    OpenWindow again(path);
    QVERIFY(again.isOpen());
    QVERIFY(box(*again.window, "Colours")->findText("Ours & theirs") > 0);
    choose(*box(*again.window, "Colours"), "Ours & theirs");
    QVERIFY(again.model().now().view.colours.custom);
    // A saved view has all of it, and it is shown where nobody has the map.
    const auto view = toJson(again.model().now(), *again.model().study());
    entry(menuOfColours(again), "Delete Ours && theirs")->trigger();
    QCOMPARE(box(*again.window, "Colours")->findText("Ours & theirs"), -1);
    QVERIFY(!again.model().now().view.colours.custom);
    again.model().change("saved view", fromJson(view, *again.model().study(), again.model().now()));
    QCOMPARE(box(*again.window, "Colours")->currentText(), QString("Ours & theirs"));
    QVERIFY(!entry(menuOfColours(again), "Delete")->isEnabled());
    QVERIFY(again.waitForFrame());
    QCOMPARE(
        wrongColours(again.window->view(), again.frame().values, again.model().now().view.colours),
        QString());
}

GRIDHELM_SCREEN_TEST(ColourEditorTest)

#include "tst_colour_editor.moc"
