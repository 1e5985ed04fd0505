// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve --start FILE.vti: runs that begin with a field, of their resolution or
// another. With a study: tst_cli_start.
#include "tests/app/solve_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliSolveStart : public QObject, private SolveFolder
{
    Q_OBJECT

private slots:
    void frontsMayStartFromSavedTimes();
    void aStartOfAnotherResolutionIsComparedWithACold();
};

void TestCliSolveStart::frontsMayStartFromSavedTimes()
{
    const QString line = "solve pmm --nodes 17 --ball 0.5,0.5,0.5,0.2 --speed lens:1,2 --json ";
    const auto cold = runHere(line + "--save cold.vti");
    QVERIFY2(cold.exitCode == 0, cold.err);
    const auto warm = runHere(line + "--start cold.vti --save warm.vti");
    QVERIFY2(warm.exitCode == 0, warm.err);
    const auto sweepsOf = [](const Outcome &outcome) {
        return jsonOf(outcome)["report"].toObject()["iterations"].toInt();
    };
    QVERIFY(sweepsOf(warm) < sweepsOf(cold));
    const auto expected = saved("cold.vti"), values = saved("warm.vti");
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(std::abs(values[i] - expected[i]) < 1e-12);
    // Of another resolution, beside a cold start: the same times, hardly more than half the sweeps.
    const auto finer = runHere("solve pmm --nodes 33 --ball 0.5,0.5,0.5,0.2 --speed lens:1,2 "
                               "--json --start cold.vti --compare-cold");
    QVERIFY2(finer.exitCode == 0, finer.err);
    const auto coldSweeps = jsonOf(finer)["cold"].toObject()["report"].toObject()["iterations"];
    QCOMPARE(jsonOf(finer)["cold"].toObject()["sweeps_saved"].toInt(99),
             coldSweeps.toInt() - sweepsOf(finer));
}

void TestCliSolveStart::aStartOfAnotherResolutionIsComparedWithACold()
{
    const QString line = "solve sor --source constant --until residual=1e-6 --every 1 --json ";
    QCOMPARE(runHere(line + "--size 24 --save coarse.vti").exitCode, 0);
    const auto cold = runHere(line + "--size 49");
    const auto both = runHere(line + "--size 49 --start coarse.vti --compare-cold");
    QVERIFY2(both.exitCode == 0, both.err);
    const auto iterationsOf = [](const QJsonObject &run) {
        return run["report"].toObject()["iterations"].toInt();
    };
    const auto document = jsonOf(both), before = document["cold"].toObject();
    QCOMPARE(iterationsOf(before), iterationsOf(jsonOf(cold)));
    QVERIFY(iterationsOf(document) < iterationsOf(before));
    QCOMPARE(before["iterations_saved"].toInt(), iterationsOf(before) - iterationsOf(document));
    QCOMPARE(before["stop_reason"].toString(), QString("target"));
    QVERIFY(before["history"].toArray().size() > 10);
    QCOMPARE(document["settings"].toObject()["start"].toString(), QString("coarse.vti"));
    // The residual is measured alike: the warm start has less to do from its beginning.
    QVERIFY(document["history"].toArray()[0].toObject()["residual"].toDouble(1) < 0.9);
    const auto text = runHere("solve sor --source constant --until residual=1e-6 --every 1 "
                              "--size 49 --start coarse.vti --compare-cold");
    QVERIFY2(text.out.contains(QString("saved      %1 of %2 iterations")
                                   .arg(before["iterations_saved"].toInt())
                                   .arg(iterationsOf(before))
                                   .toUtf8())
                 && text.out.contains("of that at a cold start"),
             text.out);
}

GRIDHELM_TEST(TestCliSolveStart)
#include "tst_cli_solve_start.moc"
