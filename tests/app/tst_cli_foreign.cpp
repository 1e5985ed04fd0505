// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies of somebody who means no good: nothing of their texts reaches a terminal or a spreadsheet
// as a command, and what they lie about is a sentence.
#include "tests/app/cli_process.h"
#include "tests/core/harmless.h"
#include "tests/data/study_cases.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

const std::string title = "\x1b]0;owned\x07 title \x9b"
                          "31m \xff\nerrors are all 0 \xE2\x80\xAEtxt";
const std::string formula = "=cmd|' /C calc'!A0";
const std::string fieldName = "u\x1b[2J\xC2\x9b"
                              "1m\xfe, \"v\"";
const std::string unit = "m/s\x1b[0m\xE2\x81\xA6\r\n@SUM(1)";
const std::string jobLog = "\x1b[2Jlog of \x9b"
                           "31m\xff\r\nsecond line";

struct Lies
{
    std::uint64_t points = 60, cells = 24, entities = 60;
};

void makeStudy(const std::filesystem::path &path, const Lies &lies = {})
{
    StudyDescription description{title, StudyKind::vector,
                                 ParameterSpace({{"Re", unit, 100, 1000}, {"lid", "", 0, 1}}), 2,
                                 ""};
    auto writer = StudyWriter::create(path, description);
    writer.setMesh({"image", R"({"origin":[0.0,0.0,0.0],"points":[5,4,3],"spacing":[0.5,1.0,1.0]})",
                    lies.points, lies.cells});
    writer.addField({formula, "", 1, Association::point, lies.entities});
    writer.addField({fieldName, unit, 3, Association::point, lies.entities});
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (std::size_t field = 0; field < 2; ++field)
            for (const auto point : job.points)
                writer.putSnapshot(point, field,
                                   snapshotAt(coordinatesOf(writer, point), writer, field));
        writer.finishJob(job.id, jobLog);
    }
    compress(writer, {});
    writer.close();
}

} // namespace

class TestCliForeign : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    Outcome runHere(const QStringList &arguments) const
    {
        return runCli(arguments, {}, m_folder.path());
    }
    void make(const QString &name, const Lies &lies = {}) const
    {
        makeStudy(path(name).toStdString(), lies);
    }

private slots:
    void initTestCase() { make("s.gridhelm"); }

    void nothingReachesTheTerminal_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<int>("exitCode");
        const QString study = "s.gridhelm", at = "--at=Re=200,lid=0.5";
        const auto add = [](const char *name, const QStringList &line, int exitCode = 0) {
            QTest::newRow(name) << line << exitCode;
        };
        add("info", {"info", study});
        add("jobs", {"info", study, "--jobs"});
        add("log", {"info", study, "--log", "1"});
        add("check", {"check", study});
        add("no such file", {"info", "\x1b[2Jnothing"}, 1);
        add("no such option", {"info", study, "--\x1b[2J"}, 2);
        add("plan", {"plan", "\x1b]0;x\x07.toml"}, 1);
#ifdef GRIDHELM_HAS_VTK
        add("ranges", {"eval", study, at});
        add("no such field", {"eval", study, at, "--field", "x\x1b[2J"}, 1);
        add("values", {"eval", study, at, "--probe", "1,1,1"});
        add("mesh file", {"eval", study, at, "--out", "out.vti"});
        add("series", {"export", study, "--along", "Re", "--at", "lid=0.5", "--steps", "2", "--out",
                       "series.pvd", "--overwrite"});
#endif
    }
    void nothingReachesTheTerminal()
    {
        QFETCH(QStringList, line);
        QFETCH(int, exitCode);
        const auto text = runHere(line);
        QVERIFY2(isHarmless(text.out), text.out.toPercentEncoding(" "));
        QVERIFY2(isHarmless(text.err), text.err.toPercentEncoding(" "));
        QCOMPARE(text.exitCode, exitCode);
        QVERIFY2(!text.out.contains("\nerrors are all 0"), text.out); // a line of the title's own
        const auto json = runHere(line + QStringList("--json"));
        QVERIFY2(isHarmless(json.out), json.out.toPercentEncoding(" "));
        QVERIFY2(isHarmless(json.err), json.err.toPercentEncoding(" "));
        QVERIFY2(!json.err.contains("should not happen"), json.err);
        QCOMPARE(json.exitCode, exitCode);
        QVERIFY(exitCode != 0 || !QJsonDocument::fromJson(json.out).isNull());
    }

    void jsonKeepsWhatCanBeKept()
    {
        const auto info = jsonOf(runHere({"info", "s.gridhelm", "--json"}));
        QCOMPARE(info["title"].toString(), QString::fromStdString(title));
        QCOMPARE(info["fields"].toArray().at(0).toObject()["name"].toString(),
                 QString::fromStdString(formula));
    }

    void aPipeGetsNoMoreThanATerminal()
    {
        QProcess shell; // a name that is no UTF-8
        shell.start("/bin/sh", {"-c", QString(paths::cli)
                                          + " info \"$(printf '\\233nothing\\377')\" --json"});
        QVERIFY(shell.waitForFinished(60000));
        QCOMPARE(shell.exitCode(), 1);
        const auto says = shell.readAllStandardError();
        QVERIFY2(isHarmless(says) && says.contains("nothing"), says);
    }

#ifdef GRIDHELM_HAS_VTK
    void spreadsheetsAreGivenNoFormulas()
    {
        const auto outcome = runHere({"eval", "s.gridhelm", "--at", "Re=200,lid=0.5", "--probe",
                                      "1,1,1", "--csv", "values.csv"});
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QFile file(path("values.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto csv = file.readAll();
        QVERIFY2(isHarmless(csv), csv.toPercentEncoding(" "));
        QCOMPARE(csv.count('\n'), 2);
        QVERIFY2(csv.startsWith("x,y,z,'=cmd|' /C calc'!A0,\"u<U+001B>"), csv);
    }

    void writtenMeshesCanBeReadAgain()
    {
        QVERIFY(runHere({"eval", "s.gridhelm", "--at", "Re=200,lid=0.5", "--out", "m.vti"}).exitCode
                == 0);
        const auto drawn = runHere({"render", "m.vti", "--out", "m.png"});
        QVERIFY2(drawn.exitCode == 0 && isHarmless(drawn.out), drawn.err);
    }

    void foreignNamesCanBeDrawn()
    {
        for (const auto &field : {formula, fieldName}) {
            if (field == fieldName) // no UTF-8, so it cannot be asked for
                continue;
            const auto drawn = runHere({"render", "s.gridhelm", "--at", "Re=200,lid=0.5", "--field",
                                        QString::fromStdString(field), "--out", "p.png"});
            QVERIFY2(drawn.exitCode == 0 && isHarmless(drawn.out), drawn.err);
        }
    }

    void liesAreSentences_data()
    {
        QTest::addColumn<quint64>("points");
        QTest::addColumn<quint64>("cells");
        QTest::addColumn<quint64>("entities");
        QTest::newRow("points") << quint64{61} << quint64{24} << quint64{61};
        QTest::newRow("many points") << quint64{1} << quint64{24} << quint64{60};
        QTest::newRow("cells") << quint64{60} << quint64{1'000'000'000'000} << quint64{60};
        QTest::newRow("entities") << quint64{60} << quint64{24} << quint64{24};
    }
    void liesAreSentences()
    {
        QFETCH(quint64, points);
        QFETCH(quint64, cells);
        QFETCH(quint64, entities);
        std::filesystem::remove(path("lies.gridhelm").toStdString());
        make("lies.gridhelm", {points, cells, entities});
        const auto checked = jsonOf(runHere({"check", "lies.gridhelm", "--json"}));
        QCOMPARE(checked["sound"].toBool(true), false);
        const QString at = "Re=200,lid=0.5";
        for (const auto &line :
             {QStringList{"eval", "lies.gridhelm", "--at", at, "--probe", "1,1,1"},
              QStringList{"eval", "lies.gridhelm", "--at", at, "--out", "lies.vti"},
              QStringList{"export", "lies.gridhelm", "--along", "Re", "--at", "lid=0.5", "--out",
                          "lies.pvd"},
              QStringList{"render", "lies.gridhelm", "--at", at, "--out", "lies.png"}}) {
            const auto outcome = runHere(line);
            QVERIFY2(isOneSentence(outcome, "damaged"), outcome.err + outcome.out);
        }
    }

    void aMissingTemporaryFolderDoesNotMatter()
    {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TMPDIR", "/nowhere/at/all");
        environment.remove("DISPLAY"); // so that a virtual screen is needed
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(QString(paths::cli),
                      {"render", "s.gridhelm", "--at", "Re=200,lid=0.5", "--out", "t.png"});
        QVERIFY(process.waitForFinished(120000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    }
#endif
};

GRIDHELM_TEST(TestCliForeign)
#include "tst_cli_foreign.moc"
