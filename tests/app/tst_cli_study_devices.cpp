// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps of studies on several devices, on the command line: what is in the study afterwards is what
// one device leaves there, and what they do not do is said.
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliStudyDevices : public QObject, protected StudyFolder
{
    Q_OBJECT

private:
    /// All that info says of a study, without how large the file is and when it was made.
    QJsonObject infoOf(const QString &study) const
    {
        auto document = jsonOf(runHere("info --json " + study));
        for (const char *name : {"bytes", "file_bytes", "path", "created", "environment", "title"})
            document.remove(name);
        return document;
    }

    void copy(const QString &from, const QString &to) const
    {
        QFile::remove(here(to));
        QVERIFY(QFile::copy(here(from), here(to)));
    }

private slots:
    void initTestCase()
    {
        makeStudies();
        for (const char *name : {"p", "s"})
            copy(QString(name) + ".gridhelm", QString(name) + "0.gridhelm");
        write("numbers.csv", "a,b,y\n"
                             "0.1,0.2,1\n0.5,0.9,2\n0.9,0.4,1.5\n0.3,0.6,1.25\n0.7,0.1,3\n"
                             "0.2,0.8,2.5\n0.6,0.5,2\n");
    }

    void severalLeaveTheStudyOfOne_data()
    {
        QTest::addColumn<QString>("study");
        QTest::addColumn<QString>("line");
        const auto add = [](const char *name, const QString &study, const QString &line) {
            QTest::newRow(name) << study << line;
        };
        add("compress", "p", "compress STUDY --holdout 7");
        add("compress by modes", "p", "compress STUDY --holdout 5 --modes");
        add("compress of a scalar study", "s", "compress STUDY --holdout 3");
        add("refine", "p", "refine STUDY --runs 9 --holdout 3 --deterministic");
        add("refine of a scalar study", "s", "grow STUDY --level 5");
    }

    void severalLeaveTheStudyOfOne()
    {
        QFETCH(const QString, study);
        QFETCH(const QString, line);
        QList<QJsonObject> found;
        for (const QString devices : {"", " --devices cpu/3 --threads 4"}) {
            copy(study + "0.gridhelm", "x.gridhelm");
            QString command = line;
            command.replace("STUDY", "x.gridhelm");
            auto outcome = runHere(command + (command.startsWith("grow") ? "" : devices));
            QVERIFY2(outcome.exitCode == 0, outcome.err);
            if (command.startsWith("grow")) { // and what has come is hierarchized
                for (const char *next : {"run x.gridhelm", "compress x.gridhelm --holdout 2"}) {
                    outcome = runHere(next + devices);
                    QVERIFY2(outcome.exitCode == 0, outcome.err);
                }
            }
            QCOMPARE(outcome.err.count("are computed by the CPU"), devices.isEmpty() ? 0 : 1);
            found << infoOf("x.gridhelm");
        }
        QVERIFY(!found.front().isEmpty());
        QCOMPARE(found.back(), found.front());
    }

    void runsAreSuggestedAsByOne()
    {
        copy("p0.gridhelm", "x.gridhelm");
        copy("p0.gridhelm", "y.gridhelm");
        const auto one = runHere("suggest x.gridhelm --runs 12 --csv one.csv");
        QVERIFY2(one.exitCode == 0, one.err);
        const auto several =
            runHere("suggest y.gridhelm --runs 12 --csv several.csv --devices cpu/2");
        QVERIFY2(several.exitCode == 0, several.err);
        QVERIFY(!bytesOf("one.csv").isEmpty());
        QCOMPARE(bytesOf("several.csv"), bytesOf("one.csv"));
    }

    void aTableIsImportedAsByOne()
    {
        QList<QJsonObject> found;
        for (const QString devices : {"", " --devices cpu/2"}) {
            const auto outcome = runHere("import --table numbers.csv --parameters a,b --out "
                                         "made.gridhelm"
                                         + devices);
            QVERIFY2(outcome.exitCode == 0, outcome.err);
            found << infoOf("made.gridhelm");
            QVERIFY(QFile::remove(here("made.gridhelm")));
        }
        QVERIFY(!found.front().isEmpty());
        QCOMPARE(found.back(), found.front());
    }

    void theDevicesAreInTheJson()
    {
        copy("p0.gridhelm", "x.gridhelm");
        const auto execution =
            jsonOf(runHere("compress x.gridhelm --holdout 3 --json --devices cpu/2"))["execution"]
                .toObject();
        QCOMPARE(execution["devices"].toArray(), (QJsonArray{"cpu.1/2", "cpu.2/2"}));
        QCOMPARE(execution["computed_on"].toArray(), QJsonArray{"cpu"});
        QCOMPARE(execution["events"].toArray().size(), 1);
    }

    void questionsSayThatTheCpuAnswers()
    {
        QVERIFY(
            runHere("responses p.gridhelm --add peak --of temperature --reduce maximum").exitCode
            == 0);
        const auto one = runHere("sobol p.gridhelm --seed 1");
        QVERIFY2(one.exitCode == 0, one.err);
        const auto several = runHere("sobol p.gridhelm --seed 1 --devices cpu/2");
        QVERIFY2(several.exitCode == 0, several.err);
        QCOMPARE(several.out, one.out);
        QVERIFY2(several.err.contains("by the CPU alone"), several.err);
        const auto literal = runHere("sobol p.gridhelm --seed 1 --backend reference");
        QCOMPARE(literal.out, one.out);
        QVERIFY2(literal.err.contains("--backend reference: analyses"), literal.err);
        QVERIFY2(!one.err.contains("by the CPU alone"), one.err);
    }

    void whatCannotBeIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto add = [](const QString &line, const QString &says) {
            QTest::newRow(qPrintable(line)) << line << says;
        };
        add("compress p.gridhelm --devices gpu:63,62", "GPU");
        add("compress p.gridhelm --devices cpu/2 --backend reference", "choose omp or cuda");
        add("suggest p.gridhelm --runs 2 --csv n.csv --devices cpu/0", "cpu/0");
    }

    void whatCannotBeIsOneSentence()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, says);
        const auto before = listing();
        const auto outcome = runHere(line);
        QVERIFY2(outcome.exitCode != 0, outcome.out);
        QVERIFY2(outcome.err.contains(says.toUtf8()), outcome.err);
        QCOMPARE(listing(), before);
    }
};

GRIDHELM_TEST(TestCliStudyDevices)
#include "tst_cli_study_devices.moc"
