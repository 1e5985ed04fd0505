// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of runs at any places: what their columns are, and which rows are of use.
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class ScatteredTableTest : public QObject
{
    Q_OBJECT

private slots:
    void columnsAreParametersFilesAndResponses();
    void whatSaysNothingIsLeftOut();
    void repeatedRunsAreMerged();
    void scalesAreRecognisedOrChosen();
    void runsWithoutResponsesAreLeftOut();
    void whatCannotBeIsAnErrorWithItsLine_data();
    void whatCannotBeIsAnErrorWithItsLine();
};

void ScatteredTableTest::columnsAreParametersFilesAndResponses()
{
    auto table = parsed("a, b [mm],c\n1,2,3\n# a remark\n4,7,6\n2,3,1\n");
    QCOMPARE(table.parameters.size(), std::size_t{2});
    QCOMPARE(table.parameters[1].name, std::string("b"));
    QCOMPARE(table.parameters[1].unit, std::string("mm"));
    QCOMPARE(table.parameters[1].low, 2.0);
    QCOMPARE(table.parameters[1].high, 7.0);
    QCOMPARE(table.responses.size(), std::size_t{1});
    QCOMPARE(table.responses[0].name, std::string("c"));
    QCOMPARE(table.runs.size(), std::size_t{3});
    QCOMPARE(table.runs[1][0].parameters, (std::vector{4.0, 7.0}));
    QCOMPARE(table.runs[1][0].responses, (std::vector{6.0}));
    QCOMPARE(table.runs[1][0].place, std::string("t.csv, line 4"));
    QVERIFY(table.notes.empty());
    table = parsed("a,b,c\n1,2,3\n4,7,6\n2,3,1\n", {.parameters = {"c"}});
    QCOMPARE(table.parameters[0].name, std::string("c"));
    QCOMPARE(table.responses.size(), std::size_t{2});

    const Folder folder;
    for (const std::string name : {"p", "q", "r"})
        writeText(folder / name, "1");
    const auto here = (folder / "p").parent_path();
    table = parsed("a,b,file\n1,0,p\n2,5,q\n3,2,r\n", {}, here);
    QCOMPARE(table.parameters.size(), std::size_t{2});
    QVERIFY(table.responses.empty());
    QCOMPARE(table.runs[2][0].file, folder / "r");
    table = parsed("a,file,b\n1,p,0\n2,q,5\n3,r,2\n", {.parameters = {"b"}}, here);
    QCOMPARE(table.parameters.size(), std::size_t{1});
    QVERIFY2(says(table.notes, "the column a is left out"), linesOf(table.notes).c_str());
}

void ScatteredTableTest::whatSaysNothingIsLeftOut()
{
    const auto table = parsed("run,a,b,c\nfirst,1,7,3\nsecond,4,7,6\nthird,2,7,2\n");
    QCOMPARE(table.parameters.size(), std::size_t{1});
    QVERIFY(says(table.notes, "the column run is left out, for it holds no numbers"));
    QVERIFY(says(table.notes, "the parameter b is left out, for it is 7 in all runs"));
    QVERIFY(says(parsed("a,b\n1,3\n2,3\n3,3\n").notes, "the response b is 3 in all runs"));
    QVERIFY(parsed("a,b\n1,1e9\n2,1000000000.1\n3,1e9\n").notes.empty());
}

void ScatteredTableTest::repeatedRunsAreMerged()
{
    // Of the first parameter's range, 1e-7 is nothing, and 1e-4 something.
    const auto table =
        parsed("a,b,c\n10,0,3\n0,0.5,1\n10.000001,1e-7,5\n10.001,0,7\n0,0.5,1\n5,1,0\n");
    QCOMPARE(table.runs.size(), std::size_t{4});
    QCOMPARE(table.runs[0].size(), std::size_t{2});
    QCOMPARE(table.runs[0][0].responses[0] + table.runs[0][1].responses[0], 8.0);
    QCOMPARE(table.runs[1].size(), std::size_t{2});
    QCOMPARE(table.runs[2][0].responses[0], 7.0);
    QVERIFY2(says(table.notes, "2 rows repeat another one, or nearly so")
                 && says(table.notes, "t.csv, line 4; t.csv, line 6"),
             linesOf(table.notes).c_str());
}

void ScatteredTableTest::scalesAreRecognisedOrChosen()
{
    // Over decades, and the same numbers in a table whose column is even over them.
    std::string decades = "k,y\n", even = "k,y\n";
    for (int i = 0; i <= 20; ++i) {
        decades += fmt::format("{},{}\n", std::pow(10.0, -12 + i / 2.0), -12 + i / 2.0);
        even += fmt::format("{},{}\n", 1 + 50 * i, i);
    }
    const auto table = parsed(decades);
    QCOMPARE(table.runs.size(), std::size_t{21}); // none of them repeats another one
    QVERIFY(table.parameters[0].scale == ParameterScale::logarithmic);
    QVERIFY(says(table.notes, "the scale of k is logarithmic"));
    QVERIFY(parsed(even).parameters[0].scale == ParameterScale::linear);
    QVERIFY(parsed("k,y\n0,1\n1e-9,2\n1e-3,3\n1,4\n").parameters[0].scale
            == ParameterScale::linear);

    const TextTable cells(even, "t.csv");
    ScatteredReading reading{scatteredRoles(cells, {}).roles, {}, {}, {}};
    reading.scales["k"] = ParameterScale::logarithmic;
    QVERIFY(scatteredTable(cells, reading).parameters[0].scale == ParameterScale::logarithmic);
    reading.scales["y"] = ParameterScale::logarithmic;
    QCOMPARE(
        sentenceOf([&] { scatteredTable(cells, reading); }),
        std::string("there is a scale of y, which is no parameter of t.csv: leave the scale out, "
                    "or make the column a parameter"));
    const TextTable belowZero("k,y\n-1,1\n1,2\n3,3\n", "t.csv");
    reading.scales = {{"k", ParameterScale::logarithmic}};
    QVERIFY(sentenceOf([&] { scatteredTable(belowZero, reading); }).find("cannot be logarithmic")
            != std::string::npos);
}

void ScatteredTableTest::runsWithoutResponsesAreLeftOut()
{
    const auto table = parsed("a,b\n1,2\n2,nan\n3,\n4,inf\n5,7\n6,1e300\n");
    QCOMPARE(table.runs.size(), std::size_t{2});
    QVERIFY2(says(parsed("a,b,y\n1,2,3\nNA,3,4\n2,,5\n4,4,1\n3,1,2\n").notes,
                  "2 rows are left out, for a parameter is missing or no finite number there"),
             "parameters");
    QVERIFY2(says(table.notes, "4 rows are left out")
                 && says(table.notes, "t.csv, line 3; t.csv, line 4; t.csv, line 5 ..."),
             linesOf(table.notes).c_str());
}

void ScatteredTableTest::whatCannotBeIsAnErrorWithItsLine_data()
{
    QTest::addColumn<QString>("csv");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *csv, const char *parameters,
                        const char *expected) {
        QTest::newRow(name) << QString(csv) << QString(parameters) << QString(expected);
    };
    row("empty", "", "", "is empty");
    row("no rows", "a,b\n", "", "no rows");
    row("a word in a parameter", "a,b\n1,2\nabc,3\n", "", "line 3: 'abc' is not a number for a");
    row("dates", "a,day,b\n1,2024-01-05,2\n3,2024-01-06,3\n", "",
        "'2024-01-05' is not a number for day");
    row("words in the last column", "a,b,quality\n1,2,good\n2,3,bad\n", "",
        "'good' is not a number for quality");
    row("other exponents", "a,b,y\n1,2,1.5X00\n2,3,2.5X00\n", "", "'1.5X00' is not a number for y");
    row("a word in a response", "a,b\n1,2\n3,abc\n", "", "line 3: 'abc' is not a number for b");
    row("a cell too many", "a,b\n1,2,3\n", "", "line 2: there are 3 cells");
    row("words alone", "a,b\nx,y\n", "", "'y' is not a number for b");
    row("words for a parameter", "a,b\nx,1\ny,2\n", "a", "'x' is not a number for a");
    row("no such column", "a,b\n1,2\n2,3\n", "c", "no column c; its columns are: a, b");
    row("twice", "a,b\n1,2\n2,3\n", "a,a", "twice");
    row("a column twice", "a,a\n1,2\n2,3\n", "", "stands there twice");
    row("no response", "a,b\n1,2\n2,3\n", "a,b", "no responses");
    row("fewer runs than parameters", "a,b,c,d\n1,2,3,4\n2,1,5,6\n3,7,1,2\n", "",
        "3 different runs for 3 parameters");
    row("repeated until too few", "a,b,c\n1,2,3\n1,2,4\n1,2,5\n3,1,1\n", "", "2 different runs");
    row("nothing differs", "a,b\n1,2\n1,3\n1,4\n", "", "no parameter that differs");
    row("nothing is finite", "a,b\n1,nan\n2,nan\n", "",
        "no row whose parameters and responses are all numbers below");
    row("a file that is missing", "a,file\n1,none.vtu\n", "", "line 2: there is no file");
    row("no file name", "a,file\n1,\n", "", "line 2: there is no file name");
    row("an odd name", "a:b,c\n1,2\n2,3\n", "", "is not a name");
}

void ScatteredTableTest::whatCannotBeIsAnErrorWithItsLine()
{
    QFETCH(QString, csv);
    QFETCH(QString, parameters);
    QFETCH(QString, expected);
    const Folder folder;
    writeText(folder / "t.csv", csv.toStdString());
    auto step = stepOf(folder);
    for (const auto &name : parameters.split(',', Qt::SkipEmptyParts))
        step.columns.parameters.push_back(name.toStdString());
    const auto sentence = sentenceOf([&] { scatteredStep(step, {}); });
    QVERIFY2(sentence.find(expected.toStdString()) != std::string::npos, sentence.c_str());
    QVERIFY(!std::filesystem::exists(folder / "s"));
}

GRIDHELM_TEST(ScatteredTableTest)
#include "tst_scattered_table.moc"
