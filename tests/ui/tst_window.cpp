// SPDX-License-Identifier: GPL-3.0-or-later
//
// The main window, through events as a user makes them: what it shows of a study, and files that
// are opened, followed, copied and saved.
#include "core/support/colour_map.h"
#include "data/mesh/snapshot_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/hostile_files.h"
#include "tests/ui/window_case.h"
#include "ui/window/files/study_copying.h"
#include "ui/window/window_files.h"

#include <QCheckBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class WindowTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void pictureHasTheColoursOfTheValues();
    void fieldsComponentsAndIndicatorAreShown();
    void titlesSayWhatCanBeTyped();
    void rangeModes();
    void aLogarithmicScaleHasTheRangeThatIsShown();
    void whatCannotBeLogarithmicIsLinearAndSaid();
    void kindsOfView();
    void darkThemeIsDark();
    void clicksArePlacesInTheMesh();
    void aStudyThatGrowsIsFollowed();
    void badFilesAreSentences();
    void whatAKilledProgramLeftIsSaidAndLeftAlone();
    void copiesAreMadeBesideTheWork();
    void ofAClosedStudyNothingStays();
    void aRestartKeepsEverything();
    void savedFilesSayWhatIsShown();
    void closingAndReopeningWhileBusy();
};

void WindowTest::pictureHasTheColoursOfTheValues()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto map : {ColourMap::viridis, ColourMap::coolWarm}) {
        auto steering = open.model().now();
        steering.view.colours = map;
        open.model().change("colours", steering);
        QCOMPARE(wrongColours(open.window->view(), open.frame().values, map), QString());
        QVERIFY(!wrongColours(open.window->view(), open.frame().values, ColourMap::grey).isEmpty());
    }
}

void WindowTest::fieldsComponentsAndIndicatorAreShown()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    choose(*box(*open.window, "Field"), "v");
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.model().now().field, data::FieldIndex{1});
    QCOMPARE(open.frame().values, fieldAt(path, 1, open.model().now().parameters));
    QTRY_COMPARE(QString::fromStdString(open.window->view().scene().title()), "v magnitude (m/s)");
    QVERIFY(box(*open.window, "Component")->isVisible());
    choose(*box(*open.window, "Component"), "y");
    QTRY_COMPARE(QString::fromStdString(open.window->view().scene().title()), "v y (m/s)");
    choose(*box(*open.window, "Field"), "u"); // has no y
    QVERIFY(open.waitForFrame());
    QTRY_COMPARE(QString::fromStdString(open.window->view().scene().title()), "u (m/s)");
    QVERIFY(!box(*open.window, "Component")->isVisible());
    choose(*box(*open.window, "Shown of the field"), "indicator");
    QTRY_COMPARE(QString::fromStdString(open.window->view().scene().title()), "u indicator (m/s)");
    const auto &indicator = open.frame().indicator;
    QTRY_VERIFY(open.window->view().scene().range().high
                >= static_cast<double>(*std::ranges::max_element(indicator)));
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void WindowTest::titlesSayWhatCanBeTyped()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    const auto name = QString::fromStdString(open.model().study()->parameters[0].name);
    // A place of the grid, and what no slider says: both with all digits of a double.
    for (const double value : {316.22776601683796, 100.0 * 31.0 / 7.0}) {
        open.model().setParameter(0, value, false);
        QVERIFY(open.waitForFrame());
        auto &field = *open.slider(0).findChild<NumberField *>();
        const auto caption = open.window->view().caption();
        QVERIFY2(caption.startsWith(name + " = " + field.text() + ","),
                 qPrintable(caption + " / " + field.text()));
        typeInto(field, field.text() + "0"); // which is another number, and near
        QVERIFY(open.waitForFrame());
        QCOMPARE(open.window->view().caption(), caption);
    }
    // What is typed is said as it is.
    typeInto(*open.slider(0).findChild<NumberField *>(), "345.6789");
    QVERIFY(open.waitForFrame());
    QVERIFY(open.window->view().caption().startsWith(name + " = 345.6789,"));
}

void WindowTest::rangeModes()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    choose(*box(*open.window, "Where the colours end"), "of this frame");
    QVERIFY(open.waitForFrame());
    const auto ofFrame = open.window->view().scene().range();
    choose(*box(*open.window, "Where the colours end"), "of the whole study");
    const auto ofStudy = [&] { return open.window->view().scene().range(); };
    // The smallest and largest value anywhere on the grid.
    const auto study = data::Study::open(path);
    float low = 1e30F, high = -1e30F;
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
        const auto values =
            fieldAt(path, 0, study.description().space.valuesAt(*study.grid(), point));
        low = std::min(low, *std::ranges::min_element(values));
        high = std::max(high, *std::ranges::max_element(values));
    }
    const auto wanted = roundedOutward({low, high}, Scale::linear);
    QVERIFY(wanted != ofFrame);
    QVERIFY(QTest::qWaitFor([&] { return ofStudy() == wanted; }, waitMilliseconds));
    open.clickSlider(0, 0.1);
    QVERIFY(open.waitForFrame());
    QCOMPARE(ofStudy(), wanted);
    choose(*box(*open.window, "Where the colours end"), "fixed");
    auto *upper = named<NumberField>(*open.window, "Upper end of the colours");
    QVERIFY(upper);
    typeInto(*upper, "7.5");
    QTRY_COMPARE(open.window->view().scene().range().high, 7.5);
    typeInto(*upper, "-100");
    QVERIFY(open.sentences().join(' ').contains("must be below"));
    QCOMPARE(open.window->view().scene().range().high, 7.5);
    // One click, and it stays where other values come.
    named<QToolButton>(*open.window, "Fit the colours to what is shown")->click();
    const auto [lowest, highest] = std::ranges::minmax(open.frame().values);
    const auto fitted = roundedOutward({lowest, highest}, Scale::linear);
    QCOMPARE(ofStudy(), fitted);
    QCOMPARE(open.model().now().rangeMode, RangeMode::fixed);
    open.clickSlider(0, 0.9);
    QVERIFY(open.waitForFrame());
    QCOMPARE(ofStudy(), fitted);
}

void WindowTest::aLogarithmicScaleHasTheRangeThatIsShown()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &lower = *named<NumberField>(*open.window, "Lower end of the colours");
    auto &upper = *named<NumberField>(*open.window, "Upper end of the colours");
    QCheckBox *logarithmic = nullptr;
    for (auto *candidate : open.window->findChildren<QCheckBox *>())
        logarithmic = candidate->text() == "logarithmic" ? candidate : logarithmic;
    QVERIFY(logarithmic);
    const auto used = [&] { return open.window->view().scene().range(); };
    const auto scale = [&] { return open.window->view().scene().colours().scale; };
    const auto isAsShown = [&] { return ValueRange{lower.value(), upper.value()} == used(); };
    typeInto(upper, "7.5");
    typeInto(lower, "-1");
    QCOMPARE(used(), (ValueRange{-1, 7.5}));
    logarithmic->click(); // that range cannot be
    QVERIFY(scale() == Scale::logarithmic && used().low > 0 && isAsShown());
    QCOMPARE(open.model().now().rangeMode, RangeMode::frame);
    QVERIFY2(open.sentences().join(' ').contains("cannot begin at -1"),
             qPrintable(open.sentences().join(' ')));
    open.window->messages().clear();
    for (const auto *typed : {"-3", "0"}) {
        const auto before = open.model().now();
        typeInto(lower, typed);
        QVERIFY(open.model().now() == before);
        QVERIFY(scale() == Scale::logarithmic && used().low > 0 && isAsShown());
        QVERIFY2(open.sentences().join(' ').contains(QString("cannot begin at ") + typed),
                 qPrintable(open.sentences().join(' ')));
    }
    typeInto(lower, "0.01");
    typeInto(upper, "10");
    for (const auto wanted : {Scale::logarithmic, Scale::linear, Scale::logarithmic}) {
        if (wanted != scale())
            logarithmic->click(); // it can be
        QVERIFY(scale() == wanted && isAsShown());
        QCOMPARE(used(), (ValueRange{0.01, 10}));
        QCOMPARE(open.model().now().rangeMode, RangeMode::fixed);
    }
}

void WindowTest::whatCannotBeLogarithmicIsLinearAndSaid()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.view.scale = Scale::logarithmic;
    steering.rangeMode = RangeMode::fixed; // as an older file may say
    steering.view.range = ValueRange{-2, 3};
    open.model().change("range", steering);
    const auto &scene = open.window->view().scene();
    QVERIFY(QTest::qWaitFor([&] { return scene.range() == ValueRange{-2, 3}; }, waitMilliseconds));
    QCOMPARE(scene.colours().scale, Scale::linear);
    QVERIFY2(open.sentences().join(' ').contains("linear"), qPrintable(open.sentences().join(' ')));
    open.window->messages().clear();
    steering.rangeMode = RangeMode::frame;
    open.model().change("range", steering);
    QVERIFY(QTest::qWaitFor([&] { return scene.colours().scale == Scale::logarithmic; },
                            waitMilliseconds));
    // A state in which nothing is above 0.
    auto below = std::make_shared<FieldFrame>(open.frame());
    for (auto &value : below->values)
        value = -1 - std::abs(value);
    open.window->view().showFrame(below);
    QVERIFY(QTest::qWaitFor([&] { return scene.range().high < 0; }, waitMilliseconds));
    QCOMPARE(scene.colours().scale, Scale::linear);
    QVERIFY2(open.sentences().join(' ').contains("no value above 0"),
             qPrintable(open.sentences().join(' ')));
}

void WindowTest::kindsOfView()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 3, 5)); // in 3D
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    std::vector<QImage> pictures;
    for (const auto *key : {"1", "2", "3"}) {
        action(*open.window, QKeySequence(key))->trigger();
        pictures.push_back(widget.picture());
    }
    QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    action(*open.window, QKeySequence("1"))->trigger();
    choose(*box(*open.window, "Normal of the slice"), "x");
    QCOMPARE(open.model().now().view.normal, Axis::x);
    QVERIFY(widget.picture() != pictures[0]);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void WindowTest::darkThemeIsDark()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    const auto corner = [&] { return widget.picture().pixelColor(2, 2).lightness(); };
    QVERIFY(corner() > 200);
    action(*open.window, QKeySequence("Ctrl+T"))->trigger();
    QVERIFY(QTest::qWaitFor([&] { return corner() < 60; }, waitMilliseconds));
    QVERIFY(open.window->palette().color(QPalette::Window).lightness() < 60);
    action(*open.window, QKeySequence("Ctrl+T"))->trigger();
    QVERIFY(QTest::qWaitFor([&] { return corner() > 200; }, waitMilliseconds));
}

void WindowTest::clicksArePlacesInTheMesh()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    QSignalSpy clicks(&widget, &SceneWidget::clicked);
    const QPoint middle(widget.width() / 2, widget.height() / 2);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, middle);
    QCOMPARE(clicks.count(), 1);
    const auto at = widget.pick(middle);
    QVERIFY(at && (*at)[0] > 0.2 && (*at)[0] < 0.8 && (*at)[1] > 0.1 && (*at)[1] < 0.65);
    // A drag moves the mesh under the hand, and is no click.
    QTest::mousePress(&widget, Qt::LeftButton, {}, middle);
    QTest::mouseMove(&widget, middle + QPoint(40, -30));
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, middle + QPoint(40, -30));
    QCOMPARE(clicks.count(), 1);
    widget.picture();
    const auto moved = widget.pick(middle + QPoint(40, -30));
    QVERIFY(moved && std::abs((*moved)[0] - (*at)[0]) < 1e-3
            && std::abs((*moved)[1] - (*at)[1]) < 1e-3);
}

void WindowTest::aStudyThatGrowsIsFollowed()
{
    const Folder folder;
    const auto path = folder / "small.gridhelm";
    auto writer = newGrownStudy(path);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.sentences().join(' ').contains("have no coefficients yet"));
    open.model().setParameter(0, 222.2, false);
    open.model().setParameter(2, 1.1, false);
    QVERIFY(open.waitForFrame());
    const auto coarse = open.frame().values;
    runAllJobs(writer);
    compress(writer, {});
    const auto wanted = fieldAt(path, 0, open.model().now().parameters);
    QVERIFY(wanted != coarse);
    QVERIFY(QTest::qWaitFor([&] { return open.frame().values == wanted; }, waitMilliseconds));
}

void WindowTest::badFilesAreSentences()
{
    const Folder folder;
    writeBytes(folder / "foreign.gridhelm", std::vector<char>(5000, 'x'));
    writeBytes(folder / "odd.gridhelm-view", std::vector<char>(100, '{'));
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto &name : {"missing.gridhelm", "foreign.gridhelm", "odd.gridhelm-view"}) {
        open.window->messages().clear();
        open.window->openFile(inside(folder, name));
        QVERIFY2(QTest::qWaitFor([&] { return !open.sentences().isEmpty(); }, waitMilliseconds),
                 name);
        QVERIFY2(open.sentences().first().size() > 20, qPrintable(open.sentences().first()));
    }
    open.window->openFile(inside(folder, "small.gridhelm"));
    QVERIFY(open.waitForFrame()); // as if nothing had been
}

void WindowTest::whatAKilledProgramLeftIsSaidAndLeftAlone()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    leaveLog(path);
    const auto before = filesOf(folder / "");
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
        QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
        const auto said = open.window->messages().sentences().join(' ');
        QVERIFY2(said.contains("killed") && said.contains("-wal"), qPrintable(said));
        data::StudyWriter::open(path).close(); // somebody puts it in order
        QTRY_VERIFY_WITH_TIMEOUT(!open.window->messages().sentences().join(' ').contains("killed"),
                                 waitMilliseconds);
    }
    // Once more, with nobody but the window.
    leaveLog(path);
    const auto left = filesOf(folder / "");
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
    }
    QVERIFY(filesOf(folder / "") == left);
    QVERIFY(before != left);
}

void WindowTest::copiesAreMadeBesideTheWork()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &copying = *open.window->findChild<StudyCopying *>();
    QSignalSpy ended(&copying, &StudyCopying::ended);
    const auto copy = folder / "copy.gridhelm";
    copying.start(QString::fromStdString(path.string()), QString::fromStdString(copy.string()));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, waitMilliseconds);
    QCOMPARE(ended.takeFirst().constFirst().toString(), QString());
    QCOMPARE(problemsOf(copy), std::string());
    QVERIFY(open.window->messages().sentences().join(' ').contains("copy.gridhelm"));
    copying.start(QString::fromStdString(path.string()), QString::fromStdString(copy.string()));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, waitMilliseconds);
    QVERIFY(ended.takeFirst().constFirst().toString().contains("exists already"));
    auto *action = open.window->findChild<QAction *>("saveCopy");
    QVERIFY(action && action->isEnabled());
    open.window->closeStudy();
    QVERIFY(!action->isEnabled());
}

void WindowTest::ofAClosedStudyNothingStays()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    const auto sliders = open.window->steerPanel().sliders().size();
    open.clickSlider(0, 0.3);
    QVERIFY(open.waitForFrame());
    QVERIFY(open.model().undoStack().canUndo());
    open.window->closeStudy();
    QVERIFY(open.window->steerPanel().sliders().empty());
    QVERIFY(!open.model().undoStack().canUndo());
    open.window->openFile(QString::fromStdString(path.string()));
    QTRY_COMPARE_WITH_TIMEOUT(open.window->steerPanel().sliders().size(), sliders,
                              waitMilliseconds);
}

void WindowTest::aRestartKeepsEverything()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Steering before;
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
        auto steering = open.model().now();
        steering.parameters = {345.6, 1.25, 2.5};
        steering.field = 1;
        steering.view.component.index = 1;
        steering.view.kind = ViewKind::contour;
        steering.view.colours = ColourMap::glow;
        steering.view.colours.isInverted = true;
        steering.view.colours.bands = 7;
        steering.rangeMode = RangeMode::fixed;
        steering.view.range = ValueRange{-1, 2};
        open.model().change("all", steering);
        QVERIFY(open.waitForFrame());
        open.window->setTheme(Theme::dark);
        before = open.model().now();
        QVERIFY(open.window->close());
    }
    MainWindow again(test::onCpu());
    again.show();
    QVERIFY(again.openLast());
    QVERIFY(QTest::qWaitFor([&] { return again.model().study() && again.model().now() == before; },
                            waitMilliseconds));
    QVERIFY(QTest::qWaitFor([&] { return again.view().frame() != nullptr; }, waitMilliseconds));
    QCOMPARE(again.view().frame()->values, fieldAt(path, 1, before.parameters));
    QCOMPARE(themeOf(again.palette()), Theme::dark);
}

void WindowTest::savedFilesSayWhatIsShown()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    open.model().setParameter(0, 200, false);
    QVERIFY(open.waitForFrame());
    saveField(open.frame(), inside(folder, "field.vti"));
    data::readSnapshotFile(folder / "field.vti", [&](data::RunSnapshot &&read) {
        QCOMPARE(read.fields.at(0).name, std::string("u"));
        QCOMPARE(read.values.at(0), open.frame().values);
        QCOMPARE(read.values.at(1), open.frame().indicator);
    });
    GRIDHELM_EXPECT_ERROR(saveField(open.frame(), inside(folder, "field.vtu")));
    GRIDHELM_EXPECT_ERROR(saveField(open.frame(), "/nowhere/field.vti"));

    const auto picture = open.window->view().sceneWidget()->picture();
    savePicture(picture, inside(folder, "picture.png"));
    QCOMPARE(QImage(inside(folder, "picture.png")).size(), picture.size());
    GRIDHELM_EXPECT_ERROR(savePicture(picture, "/nowhere/picture.png"));

    saveView(open.model(), inside(folder, "one.gridhelm-view"), stateOf(open.model(), {}));
    const auto saved = open.model().now();
    open.model().setParameter(0, 900, false);
    open.window->openFile(inside(folder, "one.gridhelm-view"));
    QVERIFY(QTest::qWaitFor([&] { return open.model().now() == saved; }, waitMilliseconds));
    QVERIFY(open.waitForFrame());
}

void WindowTest::closingAndReopeningWhileBusy()
{
    const Folder folder;
    const auto path = QString::fromStdString(makeStudy(folder).string());
    for (int i = 0; i < 5; ++i) {
        MainWindow window(test::onCpu());
        window.show();
        window.openFile(path);
        QTest::qWait(10 * i);
        window.openFile(path);
        if (i % 2 == 0)
            window.closeStudy();
        QTest::qWait(5 * i);
        QVERIFY(window.close());
    }
}

GRIDHELM_SCREEN_TEST(WindowTest)

#include "tst_window.moc"
