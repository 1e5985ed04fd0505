// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tint under the sliders: the indicator, or the calibrated error, along each parameter.
#include "tests/ui/trust_case.h"
#include "ui/controls/value_track.h"
#include "ui/trust/error_model.h"
#include "ui/trust/tint_legend.h"
#include "ui/window/window_files.h"

#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QStatusBar>
#include <QToolTip>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TintTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void tracksAreTintedByTheIndicator();
    void afterGrowingTheIndicatorIsThatOfTheCompleteLevels();
    void tracksOfACalibratedFieldSayItsError();
    void tintsComeAfterADragAndNoneWhileDragging();
    void anotherFieldHasOtherTints();
    void tintsAreSaidWhereTheyAre();
};

void TintTest::tracksAreTintedByTheIndicator()
{
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.waitForTints());
    const auto now = open.model().now().parameters;
    double largest = 0;
    for (std::size_t t = 0; t < 3; ++t) {
        const auto &tint = open.tint(t);
        QCOMPARE(tint.tips.size(), static_cast<int>(tint.strengths.size()));
        const auto parts = tint.strengths.size();
        QVERIFY(parts >= 32);
        for (std::size_t i = 0; i < parts; ++i) {
            auto at = now;
            const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(parts);
            at[t] = valueAt(open.slider(t).range(), place);
            const double share = indicatorShareAt(path, 0, at);
            const double wanted = std::clamp(std::log10(share / 1e-3) / 2, 0.0, 1.0);
            QVERIFY2(std::abs(tint.strengths[i] - wanted) < 1e-3,
                     qPrintable(QString("slider %1, part %2").arg(t).arg(i)));
            QVERIFY(tint.tips[static_cast<int>(i)].contains(percentText(share)));
            largest = std::max(largest, wanted);
        }
    }
    QVERIFY(largest > 0.2);
    // It is seen: the window's colour under a track turns into the tint's.
    auto &track = *open.slider(0).track();
    const auto seen = track.grab().toImage();
    const auto &strengths = open.tint(0).strengths;
    for (std::size_t i = 0; i < strengths.size(); i += 5) {
        const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(strengths.size());
        const auto at = track.handleAt(place) + QPointF(0, 6);
        const QColor pixel = seen.pixelColor(at.toPoint());
        const QColor ground = track.palette().color(QPalette::Window);
        const QColor full = tintColour(track.palette(), 1);
        const double blue = ground.blue() + strengths[i] * (full.blue() - ground.blue());
        QVERIFY2(std::abs(pixel.blue() - blue) < 12,
                 qPrintable(QString("%1 is not %2").arg(pixel.blue()).arg(blue)));
    }
}

void TintTest::afterGrowingTheIndicatorIsThatOfTheCompleteLevels()
{
    const Folder folder;
    const auto path = folder / "small.gridhelm";
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    compress(writer, {});
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    const auto shown = [&] {
        for (auto *label : open.window->statusBar()->findChildren<QLabel *>()) {
            if (label->text().startsWith("indicator "))
                return label->text();
        }
        return QString();
    };
    for (const auto &[t, value] : {std::pair{0, 222.2}, {1, 0.83}, {2, 1.1}}) // between the points
        open.model().setParameter(static_cast<std::size_t>(t), value, false);
    QVERIFY(open.waitForFrame());
    QVERIFY(open.waitForTints());
    QTRY_VERIFY_WITH_TIMEOUT(!shown().isEmpty(), waitMilliseconds);
    QTest::qWait(300); // until the line is written again
    const auto before = shown();
    const double share = open.frame().indicatorShare;
    const auto tips = open.tint(0).tips;
    QVERIFY(share > 1e-3 && before != "indicator 0 %");
    const auto study = open.model().study();
    writer.growGrid(4, std::vector{4, 2, 4});
    QTRY_VERIFY_WITH_TIMEOUT(open.model().study() != study, waitMilliseconds);
    QVERIFY(open.waitForFrame());
    QVERIFY(open.waitForTints());
    QVERIFY(std::abs(open.frame().indicatorShare / share - 1) < 1e-4);
    QTest::qWait(300); // until the line is written again
    QCOMPARE(shown(), before);
    QCOMPARE(open.tint(0).tips, tips);
}

void TintTest::tracksOfACalibratedFieldSayItsError()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.waitForTints());
    const auto &tint = open.tint(1);
    const auto parts = tint.strengths.size();
    for (std::size_t i = 0; i < parts; i += 5) {
        auto at = open.model().now().parameters;
        at[1] = valueAt(open.slider(1).range(),
                        (static_cast<double>(i) + 0.5) / static_cast<double>(parts));
        const double off = bandAt(path, at).relative;
        QVERIFY(std::abs(tint.strengths[i] - std::clamp(std::log10(off / 1e-3) / 2, 0.0, 1.0))
                < 1e-3);
        const auto &tip = tint.tips[static_cast<int>(i)];
        QVERIFY2(tip.startsWith("86 % error bound " + percentText(off) + " of the field at "),
                 qPrintable(tip));
    }
    auto *legend = open.window->findChild<TintLegend *>();
    QVERIFY2(legend->toolTip().contains("the 86 % error bound of the field")
                 && legend->toolTip().contains("calibrated at 6 validation points"),
             qPrintable(legend->toolTip()));
    // What is saved says so, too.
    saveField(open.frame(), QString::fromStdString((folder / "u.vti").string()));
    QFile file(QString::fromStdString((folder / "u.vti").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto saved = file.readAll();
    QVERIFY(saved.contains("Name=\"u_band\"") && saved.contains("Name=\"u_band_coverage\""));

    open.window->openFile(QString::fromStdString(makeStudy(folder, 3).string())); // not measured
    QTRY_VERIFY_WITH_TIMEOUT(
        !open.tint(1).tips.isEmpty() && open.tint(1).tips[0].startsWith("indicator "), 60000);
    QVERIFY2(!legend->toolTip().contains("error bound"), qPrintable(legend->toolTip()));
}

void TintTest::tintsComeAfterADragAndNoneWhileDragging()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.waitForTints());
    const auto before = open.tint(1).strengths;
    auto &track = *open.slider(0).track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.55));
    QTest::mouseMove(&track, placeOnTrack(track, 0.6));
    QTest::mouseMove(&track, placeOnTrack(track, 0.9));
    QTest::qWait(700); // also while the hand rests with the button down
    QVERIFY(open.model().isMoving());
    QVERIFY(open.tint(1).isStale && open.tint(2).isStale);
    QCOMPARE(open.tint(1).strengths, before);
    QVERIFY(!open.tint(0).isStale); // nothing but its own parameter has moved
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.9));
    QVERIFY(open.waitForTints());
    auto at = open.model().now().parameters;
    QVERIFY(open.tint(1).strengths != before);
    at[1] = valueAt(open.slider(1).range(), 0.5 / static_cast<double>(before.size()));
    QVERIFY(open.tint(1).tips[0].contains(percentText(indicatorShareAt(path, 0, at))));
    // Undone: those of the state before.
    open.model().undoStack().undo();
    QVERIFY(open.tint(1).isStale);
    QVERIFY(open.waitForTints());
    QCOMPARE(open.tint(1).strengths, before);
}

void TintTest::anotherFieldHasOtherTints()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.waitForTints());
    const auto before = open.tint(0).strengths;
    auto steering = open.model().now();
    steering.field = 1;
    open.model().change("field", steering);
    QVERIFY(open.tint(0).strengths.empty());
    QVERIFY(open.waitForTints());
    QVERIFY(open.tint(0).strengths != before);
    auto at = open.model().now().parameters;
    at[0] = valueAt(open.slider(0).range(), 0.5 / static_cast<double>(before.size()));
    QVERIFY(open.tint(0).tips[0].contains(percentText(indicatorShareAt(path, 1, at))));
    open.window->closeStudy();
    open.window->openFile(QString::fromStdString(path.string()));
    QVERIFY(open.waitForFrame());
    QVERIFY(open.waitForTints());
}

void TintTest::tintsAreSaidWhereTheyAre()
{
    const Folder folder;
    OpenTrust open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(open.waitForTints());
    auto &track = *open.slider(0).track();
    const auto tipAt = [&](double place) {
        QToolTip::hideText();
        const auto at = placeOnTrack(track, place);
        QHelpEvent event(QEvent::ToolTip, at, track.mapToGlobal(at));
        QCoreApplication::sendEvent(&track, &event);
        return QToolTip::text();
    };
    const auto &tips = open.tint(0).tips;
    QVERIFY(tipAt(0).startsWith(tips.first()));
    QVERIFY(tipAt(1).startsWith(tips.last()));
    QVERIFY2(tips.first().startsWith("indicator ")
                 && tips.first().contains(" % of the field at Re = 1"),
             qPrintable(tips.first()));
    // The scale is said beside it.
    const auto &legend = open.window->steerPanel().tint();
    QVERIFY(legend.isVisible());
    QVERIFY(legend.toolTip().contains("0.1 %") && legend.toolTip().contains("10 %"));
}

GRIDHELM_SCREEN_TEST(TintTest)

#include "tst_tint.moc"
