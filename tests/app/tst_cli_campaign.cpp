// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots from any program and from files that exist already, on the command line. The program
// is the shell, which fills in a mesh file.
#include "tests/app/cli_process.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

#include <csignal>

using namespace gridhelm::test;

namespace {

/// A square of `n` x `n` cells, each of two triangles: u = `value` + x at the points, c = `value`
/// in the cells. `value` may be a placeholder.
QByteArray vtu(int n, const QByteArray &value)
{
    QByteArray points, u, c, connectivity, offsets, types;
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x) {
            points += QByteArray::number(double(x) / n) + " " + QByteArray::number(double(y) / n)
                      + " 0\n";
            u += value + "\n";
        }
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const int a = y * (n + 1) + x, b = a + n + 1;
            for (const auto &[p, q, r] : {std::tuple{a, a + 1, b}, std::tuple{a + 1, b + 1, b}})
                connectivity += QByteArray::number(p) + " " + QByteArray::number(q) + " "
                                + QByteArray::number(r) + "\n";
        }
    for (int i = 1; i <= 2 * n * n; ++i) {
        offsets += QByteArray::number(3 * i) + "\n";
        types += "5\n";
        c += value + "\n";
    }
    const auto array = [](const QByteArray &attributes, const QByteArray &values) {
        return "<DataArray " + attributes + " format=\"ascii\">\n" + values + "</DataArray>\n";
    };
    return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
           "<UnstructuredGrid><Piece NumberOfPoints=\""
           + QByteArray::number((n + 1) * (n + 1)) + "\" NumberOfCells=\""
           + QByteArray::number(2 * n * n) + "\">\n<PointData>"
           + array("type=\"Float32\" Name=\"u\"", u) + "</PointData>\n<CellData>"
           + array("type=\"Float32\" Name=\"c\"", c) + "</CellData>\n<Points>"
           + array("type=\"Float64\" NumberOfComponents=\"3\"", points) + "</Points>\n<Cells>"
           + array("type=\"Int64\" Name=\"connectivity\"", connectivity)
           + array("type=\"Int64\" Name=\"offsets\"", offsets)
           + array("type=\"UInt8\" Name=\"types\"", types)
           + "</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

QByteArray parameter(const char *name, const QByteArray &more = "")
{
    return QByteArray("[[parameter]]\nname = \"") + name + "\"\nlow = 0\nhigh = 4\n" + more;
}

} // namespace

class TestCliCampaign : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const QString &name) const { return m_folder->filePath(name); }
    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder->path()); }

    void write(const QString &name, const QByteArray &text) const
    {
        QDir(m_folder->path()).mkpath(QFileInfo(name).path());
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// A study of one parameter a at level 3 (7 points): the command leaves result.vtu.
    void makeStudy(const QByteArray &command, const QByteArray &more = "") const
    {
        write("field.vtu", vtu(2, "{a}"));
        write("p.toml", parameter("a") + "[grid]\nlevel = 3\n[simulation]\ncommand = '''" + command
                            + "'''\ntemplates = [\"field.vtu\"]\nresult = \"field.vtu\"\n" + more);
        const auto outcome = runHere("plan p.toml");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
    }

    int jobs(const QString &state) const
    {
        return jsonOf(runHere("info p.gridhelm --json"))["jobs"].toObject()[state].toInt(-1);
    }

    /// Starts the command, sends it a signal as soon as `sign` exists, returns its exit code.
    int interrupted(const QString &line, const QString &sign, int signal = SIGINT) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(QStringLiteral(GRIDHELM_CLI), QProcess::splitCommand(line));
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

    void failedJobsAreNamedAndRunAgain()
    {
        makeStudy("echo looking at {a}; test {a} != 1 || test -e ../../mended || exit 3");
        auto outcome = runHere("run p.gridhelm --jobs 2");
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("exit code 3") && outcome.err.contains("--retry-failed"),
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
        QVERIFY2(outcome.exitCode == 0 && outcome.out.startsWith("1 job went well"), outcome.out);
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
                                      "code 3), so 2 more were not begun")
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
        QVERIFY2(outcome.err.contains("6 hold-out runs failed")
                     && outcome.err.contains("the coefficients are stored all the same"),
                 outcome.err);
        const auto said = runHere("info p.gridhelm").out;
        for (const auto &text : {outcome.out, said})
            QVERIFY2(text.contains("6 of 8 hold-outs are MISSING")
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
                QVERIFY2(info.contains("first: gridhelm-cli " + step.toUtf8()), info);
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

    void importNamesTheWayToAStudy()
    {
        write("p.toml", parameter("a") + "[grid]\nlevel = 2\n");
        write("t.csv", "a,file\n");
        for (const auto *name : {"none.gridhelm", "p.toml", "t.csv", "."}) {
            const auto outcome = runHere(QString("import %1 --table t.csv").arg(name));
            QVERIFY2(isOneSentence(outcome, "plan without [simulation]")
                         && outcome.err.contains("gridhelm-cli plan mine.toml --out mine.gridhelm"),
                     outcome.err);
        }
        QVERIFY(!QFile::exists(at("none.gridhelm")));
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

    void fieldsAreChosenAndMissingOnesNamed()
    {
        makeStudy("true", "fields = [\"c\"]\n");
        QCOMPARE(runHere("run p.gridhelm").exitCode, 0);
        const auto info = runHere("info p.gridhelm").out;
        QVERIFY2(info.contains("field         c, 1 component at cells, 8 values")
                     && !info.contains("field         u"),
                 info);
        QFile::remove(at("p.gridhelm"));
        makeStudy("true", "fields = [\"w\"]\n");
        const auto outcome = runHere("run p.gridhelm");
        QVERIFY2(outcome.err.contains("the result has no field 'w'; it has: u, c"), outcome.err);
    }

    void resultsOfEachTimeOrSeriesAreTaken_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("file for each time")
            << QByteArray("for t in {times}; do sed s/TIME/$t/ field.vtu > out_$t.vtu; done")
            << QByteArray("out_{t}.vtu");
        QTest::newRow("pattern for each time")
            << QByteArray("for t in {times}; do mkdir -p step_$t; sed s/TIME/$t/ field.vtu > "
                          "step_$t/some.vtu; done")
            << QByteArray("s?ep_{t}/*.vtu");
        const QByteArray files = "for t in 0.001 {times} {last}1; do sed s/TIME/$t/ field.vtu > "
                                 "$t.vtu; ";
        QTest::newRow("pvd") << "(echo '<VTKFile type=\"Collection\"><Collection>'; " + files
                                    + "echo \"<DataSet timestep='$t' file='$t.vtu'/>\"; done; "
                                      "echo '</Collection></VTKFile>') > all.pvd"
                             << QByteArray("*.pvd");
        QTest::newRow("series")
            << "(echo '{\"files\":['; " + files
                   + "echo \"{\\\"time\\\": $t, \\\"name\\\": \\\"$t.vtu\\\"},\"; "
                     "done | sed '$s/,$//'; echo ']}') > all.vtu.series"
            << QByteArray("all.vtu.series");
    }
    void resultsOfEachTimeOrSeriesAreTaken()
    {
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, result);
        write("field.vtu", vtu(2, "TIME"));
        write("p.toml", parameter("a") + parameter("t", "kind = \"time-like\"\n")
                            + "[grid]\nlevel = 3\n[simulation]\ncommand = '''" + command
                            + "'''\ntemplates = [\"field.vtu\"]\nresult = \"" + result + "\"\n");
        QCOMPARE(jsonOf(runHere("plan p.toml --json"))["now"].toObject()["jobs"].toInt(), 7);
        const auto outcome = runHere("run p.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QCOMPARE(runHere("compress p.gridhelm").exitCode, 0);
        const auto value = runHere("eval p.gridhelm --at a=1.3,t=2.6 --probe 0.5,0.5,0");
        QVERIFY2(value.out.contains("2.6"), value.out + value.err);
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

    void folderOfFilesIsImportedStepByStep()
    {
        write("p.toml", parameter("a") + "[grid]\nlevel = 2\n"); // a = 1, 2, 3
        QVERIFY(runHere("plan p.toml").out.contains("import p.gridhelm --table"));
        for (const auto *value : {"1", "2", "3", "2.5"})
            write(QString("runs/%1.vtu").arg(value), vtu(2, value));
        write("first.csv", "a,file\n2,runs/2.vtu\n2.5,runs/2.5.vtu\n");
        auto outcome = runHere("import p.gridhelm --table first.csv --missing missing.csv");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY2(outcome.out.startsWith("1 snapshot for grid points, 1 off the grid")
                     && outcome.out.contains("2 grid points still MISSING: a=1; a=3"),
                 outcome.out);
        QFile missing(at("missing.csv"));
        QVERIFY(missing.open(QIODevice::ReadOnly));
        QCOMPARE(missing.readAll(), QByteArray("a\n1\n3\n"));
        outcome = runHere("import p.gridhelm --table first.csv");
        QVERIFY2(outcome.out.startsWith("0 snapshots for grid points, 0 off")
                     && outcome.out.contains("2 there already"),
                 outcome.out);
        // The table has no column for files: they are named in the order of the rows.
        write("second.csv", "a\n1\n3\n");
        outcome = runHere("import p.gridhelm runs/1.vtu runs/3.vtu --table second.csv");
        QVERIFY2(outcome.out.contains("every grid point has its snapshot"), outcome.out);
        QCOMPARE(jobs("done"), 3);
        outcome = runHere("compress p.gridhelm --holdout 5");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("hold-outs: 1 imported"),
                 outcome.out);
        QVERIFY(isOneSentence(runHere("run p.gridhelm"), "import"));
    }

    void otherMeshesAreRefusedOrResampled()
    {
        write("p.toml", parameter("a") + "[grid]\nlevel = 2\n");
        runHere("plan p.toml");
        write("2.vtu", vtu(2, "2"));
        write("3.vtu", vtu(3, "3"));
        write("t.csv", "a,file\n2,2.vtu\n3,3.vtu\n");
        QVERIFY(
            isOneSentence(runHere("import p.gridhelm --table t.csv"),
                          "t.csv, line 3: 3.vtu cannot be imported: The mesh has 16 points, the "
                          "study's 9; all snapshots must share one mesh, so resample it onto "
                          "the study's (import --resample)"));
        const auto outcome = runHere("import p.gridhelm --table t.csv --resample --json");
        QCOMPARE(jsonOf(outcome)["stored"].toInt(), 1);
        QCOMPARE(jsonOf(outcome)["already_there"].toInt(), 1);
    }

    void jobsOnOtherMeshesAreRefusedOrResampled()
    {
        // Every job has another number of cells.
        const QByteArray command = "cp field-{a}.vtu field.vtu";
        for (const auto *value : {"1", "2", "3"})
            write(QString("field-%1.vtu").arg(value), vtu(*value - '0', value));
        const auto plan = [&](const QByteArray &more) {
            write("p.toml", parameter("a") + "[grid]\nlevel = 2\n[simulation]\ncommand = '"
                                + command
                                + "'\ntemplates = [\"field-1.vtu\", \"field-2.vtu\", "
                                  "\"field-3.vtu\"]\nresult = \"field.vtu\"\n"
                                + more);
        };
        plan("");
        runHere("plan p.toml");
        auto outcome = runHere("run p.gridhelm --jobs 1");
        QVERIFY2(outcome.err.contains("2 jobs failed")
                     && outcome.err.contains("kind = \"resampled\" in the plan"),
                 outcome.err);
        plan("resample = true\n");
        QCOMPARE(runHere("plan p.toml --update p.gridhelm").exitCode, 0);
        QCOMPARE(runHere("run p.gridhelm --retry-failed").exitCode, 0);
    }

    void seriesGiveTimesOfTheGrid()
    {
        write("p.toml", parameter("a") + parameter("t", "kind = \"time-like\"\n")
                            + "[grid]\nlevel = 2\n"); // a = 1, 2, 3; t = 0, 1, .. 4
        runHere("plan p.toml");
        QByteArray table = "a,file\n";
        for (const auto *a : {"1", "2", "3", "2.5"}) {
            QByteArray list = "<VTKFile type=\"Collection\"><Collection>\n";
            for (const auto *t : {"0", "0.1", "1", "2", "3", "4", "7"}) {
                const auto name = QByteArray(a) + "-" + t + ".vtu";
                write(name, vtu(2, t));
                list += "<DataSet timestep=\"" + QByteArray(t) + "\" file=\"" + name + "\"/>\n";
            }
            write(QByteArray(a) + ".pvd", list + "</Collection></VTKFile>\n");
            table += QByteArray(a) + "," + a + ".pvd\n";
        }
        write("t.csv", table);
        const auto outcome = runHere("import p.gridhelm --table t.csv");
        // a = 1 and 3 have three times on the grid, 2 has five; 2.5 has six in the range.
        QVERIFY2(outcome.out.startsWith("11 snapshots for grid points, 6 off the grid")
                     && outcome.out.contains("11 snapshots left out"),
                 outcome.out + outcome.err);
        QVERIFY2(outcome.out.contains("every grid point has its snapshot"), outcome.out);
        QCOMPARE(runHere("compress p.gridhelm").exitCode, 0);
        const auto value = runHere("eval p.gridhelm --at a=1.3,t=2.6 --probe 0.5,0.5,0");
        QVERIFY2(value.out.contains("2.6"), value.out + value.err);
    }

    void badTablesAreOneSentence_data()
    {
        QTest::addColumn<QByteArray>("csv");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QByteArray("") << "t.csv is empty";
        QTest::newRow("binary") << QByteArray("\0\1\2,\n", 5) << "line 1";
        QTest::newRow("not there")
            << QByteArray("a,file\n1,no.vtu\n") << "line 2: there is no file";
        QTest::newRow("number") << QByteArray("a,file\none,2.vtu\n") << "line 2: 'one'";
        QTest::newRow("damaged") << QByteArray("a,file\n1,damaged.vtu\n") << "line 2";
        QTest::newRow("a table") << QByteArray("a,file\n1,t.csv\n") << "kind that is not known";
        QTest::newRow("other fields") << QByteArray("a,file\n1,2.vtu\n2,other.vtu\n")
                                      << "line 3: other.vtu cannot be imported: the result has no "
                                         "field 'u'";
    }
    void badTablesAreOneSentence()
    {
        QFETCH(QByteArray, csv);
        QFETCH(QString, part);
        write("p.toml", parameter("a") + "[grid]\nlevel = 2\n");
        runHere("plan p.toml");
        write("2.vtu", vtu(2, "2"));
        write("damaged.vtu", vtu(2, "2").left(700));
        write("other.vtu", vtu(2, "2").replace("\"u\"", "\"v\""));
        write("t.csv", csv);
        const auto outcome = runHere("import p.gridhelm --table t.csv");
        QVERIFY2(isOneSentence(outcome, part), outcome.err);
        QVERIFY(runHere("check p.gridhelm").exitCode == 0);
    }
};

QTEST_GUILESS_MAIN(TestCliCampaign)
#include "tst_cli_campaign.moc"
