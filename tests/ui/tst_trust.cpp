// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel of errors, in the window, through events as a user makes them.
#include "data/answers/default_responses.h"
#include "data/answers/response_validation.h"
#include "data/evaluate/hold_out.h"
#include "data/mesh/place_samples.h"
#include "tests/ui/trust_case.h"
#include "ui/answers/histogram_plot.h"
#include "ui/controls/number_text.h"
#include "ui/plot/scatter_plot.h"
#include "ui/trust/error_model.h"
#include "ui/trust/trust_panel.h"
#include "ui/trust/validation_page.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolTip>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

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
    void plotsShowPredictedOverActual();
};

/// Of responses at the six validation points, and of the field over a parameter; a dot is a place.
void TrustTest::plotsShowPredictedOverActual()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    auto &page = *open.panel().validation();
    open.panel().pages()->setCurrentIndex(0);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isComputing(), waitMilliseconds);
    const auto study = data::Study::open(path);
    const auto holdOuts = study.holdOuts();
    QCOMPARE(page.quantity()->itemText(0), QString("u_mean"));
    QCOMPARE(page.over()->currentText(), QString("actual value"));
    const auto dots = page.plot()->dots();
    QCOMPARE(dots.size(), holdOuts.size());
    QVERIFY2(page.text().contains(QString("at %1 validation points").arg(holdOuts.size())),
             qPrintable(page.text()));
    QVERIFY(page.histogram()->isVisible());
    const auto responses =
        data::answerableResponses(study, data::responsesOf(study), data::samplesOf(study), onCpu());
    const auto validation =
        data::validationsOf(study, {responses[0]}, data::samplesOf(study), onCpu()).front();
    for (std::size_t i = 0; i < dots.size(); ++i) {
        QCOMPARE(dots[i].first, validation.runs[i].actual);
        QCOMPARE(dots[i].second, validation.runs[i].predicted);
    }

    page.plot()->setFocus();
    QTest::keyClick(page.plot(), Qt::Key_Right);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.model().now().parameters, holdOuts[0].parameters);

    choose(*page.over(), 1);
    emit page.over()->activated(1);
    for (std::size_t i = 0; i < dots.size(); ++i) {
        QCOMPARE(page.plot()->dots()[i].first, holdOuts[i].parameters[0]);
        QCOMPARE(page.plot()->dots()[i].second, dots[i].second - dots[i].first);
    }
    choose(*page.quantity(), "field u");
    emit page.quantity()->activated(0);
    QVERIFY(page.over()->findText("actual value") < 0);
    QVERIFY(page.histogram()->isHidden());
    const auto figures = study.errorFigures();
    const auto ofField = std::ranges::count_if(figures, [](const auto &figure) {
        return figure.field == 0 && figure.kind == data::ErrorKind::heldOut;
    });
    QCOMPARE(page.plot()->dots().size(), static_cast<std::size_t>(ofField));
}

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
            QString("%1: %2 points, %3 in the mean, %4 at worst")
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
    QCOMPARE(rows.first()->text(1), QString("Accuracy"));
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
            if (!tip.toString().startsWith(ui::numberText(open.model().now().parameters[t]) + ". "))
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
    QVERIFY(open.panel().findChild<QLabel *>()->text().contains(
        "to know: import runs at other parameters, and compress the study, in the panel Runs"));
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
        isSaid = isSaid || label->text().contains("2 of 8 validation points are MISSING");
    QVERIFY(isSaid);
}

void TrustTest::howFarTheFieldMayBeOffIsSaid()
{
    const Folder folder;
    const auto path = makeMeasuredStudy(folder);
    OpenTrust open(path);
    QVERIFY(open.isOpen());
    const auto summary = open.panel().summary();
    QVERIFY2(
        summary.startsWith(QString::fromStdString(data::accuracyText(
            *data::accuracyOf(data::Study::open(path), 0), data::Study::open(path).fields()[0]))),
        qPrintable(summary));
    QVERIFY2(summary.contains("u: error bounds hold for 86 % of parameters, "),
             qPrintable(summary));
    QVERIFY(summary.contains("% in the median (calibrated at 6 validation points"));
    const auto said = [&] {
        for (auto *label : open.window->statusBar()->findChildren<QLabel *>()) {
            if (label->text().contains("86 % error bound "))
                return label->text();
        }
        return QString();
    };
    for (const double place : {0.31, 0.67}) {
        open.clickSlider(0, place);
        QVERIFY(open.waitForFrame());
        const auto here = bandAt(path, open.model().now().parameters);
        const auto expected = QString::fromStdString(data::bandText(here.band, here.relative));
        QTRY_VERIFY2(said().endsWith(expected), qPrintable(said() + " instead of " + expected));
    }
    open.window->openFile(QString::fromStdString(makeStudy(folder).string())); // without hold-outs
    QTRY_VERIFY(said().isEmpty());
}

GRIDHELM_SCREEN_TEST(TrustTest)

#include "tst_trust.moc"
