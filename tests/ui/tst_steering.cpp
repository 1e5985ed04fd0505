// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sliders, fields, keys and the animation, through events as a user makes them: what they say is
// what is asked for, and what is shown.
#include "core/support/colour_map.h"
#include "tests/ui/open_service.h"
#include "tests/ui/window_case.h"
#include "ui/controls/number_field.h"
#include "ui/controls/number_text.h"

#include <QLabel>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class SteeringTest : public ScreenTest
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
    void slidersShowTheirRange();
    void theWheelStepsAndADoubleClickResets();
    void aDragIsOneStepBack();
    void animationRunsThroughTheRange();
};

void SteeringTest::draggingASliderShowsTheFieldOfEveryPlace()
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

void SteeringTest::theLastOfManyRequestsArrives()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenService open(path);
    QVERIFY(open.isOpen());
    auto &service = open.service;
    std::vector<std::shared_ptr<const FieldFrame>> frames;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) { frames.push_back(frame); });
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

void SteeringTest::coarseFramesComeFirstAndTheExactOneFollows()
{
    const Folder folder;
    const auto path = makeStudy(folder, 4, 40); // the exact field takes a moment
    OpenService open(path);
    QVERIFY(open.isOpen());
    auto &service = open.service;
    std::vector<std::shared_ptr<const FieldFrame>> frames;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) { frames.push_back(frame); });
    service.setBudget(std::chrono::nanoseconds(1)); // nothing is fast enough
    const std::vector<double> at{250, 0.8, 3};
    service.request({at, 0, true, FieldRequest::Clock::now(), 0});
    const auto isAnswered = [&] { return !frames.empty() && frames.back()->isExact; };
    QVERIFY(QTest::qWaitFor(isAnswered, waitMilliseconds));
    QCOMPARE(frames.back()->values, fieldAt(path, 0, at));
    // Many, as from a hand.
    std::uint64_t last = 0;
    for (int i = 0; i <= 300; ++i) {
        last = service.request({{300.0 + i, 0.8, 3}, 0, true, FieldRequest::Clock::now(), 0});
        QVERIFY(QTest::qWaitFor([&] { return frames.back()->request.number >= last; },
                                waitMilliseconds));
    }
    int coarse = 0; // of all: on a busy machine the exact frame may come with the one before it
    for (const auto &frame : frames) {
        if (!frame->isExact) {
            ++coarse;
            QVERIFY(frame->groups < frame->study->groups);
            QVERIFY(frame->values != fieldAt(path, 0, frame->request.parameters));
        }
    }
    QVERIFY(coarse > 0);
    QVERIFY(QTest::qWaitFor([&] { return isAnswered() && frames.back()->request.number == last; },
                            waitMilliseconds));
    QCOMPARE(frames.back()->values, fieldAt(path, 0, {600, 0.8, 3}));
}

void SteeringTest::whatIsVisibleComesFirstAndTheWholeFieldFollows_data()
{
    QTest::addColumn<data::FieldIndex>("field");
    QTest::newRow("scalar") << data::FieldIndex{0};
    QTest::newRow("vector") << data::FieldIndex{1};
}

void SteeringTest::whatIsVisibleComesFirstAndTheWholeFieldFollows()
{
    QFETCH(data::FieldIndex, field);
    const Folder folder;
    const auto path = makeStudy(folder, 3, 9); // in 3D, shown as a slice
    OpenService open(path);
    QVERIFY(open.isOpen());
    auto &service = open.service;
    service.setBudget(std::chrono::nanoseconds(1)); // nothing is fast enough
    SteeringModel model;
    SteeredView view(model);
    view.resize(500, 400);
    view.show();
    std::vector<std::shared_ptr<const FieldFrame>> shown;
    model.setStudy(open.study);
    auto steering = model.now();
    steering.field = field;
    model.change("field", steering);
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
    steering = model.now();
    steering.view.position = 2.0 / 32;
    model.change("slice", steering);
    QVERIFY(view.visible() && view.visible() != visible);
    QCOMPARE(view.visible()->size(), visible->size());
    const auto ofOther = view.sceneWidget()->picture();
    view.showPart(part);
    QCOMPARE(view.sceneWidget()->picture(), ofOther);
}

void SteeringTest::aDragNeedsNoOpenGl()
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
        const double value = open.frame().values[nodeAt(middle)];
        const auto wanted =
            colourOf(steering.view.colours, (value - range.low) / (range.high - range.low));
        const QColor seen = painted.pixelColor(static_cast<int>(widget.width() * 0.4),
                                               static_cast<int>(widget.height() * 0.5));
        QVERIFY(offBy(seen, wanted) < 40);
    }
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    QVERIFY(open.waitForFrame());
}

void SteeringTest::typedValuesAreUsedExactly()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &field = *open.slider(1).field();
    typeInto(field, "0.7123456789");
    QCOMPARE(open.model().now().parameters[1], 0.7123456789);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().request.parameters[1], 0.7123456789);
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    QVERIFY(open.window->view().caption().contains("lid = 0.7123456789 m/s"));
}

void SteeringTest::badTypingIsASentence()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &field = *open.slider(0).field();
    const auto before = open.model().now().parameters;
    for (const auto &[typed, says] :
         {std::pair{"2000", "out of its range"}, std::pair{"many", "type a number"},
          std::pair{"nan", "type a number"}}) {
        typeInto(field, typed);
        QCOMPARE(open.model().now().parameters, before);
        QVERIFY2(open.sentences().join(' ').contains(says), qPrintable(open.sentences().join(' ')));
        QCOMPARE(field.text(), QString(typed)); // to be mended
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(field.text(), ui::numberText(before[0]));
        open.window->messages().clear();
    }
}

void SteeringTest::numbersThatAreTooLongAreShownShorter()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QCOMPARE(open.model().now().parameters, (std::vector<double>{316, 1, 5})); // as it begins
    auto &field = *open.slider(0).field();
    QCOMPARE(field.text(), QString("316"));
    const double middle = 100 * std::sqrt(10.0);
    open.model().setParameter(0, middle, false);
    const auto whole = ui::numberText(middle);
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

void SteeringTest::lettersGoToTheBoxThatHasTheFocus()
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

void SteeringTest::keysMoveSliders()
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

void SteeringTest::slidersShowTheirRange()
{
    ValueSlider slider("Re", "m/s", {100, 1000, true});
    slider.show();
    QStringList said;
    for (const auto *label : slider.findChildren<QLabel *>()) {
        QVERIFY(label->isVisible());
        said << label->text();
    }
    QVERIFY2(said.contains("100 m/s") && said.contains("1000 m/s"), qPrintable(said.join(", ")));
    slider.setRange({-0.25, 2, false});
    said.clear();
    for (const auto *label : slider.findChildren<QLabel *>())
        said << label->text();
    QVERIFY2(said.contains("-0.25 m/s") && said.contains("2 m/s"), qPrintable(said.join(", ")));
    for (const auto *part : {"Arrow keys", "wheel", "Shift", "Double click"})
        QVERIFY2(slider.track()->toolTip().contains(part), part);
}

void SteeringTest::theWheelStepsAndADoubleClickResets()
{
    ValueSlider slider("t", "", {0, 5, false});
    slider.setDefault(2);
    slider.setValue(1);
    slider.show();
    slider.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&slider, waitMilliseconds));
    auto &track = *slider.track();
    const auto turn = [&](int angle, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(QPointF(5, 5), track.mapToGlobal(QPointF(5, 5)), {}, {0, angle}, {},
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&track, &event);
    };
    slider.field()->setFocus();
    turn(120); // the panel is scrolled, not the value
    QCOMPARE(slider.value(), 1.0);
    track.setFocus();
    turn(120);
    QCOMPARE(slider.value(), 1.05);
    turn(-240);
    QCOMPARE(slider.value(), 0.95);
    turn(60); // of a fine wheel: half of a step
    QCOMPARE(slider.value(), 0.95);
    turn(60, Qt::ShiftModifier);
    QCOMPARE(slider.value(), 1.45);
    QTest::keyClick(&track, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(slider.value(), 0.95);
    QTest::keyClick(&track, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(slider.value(), 0.955);
    QTest::mouseDClick(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.7)); // beside the handle
    QVERIFY(std::abs(slider.value() - 3.5) < 0.05);
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.7));
    QSignalSpy finished(&slider, &ValueSlider::editingFinished);
    QTest::mouseDClick(&track, Qt::LeftButton, {}, track.handleAt(slider.value() / 5).toPoint());
    QCOMPARE(slider.value(), 2.0);
    QVERIFY(!finished.isEmpty() && finished.last().first().toDouble() == 2.0);
}

void SteeringTest::aDragIsOneStepBack()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    drag(open.slider(0), 0.6, 0.8);
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

void SteeringTest::animationRunsThroughTheRange()
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
    animation.choose(2);
    animation.play();
    QVERIFY(QTest::qWaitFor([&] { return !animation.isPlaying(); }, waitMilliseconds));
    QCOMPARE(playing.count(), 2);
    QVERIFY(open.waitForFrame());
    QVERIFY(std::ranges::is_sorted(times));
    QVERIFY2(times.size() > 4, qPrintable(QString::number(times.size())));
    QCOMPARE(times.back(), 5.0);
}

GRIDHELM_SCREEN_TEST(SteeringTest)

#include "tst_steering.moc"
