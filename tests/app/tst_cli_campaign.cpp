// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns of any program, on the command line: failures, advice, stops, numbers.
#include "tests/app/plan_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QRegularExpression>

#include <csignal>

using namespace gridhelm::test;

class TestCliCampaign : public QObject, protected PlanFolder
{
    Q_OBJECT

private:
    /// Starts the command, sends it a signal as soon as `sign` exists, returns its exit code.
    int interrupted(const QString &line, const QString &sign, int signal = SIGINT) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(QString(paths::cli), QProcess::splitCommand(line));
        if (!QTest::qWaitFor([&] { return QFile::exists(at(sign)); }, 60000))
            return -2;
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QElapsedTimer timer;
        timer.start();
        if (!process.waitForFinished(30000) || timer.elapsed() > 15000)
            return -3;
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -4;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void placesOfAPlanWithoutAProgram()
    {
        write("d.toml", "[study]\ntitle = \"x\"\n[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n"
                        "[[parameter]]\nname = \"b\"\nlow = 0\nhigh = 1\n"
                        "[grid]\ndesign = \"space-filling\"\nruns = 12\n");
        auto outcome = runHere("plan d.toml --csv places.csv --dry-run");
        QCOMPARE(outcome.exitCode, 0);
        QFile places(at("places.csv"));
        QVERIFY(places.open(QIODevice::ReadOnly));
        QCOMPARE(places.readAll().count('\n'), 13);
        outcome = runHere("plan d.toml");
        QVERIFY2(outcome.exitCode == 1
                     && outcome.err.contains("it has no [simulation] to run them"),
                 outcome.err);
        QVERIFY(!QFile::exists(at("d.gridhelm")));
    }

    void failedJobsAreNamedAndRunAgain()
    {
        makeStudy("echo looking at {a}; test {a} != 1 || test -e ../../mended || exit 3");
        auto outcome = runHere("run p.gridhelm --jobs 2");
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("exit code 3; its last line: looking at 1")
                     && outcome.err.contains("--retry-failed"),
                 outcome.err);
        QCOMPARE(jobs("done"), 6);
        QCOMPARE(jobs("failed"), 1);
        const QString list = runHere("info p.gridhelm --jobs").out;
        const auto failed = list.split('\n').filter("failed");
        QCOMPARE(failed.size(), 1);
        const auto id = failed.front().simplified().section(' ', 0, 0);
        const auto log = runHere("info p.gridhelm --log " + id).out;
        QVERIFY2(log.contains("looking at 1\n") && log.contains("folder is kept"), log);
        QVERIFY(QFile::exists(at("p.gridhelm.jobs/job-" + id + "/gridhelm.log")));

        outcome = runHere("compress p.gridhelm");
        QVERIFY2(outcome.out.contains("1 grid point MISSING; they come with: gridhelm-cli run "
                                      "p.gridhelm --retry-failed\n"),
                 outcome.out);
        outcome = runHere("compress p.gridhelm --allow-missing");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("provisional"), outcome.out);
        QVERIFY(runHere("info p.gridhelm").out.contains("MISSING"));
        QCOMPARE(runHere("run p.gridhelm").exitCode, 1); // not again without being asked
        write("mended", "");
        outcome = runHere("run p.gridhelm --only " + id + " --keep-folders");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.startsWith("1 job done"), outcome.out);
        QVERIFY(QFile::exists(at("p.gridhelm.jobs/job-" + id + "/field.vtu")));
        QVERIFY(isOneSentence(runHere("run p.gridhelm --only " + id), "done already"));
        QVERIFY(isOneSentence(runHere("run p.gridhelm --only 99"), "There is no job 99"));
        outcome = runHere("compress p.gridhelm --raw --drop-snapshots --holdout 2");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("snapshots dropped"), outcome.err);
        QVERIFY2(!outcome.out.contains("MISSING"), outcome.out);
        QVERIFY(runHere("check p.gridhelm").exitCode == 0);
        // u = a is linear: the surrogate is exact, inside as at the ends.
        const auto value = runHere("eval p.gridhelm --at a=3.3 --probe 0.5,0.5,0");
        QVERIFY2(value.out.contains("3.3"), value.out + value.err);
    }

    void campaignStopsWhenTheFirstJobsFailAlike()
    {
        makeStudy("echo on {a}; test -e ../../mended || exit 3");
        auto outcome = runHere("run p.gridhelm --jobs 1");
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("5 jobs in a row failed alike (the command ended with exit "
                                      "code 3; its last line: on ")
                     && outcome.err.contains("), so 2 more were not begun")
                     && outcome.err.contains("run p.gridhelm --retry-failed")
                     && outcome.err.contains("run p.gridhelm --keep-going"),
                 outcome.err);
        QCOMPARE(jobs("failed"), 5);
        QCOMPARE(jobs("waiting"), 2);
        outcome = runHere("run p.gridhelm --jobs 1 --retry-failed --json");
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(jsonOf(outcome)["stopped"].toBool(), true);
        QCOMPARE(jsonOf(outcome)["not_begun"].toInt(), 2);
        outcome = runHere("run p.gridhelm --jobs 1 --retry-failed --keep-going");
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(jobs("failed"), 7);
        write("mended", "");
        QCOMPARE(runHere("run p.gridhelm --retry-failed").exitCode, 0);
        QCOMPARE(jobs("done"), 7);
    }

    void failedHoldOutsAreSaidBesideTheErrors()
    {
        makeStudy("case {job} in holdout*) test -e ../../mended -o {a} = 0 -o {a} = 4 || exit 3;; "
                  "esac");
        QCOMPARE(runHere("run p.gridhelm").exitCode, 0);
        auto outcome = runHere("compress p.gridhelm --holdout 8 --keep-going --threads 1");
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("6 validation runs failed")
                     && outcome.err.contains("the coefficients are stored all the same"),
                 outcome.err);
        const auto said = runHere("info p.gridhelm").out;
        for (const auto &text : {outcome.out, said})
            QVERIFY2(text.contains("6 of 8 validation points are MISSING")
                         && text.contains("the error inside was NOT measured"),
                     text);
        const auto info = jsonOf(runHere("info p.gridhelm --json"));
        QCOMPARE(info["hold_outs"].toInt(), 2);
        QCOMPARE(info["hold_outs_missing"].toInt(), 6);
        bool isSaid = false;
        for (const auto &value : info["errors"].toArray()) {
            const auto error = value.toObject();
            if (error["kind"].toString() != "held-out")
                continue;
            isSaid = true;
            QCOMPARE(error["places_missing"].toInt(), 6);
            QCOMPARE(error["places_inside"].toInt(), 0);
        }
        QVERIFY(isSaid);
        outcome = runHere("eval p.gridhelm --at a=1 --probe 0.5,0.5,0");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        write("mended", "");
        outcome = runHere("compress p.gridhelm --holdout 8");
        QVERIFY2(outcome.exitCode == 0 && !outcome.out.contains("MISSING")
                     && !outcome.out.contains("NOT measured"),
                 outcome.out + outcome.err);
    }

    /// Who does what is advised gets there, and is never sent back.
    void adviceLeadsToTheEnd_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QStringList>("steps");
        QTest::newRow("all goes well")
            << QByteArray("true") << QStringList{"run p.gridhelm", "compress p.gridhelm"};
        QTest::newRow("the first job fails once")
            << QByteArray("test {a} != 2 -o -e ../../begun || { touch ../../begun; exit 3; }")
            << QStringList{"run p.gridhelm", "run p.gridhelm --retry-failed",
                           "compress p.gridhelm"};
        QTest::newRow("files") << QByteArray()
                               << QStringList{"import p.gridhelm --table params.csv",
                                              "import p.gridhelm --table params.csv",
                                              "compress p.gridhelm"};
    }
    void adviceLeadsToTheEnd()
    {
        QFETCH(QByteArray, command);
        QFETCH(QStringList, steps);
        if (command.isEmpty()) {
            write("p.toml", parameter("a") + "[grid]\nlevel = 2\n");
            QCOMPARE(runHere("plan p.toml").exitCode, 0);
            write("1.vtu", vtu(2, "1"));
            write("params.csv", "a,file\n1,1.vtu\n"); // not yet the middle, which is first
        } else {
            makeStudy(command);
        }
        const auto advised = [](const QByteArray &text) {
            const auto from = text.lastIndexOf("gridhelm-cli ") + 13;
            auto end = from;
            while (end < text.size() && !QByteArray(",;\n)").contains(text[end])
                   && !(text[end] == '.' && end + 1 < text.size() && text[end + 1] == '\n'))
                ++end;
            return QString::fromUtf8(text.mid(from, end - from));
        };
        const QString eval = "eval p.gridhelm --at a=1.7 --probe 0.5,0.5,0";
        for (const auto &step : steps) {
            const auto outcome = runHere(eval);
            QVERIFY2(isOneSentence(outcome, "gridhelm-cli " + step), outcome.err);
            QCOMPARE(advised(outcome.err), step);
            if (!step.startsWith("compress")) { // who compresses too early is told the same
                const auto early = runHere("compress p.gridhelm");
                QCOMPARE(early.exitCode, 1);
                QCOMPARE(advised(early.err), step);
                const auto info = runHere("info p.gridhelm").out;
                QVERIFY2(info.contains("to know: gridhelm-cli " + step.toUtf8()), info);
                QVERIFY2(!info.contains("times smaller"), info);
            }
            runHere(step);
            if (command.isEmpty()) {
                write("2.vtu", vtu(2, "2"));
                write("3.vtu", vtu(2, "3"));
                write("params.csv", "a,file\n1,1.vtu\n2,2.vtu\n3,3.vtu\n");
            }
        }
        const auto outcome = runHere(eval);
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY(runHere("info p.gridhelm").out.contains("times smaller"));
    }

    void noRatioWhilePointsAreMissing()
    {
        makeStudy("test {a} != 3.5");
        QCOMPARE(runHere("run p.gridhelm").exitCode, 1);
        auto outcome = runHere("compress p.gridhelm");
        QCOMPARE(outcome.exitCode, 0); // six of seven were computed
        QVERIFY2(!outcome.out.contains("times smaller"), outcome.out);
        QCOMPARE(runHere("compress p.gridhelm").exitCode, 1); // nothing more can be
        const auto info = jsonOf(runHere("info p.gridhelm --json"));
        QCOMPARE(info["compression_to_full_grid"].toDouble(-1), 0.0);
        outcome = runHere("eval p.gridhelm --at a=1 --probe 0.5,0.5,0");
        QVERIFY2(outcome.err.contains("Go on with: gridhelm-cli run p.gridhelm --retry-failed"),
                 outcome.err);
    }

    void numbersHaveNoRoundOff()
    {
        write("field.vtu", vtu(2, "{a}"));
        write("p.toml", "[[parameter]]\nname = \"a\"\nlow = 0.4\nhigh = 0.8\n[grid]\nlevel = 3\n"
                        "[simulation]\ncommand = 'echo a is {a} >> ../../seen'\n"
                        "templates = [\"field.vtu\"]\nresult = \"field.vtu\"\n");
        QCOMPARE(runHere("plan p.toml --csv points.csv").exitCode, 0);
        QCOMPARE(runHere("run p.gridhelm --jobs 1").exitCode, 0);
        QCOMPARE(runHere("compress p.gridhelm --holdout 8").exitCode, 0);
        QFile seen(at("seen")), points(at("points.csv"));
        QVERIFY(seen.open(QIODevice::ReadOnly) && points.open(QIODevice::ReadOnly));
        const auto handed = seen.readAll() + points.readAll();
        auto all = QString::fromUtf8(handed + runHere("info p.gridhelm --jobs").out
                                     + runHere("info p.gridhelm --jobs --json").out
                                     + runHere("info p.gridhelm --json").out
                                     + runHere("eval p.gridhelm --at a=0.6 --json").out);
        all.remove(QRegularExpression("\"[a-z_]*seconds\": [0-9.e-]+")); // which may be anything
        QVERIFY2(all.contains("a is 0.6\n") && all.contains("a=0.6\n"), qPrintable(all));
        // Of values in the ranges, none has more than four digits: 0.6 was 0.6000000000000001.
        const QRegularExpression number("0\\.[4-7][0-9]{5,}");
        const auto wrong =
            number.match(QString::fromUtf8(handed + runHere("info p.gridhelm --jobs --json").out));
        QVERIFY2(!wrong.hasMatch(), qPrintable(wrong.captured()));
        QVERIFY2(!all.contains("00000000") && !all.contains("99999999"), qPrintable(all));
    }

    void parametersOfOneValueAreRefused()
    {
        for (const QByteArray treatment : {"", "treatment = \"zero\"\n"}) {
            write("p.toml",
                  parameter("a") + parameter("b", "cap = 1\n" + treatment) + "[grid]\nlevel = 3\n");
            QVERIFY(isOneSentence(runHere("plan p.toml --dry-run"),
                                  "p.toml, line 9: [[parameter]] cap is 1, which leaves 'b' one "
                                  "value"));
        }
        write("p.toml", parameter("a") + parameter("b", "cap = 1\ntreatment = \"boundary\"\n")
                            + "[grid]\nlevel = 3\n");
        QCOMPARE(runHere("plan p.toml --dry-run").exitCode, 0);
    }

    void planIsCorrectedForAStudyThatExists()
    {
        makeStudy("test {a} != 2");
        QCOMPARE(runHere("run p.gridhelm").exitCode, 1);
        write("p.toml", parameter("a")
                            + "[grid]\nlevel = 3\n[simulation]\ncommand = [\"test\", \"{a}\"]\n"
                              "templates = [\"field.vtu\"]\nresult = \"field.vtu\"\n");
        QVERIFY(runHere("plan p.toml --update p.gridhelm").out.contains("6 jobs"));
        QCOMPARE(runHere("run p.gridhelm --retry-failed").exitCode, 0);
        QCOMPARE(jobs("done"), 7);
        write("q.toml", parameter("b") + "[grid]\nlevel = 3\n");
        QVERIFY(isOneSentence(runHere("plan q.toml --update p.gridhelm"), "does not belong"));
    }

    void ctrlCEndsARunCleanlyAndItGoesOn()
    {
        makeStudy("touch ../../begun; test {a} = 2 || sleep 1; echo {job} >> ../../ended");
        QCOMPARE(interrupted("run p.gridhelm --jobs 1", "ended"), 130);
        QVERIFY(!QFile::exists(at("p.gridhelm.jobs")));
        QCOMPARE(jobs("running"), 0);
        QCOMPARE(jobs("failed"), 0);
        const int before = jobs("done");
        QVERIFY2(before >= 1 && before < 7, qPrintable(QString::number(before)));
        QFile::remove(at("begun"));
        QCOMPARE(interrupted("run p.gridhelm --jobs 1", "begun", SIGTERM), 130);
        const auto rest = jsonOf(runHere("run p.gridhelm --jobs 4 --json"));
        QCOMPARE(rest["recovered"].toInt(), 0);
        QCOMPARE(rest["waiting"].toInt(), 0);
        QCOMPARE(jobs("done"), 7);
        QVERIFY(runHere("check p.gridhelm").exitCode == 0);
    }

    void killedRunGoesOn()
    {
        makeStudy("touch ../../begun; sleep 0.3");
        QCOMPARE(interrupted("run p.gridhelm --jobs 2", "begun", SIGKILL), -4);
        const auto rest = jsonOf(runHere("run p.gridhelm --jobs 4 --json"));
        QVERIFY(rest["recovered"].toInt() >= 1);
        QCOMPARE(jobs("done"), 7);
        QVERIFY(!QFile::exists(at("p.gridhelm.jobs")));
    }

    void ctrlCDuringHoldOutsOfCompress()
    {
        makeStudy("case {job} in holdout*) touch ../../begun; sleep 1;; esac");
        QCOMPARE(runHere("run p.gridhelm").exitCode, 0);
        QCOMPARE(interrupted("compress p.gridhelm --holdout 4", "begun"), 130);
        const auto compressed = runHere("compress p.gridhelm --holdout 4 --threads 2 --json");
        QCOMPARE(compressed.exitCode, 0);
        QCOMPARE(jsonOf(compressed)["study"].toObject()["hold_outs"].toInt(), 4);
    }
};

GRIDHELM_TEST(TestCliCampaign)
#include "tst_cli_campaign.moc"
