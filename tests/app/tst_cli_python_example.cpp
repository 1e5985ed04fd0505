// SPDX-License-Identifier: GPL-3.0-or-later
//
// The example data/examples/python-board on a smaller grid: real runs of a Python program.
#include "tests/app/example_study.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

#include <cmath>

using namespace gridhelm::test;

class TestCliPythonExample : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!isInstalled("python3"))
            QSKIP("Python is not installed (package python3)");
    }

    void studyFollowsTheProgram()
    {
        ExampleStudy example("python-board");
        const auto failure = example.make("plan.toml", 3, 4);
        QVERIFY2(failure.isEmpty(), failure);
        QCOMPARE(example.study()["mesh"].toObject()["points"].toInt(), 37 * 25);
        QCOMPARE(example.study()["jobs"].toObject()["done"].toInt(), 17);
        const auto error = example.heldOutError("T");
        QVERIFY2(error > 0 && error < 0.03, qPrintable(QString::number(error)));

        // The program by itself, at a place between the grid's: in the middle of the larger chip.
        QProcess program;
        program.setWorkingDirectory(example.at("."));
        program.start("python3", {"board.py", "9", "60", "45"});
        QVERIFY(program.waitForFinished(60000) && program.exitCode() == 0);
        QFile file(example.at("board_45.vti"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = file.readAll().split('\n');
        QVERIFY(lines.size() > 3);
        const auto values = lines[3].split(' ');
        QCOMPARE(values.size(), 37 * 25);
        const auto computed = values[15 * 37 + 23].toDouble();
        const auto place =
            QString("%1,%2,0").arg(23 / 300.0, 0, 'g', 15).arg(15 / 300.0, 0, 'g', 15);
        const auto steered = example.values("T", "conductivity=9,cooling=60,t=45", place);
        QCOMPARE(steered.size(), 1U);
        QVERIFY2(std::abs(steered[0] - computed) < 0.05 * computed,
                 qPrintable(QString("%1 instead of %2").arg(steered[0]).arg(computed)));
    }

    void theGuideShowsThePlan()
    {
        const auto textOf = [](const char *name) {
            QFile file(QString(paths::source) + name);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto plan = textOf("/data/examples/python-board/plan.toml");
        const auto simulation = plan.mid(plan.indexOf("[simulation]")).trimmed();
        QVERIFY(simulation.size() > 200);
        QVERIFY(textOf("/docs/guide/own-program.md").contains(simulation));
    }
};

GRIDHELM_TEST(TestCliPythonExample)
#include "tst_cli_python_example.moc"
