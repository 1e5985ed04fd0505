// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve --start STUDY: a run begins with what the study's surrogate says.
#include "core/solvers/vti_file.h"
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliStart : public QObject, private StudyFolder
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aRunBeginsWithTheStudysField();
    void theSurrogateSavesIterations();
    void whatDoesNotFitIsOneSentence_data();
    void whatDoesNotFitIsOneSentence();

private:
    /// The plate of the study p with y = 0.6, strength 100 and the side y high at 20, on any grid.
    static QString plate(double x, double width, int unknowns)
    {
        return QString("solve sor --size %1 --source gaussian --radius %2 --source-at %3,0.6 "
                       "--strength %4 --side y-high=dirichlet:20 ")
            .arg(unknowns)
            .arg(width)
            .arg(x)
            .arg(100 / (2 * std::numbers::pi * width * width), 0, 'g', 17);
    }
};

void TestCliStart::initTestCase()
{
    makeStudies();
}

void TestCliStart::aRunBeginsWithTheStudysField()
{
    const QString at = "x=0.5,width=0.4";
    const auto begun = runHere(plate(0.5, 0.4, 15)
                               + "--iterations 0 --save start.vti --json "
                                 "--start p.gridhelm --start-at "
                               + at);
    QVERIFY2(begun.exitCode == 0, begun.err);
    QCOMPARE(jsonOf(begun)["settings"].toObject()["start_at"].toString(), at);
    const auto start = solvers::readVti(path("start.vti"));
    const auto values = std::get<std::vector<double>>(start.arrays[0].values);
    const auto eval = runHere("eval p.gridhelm --at " + at + " --out p.vti");
    QVERIFY2(eval.exitCode == 0, eval.err);
    const auto mesh = readMeshFile(here("p.vti"));
    const auto &nodes = mesh[0].values[0]; // 9 x 9 nodes: every other unknown is one
    for (std::size_t j = 1; j < 8; ++j) {
        for (std::size_t i = 1; i < 8; ++i)
            QVERIFY(std::abs(values[(2 * j - 1) * 15 + 2 * i - 1]
                             - static_cast<double>(nodes[j * 9 + i]))
                    < 1e-4);
    }
}

void TestCliStart::theSurrogateSavesIterations()
{
    const auto both = runHere(plate(0.45, 0.35, 7)
                              + "--until residual=1e-4 --every 1 --json "
                                "--start p.gridhelm --start-at x=0.45,width=0.35 --compare-cold");
    QVERIFY2(both.exitCode == 0, both.err);
    const auto cold = jsonOf(both)["cold"].toObject();
    QVERIFY(cold["iterations_saved"].toInt() > 0);
    // Begun near the solution: what is left of the residual is the surrogate's error.
    const auto first = jsonOf(both)["history"].toArray()[0].toObject()["residual"].toDouble(1);
    QVERIFY2(first < 0.05, QByteArray::number(first));
}

void TestCliStart::whatDoesNotFitIsOneSentence_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *options, const char *says) {
        QTest::newRow(options) << options << says;
    };
    row("--size 9 --start p.gridhelm", "--start-at");
    row("--size 9 --start p.gridhelm --start-at x=0.5", "width");
    row("--size 9 --start p.gridhelm --start-at x=0.5,width=0.4,z=1", "z");
    row("--size 9 --start p.gridhelm --start-at x=7,width=0.4", "x");
    row("--size 9 --start p.gridhelm --start-at x=0.5,width=0.4 --start-field heat", "heat");
    row("--size 9 --start p.gridhelm --start-at x=0.5,width=0.4 --spacing 1",
        "temperature has no value at");
    row("--size 5x5x5 --start p.gridhelm --start-at x=0.5,width=0.4", "temperature has no value");
    row("--size 9 --start c.gridhelm --start-at t=1", "components");
    row("--size 9 --start none.gridhelm --start-at t=1", "none.gridhelm");
    row("--size 9 --start rows.csv --start-at t=1", "rows.csv");
}

void TestCliStart::whatDoesNotFitIsOneSentence()
{
    QFETCH(QString, options);
    QFETCH(QString, says);
    const auto before = listing();
    const auto outcome = runHere("solve sor --save out.vti " + options);
    QVERIFY2(isOneSentence(outcome, says), outcome.out + outcome.err);
    QCOMPARE(listing(), before);
}

GRIDHELM_TEST(TestCliStart)
#include "tst_cli_start.moc"
