// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several devices of this machine in the solve panel: chosen, refused, and their shares shown.
#include "app/desktop/accelerators.h"
#include "app/machine/machine_execution.h"
#include "tests/ui/solve_case.h"
#include "tests/ui/widget_test.h"
#include "ui/performance/performance_panel.h"

#include <QSettings>
#include <QTemporaryDir>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

const SolverDevices &devices()
{
    static const auto found =
        desktop::accelerators(app::machineContext(cpuWith(1), "auto")).solverDevices;
    return found;
}

/// A solve panel and a performance panel, as the window connects them.
struct Window
{
    explicit Window(int solver)
        : hands(solver, devices())
        , performance(hands.panel.limits(), onCpu())
    {
        QObject::connect(&hands.panel, &SolvePanel::sharesChanged, &performance,
                         &PerformancePanel::showShares);
    }
    QLabel *shares() { return performance.findChild<QLabel *>("shares"); }
    /// On these devices, to the end.
    std::vector<double> solvedOn(const QString &names)
    {
        hands.type("devices", names);
        hands.click("run");
        return hands.comesTo(RunPhase::finished) ? hands.shown() : std::vector<double>();
    }

    Hands hands;
    PerformancePanel performance;
};

} // namespace

class TestSolveDevices : public QObject
{
    Q_OBJECT

private slots:
    void thereIsAChoiceOfThisMachines();
    void withoutDevicesThereIsNoRow();
    void severalSolveAsOneAndShowTheirShares_data();
    void severalSolveAsOneAndShowTheirShares();
    void mistakesAreSentences_data();
    void mistakesAreSentences();
    void theChoiceIsKept();
};

void TestSolveDevices::thereIsAChoiceOfThisMachines()
{
    Hands hands(jacobi, devices());
    auto *row = hands.option<QComboBox>("devices");
    QVERIFY(row->isVisible());
    QVERIFY(row->isEditable());
    QCOMPARE(row->currentText(), QString("auto"));
    QVERIFY(row->findText("CPU") >= 0);
    const auto gpus = app::machineContext(cpuWith(1), "auto").gpus().size();
    QCOMPARE(row->count(), static_cast<int>(2 + gpus + (gpus > 1 ? 1 : 0)));
}

void TestSolveDevices::withoutDevicesThereIsNoRow()
{
    Hands hands(jacobi);
    QVERIFY(!hands.option<QComboBox>("devices")->isVisible());
}

void TestSolveDevices::severalSolveAsOneAndShowTheirShares_data()
{
    QTest::addColumn<int>("solver");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("shares");
    QTest::newRow("jacobi") << int(jacobi) << "tuned"
                            << "24x20"
                            << "cpu.2/4: 5 of 20 rows (25.0 %), transfer ";
    QTest::newRow("sor") << int(sor) << "red-black"
                         << "12x10x8"
                         << "cpu.1/4: 2 of 8 planes (25.0 %)";
    QTest::newRow("pmm") << int(pmm) << ""
                         << "12x10x16"
                         << "cpu.4/4: 4 of 16 planes (25.0 %)";
}

void TestSolveDevices::severalSolveAsOneAndShowTheirShares()
{
    QFETCH(int, solver);
    QFETCH(QString, method);
    QFETCH(QString, size);
    QFETCH(QString, shares);
    Window window(solver);
    auto &hands = window.hands;
    if (!method.isEmpty())
        hands.choose("method", method);
    hands.type(solver == pmm ? "nodes" : "size", size);
    hands.type(solver == pmm ? "sweeps" : "iterations", "7");
    hands.toggle("stays-live");
    const auto ofOne = window.solvedOn("cpu");
    QVERIFY2(!ofOne.empty(), qPrintable(hands.problem()));
    QVERIFY(!window.shares()->isVisibleTo(&window.performance));
    const auto ofFour = window.solvedOn("cpu/4");
    QVERIFY2(!ofFour.empty(), qPrintable(hands.problem()));
    QVERIFY(ofOne == ofFour);
    QVERIFY(window.shares()->isVisibleTo(&window.performance));
    QVERIFY2(window.shares()->text().contains(shares), qPrintable(window.shares()->text()));
    (void)window.solvedOn("CPU"); // by its name in the list
    QVERIFY(!window.shares()->isVisibleTo(&window.performance));
}

void TestSolveDevices::mistakesAreSentences_data()
{
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown") << "tpu"
                             << "devices: there is no \"tpu\": choose auto, cpu, gpu";
    QTest::newRow("too many parts") << "cpu/99"
                                    << "a device cannot be used as 99 parts";
    QTest::newRow("no number") << "cpu/x"
                               << "devices: \"x\" is not";
    QTest::newRow("empty") << " "
                           << "devices: there is no \"\"";
    QTest::newRow("no such GPU") << "gpu:77"
                                 << "devices gpu:77: there is no GPU";
    QTest::newRow("both") << "cpu+cpu"
                          << "devices cpu+cpu: a + stands between GPUs and the CPU alone";
}

void TestSolveDevices::mistakesAreSentences()
{
    QFETCH(QString, names);
    QFETCH(QString, says);
    Hands hands(jacobi, devices());
    hands.type("devices", names);
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains(says), qPrintable(hands.problem()));
    QVERIFY2(!hands.problem().contains("--"), qPrintable(hands.problem()));
    QVERIFY(hands.button("run")->isEnabled());
}

void TestSolveDevices::theChoiceIsKept()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("kept.ini"), QSettings::IniFormat);
    {
        Hands hands(sor, devices());
        hands.type("devices", "cpu/3");
        hands.panel.saveState(settings);
    }
    Hands hands(sor, devices());
    hands.panel.restoreState(settings);
    QCOMPARE(hands.option<QComboBox>("devices")->currentText(), QString("cpu/3"));
}

GRIDHELM_WIDGET_TEST(TestSolveDevices)
#include "tst_solve_devices.moc"
