// SPDX-License-Identifier: GPL-3.0-or-later
//
// The main window, through events as a user makes them.
#include "core/support/colour_map.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/hostile_files.h"
#include "tests/ui/window_case.h"
#include "ui/window/files/study_copying.h"
#include "ui/window/window_files.h"

#include "data/mesh/snapshot_file.h"

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class WindowTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void draggingASliderShowsTheFieldOfEveryPlace();
    void theLastOfManyRequestsArrives();
    void coarseFramesComeFirstAndTheExactOneFollows();
    void whatIsVisibleComesFirstAndTheWholeFieldFollows_data();
    void whatIsVisibleComesFirstAndTheWholeFieldFollows();
    void aDragNeedsNoOpenGl();
    void typedValuesAreUsedExactly();
    void badTypingIsASentence();
    void numbersThatAreTooLongAreShownShorter();
    void lettersGoToTheBoxThatHasTheFocus();
    void keysMoveSliders();
    void aDragIsOneStepBack();
    void pictureHasTheColoursOfTheValues();
    void fieldsComponentsAndIndicatorAreShown();
    void rangeModes();
    void kindsOfView();
    void darkThemeIsDark();
    void clicksArePlacesInTheMesh();
    void aStudyThatGrowsIsFollowed();
    void badFilesAreSentences();
    void whatAKilledProgramLeftIsSaidAndLeftAlone();
    void copiesAreMadeBesideTheWork();
    void aRestartKeepsEverything();
    void savedFilesSayWhatIsShown();
    void animationRunsThroughTheRange();
    void closingAndReopeningWhileBusy();
};

void WindowTest::draggingASliderShowsTheFieldOfEveryPlace()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));

    auto &track = *open.slider(0).track();
    std::vector<std::vector<double>> shown;
    connect(open.window.get(), &MainWindow::frameShown, this,
            [&](std::shared_ptr<const FieldFrame> frame) {
                shown.push_back(frame->request.parameters);
                QCOMPARE(frame->values, fieldAt(path, 0, frame->request.parameters));
            });
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.2));
    for (int percent = 25; percent <= 80; percent += 5) {
        const auto before = shown.size();
        QTest::mouseMove(&track, placeOnTrack(track, 0.01 * percent));
        if (percent % 25 == 0) // the button is still down
            QTRY_VERIFY_WITH_TIMEOUT(shown.size() > before, waitMilliseconds);
        else
            QTest::qWait(20);
    }
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    QVERIFY(open.waitForFrame());
    const double reynolds = open.model().now().parameters[0];
    QVERIFY2(std::abs(reynolds / (100 * std::pow(10.0, 0.8)) - 1) < 0.02, // logarithmic
             qPrintable(QString::number(reynolds)));
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    QVERIFY(open.sentences().isEmpty());
}

void WindowTest::theLastOfManyRequestsArrives()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    FieldService service(sparse::makeOmpBackend(test::onCpu(1)));
    QSignalSpy opened(&service, &FieldService::opened);
    std::vector<std::shared_ptr<const FieldFrame>> frames;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) { frames.push_back(frame); });
    service.open(path);
    QVERIFY(opened.wait(waitMilliseconds));
    std::uint64_t last = 0;
    for (int i = 0; i <= 500; ++i)
        last = service.request({{100 + 1.8 * i, 1, 2}, 0, i < 500, FieldRequest::Clock::now(), 0});
    QVERIFY(
        QTest::qWaitFor([&] { return !frames.empty() && frames.back()->request.number == last; },
                        waitMilliseconds));
    QVERIFY(frames.size() < 400); // stale ones were dropped
    QVERIFY(std::ranges::is_sorted(frames, {},
                                   [](const auto &frame) { return frame->request.number; }));
    QVERIFY(frames.back()->isExact);
    QCOMPARE(frames.back()->values, fieldAt(path, 0, frames.back()->request.parameters));
}

void WindowTest::coarseFramesComeFirstAndTheExactOneFollows()
{
    const Folder folder;
    const auto path = makeStudy(folder, 4, 40); // the exact field takes a moment
    FieldService service(sparse::makeOmpBackend(test::onCpu(1)));
    service.setBudget(std::chrono::nanoseconds(1)); // nothing is fast enough
    QSignalSpy opened(&service, &FieldService::opened);
    std::vector<std::shared_ptr<const FieldFrame>> frames;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) { frames.push_back(frame); });
    service.open(path);
    QVERIFY(opened.wait(waitMilliseconds));
    const std::vector<double> at{250, 0.8, 3};
    service.request({at, 0, true, FieldRequest::Clock::now(), 0});
    const auto isAnswered = [&] { return !frames.empty() && frames.back()->isExact; };
    QVERIFY(QTest::qWaitFor(isAnswered, waitMilliseconds));
    QCOMPARE(frames.back()->values, fieldAt(path, 0, at));
    // Many, as from a hand.
    int coarse = 0;
    std::uint64_t last = 0;
    for (int i = 0; i <= 300; ++i) {
        last = service.request({{300.0 + i, 0.8, 3}, 0, true, FieldRequest::Clock::now(), 0});
        while (frames.back()->request.number < last)
            QCoreApplication::processEvents();
        if (!frames.back()->isExact) {
            ++coarse;
            QVERIFY(frames.back()->groups < frames.back()->study->groups);
            QVERIFY(frames.back()->values != fieldAt(path, 0, frames.back()->request.parameters));
        }
    }
    QVERIFY(coarse > 0);
    QVERIFY(QTest::qWaitFor([&] { return isAnswered() && frames.back()->request.number == last; },
                            waitMilliseconds));
    QCOMPARE(frames.back()->values, fieldAt(path, 0, {600, 0.8, 3}));
}

void WindowTest::whatIsVisibleComesFirstAndTheWholeFieldFollows_data()
{
    QTest::addColumn<data::FieldIndex>("field");
    QTest::newRow("scalar") << data::FieldIndex{0};
    QTest::newRow("vector") << data::FieldIndex{1};
}

void WindowTest::whatIsVisibleComesFirstAndTheWholeFieldFollows()
{
    QFETCH(data::FieldIndex, field);
    const Folder folder;
    const auto path = makeStudy(folder, 3, 9); // in 3D, shown as a slice
    FieldService service(sparse::makeOmpBackend(test::onCpu(1)));
    SteeringModel model;
    SteeredView view(model);
    view.resize(500, 400);
    view.show();
    std::vector<std::shared_ptr<const FieldFrame>> shown;
    connect(&service, &FieldService::opened, this, [&](std::shared_ptr<const StudyFacts> facts) {
        model.setStudy(std::move(facts));
        auto steering = model.now();
        steering.field = field;
        model.change("field", steering);
    });
    connect(&service, &FieldService::frameReady, &view, &SteeredView::showFrame);
    std::shared_ptr<const FieldFrame> part, frameBeside;
    QImage ofPart;
    connect(&service, &FieldService::partReady, this, [&](std::shared_ptr<const FieldFrame> ready) {
        part = ready;
        view.showPart(std::move(ready));
        frameBeside = view.frame();
        ofPart = view.sceneWidget()->picture();
    });
    connect(&view, &SteeredView::shown, this,
            [&](std::shared_ptr<const FieldFrame> frame) { shown.push_back(std::move(frame)); });
    QSignalSpy opened(&service, &FieldService::opened);
    service.open(path);
    QVERIFY(opened.wait(waitMilliseconds));
    service.setBudget(std::chrono::nanoseconds(1)); // nothing is fast enough
    const auto askAt = [&](double reynolds, bool isDragging) {
        service.request({{reynolds, 0.8, 3},
                         field,
                         isDragging,
                         FieldRequest::Clock::now(),
                         0,
                         Side::steered,
                         isDragging ? view.visible() : nullptr});
    };
    const auto isWholeAt = [&](double reynolds) {
        const auto &frame = view.frame();
        return frame && frame->request.parameters.front() == reynolds && frame->isExact
               && !shown.empty() && shown.back() == frame;
    };
    askAt(200, false);
    QVERIFY(QTest::qWaitFor([&] { return isWholeAt(200); }, waitMilliseconds));
    const auto visible = view.visible();
    QVERIFY(visible && visible->size() == columns * rows);
    const auto before = view.frame();
    for (int i = 0; i < 5; ++i)
        askAt(900, true);
    // In the picture there is a part; elsewhere still the last whole field.
    const auto ofWhole = view.sceneWidget()->picture();
    QVERIFY(QTest::qWaitFor([&] { return part != nullptr; }, waitMilliseconds));
    QVERIFY(part->isPart);
    QCOMPARE(frameBeside, before);
    QVERIFY(ofPart != ofWhole);
    QCOMPARE(part->request.parameters.front(), 900.0);
    const std::size_t components = field == 0 ? 1 : 2;
    QCOMPARE(part->values.size(), components * visible->size());
    const auto study = data::Study::open(path);
    std::vector<float> wanted(study.fields().at(field).values());
    data::evaluateFromFile(study, field, study.description().space.toUnit(part->request.parameters),
                           {wanted}, CpuDevice{}, part->groups);
    for (std::size_t i = 0; i < part->values.size(); ++i) {
        const auto at = components * (*visible)[i / components] + i % components;
        QVERIFY(std::abs(part->values[i] - wanted[at]) < 1e-5F); // summed in another order
    }
    QVERIFY(QTest::qWaitFor([&] { return isWholeAt(900); }, waitMilliseconds));
    QCOMPARE(view.frame()->values, fieldAt(path, field, {900, 0.8, 3}));
    // A part of what is not visible any more is not shown.
    auto steering = model.now();
    steering.view.position = 2.0 / 32;
    model.change("slice", steering);
    QVERIFY(view.visible() && view.visible() != visible);
    QCOMPARE(view.visible()->size(), visible->size());
    const auto ofOther = view.sceneWidget()->picture();
    view.showPart(part);
    QCOMPARE(view.sceneWidget()->picture(), ofOther);
}

void WindowTest::aDragNeedsNoOpenGl()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    auto steering = open.model().now();
    steering.rangeMode = RangeMode::fixed; // else the bar may be drawn again
    steering.view.range = ValueRange{-1, 4};
    open.model().change("range", steering);
    auto &track = *open.slider(0).track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.1));
    std::uint64_t last = 0;
    for (int i = 2; i < 9; ++i) {
        const auto place = placeOnTrack(track, 0.1 * i);
        const QPointF at(place);
        QMouseEvent move(QEvent::MouseMove, at, track.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&track, &move);
        QVERIFY(QTest::qWaitFor(
            [&] { return open.frame().request.parameters == open.model().now().parameters; },
            waitMilliseconds));
        const auto painted = widget.picture();
        if (i > 5) // the first frames are drawn
            QVERIFY(widget.repainted() > last);
        last = widget.repainted();
        // The same as when all is drawn.
        const auto range = open.window->view().scene().range();
        const auto middle = *widget.pick(QPointF(widget.width() * 0.4, widget.height() * 0.5));
        const auto column = static_cast<std::size_t>(std::lround(middle[0] * 32));
        const auto row = static_cast<std::size_t>(std::lround(middle[1] * 32));
        const double value = open.frame().values[row * columns + column];
        const auto wanted =
            colourOf(steering.view.colours, (value - range.low) / (range.high - range.low));
        const QColor seen = painted.pixelColor(static_cast<int>(widget.width() * 0.4),
                                               static_cast<int>(widget.height() * 0.5));
        QVERIFY(std::abs(seen.red() - wanted[0]) + std::abs(seen.green() - wanted[1])
                    + std::abs(seen.blue() - wanted[2])
                < 40);
    }
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    QVERIFY(open.waitForFrame());
}

void WindowTest::typedValuesAreUsedExactly()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &field = *open.slider(1).field();
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, "0.7123456789");
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(open.model().now().parameters[1], 0.7123456789);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().request.parameters[1], 0.7123456789);
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    QVERIFY(open.window->view().caption().contains("lid = 0.7123456789 m/s"));
}

void WindowTest::badTypingIsASentence()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &field = *open.slider(0).field();
    const auto before = open.model().now().parameters;
    for (const auto &[typed, says] :
         {std::pair{"2000", "out of its range"}, std::pair{"many", "type a number"},
          std::pair{"nan", "type a number"}}) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, typed);
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(open.model().now().parameters, before);
        QVERIFY2(open.sentences().join(' ').contains(says), qPrintable(open.sentences().join(' ')));
        QCOMPARE(field.text(), QString(typed)); // to be mended
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(field.text(), numberText(before[0]));
        open.window->messages().clear();
    }
}

void WindowTest::numbersThatAreTooLongAreShownShorter()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QCOMPARE(open.model().now().parameters, (std::vector<double>{316, 1, 5})); // as it begins
    auto &field = *open.slider(0).field();
    QCOMPARE(field.text(), QString("316"));
    const double middle = 100 * std::sqrt(10.0);
    open.model().setParameter(0, middle, false);
    const auto whole = numberText(middle);
    QVERIFY(field.text() != whole && whole.startsWith(field.text().chopped(1)));
    QVERIFY(field.text().size() > 6);
    QVERIFY(field.fontMetrics().horizontalAdvance(field.text()) < field.width() - 4);
    open.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(open.window.get(), waitMilliseconds));
    field.setFocus();
    QTRY_COMPARE(field.text(), whole);
    QTest::keyClick(&field, Qt::Key_Return);
    QTest::keyClick(&field, Qt::Key_Tab);
    QTRY_VERIFY(field.text() != whole);
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(open.model().now().parameters[0], middle); // what is shown was not entered
    QVERIFY(open.sentences().isEmpty());
}

void WindowTest::lettersGoToTheBoxThatHasTheFocus()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.press(QKeySequence("A"));
    QVERIFY(open.model().now().pinned);
    auto &kinds = *box(*open.window, "Kind of view");
    kinds.setFocus();
    QVERIFY(open.model().now().view.kind == ViewKind::slice);
    QTest::keyClick(&kinds, Qt::Key_S); // another one that begins with it
    QVERIFY(open.model().now().view.kind != ViewKind::slice);
    QVERIFY(kinds.currentText().startsWith('s'));
    QCOMPARE(open.model().now().comparing, Comparing::sideBySide); // as A has made it
    QTest::qWait(QApplication::keyboardInputInterval() + 100);
    open.model().setParameter(0, 200, false);
    QTest::keyClick(&kinds, Qt::Key_A); // no kind of view begins with it
    QCOMPARE(open.model().now().pinned->front(), 200.0);
    open.window->view().sceneWidget()->setFocus();
    open.press(QKeySequence("S"));
    QCOMPARE(open.model().now().comparing, Comparing::off);
}

void WindowTest::keysMoveSliders()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &slider = open.slider(2); // t, 0 .. 5
    slider.track()->setFocus();
    QTest::keyClick(slider.track(), Qt::Key_Home);
    QCOMPARE(open.model().now().parameters[2], 0.0);
    QTest::keyClick(slider.track(), Qt::Key_Right);
    QCOMPARE(open.model().now().parameters[2], 0.05);
    QTest::keyClick(slider.track(), Qt::Key_Right, Qt::ControlModifier); // to the next mark
    QCOMPARE(open.model().now().parameters[2], 5.0 / 16);
    QTest::keyClick(slider.track(), Qt::Key_End);
    QCOMPARE(open.model().now().parameters[2], 5.0);
    QTest::keyClick(slider.track(), Qt::Key_Left);
    QTest::keyClick(slider.track(), Qt::Key_R);
    QCOMPARE(open.model().now().parameters[2], 5.0); // where it began
    QVERIFY(open.waitForFrame());
}

void WindowTest::aDragIsOneStepBack()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    auto &track = *open.slider(0).track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.6));
    for (double place : {0.65, 0.7, 0.8})
        QTest::mouseMove(&track, placeOnTrack(track, place));
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    const auto after = open.model().now();
    QVERIFY(after != before);
    QCOMPARE(open.model().undoStack().count(), 1);
    action(*open.window, QKeySequence::Undo)->trigger();
    QVERIFY(open.model().now() == before);
    QCOMPARE(open.slider(0).value(), before.parameters[0]);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().values, fieldAt(path, 0, before.parameters));
    action(*open.window, QKeySequence::Redo)->trigger();
    QVERIFY(open.model().now() == after);
    QVERIFY(open.waitForFrame());
}

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
    QCOMPARE(QString::fromStdString(open.window->view().scene().title()), "v magnitude (m/s)");
    QVERIFY(box(*open.window, "Component")->isVisible());
    choose(*box(*open.window, "Component"), "y");
    QCOMPARE(QString::fromStdString(open.window->view().scene().title()), "v y (m/s)");
    choose(*box(*open.window, "Field"), "u"); // has no y
    QVERIFY(open.waitForFrame());
    QCOMPARE(QString::fromStdString(open.window->view().scene().title()), "u (m/s)");
    QVERIFY(!box(*open.window, "Component")->isVisible());
    choose(*box(*open.window, "Shown of the field"), "indicator");
    QCOMPARE(QString::fromStdString(open.window->view().scene().title()), "u indicator (m/s)");
    const auto &indicator = open.frame().indicator;
    QVERIFY(open.window->view().scene().range().high
            >= static_cast<double>(*std::ranges::max_element(indicator)));
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void WindowTest::rangeModes()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
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
    auto &track = *open.slider(0).track();
    QTest::mouseClick(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.1));
    QVERIFY(open.waitForFrame());
    QCOMPARE(ofStudy(), wanted);
    choose(*box(*open.window, "Where the colours end"), "fixed");
    NumberField *upper = nullptr;
    for (auto *field : open.window->findChildren<NumberField *>()) {
        if (field->accessibleName() == "Upper end of the colours")
            upper = field;
    }
    upper->setFocus();
    upper->selectAll();
    QTest::keyClicks(upper, "7.5");
    QTest::keyClick(upper, Qt::Key_Return);
    QCOMPARE(open.window->view().scene().range().high, 7.5);
    upper->setFocus();
    upper->selectAll();
    QTest::keyClicks(upper, "-100");
    QTest::keyClick(upper, Qt::Key_Return);
    QVERIFY(open.sentences().join(' ').contains("must be below"));
    QCOMPARE(open.window->view().scene().range().high, 7.5);
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
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    compress(writer, {});
    writer.growGrid(5, std::vector{5, 2, 5});
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

void WindowTest::badFilesAreSentences()
{
    const Folder folder;
    writeBytes(folder / "foreign.gridhelm", std::vector<char>(5000, 'x'));
    writeBytes(folder / "odd.gridhelm-view", std::vector<char>(100, '{'));
    newStudy(folder / "empty.gridhelm").close();
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto &name :
         {"missing.gridhelm", "foreign.gridhelm", "odd.gridhelm-view", "empty.gridhelm"}) {
        open.window->messages().clear();
        open.window->openFile(QString::fromStdString((folder / name).string()));
        QVERIFY2(QTest::qWaitFor([&] { return !open.sentences().isEmpty(); }, waitMilliseconds),
                 name);
        QVERIFY2(open.sentences().first().size() > 20, qPrintable(open.sentences().first()));
    }
    open.window->openFile(QString::fromStdString((folder / "small.gridhelm").string()));
    QVERIFY(open.waitForFrame()); // as if nothing had been
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
    const auto at = [&](const char *name) {
        return QString::fromStdString((folder / name).string());
    };
    saveField(open.frame(), at("field.vti"));
    data::readSnapshotFile(folder / "field.vti", [&](data::RunSnapshot &&read) {
        QCOMPARE(read.fields.at(0).name, std::string("u"));
        QCOMPARE(read.values.at(0), open.frame().values);
        QCOMPARE(read.values.at(1), open.frame().indicator);
    });
    GRIDHELM_EXPECT_ERROR(saveField(open.frame(), at("field.vtu")));
    GRIDHELM_EXPECT_ERROR(saveField(open.frame(), "/nowhere/field.vti"));

    const auto picture = open.window->view().sceneWidget()->picture();
    savePicture(picture, at("picture.png"));
    QCOMPARE(QImage(at("picture.png")).size(), picture.size());
    GRIDHELM_EXPECT_ERROR(savePicture(picture, "/nowhere/picture.png"));

    saveView(open.model(), at("one.gridhelm-view"), stateOf(open.model(), {}));
    const auto saved = open.model().now();
    open.model().setParameter(0, 900, false);
    open.window->openFile(at("one.gridhelm-view"));
    QVERIFY(QTest::qWaitFor([&] { return open.model().now() == saved; }, waitMilliseconds));
    QVERIFY(open.waitForFrame());
}

void WindowTest::animationRunsThroughTheRange()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &animation = open.window->animation();
    animation.setDuration(2);
    animation.setEnding(Animation::Ending::stop);
    std::vector<double> times;
    connect(open.window.get(), &MainWindow::frameShown, this,
            [&](std::shared_ptr<const FieldFrame> frame) {
                times.push_back(frame->request.parameters[2]);
            });
    QSignalSpy playing(&animation, &Animation::playingChanged);
    open.model().setParameter(2, 0, false);
    animation.play(2);
    QVERIFY(QTest::qWaitFor([&] { return !animation.isPlaying(); }, waitMilliseconds));
    QCOMPARE(playing.count(), 2);
    QVERIFY(open.waitForFrame());
    QVERIFY(std::ranges::is_sorted(times));
    QVERIFY2(times.size() > 4, qPrintable(QString::number(times.size())));
    QCOMPARE(times.back(), 5.0);
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

int main(int argc, char **argv)
{
    return runOnScreen<WindowTest>(argc, argv);
}

#include "tst_window.moc"
