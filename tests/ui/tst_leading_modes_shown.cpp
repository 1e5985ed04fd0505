// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field in modes while a hand moves: by the leading ones that there is time for, then by all.
#include "data/compress/compress_modes.h"
#include "tests/ui/open_service.h"
#include "tests/ui/window_case.h"
#include "ui/window/views/comparison.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class LeadingModesShownTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void leadingModesComeFirstAndTheOthersFollow();
};

void LeadingModesShownTest::leadingModesComeFirstAndTheOthersFollow()
{
    const Folder folder;
    const auto path = makeStudy(folder, 4, 40);
    auto writer = data::StudyWriter::open(path);
    data::storeModes(writer, data::ModesOptions{});
    const auto modes = writer.modeSet(0).value().modes();
    writer.close();
    QVERIFY(modes > 2);
    OpenService open(path);
    QVERIFY(open.isOpen());
    auto &service = open.service;
    std::vector<std::shared_ptr<const FieldFrame>> frames;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) { frames.push_back(frame); });
    service.setBudget(std::chrono::nanoseconds(1)); // nothing is fast enough
    const auto near = [](float a, float b) { return std::abs(a - b) <= 1e-5F; };
    std::uint64_t last = 0;
    const auto ask = [&](double x) {
        last = service.request({{x, 0.8, 3}, 0, true, FieldRequest::Clock::now(), 0});
        return QTest::qWaitFor(
            [&] { return !frames.empty() && frames.back()->request.number >= last; },
            waitMilliseconds);
    };
    // A coarse frame that nobody has looked at yet goes when the exact one is there: on a busy
    // machine that may happen to many.
    const auto isCoarse = [](const auto &frame) { return !frame->isExact; };
    const QDeadlineTimer deadline(waitMilliseconds);
    for (int i = 0; i < 100 || (std::ranges::none_of(frames, isCoarse) && !deadline.hasExpired());
         ++i)
        QVERIFY(ask(300.0 + i % 100));
    QVERIFY(ask(400));
    int coarse = 0;
    for (const auto &frame : frames) {
        if (frame->isExact) {
            QCOMPARE(frame->work.leadingModes, std::uint64_t{0});
            continue;
        }
        ++coarse;
        QCOMPARE(frame->work.leadingModes, std::uint64_t{1});
        QVERIFY(frame->work.energyShare > 0 && frame->work.energyShare < 1);
        QVERIFY(frame->values != fieldAt(path, 0, frame->request.parameters));
        QVERIFY(stateText(*frame).contains("coarse: 1 POD mode, which hold"));
    }
    QVERIFY(coarse > 0);
    QVERIFY(QTest::qWaitFor(
        [&] { return frames.back()->isExact && frames.back()->request.number == last; },
        waitMilliseconds));
    QVERIFY(std::ranges::equal(frames.back()->values, fieldAt(path, 0, {400, 0.8, 3}), near));
    QVERIFY(!stateText(*frames.back()).contains("coarse"));
}

GRIDHELM_SCREEN_TEST(LeadingModesShownTest)

#include "tst_leading_modes_shown.moc"
