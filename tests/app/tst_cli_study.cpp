// SPDX-License-Identifier: GPL-3.0-or-later
//
// A campaign from its plan to its errors, on the command line.
#include "tests/app/cli_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QThread>
#include <QTest>

#include <algorithm>

using namespace gridhelm::test;

class TestCliStudy : public QObject, private CliFolder
{
    Q_OBJECT

private:
    /// The most threads that a command has had at once; it is ended when there are `enough`, or
    /// after some seconds.
    int threadsOf(const QString &line, int enough, int seconds) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QString(paths::cli), QProcess::splitCommand(line));
        if (!process.waitForStarted())
            return -1;
        const QDir tasks(QString("/proc/%1/task").arg(process.processId()));
        int most = 0;
        QElapsedTimer waiting;
        waiting.start();
        while (most < enough && waiting.elapsed() < 1000 * seconds && !process.waitForFinished(2))
            most = std::max(
                most, static_cast<int>(tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size()));
        process.terminate();
        process.waitForFinished(60000);
        return most;
    }

private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath("p.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[parameter]]\nname = \"x\"\n[grid]\nlevel = 3\n"
                   "[simulation]\nbuiltin = \"plate\"\nresolution = 9\n"
                   "fixed = {width = 0.2}\n");
    }

    void planRunCompressGrow()
    {
        const auto planned = runHere("plan p.toml --json --csv points.csv");
        QCOMPARE(planned.exitCode, 0);
        QCOMPARE(jsonOf(planned)["now"].toObject()["jobs"].toInt(), 7);
        QVERIFY(QFile::exists(m_folder.filePath("points.csv")));
        QCOMPARE(jsonOf(runHere("run p.gridhelm --json"))["done"].toInt(), 7);
        QCOMPARE(jsonOf(runHere("run p.gridhelm --json"))["done"].toInt(), 0);
        const auto compressed = runHere("compress p.gridhelm --holdout 3");
        QCOMPARE(compressed.exitCode, 0);
        QVERIFY2(compressed.out.contains("worst validation error of "), compressed.out);
        QCOMPARE(jsonOf(runHere("check p.gridhelm --json"))["sound"].toBool(), true);
        QCOMPARE(jsonOf(runHere("grow p.gridhelm --level 4 --json"))["new_points"].toInt(), 8);
        QVERIFY(runHere("info p.gridhelm").out.contains("8 waiting"));
        const auto undone = jsonOf(runHere("grow p.gridhelm --undo --json"));
        QCOMPARE(undone["removed_points"].toInt(), 8);
        QCOMPARE(undone["level"].toInt(), 3);
        QCOMPARE(undone["jobs_waiting"].toInt(), 0);
        const auto again = runHere("grow p.gridhelm --undo");
        QCOMPARE(again.exitCode, 1);
        QVERIFY2(again.err.contains("no growth to undo"), again.err);
        QCOMPARE(runHere("grow p.gridhelm --undo --level 5").exitCode, 2);
    }

    void anotherDegreeNeedsNoRun()
    {
        QFile file(m_folder.filePath("ends.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "[[parameter]]\nname = \"x\"\ntreatment = \"clenshaw-curtis\"\n[grid]\nlevel = 4\n"
            "[simulation]\nbuiltin = \"plate\"\nresolution = 9\n"
            "fixed = {width = 0.2}\n");
        file.close();
        QCOMPARE(runHere("plan ends.toml --out ends.gridhelm").exitCode, 0);
        QCOMPARE(jsonOf(runHere("run ends.gridhelm --json"))["done"].toInt(), 9);
        const auto before = jsonOf(runHere("compress ends.gridhelm --holdout 3 --json"));
        QCOMPARE(before["study"]["parameters"][0]["degree"].toInt(), 1);
        const auto after = jsonOf(runHere("compress ends.gridhelm --degree 3 --json"));
        QCOMPARE(after["computed"].toInt(), before["computed"].toInt());
        QCOMPARE(after["hold_outs_made"].toInt(), 0);
        QCOMPARE(after["study"]["parameters"][0]["degree"].toInt(), 3);
        QVERIFY(after["study"]["errors"] != before["study"]["errors"]); // measured again
        QVERIFY(runHere("info ends.gridhelm").out.contains("clenshaw-curtis of degree 3"));
        QVERIFY(isOneSentence(runHere("compress ends.gridhelm --degree 4"), "no degree"));
        QVERIFY(isOneSentence(runHere("compress p.gridhelm --degree 2"), "modified"));
        QCOMPARE(runHere("plan ends.toml --update ends.gridhelm").exitCode, 0);
        const auto dropped = runHere("compress ends.gridhelm --drop-snapshots");
        QCOMPARE(dropped.exitCode, 0);
        QVERIFY2(dropped.out.contains("kriging and comparing surrogates go on"), dropped.out);
        QVERIFY(isOneSentence(runHere("compress ends.gridhelm --degree 1"), "dropped"));
        const auto chosen = runHere("compress ends.gridhelm --surrogate auto");
        QVERIFY2(chosen.out.contains("surrogate of 1 field chosen"), chosen.out + chosen.err);
    }

    void aCopyIsMadeOnceAndChangesNothing()
    {
        QCOMPARE(runHere("plan p.toml --out c.gridhelm").exitCode, 0);
        QCOMPARE(runHere("run c.gridhelm").exitCode, 0);
        QFile study(m_folder.filePath("c.gridhelm"));
        QVERIFY(study.open(QIODevice::ReadOnly));
        const auto before = study.readAll();
        const auto copied = jsonOf(runHere("copy c.gridhelm copy.gridhelm --json"));
        QCOMPARE(copied["copy"].toString(), QString("copy.gridhelm"));
        QCOMPARE(copied["file_bytes"].toInteger(), before.size());
        QCOMPARE(runHere("check copy.gridhelm").exitCode, 0);
        const auto info = jsonOf(runHere("info copy.gridhelm --json"));
        QCOMPARE(info["jobs"].toObject()["done"].toInt(), 7);
        QCOMPARE(info["log_bytes"].toInt(), 0);
        QVERIFY(runHere("copy c.gridhelm copy.gridhelm").err.contains("exists already"));
        QVERIFY(runHere("copy nothing.gridhelm other.gridhelm").err.contains("there is no file"));
        study.seek(0);
        QCOMPARE(study.readAll(), before);
    }

    void scalarStudyAllTheWay()
    {
        QFile file(m_folder.filePath("s.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n"
                   "[[space]]\nname = \"py\"\n[[parameter]]\nname = \"x\"\n"
                   "[grid]\nlevel = 3\n[simulation]\nbuiltin = \"plate\"\nresolution = 17\n"
                   "fixed = {width = 0.2}\n");
        file.close();
        const auto now = jsonOf(runHere("plan s.toml --json"))["now"].toObject();
        QCOMPARE(now["jobs"].toInt(), 7);
        QVERIFY(now["points"].toInt() > 100);
        QCOMPARE(now["bytes"].toInt(), 8 * now["points"].toInt());
        const QString eval = "eval s.gridhelm --at x=0.3";
        QVERIFY(isOneSentence(runHere(eval), "gridhelm-cli run s.gridhelm"));
        QVERIFY(runHere("run s.gridhelm --only 1 --json").exitCode == 0);
        QVERIFY(isOneSentence(runHere(eval), "they come with: gridhelm-cli run s.gridhelm"));
        const auto early = runHere("compress s.gridhelm");
        QCOMPARE(early.exitCode, 1);
        QVERIFY2(early.err.contains("they come with: gridhelm-cli run s.gridhelm"), early.err);
        QCOMPARE(jsonOf(runHere("run s.gridhelm --json"))["done"].toInt(), 6);
        QVERIFY(isOneSentence(runHere(eval), "gridhelm-cli compress s.gridhelm"));
        const auto compressed = jsonOf(runHere("compress s.gridhelm --holdout 3 --json"));
        QCOMPARE(compressed["hold_outs_made"].toInt(), 3);
        const auto study = compressed["study"].toObject();
        QCOMPARE(study["kind"].toString(), QString("scalar"));
        QCOMPARE(study["errors"].toArray().size(), 2);
        QVERIFY(runHere("info s.gridhelm").out.contains("worst validation error of "));
        QCOMPARE(jsonOf(runHere("check s.gridhelm --json"))["sound"].toBool(), true);
        QCOMPARE(jsonOf(runHere("grow s.gridhelm --level 4 --json"))["jobs_waiting"].toInt(), 15);
    }

    void allCoresAreUsedUnlessAskedOtherwise_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("sample") << "sample plate --out sample.gridhelm";
        QTest::newRow("run") << "run cores.gridhelm";
        QTest::newRow("hold-outs") << "compress cores.gridhelm --holdout 20";
    }
    /// Each run has a thread; the program itself and what waits for Ctrl-C have one each.
    void allCoresAreUsedUnlessAskedOtherwise()
    {
        const int cores = std::min(QThread::idealThreadCount(), 8);
        if (cores < 2)
            QSKIP("there is one core only");
        QFETCH(QString, line);
        const auto ready = [this](bool isRun) {
            QFile::remove(m_folder.filePath("cores.gridhelm"));
            QFile file(m_folder.filePath("cores.toml"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n"
                       "[grid]\nlevel = 3\n[simulation]\nbuiltin = \"plate\"\n"
                       "resolution = 129\n");
            file.close();
            QCOMPARE(runHere("plan cores.toml").exitCode, 0);
            if (isRun)
                QCOMPARE(runHere("run cores.gridhelm").exitCode, 0);
        };
        ready(line.startsWith("compress"));
        QVERIFY(threadsOf(line, cores + 2, 30) >= cores + 2);
        QFile::remove(m_folder.filePath("sample.gridhelm"));
        ready(line.startsWith("compress"));
        const int one = threadsOf(line + " --threads 1", cores + 2, 3);
        QVERIFY2(one >= 2 && one <= 3, qPrintable(QString::number(one)));
        QFile::remove(m_folder.filePath("sample.gridhelm"));
    }

    void aSampleThatIsThereGoesOnOrStaysAsItIs()
    {
        const QString sample = "sample plate --out again.gridhelm";
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QString(paths::cli), QProcess::splitCommand(sample));
        QVERIFY(process.waitForStarted());
        const auto done = [this] {
            return jsonOf(runHere("info again.gridhelm --json"))["jobs"].toObject()["done"].toInt();
        };
        QVERIFY(QTest::qWaitFor([&] { return done() > 0; }, 60000));
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        const int before = done();
        QVERIFY(before < 100);
        const auto resumed = runHere(sample);
        QVERIFY2(resumed.exitCode == 0, resumed.err);
        QVERIFY2(resumed.out.contains("was not finished; going on"), resumed.out);
        const auto info = jsonOf(runHere("info again.gridhelm --json"));
        QCOMPARE(info["jobs"].toObject()["done"].toInt(), 100);
        QVERIFY(!info["errors"].toArray().isEmpty());

        const auto bytes = [this] {
            QFile file(m_folder.filePath("again.gridhelm"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        auto there = bytes();
        const auto found = runHere(sample);
        QCOMPARE(found.exitCode, 0);
        QVERIFY2(found.out.contains("is there already"), found.out);
        QCOMPARE(bytes(), there);
        // Whoever makes it grow decides when that is run.
        QCOMPARE(runHere("grow again.gridhelm --level 11").exitCode, 0);
        there = bytes();
        QCOMPARE(runHere(sample).exitCode, 0);
        QCOMPARE(bytes(), there);
        // What is something else is not touched.
        QVERIFY(isOneSentence(runHere("sample cavity --out again.gridhelm"), "not this sample"));
        QVERIFY(isOneSentence(runHere("sample cavity --out p.toml"), "p.toml"));
        QCOMPARE(bytes(), there);
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("no plan") << "plan nothing.toml" << 1;
        QTest::newRow("no study") << "info nothing" << 1;
        QTest::newRow("no study to run") << "run nothing" << 1;
        QTest::newRow("plan as study") << "check p.toml" << 1;
        QTest::newRow("no sample") << "sample nothing" << 1;
        QTest::newRow("no table") << "import p.gridhelm --table nothing.csv" << 1;
        QTest::newRow("jobs") << "run p.gridhelm --jobs x" << 1;
        QTest::newRow("no argument") << "grow" << 2;
    }
    void badInputIsOneSentence()
    {
        QFETCH(QString, line);
        const auto outcome = runHere(line);
        QTEST(outcome.exitCode, "exitCode");
        QVERIFY2(outcome.err.startsWith("gridhelm-cli: ") && outcome.err.endsWith(".\n")
                     && outcome.err.count('\n') == 1,
                 outcome.err);
    }
};

GRIDHELM_TEST(TestCliStudy)
#include "tst_cli_study.moc"
