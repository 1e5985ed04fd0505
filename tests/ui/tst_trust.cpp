// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel of errors, in the window, through events as a user makes them.
#include "data/compress/compress.h"
#include "data/evaluate/hold_out.h"
#include "tests/ui/window_case.h"
#include "ui/trust/error_model.h"
#include "ui/trust/trust_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

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
    storeErrors(writer, 1);
    writer.close();
    return path;
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
    void aRowJumpsToItsPlace();
    void kindsCanBeChosen();
    void itFollowsTheField();
    void withoutFiguresItSaysWhatToDo();
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
                     numberText(figure.parameters[static_cast<std::size_t>(t)]));
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
            if (numberText(open.model().now().parameters[t])
                != open.cell(row, 1 + static_cast<int>(t)))
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
    QVERIFY(open.panel().summary().startsWith("Errors of v,"));
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

int main(int argc, char **argv)
{
    return runOnScreen<TrustTest>(argc, argv);
}

#include "tst_trust.moc"
