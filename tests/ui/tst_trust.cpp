// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel of errors, in the window, through events as a user makes them.
#include "data/compress/compress.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/indicator_share.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/controls/number_text.h"
#include "ui/trust/error_model.h"
#include "ui/trust/tint_legend.h"
#include "ui/trust/trust_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QToolTip>
#include <QTreeWidget>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// With hold-outs at some places, and what they say measured.
std::filesystem::path makeMeasuredStudy(const Folder &folder)
{
    const auto path = folder / "measured.gridhelm";
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    const auto &space = writer.description().space;
    for (const auto &parameters : data::holdOutParameters(writer, 6, 1)) {
        const auto id = writer.addHoldOut(parameters);
        const auto x = space.toUnit(parameters);
        for (data::FieldIndex field = 0; field < writer.fields().size(); ++field) {
            std::vector<float> values(writer.fields()[field].values());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = simulate(x, i, field);
            writer.putHoldOut(id, field, values);
        }
    }
    compress(writer, {});
    storeErrors(writer, test::onCpu());
    writer.close();
    return path;
}

/// Share of the indicator in what the library evaluates.
double indicatorShareAt(const std::filesystem::path &path, data::FieldIndex field,
                        const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    const auto size = study.fields().at(field).values();
    std::vector<float> values(size), indicator(size);
    data::evaluateFromFile(study, field, study.description().space.toUnit(parameters),
                           {values, indicator}, CpuDevice{});
    double above = 0, below = 0;
    for (std::size_t i = 0; i < size; ++i) {
        above += std::pow(static_cast<double>(indicator[i]), 2);
        below += std::pow(static_cast<double>(values[i]), 2);
    }
    return std::sqrt(above / below);
}

class OpenTrust : public OpenWindow
{
public:
    explicit OpenTrust(const std::filesystem::path &path)
        : OpenWindow(path)
    {
        window->showPanel(panel());
    }

    TrustPanel &panel() { return window->trustPanel(); }
    QTableView &table() { return *panel().findChild<QTableView *>(); }
    QComboBox &kind() { return *panel().findChild<QComboBox *>(); }
    const Tint &tint(std::size_t t) { return slider(t).track()->tint(); }
    /// Until all tracks have one of the present state.
    bool waitForTints()
    {
        return QTest::qWaitFor(
            [this] {
                for (std::size_t t = 0; t < 3; ++t) {
                    if (tint(t).strengths.empty() || tint(t).isStale)
                        return false;
                }
                return true;
            },
            waitMilliseconds);
    }
    QString cell(int row, int column)
    {
        return table().model()->index(row, column).data().toString();
    }
};

} // namespace

class TrustTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void theTableHasTheStudysFigures();
    void theKeyTogglesThePanel();
    void aRowJumpsToItsPlace();
    void kindsCanBeChosen();
    void itFollowsTheField();
    void withoutFiguresItSaysWhatToDo();
    void missingHoldOutsAreSaid();
    void howFarTheFieldMayBeOffIsSaid();
    void tracksAreTintedByTheIndicator();
    void afterGrowingTheIndicatorIsThatOfTheCompleteLevels();
    void tintsComeAfterADragAndNoneWhileDragging();
    void anotherFieldHasOtherTints();
    void tintsAreSaidWhereTheyAre();
};

void TrustTest::theTableHasTheStudysFigures()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    const auto study = data::Study::open(path);
    std::vector<data::ErrorFigure> wanted;
    for (const auto &figure : study.errorFigures()) {
        if (figure.field == 0)
            wanted.push_back(figure);
    }
    QVERIFY(wanted.size() > 12);
    std::ranges::stable_sort(wanted, std::ranges::greater{}, &data::ErrorFigure::relativeL2);
    QCOMPARE(open.table().model()->rowCount(), static_cast<int>(wanted.size()));
    for (int row = 0; row < open.table().model()->rowCount(); ++row) {
        const auto &figure = wanted[static_cast<std::size_t>(row)];
        QCOMPARE(open.cell(row, 0), errorKindText(figure.kind));
        for (int t = 0; t < 3; ++t)
            QCOMPARE(open.cell(row, 1 + t),
                     QString::number(figure.parameters[static_cast<std::size_t>(t)], 'g', 4));
        QCOMPARE(open.cell(row, 4), percentText(figure.relativeL2));
        QCOMPARE(open.cell(row, 5), QString::number(figure.maximum, 'g', 3));
        QCOMPARE(open.cell(row, 6), percentText(figure.relativeMaximum));
    }
    const auto header = [&](int column) {
        return open.table().model()->headerData(column, Qt::Horizontal).toString();
    };
    QCOMPARE(header(2), QString("lid (m/s)"));
    QCOMPARE(header(5), QString("largest (m/s)"));
    for (const auto &summary : data::summarize(wanted))
        QVERIFY(open.panel().summary().contains(
            QString("%1: %2 places, %3 in the mean, %4 at worst")
                .arg(errorKindText(summary.kind))
                .arg(summary.places)
                .arg(percentText(summary.meanRelativeL2), percentText(summary.largestRelativeL2))));
    ErrorModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.show(open.model().study(), 1, std::nullopt);
    QVERIFY(model.rowCount() > 0);
    model.show(nullptr, 0, std::nullopt);
    QCOMPARE(model.rowCount(), 0);
}

void TrustTest::theKeyTogglesThePanel()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &panel = open.window->trustPanel();
    QVERIFY(!panel.isVisible());
    open.press(QKeySequence("T"));
    QVERIFY(panel.isVisible());
    open.press(QKeySequence("T"));
    QVERIFY(!panel.isVisible());
    open.press(QKeySequence("?"));
    const auto *keys = named<QTreeWidget>(*open.window, "Keys and what they do");
    QVERIFY(keys);
    const auto rows = keys->findItems("T", Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first()->text(1), QString("Trust"));
}

void TrustTest::aRowJumpsToItsPlace()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    const auto before = open.model().now().parameters;
    auto &table = open.table();
    auto *go = open.panel().findChild<QPushButton *>();
    QVERIFY(!go->isEnabled());
    const auto jumped = [&](int row) {
        for (std::size_t t = 0; t < 3; ++t) {
            // The whole number is in the tip.
            const auto tip =
                open.table().model()->index(row, 1 + static_cast<int>(t)).data(Qt::ToolTipRole);
            if (!tip.toString().startsWith(numberText(open.model().now().parameters[t]) + ". "))
                return false;
        }
        return open.waitForFrame();
    };
    table.setFocus();
    table.setCurrentIndex(table.model()->index(1, 0));
    QTest::keyClick(&table, Qt::Key_Return);
    QVERIFY(jumped(1));
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    QTest::keyClick(&table, Qt::Key_Down);
    QVERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    QVERIFY(jumped(2));
    open.model().undoStack().undo();
    open.model().undoStack().undo();
    QCOMPARE(open.model().now().parameters, before);
    // In another order, the row that is seen is the one that is meant.
    table.sortByColumn(1, Qt::AscendingOrder);
    table.setCurrentIndex(table.model()->index(3, 0));
    QTest::keyClick(&table, Qt::Key_Return);
    QVERIFY(jumped(3));
}

void TrustTest::kindsCanBeChosen()
{
    const Folder folder;
    OpenTrust open(makeMeasuredStudy(folder));
    QVERIFY(open.isOpen());
    const int all = open.table().model()->rowCount();
    int sum = 0;
    open.kind().setFocus();
    QCOMPARE(open.kind().count(), 4);
    for (int kind = 1; kind < open.kind().count(); ++kind) {
        QTest::keyClick(&open.kind(), Qt::Key_Down);
        const int rows = open.table().model()->rowCount();
        QVERIFY(rows > 0);
        sum += rows;
        for (int row = 0; row < rows; ++row)
            QCOMPARE(open.cell(row, 0), open.kind().itemText(kind));
    }
    QCOMPARE(sum, all);
}

void TrustTest::itFollowsTheField()
{
    const Folder folder;
    OpenTrust open(makeMeasuredStudy(folder));
    QVERIFY(open.isOpen());
    const auto worst = open.cell(0, 4);
    auto steering = open.model().now();
    steering.field = 1;
    open.model().change("field", steering);
    QVERIFY(open.panel().summary().contains("Errors of v,"));
    QVERIFY(open.cell(0, 4) != worst);
}

void TrustTest::withoutFiguresItSaysWhatToDo()
{
    const Folder folder;
    OpenTrust open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(!open.table().isVisible());
    QVERIFY(!open.kind().isEnabled());
    QVERIFY(open.panel().findChild<QLabel *>()->text().contains("Compress the study"));
}

void TrustTest::missingHoldOutsAreSaid()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    {
        auto writer = data::StudyWriter::open(path);
        const std::vector<std::vector<double>> missing{{200, 0.7, 1}, {300, 0.8, 2}};
        writer.setMissingHoldOuts(missing);
        writer.close();
    }
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    bool isSaid = false;
    for (const auto *label : open.panel().findChildren<QLabel *>())
        isSaid = isSaid || label->text().contains("2 of 8 hold-outs are MISSING");
    QVERIFY(isSaid);
}

void TrustTest::howFarTheFieldMayBeOffIsSaid()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    QVERIFY2(open.panel().summary().startsWith("u: typically at most"),
             qPrintable(open.panel().summary()));
    QVERIFY(open.panel().summary().contains("for 6 of 7 places (calibrated at 6 hold-outs"));
    const auto said = [&] {
        for (auto *label : open.window->statusBar()->findChildren<QLabel *>()) {
            if (label->text().contains("% off, for 6 of 7 places"))
                return label->text();
        }
        return QString();
    };
    for (const double place : {0.31, 0.67}) {
        open.clickSlider(0, place);
        QVERIFY(open.waitForFrame());
        const auto &parameters = open.model().now().parameters;
        const auto study = data::Study::open(path);
        std::vector<float> values(study.fields()[0].values()), indicator(values.size());
        data::evaluateFromFile(study, 0, study.description().space.toUnit(parameters),
                               {values, indicator}, CpuDevice{});
        const auto band = data::bandOf(study, 0)->band;
        const auto expected = QString::fromStdString(
            data::bandText(band, data::relativeBand(band, data::rootMeanSquare(indicator),
                                                    data::rootMeanSquare(values))));
        QTRY_VERIFY2(said().endsWith(expected), qPrintable(said() + " instead of " + expected));
    }
    open.window->openFile(QString::fromStdString(makeStudy(folder).string())); // without hold-outs
    QTRY_VERIFY(said().isEmpty());
}

void TrustTest::tracksAreTintedByTheIndicator()
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

void TrustTest::afterGrowingTheIndicatorIsThatOfTheCompleteLevels()
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

void TrustTest::tintsComeAfterADragAndNoneWhileDragging()
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

void TrustTest::anotherFieldHasOtherTints()
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

void TrustTest::tintsAreSaidWhereTheyAre()
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

int main(int argc, char **argv)
{
    return runOnScreen<TrustTest>(argc, argv);
}

#include "tst_trust.moc"
