// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a view makes of frames and parts that come faster than they can be drawn.
#include "tests/ui/open_service.h"
#include "tests/ui/window_case.h"
#include "ui/steering/field_service.h"
#include "ui/viewer/shared_context.h"

#include <algorithm>
#include <future>
#include <optional>
#include <random>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// The thread that draws does nothing until it is let go: a picture that takes long.
class BusyDrawing
{
public:
    BusyDrawing()
    {
        m_context->post([gate = m_gate.get_future().share()] { gate.wait(); });
    }
    ~BusyDrawing() { letGo(); }
    void letGo()
    {
        if (!std::exchange(m_isOver, true))
            m_gate.set_value();
    }

private:
    std::shared_ptr<SharedContext> m_context = SharedContext::get();
    std::promise<void> m_gate;
    bool m_isOver = false;
};

/// As the service would make it, so many requests later.
std::shared_ptr<FieldFrame> later(const FieldFrame &than, std::uint64_t requests, bool isDragging)
{
    auto frame = std::make_shared<FieldFrame>(than);
    frame->request.number += requests;
    frame->request.isDragging = isDragging;
    return frame;
}

std::shared_ptr<FieldFrame> partOf(const FieldFrame &frame,
                                   std::shared_ptr<const std::vector<std::uint32_t>> visible)
{
    auto part = std::make_shared<FieldFrame>(frame);
    part->isPart = true;
    part->values.clear();
    for (const auto entity : *visible)
        part->values.push_back(frame.values.at(entity) + 1);
    part->indicator.assign(part->values.size(), 0);
    part->request.visible = std::move(visible);
    return part;
}

} // namespace

class SteeredViewTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void theLastFrameIsShownAlsoIfAnOlderPartWaitedForTheScene();
    void aPartThatIsNewerThanTheFrameIsShownOverIt();
    void theEndOfEveryMovementIsShownWhateverTakesLong();
    void aCameraThatWaitsIsKeptWhenTheSizeChanges();
};

/// The hand rests (1: all of the field), goes on (2: a part), and lets go (3: all again), while one
/// picture is being drawn. The part waited longer than the last frame's turn, which had been taken
/// by the first one: it was drawn over it, and shown() never named the last frame. Who waited for
/// it (the benchmark, the animation) waited for ever, and the picture was that of another state.
void SteeredViewTest::theLastFrameIsShownAlsoIfAnOlderPartWaitedForTheScene()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 25)); // in 3D, shown as a slice
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.rangeMode = RangeMode::frame; // which tells the frames apart
    open.model().change("range", steering);
    auto &view = open.window->view();
    QTRY_VERIFY_WITH_TIMEOUT(view.sceneWidget()->isAtRest(), waitMilliseconds);
    const auto visible = view.visible();
    QVERIFY(visible);
    const auto resting = later(open.frame(), 1, true), moving = later(open.frame(), 2, true),
               last = later(open.frame(), 3, false);
    std::shared_ptr<const FieldFrame> shown;
    connect(&view, &SteeredView::shown, this,
            [&](std::shared_ptr<const FieldFrame> frame) { shown = std::move(frame); });
    BusyDrawing busy;
    view.sceneWidget()->redraw();
    QTRY_VERIFY_WITH_TIMEOUT(view.sceneWidget()->isDrawing(), waitMilliseconds);
    view.showFrame(resting);
    view.showPart(partOf(*moving, visible));
    view.showFrame(last);
    busy.letGo();
    QTRY_VERIFY_WITH_TIMEOUT(shown && view.sceneWidget()->isAtRest(), waitMilliseconds);
    QCOMPARE(shown->request.number, last->request.number);
    const auto range = std::ranges::minmax_element(last->values);
    QVERIFY(view.scene().range().high <= *range.max + 0.1 * (*range.max - *range.min));
}

void SteeredViewTest::aPartThatIsNewerThanTheFrameIsShownOverIt()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 25));
    QVERIFY(open.isOpen());
    auto &view = open.window->view();
    QTRY_VERIFY_WITH_TIMEOUT(view.sceneWidget()->isAtRest(), waitMilliseconds);
    const auto visible = view.visible();
    QVERIFY(visible);
    const auto resting = later(open.frame(), 1, true), moving = later(open.frame(), 2, true);
    std::shared_ptr<const FieldFrame> shown;
    connect(&view, &SteeredView::shown, this,
            [&](std::shared_ptr<const FieldFrame> frame) { shown = std::move(frame); });
    BusyDrawing busy;
    view.sceneWidget()->redraw();
    QTRY_VERIFY_WITH_TIMEOUT(view.sceneWidget()->isDrawing(), waitMilliseconds);
    view.showFrame(resting);
    view.showPart(partOf(*moving, visible));
    busy.letGo();
    QTRY_VERIFY_WITH_TIMEOUT(shown && view.sceneWidget()->isAtRest(), waitMilliseconds);
    QCOMPARE(shown->request.number, moving->request.number);
    QVERIFY(shown->isPart);
}

/// From the hand to the screen and at random: service, parts, whole fields, slow pictures.
void SteeredViewTest::theEndOfEveryMovementIsShownWhateverTakesLong()
{
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
    std::uint64_t shown = 0;
    int parts = 0;
    connect(&service, &FieldService::frameReady, &view, &SteeredView::showFrame);
    connect(&service, &FieldService::partReady, &view, &SteeredView::showPart);
    connect(&view, &SteeredView::shown, &view, [&](std::shared_ptr<const FieldFrame> frame) {
        shown = frame->request.number;
        parts += frame->isPart ? 1 : 0;
    });
    model.setStudy(open.study);
    std::mt19937 random(7);
    const auto below = [&](int end) { return std::uniform_int_distribution(0, end - 1)(random); };
    const int movements = isLong() ? 1000 : 60;
    for (int movement = 0; movement < movements; ++movement) {
        std::optional<BusyDrawing> busy;
        std::uint64_t last = 0;
        for (int left = 1 + below(12); left >= 0; --left) {
            const bool isDragging = left > 0;
            last = service.request({{100.0 + below(800), 0.8, 3},
                                    0,
                                    isDragging,
                                    FieldRequest::Clock::now(),
                                    0,
                                    Side::steered,
                                    isDragging ? view.visible() : nullptr});
            if (below(4) == 0)
                busy.emplace();
            if (below(3) == 0)
                busy.reset();
            QTest::qWait(below(3) == 0 ? 40 : below(8)); // a hand that rests, or does not
        }
        busy.reset();
        QTRY_COMPARE_WITH_TIMEOUT(shown, last, waitMilliseconds);
    }
    QVERIFY(parts > 0);
}

/// A window that is opened again where it was: the camera that was saved waits for a picture, and
/// meanwhile a second view takes half of the room. The change of size was to show all, as it did
/// when it came, and forgot the camera.
void SteeredViewTest::aCameraThatWaitsIsKeptWhenTheSizeChanges()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2, 25));
    QVERIFY(open.isOpen());
    auto &view = open.window->view();
    auto &widget = *view.sceneWidget();
    QTRY_VERIFY_WITH_TIMEOUT(widget.isAtRest(), waitMilliseconds);
    auto wanted = widget.seenFrom();
    wanted.focus[0] += 0.25 * wanted.parallelScale;
    wanted.position[0] += 0.25 * wanted.parallelScale;
    BusyDrawing busy;
    widget.redraw();
    QTRY_VERIFY_WITH_TIMEOUT(widget.isDrawing(), waitMilliseconds);
    view.setCamera(wanted);
    QVERIFY(widget.showsAll());
    widget.resize(widget.width() / 2, widget.height());
    busy.letGo();
    QTRY_VERIFY_WITH_TIMEOUT(widget.isAtRest(), waitMilliseconds);
    QVERIFY(view.camera());
    QCOMPARE(view.camera()->focus[0], wanted.focus[0]);
    QVERIFY(!widget.showsAll());
}

GRIDHELM_SCREEN_TEST(SteeredViewTest)
#include "tst_steered_view.moc"
