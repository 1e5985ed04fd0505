// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that exist already, and the tables that say what they are.
#include "core/support/error.h"
#include "data/campaign/import_files.h"
#include "tests/data/small_campaigns.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;

class ImportFilesTest : public QObject
{
    Q_OBJECT

private slots:
    void importedFilesBecomePointsOrHoldOuts()
    {
        const test::Folder folder;
        auto toml = test::commandPlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = test::studyOf(folder / "a.gridhelm", toml);
        for (const std::string name : {"p", "q"})
            test::writeBytes(folder / name, {'1'});
        const auto rows = importRows(TextTable("a,file\n2.0000001,p\n0.3,q\n", "t.csv"),
                                     (folder / "p").parent_path(), writer.description().space, {});
        const auto report = importFiles(writer, rows, {}, test::readNumber);
        QCOMPARE(report.stored, std::uint64_t(1));
        QCOMPARE(report.holdOuts, std::uint64_t(1));
        QCOMPARE(report.missing.size(), writer.grid()->points() - 1);
        QCOMPARE(importFiles(writer, rows, {}, test::readNumber).alreadyThere, std::uint64_t(2));
    }

    void stoppedImportKeepsNothingOfTheFile()
    {
        const test::Folder folder;
        auto toml = test::timePlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = test::studyOf(folder / "a.gridhelm", toml);
        const std::string series = "0 1\n1 3\n";
        test::writeBytes(folder / "p", {series.begin(), series.end()});
        const auto rows = importRows(TextTable("a,file\n2,p\n", "t.csv"),
                                     (folder / "p").parent_path(), writer.description().space, {});
        const auto report = importFiles(writer, rows, {},
                                        [](const auto &path, const auto &visit, const auto &stop) {
                                            test::readSeries(path, visit, stop);
                                            throw ReadingStopped();
                                        });
        QVERIFY(report.cancelled);
        QCOMPARE(report.stored, std::uint64_t(0));
        QCOMPARE(report.missing.size(), writer.grid()->points());
        QVERIFY(writer.fields().empty());
        QCOMPARE(importFiles(writer, rows, {}, test::readSeries).stored, std::uint64_t(2));
    }

    void importOfSeriesTakesTheTimesOfTheGrid()
    {
        const test::Folder folder;
        auto toml = test::timePlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = test::studyOf(folder / "a.gridhelm", toml);
        const std::string series = "0 1\n0.3 1\n0.500001 2\n1 3\n1.5 4\n2 5\n2.5 6\n";
        for (const std::string name : {"p", "q"})
            test::writeBytes(folder / name, {series.begin(), series.end()});
        const auto rows = importRows(TextTable("a,file\n2,p\n0.3,q\n", "t.csv"),
                                     (folder / "p").parent_path(), writer.description().space, {});
        const auto report = importFiles(writer, rows, {}, test::readSeries);
        QCOMPARE(report.stored, std::uint64_t(5));
        QCOMPARE(report.leftOut, std::uint64_t(3));  // 0.3, and twice 2.5
        QCOMPARE(report.holdOuts, std::uint64_t(6)); // off the grid with every time in the range
        ImportOptions all;
        all.allTimes = true;
        const auto again = importFiles(writer, rows, all, test::readSeries);
        QCOMPARE(again.stored, std::uint64_t(0));
        QCOMPARE(again.holdOuts, std::uint64_t(1));
    }

    void badTablesNameTheLine_data()
    {
        QTest::addColumn<QByteArray>("csv");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QByteArray("") << "t.csv is empty";
        QTest::newRow("no rows") << QByteArray("a,file\n") << "t.csv has no rows";
        QTest::newRow("unknown column") << QByteArray("b,file\n1,p\n") << "line 1: 'b'";
        QTest::newRow("no column") << QByteArray("c;file\n1;p\n") << "'c' is not a column";
        QTest::newRow("no parameter") << QByteArray("file\np\n") << "line 1: there is no column a";
        QTest::newRow("no file column") << QByteArray("a\n1\n") << "no column 'file'";
        QTest::newRow("column twice") << QByteArray("a,a,file\n1,1,p\n") << "stands there twice";
        QTest::newRow("cells") << QByteArray("a,file\n1,p,3\n") << "line 2: there are 3 cells";
        QTest::newRow("no number") << QByteArray("a,file\n\n1e,p\n") << "line 3: '1e'";
        QTest::newRow("infinite") << QByteArray("a,file\ninf,p\n") << "is not a finite number";
        QTest::newRow("open quote") << QByteArray("a,file\n1,\"p\n") << "line 2: a quote";
        QTest::newRow("no name") << QByteArray("a,file\n1,\n") << "line 2: there is no file name";
        QTest::newRow("zero byte") << QByteArray("a,file\n1,p\0q\n", 13) << "line 2";
        QTest::newRow("missing file")
            << QByteArray("a,file\n2,p\n1,z\n") << "line 3: there is no file";
        QTest::newRow("folder") << QByteArray("a,file\n1,.\n") << "line 2: there is no file";
        QTest::newRow("twice") << QByteArray("a,file\n2,p\n2.0000001,p\n")
                               << "line 3: a=2.0000001 stands in t.csv, line 2 already";
        QTest::newRow("hold-out twice") << QByteArray("a,file\n0.3,p\n0.3,p\n") << "line 3: a=0.3";
        QTest::newRow("out of range")
            << QByteArray("a,file\n4.1,p\n") << "line 2: a = 4.1 is out of its range, 0 to 4";
        QTest::newRow("unreadable") << QByteArray("a,file\n1,p\n0.3,q\n") << "line 3";
    }
    void badTablesNameTheLine()
    {
        QFETCH(QByteArray, csv);
        QFETCH(QString, part);
        const test::Folder folder;
        auto toml = test::commandPlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = test::studyOf(folder / "a.gridhelm", toml);
        test::writeBytes(folder / "p", {'1'});
        test::writeBytes(folder / "q", {'x'});
        QString message;
        try {
            const auto rows =
                importRows(TextTable(csv.toStdString(), "t.csv"), (folder / "p").parent_path(),
                           writer.description().space, {});
            importFiles(writer, rows, {}, test::readNumber);
        } catch (const Error &error) {
            message = error.what();
        }
        QVERIFY2(message.contains(part), qPrintable(message));
        QVERIFY(part == "line 3" || writer.fields().empty()); // nothing is stored in vain
    }

    void tablesOfOtherProgramsAreRead()
    {
        const ParameterSpace space({{"a", "", 0, 4}});
        const auto rows = importRows(TextTable("\xEF\xBB\xBF \"file\" ,a\r\n# comment\r\n\r\n"
                                               "\"dir, one/p\"\"q\", 2.5e0 \r\n",
                                               "t.csv"),
                                     "/x", space, {});
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].file, std::filesystem::path("/x/dir, one/p\"q"));
        QCOMPARE(rows[0].parameters, std::vector<double>{2.5});
        QCOMPARE(rows[0].place, std::string("t.csv, line 4"));
    }
};

GRIDHELM_TEST(ImportFilesTest)
#include "tst_import_files.moc"
