// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve on several devices: what it says and saves is what one says and saves, to the
// last bit.
#include "tests/app/solve_folder.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliSolveDevices : public QObject, private SolveFolder
{
    Q_OBJECT

private slots:
    void severalSolveAsOne_data();
    void severalSolveAsOne();
};

void TestCliSolveDevices::severalSolveAsOne_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<QString>("devices");
    QTest::addColumn<QByteArray>("idle"); // some have nothing to do, and it is said
    const auto add = [](const char *solver, const QString &line, const char *figure,
                        const QString &devices, const QByteArray &idle = {}) {
        QTest::addRow("%s on %s", solver, qPrintable(devices)) << line << figure << devices << idle;
    };
    const QString jacobi = "solve jacobi --until residual=1e-3 --json --size 23x17 "
                           "--source-at 0.3,0.6 --strength 2 --side y-high=neumann:0.5 "
                           "--side x-low=dirichlet:0.25 --spacing 0.04 --threads 1 ";
    for (const QString devices : {"cpu/2", "cpu/3", "cpu/17"})
        add("jacobi", jacobi, "residual", devices);
    add("jacobi", jacobi, "residual", "cpu/20", "17 of 20 devices compute");
    add("async2", jacobi + "--method async2 --alpha 4 --tile 16x4 ", "residual", "cpu/3");
    const QString sor = "solve sor --until residual=1e-3 --json --size 23x37 --threads 1 "
                        "--method mlssor --shape 3x7 --side y-high=neumann:0.5 "
                        "--source-at 0.3,0.6 --strength 2 --spacing 0.04 ";
    for (const QString devices : {"cpu/2", "cpu/4"})
        add("mlssor", sor, "residual", devices);
    add("mlssor", sor, "residual", "cpu/9", "6 of 9 devices compute");
    const QString pmm = "solve pmm --nodes 14x9x11 --ball 0.5,0.3,0.4,0.1 --speed lens:1,2 "
                        "--psi 0.3 --a 0.5,0.2,-0.4 --json ";
    for (const QString devices :
         {"cpu/2", "cpu/3 --partition repartition", "cpu/3 --partition pipelined"})
        add("pmm", pmm, "largest_change", devices);
    add("pmm", pmm, "largest_change", "cpu/12 --partition pipelined", "11 of 12 devices compute");
}

void TestCliSolveDevices::severalSolveAsOne()
{
    QFETCH(const QString, line);
    QFETCH(const QString, figure);
    QFETCH(const QString, devices);
    QFETCH(const QByteArray, idle);
    const auto one = jsonOf(runHere(line + "--save one.vti"))["report"].toObject();
    const Outcome outcome = runHere(line + "--save several.vti --devices " + devices);
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(outcome.err.contains("devices compute"), !idle.isEmpty());
    QVERIFY2(outcome.err.contains(idle), outcome.err);
    const auto several = jsonOf(outcome)["report"].toObject();
    QCOMPARE(several["iterations"], one["iterations"]);
    QCOMPARE(several[figure], one[figure]);
    QVERIFY(saved("several.vti") == saved("one.vti"));
}

GRIDHELM_TEST(TestCliSolveDevices)
#include "tst_cli_solve_devices.moc"
