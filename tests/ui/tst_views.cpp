// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kinds of view, their settings, the camera: in the window, through events as a user makes them.
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/window/look/view_panel.h"
#include "ui/window/views/view_area.h"
#include "ui/window/window_files.h"

#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QPointer>

#include <vtkCamera.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

QStringList entries(const QComboBox &of)
{
    QStringList texts;
    for (int i = 0; i < of.count(); ++i)
        texts << of.itemText(i);
    return texts;
}

/// The slider of the panel View with this name, if it is shown.
ValueSlider *setting(MainWindow &window, const QString &name)
{
    auto *panel = window.findChild<ViewPanel *>();
    for (auto *candidate : panel->findChildren<ValueSlider *>()) {
        if (candidate->name() == name && candidate->isVisibleTo(panel))
            return candidate;
    }
    return nullptr;
}

/// Likewise, the check box.
QCheckBox *option(MainWindow &window, const QString &text)
{
    auto *panel = window.findChild<ViewPanel *>();
    for (auto *candidate : panel->findChildren<QCheckBox *>()) {
        if (candidate->text() == text && candidate->isVisibleTo(panel))
            return candidate;
    }
    return nullptr;
}

void press(OpenWindow &open, Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier)
{
    QApplication::setActiveWindow(open.window.get()); // no window manager does it
    QTest::keyClick(open.window->view().sceneWidget(), key, with);
}

void showVectors(OpenWindow &open)
{
    choose(*box(*open.window, "Field"), "v");
    QVERIFY(open.waitForFrame());
}

} // namespace

class ViewsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void thePanelOffersWhatGoesWithMeshAndField();
    void keysShowEveryKindOrSayWhyNot();
    void slidersOfTheKindChangeThePicture();
    void aTiltedSliceFollowsItsAngles();
    void anotherFieldThanOneWithArrowsIsShownAsASlice();
    void aClipHasItsPlane();
    void aWarpIsOfVectorsWithAComponentForEachDimension();
    void lowConfidencePlacesCanBeMarked();
    void sidesToLookFrom();
    void movingTheCameraIsNoStepBack();
    void theCameraIsInSavedViewsAndRestarts();
    void aVolumeGetsSharpAtRestAndInPictures();
    void aRangeThatComesTooLateFindsNobody();
};

void ViewsTest::thePanelOffersWhatGoesWithMeshAndField()
{
    const Folder flatFolder, solidFolder;
    const QStringList always{"slice", "contour", "surface"};
    const QStringList ofVectors{"glyphs", "streamlines"};
    for (const bool isSolid : {false, true}) {
        OpenWindow open(isSolid ? makeStudy(solidFolder, 2, 5) : makeStudy(flatFolder, 2));
        QVERIFY(open.isOpen());
        auto &kinds = *box(*open.window, "Kind of view");
        const QStringList solid = isSolid ? QStringList{"volume"} : QStringList{};
        QCOMPARE(entries(kinds), always + solid);
        showVectors(open);
        QCOMPARE(entries(kinds), always + ofVectors + solid);
        QVERIFY(!setting(*open.window, "Arrows") && !setting(*open.window, "Streamlines"));
        choose(kinds, "glyphs");
        QVERIFY(open.model().now().view.kind == ViewKind::glyphs);
        QVERIFY(setting(*open.window, "Arrows") && setting(*open.window, "Length"));
        QVERIFY(!setting(*open.window, "Streamlines") && !setting(*open.window, "Opacity"));
        choose(kinds, "streamlines");
        QVERIFY(!setting(*open.window, "Arrows") && setting(*open.window, "Streamlines"));
        QCOMPARE(entries(*box(*open.window, "Where streamlines pass")).size(), isSolid ? 4 : 3);
        if (isSolid) {
            choose(kinds, "volume");
            QVERIFY(setting(*open.window, "Opacity") && !setting(*open.window, "Position"));
        }
        QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
    }
}

void ViewsTest::keysShowEveryKindOrSayWhyNot()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    press(open, Qt::Key_4); // "u" is a scalar
    QVERIFY(open.model().now().view.kind == ViewKind::slice);
    QVERIFY2(open.sentences().join(' ').contains("vector"), qPrintable(open.sentences().join(' ')));
    QVERIFY(!open.model().undoStack().canUndo());
    open.window->messages().clear();
    showVectors(open);
    auto &widget = *open.window->view().sceneWidget();
    std::vector<QImage> pictures;
    for (const auto kind : allViewKinds) {
        press(open, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(kind)));
        QVERIFY(open.model().now().view.kind == kind);
        pictures.push_back(widget.picture().copy());
        for (std::size_t other = 0; other + 1 < pictures.size(); ++other)
            QVERIFY(pictures[other] != pictures.back());
    }
    press(open, Qt::Key_1);
    QVERIFY(widget.picture() == pictures[0]);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));

    const Folder flatFolder;
    OpenWindow flat(makeStudy(flatFolder, 2));
    QVERIFY(flat.isOpen());
    press(flat, Qt::Key_6);
    QVERIFY(flat.model().now().view.kind == ViewKind::slice);
    QVERIFY2(flat.sentences().join(' ').contains("flat"), qPrintable(flat.sentences().join(' ')));
}

void ViewsTest::slidersOfTheKindChangeThePicture()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    showVectors(open);
    auto &widget = *open.window->view().sceneWidget();
    struct Case
    {
        const char *kind;
        const char *slider;
    };
    for (const auto &[kind, name] :
         {Case{"glyphs", "Arrows"}, Case{"glyphs", "Length"}, Case{"streamlines", "Streamlines"},
          Case{"volume", "Opacity"}}) {
        choose(*box(*open.window, "Kind of view"), kind);
        auto *slider = setting(*open.window, name);
        QVERIFY2(slider, name);
        const auto before = widget.picture().copy();
        const auto viewBefore = open.model().now().view;
        const int steps = open.model().undoStack().index();
        drag(*slider, 0.5, 0.15);
        QVERIFY2(widget.picture() != before, name);
        QVERIFY(open.model().now().view != viewBefore);
        QCOMPARE(open.model().undoStack().index(), steps + 1);
        open.model().undoStack().undo();
        QVERIFY(open.model().now().view == viewBefore);
        QVERIFY2(widget.picture() == before, name);
    }
    choose(*box(*open.window, "Kind of view"), "streamlines");
    choose(*box(*open.window, "Where streamlines pass"), "a line along y");
    QVERIFY(open.model().now().view.seeds == Seeds::alongY);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void ViewsTest::aTiltedSliceFollowsItsAngles()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    QVERIFY(!setting(*open.window, "Azimuth"));
    choose(*box(*open.window, "Normal of the slice"), "free");
    QVERIFY(open.model().now().view.tilted);
    for (const auto *name : {"Azimuth", "Elevation", "Position"}) {
        auto *slider = setting(*open.window, name);
        QVERIFY2(slider, name);
        const auto before = widget.picture().copy();
        drag(*slider, 0.5, 0.7);
        QVERIFY2(widget.picture() != before, name);
    }
    // From end to end and back with the plane at the very border: it stays in the mesh.
    drag(*setting(*open.window, "Position"), 0.7, 1);
    drag(*setting(*open.window, "Azimuth"), 0.7, 0);
    drag(*setting(*open.window, "Elevation"), 0.7, 1);
    QCOMPARE(open.model().now().view.tilt.elevation, 90.0);
    widget.picture();
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
    choose(*box(*open.window, "Normal of the slice"), "x");
    QVERIFY(!open.model().now().view.tilted && !setting(*open.window, "Azimuth"));
}

void ViewsTest::anotherFieldThanOneWithArrowsIsShownAsASlice()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    showVectors(open);
    press(open, Qt::Key_4);
    choose(*box(*open.window, "Shown of the field"), "indicator"); // arrows are the field's still
    auto &widget = *open.window->view().sceneWidget();
    const auto arrows = widget.picture().copy();
    choose(*box(*open.window, "Field"), "u");
    QVERIFY(open.waitForFrame());
    QVERIFY(open.model().now().view.kind == ViewKind::slice);
    QVERIFY(widget.picture() != arrows);
    open.model().undoStack().undo();
    QVERIFY(open.waitForFrame());
    QVERIFY(open.model().now().view.kind == ViewKind::glyphs);
    QVERIFY(widget.picture() == arrows);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
    // A view that somebody has written: a sentence once, and the field as it can be shown.
    auto steering = open.model().now();
    steering.field = 0;
    open.model().change("bad", steering);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.sentences().size(), 1);
    QVERIFY(open.sentences().front().contains("vector"));
}

void ViewsTest::aClipHasItsPlane()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    press(open, Qt::Key_3);
    auto &widget = *open.window->view().sceneWidget();
    const auto whole = widget.picture().copy();
    auto *clip = option(*open.window, "Clip");
    QVERIFY(clip && !setting(*open.window, "Position") && !option(*open.window, "Invert clip"));
    clip->click();
    const auto half = widget.picture().copy();
    QVERIFY(half != whole);
    QVERIFY(setting(*open.window, "Position") && box(*open.window, "Normal of the slice"));
    drag(*setting(*open.window, "Position"), 0.5, 0.2);
    QVERIFY(widget.picture() != half);
    open.model().undoStack().undo();
    QVERIFY(widget.picture() == half);
    option(*open.window, "Invert clip")->click();
    QVERIFY(widget.picture() != half);
    press(open, Qt::Key_1); // a slice is no body
    QVERIFY(!option(*open.window, "Clip") && setting(*open.window, "Position"));
    press(open, Qt::Key_3);
    option(*open.window, "Clip")->click();
    QVERIFY(widget.picture() == whole);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void ViewsTest::aWarpIsOfVectorsWithAComponentForEachDimension()
{
    const Folder flatFolder, solidFolder;
    OpenWindow flat(makeStudy(flatFolder, 2));
    QVERIFY(flat.isOpen());
    QVERIFY2(!option(*flat.window, "Warp by vector"), "of a scalar");
    showVectors(flat);
    auto &widget = *flat.window->view().sceneWidget();
    const auto before = widget.picture().copy();
    option(*flat.window, "Warp by vector")->click();
    const auto once = widget.picture().copy();
    QVERIFY(once != before);
    drag(*setting(*flat.window, "Warp factor"), 0.3, 0.4);
    QVERIFY(widget.picture() != once);
    choose(*box(*flat.window, "Field"), "u"); // which cannot
    QVERIFY(flat.waitForFrame());
    QVERIFY2(flat.sentences().isEmpty(), qPrintable(flat.sentences().join(' ')));

    OpenWindow solid(makeStudy(solidFolder, 2, 5));
    QVERIFY(solid.isOpen());
    showVectors(solid);
    auto *warp = option(*solid.window, "Warp by vector");
    QVERIFY(warp && !warp->isEnabled());
    QVERIFY2(warp->toolTip().contains("3 components"), qPrintable(warp->toolTip()));
}

void ViewsTest::lowConfidencePlacesCanBeMarked()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    const auto before = widget.picture().copy();
    QVERIFY(!setting(*open.window, "Low confidence above"));
    auto *mark = named<QCheckBox>(*open.window, "Mark low confidence");
    QVERIFY(mark);
    QTest::keyClick(mark, Qt::Key_Space);
    QVERIFY(open.model().now().view.markLowConfidence);
    auto *above = setting(*open.window, "Low confidence above");
    QVERIFY(above);
    typeInto(*above->field(), "0.1");
    QCOMPARE(open.model().now().view.lowConfidenceAbove, 0.001);
    const auto dark = widget.picture().copy();
    int darker = 0;
    for (int y = 0; y < dark.height(); y += 3)
        for (int x = 0; x < dark.width(); x += 3)
            darker += qGray(dark.pixel(x, y)) + 10 < qGray(before.pixel(x, y));
    QVERIFY2(darker > 100, qPrintable(QString::number(darker)));
    QTest::keyClick(mark, Qt::Key_Space);
    QVERIFY(widget.picture() == before);
}

void ViewsTest::sidesToLookFrom()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    press(open, Qt::Key_3);
    auto &widget = *open.window->view().sceneWidget();
    auto &camera = *widget.scene().fieldRenderer()->GetActiveCamera();
    const auto whole = widget.picture().copy();
    for (int axis = 0; axis < 3; ++axis)
        for (const bool isMinus : {false, true}) {
            press(open, static_cast<Qt::Key>(Qt::Key_X + axis),
                  isMinus ? Qt::ShiftModifier : Qt::NoModifier);
            widget.picture();
            const double towards = camera.GetDirectionOfProjection()[axis];
            QVERIFY2(isMinus ? towards > 0.99 : towards < -0.99,
                     qPrintable(QString("%1 %2 %3").arg(axis).arg(isMinus).arg(towards)));
        }
    press(open, Qt::Key_I);
    widget.picture();
    for (const double part :
         {camera.GetDirectionOfProjection()[0], camera.GetDirectionOfProjection()[1],
          camera.GetDirectionOfProjection()[2]})
        QVERIFY(std::abs(std::abs(part) - std::sqrt(1.0 / 3)) < 1e-6);
    press(open, Qt::Key_0);
    QVERIFY(widget.picture() == whole);
    QCOMPARE(open.model().undoStack().index(), 1); // the kind of view
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));

    const Folder flatFolder;
    OpenWindow flat(makeStudy(flatFolder, 2));
    QVERIFY(flat.isOpen());
    press(flat, Qt::Key_X);
    QVERIFY2(flat.sentences().join(' ').contains("relief"), qPrintable(flat.sentences().join(' ')));
}

void ViewsTest::movingTheCameraIsNoStepBack()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    const auto before = widget.picture().copy();
    QVERIFY(!open.window->view().camera());
    QTest::mousePress(&widget, Qt::LeftButton, {}, {200, 200});
    for (int x = 210; x < 300; x += 10)
        QTest::mouseMove(&widget, {x, 220});
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, {300, 220});
    QVERIFY(widget.picture() != before);
    QVERIFY(open.window->view().camera());
    QVERIFY(!open.model().undoStack().canUndo());
    // Nor does what is undone move the camera.
    const auto place = open.window->view().camera();
    open.model().setParameter(0, 200, false);
    QVERIFY(open.waitForFrame());
    open.model().undoStack().undo();
    QVERIFY(open.waitForFrame());
    widget.picture();
    QVERIFY(open.window->view().camera() == place);
}

void ViewsTest::theCameraIsInSavedViewsAndRestarts()
{
    const Folder folder;
    const auto path = makeStudy(folder, 2, 5);
    const auto file = inside(folder, "side.gridhelm-view");
    std::optional<CameraPlace> place;
    Steering steering;
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
        showVectors(open);
        press(open, Qt::Key_4);
        press(open, Qt::Key_Y);
        auto &widget = *open.window->view().sceneWidget();
        widget.picture();
        QTest::keyClick(&widget, Qt::Key_Left);
        QTest::keyClick(&widget, Qt::Key_Plus);
        widget.picture();
        place = open.window->view().camera();
        QVERIFY(place);
        steering = open.model().now();
        saveView(open.model(), file, stateOf(open.model(), place));
        press(open, Qt::Key_0);
        widget.picture();
        QVERIFY(!open.window->view().camera());
        // In the window that has the study open.
        open.window->openFile(file);
        QVERIFY(QTest::qWaitFor([&] { return open.window->view().camera() == place; },
                                waitMilliseconds));
        QVERIFY(open.waitForFrame());
        widget.picture();
        QVERIFY(open.window->view().camera() == place);
        QVERIFY(open.window->close());
    }
    MainWindow again(test::onCpu());
    again.show();
    QVERIFY(again.openLast());
    QVERIFY(QTest::qWaitFor(
        [&] {
            return again.model().study() && again.model().now() == steering && again.view().frame();
        },
        waitMilliseconds));
    again.view().sceneWidget()->picture();
    // VTK makes the direction upwards a unit vector each time, to the last digit.
    const auto restored = again.view().camera();
    QVERIFY(restored && restored->position == place->position && restored->focus == place->focus);
    for (std::size_t t = 0; t < 3; ++t)
        QVERIFY(std::abs(restored->up[t] - place->up[t]) < 1e-12);
    auto &camera = *again.view().sceneWidget()->scene().fieldRenderer()->GetActiveCamera();
    for (int t = 0; t < 3; ++t)
        QCOMPARE(camera.GetPosition()[t], place->position[static_cast<std::size_t>(t)]);
}

void ViewsTest::aVolumeGetsSharpAtRestAndInPictures()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 5));
    QVERIFY(open.isOpen());
    press(open, Qt::Key_6);
    auto &widget = *open.window->view().sceneWidget();
    QTest::mousePress(&widget, Qt::LeftButton, {}, {200, 200});
    QTest::mouseMove(&widget, {260, 200});
    widget.grab(); // as it is on the screen, of any coarseness, by the machine
    const auto picture = widget.picture().copy();
    QVERIFY(!widget.scene().isCoarse());
    QTest::mouseMove(&widget, {300, 200});
    QVERIFY(widget.picture() != picture);
    QTest::mouseMove(&widget, {260, 200});
    widget.grab();
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, {260, 200});
    const auto isAsGoodAsCanBe = [&widget] {
        const auto &scene = widget.scene();
        return !scene.isCoarse() || scene.secondsWhenFull() > 1; // a slow machine
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAsGoodAsCanBe(), waitMilliseconds);
    // So does one whose parameters move.
    const auto before = widget.picture().copy();
    open.model().setParameter(0, open.model().now().parameters[0], true);
    open.model().setParameter(0, 200, true);
    QVERIFY(QTest::qWaitFor([&] { return widget.picture() != before; }, waitMilliseconds));
    open.model().setParameter(0, 200, false);
    QVERIFY(open.waitForFrame());
    QTRY_VERIFY_WITH_TIMEOUT(isAsGoodAsCanBe(), waitMilliseconds);
}

/// A view that was closed is deleted later, and until then events still reach it.
void ViewsTest::aRangeThatComesTooLateFindsNobody()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    const auto alone = open.model().now();
    open.press(Qt::Key_K);
    const auto beside = open.window->viewArea().companions();
    QCOMPARE(beside.size(), 1);
    const QPointer<CompanionDock> closed = beside[0];
    QVERIFY(QTest::qWaitFor([&] { return !closed->range().isSearching(); }, waitMilliseconds));
    auto another = open.model().now();
    another.companions[0].field = 1;
    open.model().change("field", another); // its range is searched anew
    QVERIFY(closed->range().isSearching());
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // what it finds is on its way
    open.model().change("close", alone);
    QVERIFY(closed);
    QCoreApplication::processEvents();
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.sentences(), QStringList());
}

GRIDHELM_SCREEN_TEST(ViewsTest)

#include "tst_views.moc"
