// SPDX-License-Identifier: GPL-3.0-or-later
//
// A match that is not waited for.
#include "tests/app/study_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>

using namespace gridhelm::test;

class TestCliMatch : public QObject, private StudyFolder
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        makeStudy("p", "[[parameter]]\nname = \"x\"\n"
                       "[[parameter]]\nname = \"width\"\nlow = 0.2\nhigh = 0.8\n"
                       "[grid]\nlevel = 1\n"
                       "[simulation]\nbuiltin = \"plate\"\nresolution = 9\n");
    }

    /// Measurements are read from a pipe into which nobody writes: it waits there.
    void readingCanBeInterrupted_data()
    {
        QTest::addColumn<QString>("more");
        QTest::newRow("posterior") << "--csv posterior.csv";
        QTest::newRow("best fit") << "--best-only";
    }
    void readingCanBeInterrupted()
    {
        QFETCH(QString, more);
        const auto before = filesHere();
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setChildProcessModifier([] { std::signal(SIGINT, SIG_DFL); });
        process.start(QString(paths::cli),
                      QProcess::splitCommand("match p.gridhelm - " + more));
        QVERIFY(process.waitForStarted());
        QElapsedTimer waiting;
        waiting.start();
        while (!waitsForSignals(process) && waiting.elapsed() < 60000)
            QTest::qWait(5);
        QVERIFY(waitsForSignals(process));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        QCOMPARE(filesHere(), before);
    }
};

GRIDHELM_TEST(TestCliMatch)
#include "tst_cli_match.moc"
