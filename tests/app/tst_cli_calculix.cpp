// SPDX-License-Identifier: GPL-3.0-or-later
//
// The example data/examples/calculix-bracket on a smaller grid: real runs of CalculiX, and its
// results as mesh files.
#include "tests/app/example_study.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm::test;

class TestCliCalculix : public QObject
{
    Q_OBJECT

private:
    /// Of the middle of the loaded end, in mm.
    static std::vector<double> displacement(const ExampleStudy &example, const QString &parameters)
    {
        return example.values("DISP", parameters, "80,0,2");
    }

private slots:
    void initTestCase()
    {
        if (!isInstalled("ccx"))
            QSKIP("CalculiX is not installed (package calculix-ccx)");
        if (!isInstalled("python3"))
            QSKIP("Python is not installed (package python3)");
    }

    void bracketBendsAsItsParametersSay()
    {
        ExampleStudy example("calculix-bracket");
        const auto failure = example.make("plan.toml", 2, 2);
        QVERIFY2(failure.isEmpty(), failure);
        QCOMPARE(example.study()["mesh"].toObject()["points"].toInt(), 512);
        QCOMPARE(example.study()["mesh"].toObject()["cells"].toInt(), 57);
        for (const auto *field : {"DISP", "STRESS", "MISES"}) {
            const auto error = example.heldOutError(field);
            QVERIFY2(error > 0 && error < 0.2, qPrintable(QString::number(error)));
        }
        const auto soft = displacement(example, "E=1500,down=12.25,side=5");
        const auto stiff = displacement(example, "E=3000,down=12.25,side=5");
        const auto sideways = displacement(example, "E=1500,down=12.25,side=10");
        QCOMPARE(soft.size(), 3U);
        QCOMPARE(stiff.size(), 3U);
        QCOMPARE(sideways.size(), 3U);
        // A beam of 76 mm that bends, on one of 28 mm that bends, too: F l^3 / 3EI + M l / EI * 78
        // mm.
        const double load = 12.25, stiffness = 1500 * 20 * 64 / 12.0;
        const double beam = (load * std::pow(76.0, 3) / 3 + load * 78 * 28 * 78) / stiffness;
        QVERIFY2(std::abs(soft[2] + beam) < 0.15 * beam,
                 qPrintable(QString("%1, beam %2").arg(soft[2]).arg(beam)));
        QVERIFY2(std::abs(soft[2] / stiff[2] - 2) < 0.2, qPrintable(QString::number(stiff[2])));
        QVERIFY2(soft[1] > 1 && std::abs(sideways[1] / soft[1] - 2) < 0.3,
                 qPrintable(QString("%1, %2").arg(soft[1]).arg(sideways[1])));
    }

    void elementsThatTheScriptDoesNotKnowAreNamed()
    {
        const ExampleStudy example("calculix-bracket");
        QFile file(example.at("shell.frd"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("    3C                             1                                     1\n"
                   " -1         1    7    0    1\n -3\n 9999\n");
        file.close();
        QProcess script;
        script.start("python3",
                     {example.at("frd2vtu.py"), example.at("shell.frd"), example.at("shell.vtu")});
        QVERIFY(script.waitForFinished(60000) && script.exitCode() != 0);
        const auto said = script.readAllStandardError();
        QVERIFY2(said.contains("elements of type 7"), said);
        QVERIFY(!QFile::exists(example.at("shell.vtu")));
    }
};

GRIDHELM_TEST(TestCliCalculix)
#include "tst_cli_calculix.moc"
