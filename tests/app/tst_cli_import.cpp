// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots from files, on the command line: those that a program leaves, and those that exist
// already.
#include "tests/app/plan_folder.h"
#include "tests/support/test_program.h"

using namespace gridhelm::test;

class TestCliImport : public QObject, protected PlanFolder
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

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

    void cellsOfEveryDimensionCount()
    {
        // A cube, a pyramid on it, and a square of its surface.
        const QByteArray file = R"(<VTKFile type="UnstructuredGrid"><UnstructuredGrid>
<Piece NumberOfPoints="9" NumberOfCells="3"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 2</DataArray></Points>
<Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 4 5 6 7 4 5 6 7 8 0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">8 13 17</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">12 14 9</DataArray></Cells>
<CellData><DataArray type="Float64" Name="one" format="ascii">1 1 1</DataArray>
<DataArray type="Float64" Name="wall" format="ascii">0 0 A</DataArray></CellData>
</Piece></UnstructuredGrid></VTKFile>)";
        QByteArray table = "a,file\n";
        for (const double a : {1.0, 1.5, 2.5, 4.0}) {
            const auto number = QByteArray::number(a);
            write(QString("r%1.vtu").arg(a), QByteArray(file).replace(" A<", " " + number + "<"));
            table += number + ",r" + number + ".vtu\n";
        }
        write("t.csv", table);
        auto outcome = runHere("import --table t.csv --out s.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        outcome = runHere("eval s.gridhelm --at a=2.5");
        QVERIFY2(outcome.out.contains("wall: 0 .. 2.5"), outcome.out);
        runHere("responses s.gridhelm --add volume --of one --reduce integral");
        outcome = runHere("responses s.gridhelm --at a=2.5");
        QVERIFY2(outcome.out.contains("  1.3333"), outcome.out); // 1 + 1/3, without the square
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

    void folderOfFilesIsImportedStepByStep()
    {
        write("p.toml", parameter("a") + "[grid]\nlevel = 2\n"); // a = 1, 2, 3
        QVERIFY(runHere("plan p.toml").out.contains("import p.gridhelm --table"));
        for (const auto *value : {"1", "2", "3", "2.5"})
            write(QString("runs/%1.vtu").arg(value), vtu(2, value));
        write("first.csv", "a,file\n2,runs/2.vtu\n2.5,runs/2.5.vtu\n");
        auto outcome = runHere("import p.gridhelm --table first.csv --csv missing.csv");
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
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("validation points: 1 imported"),
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
        write("p.toml", parameter("a") + parameter("t", "kind = \"time-like\"\ntimes = 5\n")
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
        // a = 1, 2 and 3 have five times on the grid; 2.5 has six in the range.
        QVERIFY2(outcome.out.startsWith("15 snapshots for grid points, 6 off the grid")
                     && outcome.out.contains("7 snapshots left out"),
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

GRIDHELM_TEST(TestCliImport)
#include "tst_cli_import.moc"
