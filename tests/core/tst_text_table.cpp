// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables as spreadsheets, numpy, Fortran, Dakota and people write them.
#include "core/support/text_table.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;

class TextTableTest : public QObject
{
    Q_OBJECT

private slots:
    void tablesAreReadHoweverTheyAreWritten_data();
    void tablesAreReadHoweverTheyAreWritten();
    void numbersAreReadOrAreNone_data();
    void numbersAreReadOrAreNone();
    void whatIsMissingIsNoNumber();
    void unitsStandInHeadersOrBehindNumbers_data();
    void unitsStandInHeadersOrBehindNumbers();
    void aHeaderMayBeOptional();
    void rowsKnowTheirLines();
    void whatCannotBeReadNamesTheLine_data();
    void whatCannotBeReadNamesTheLine();
};

namespace {

/// "a,b: 1,2; 3,4".
QByteArray numbersOf(const TextTable &table)
{
    QByteArray text;
    for (const auto &column : table.columns())
        text += (text.isEmpty() ? "" : ",") + QByteArray::fromStdString(column.name);
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t c = 0; c < table.columns().size(); ++c) {
            const auto value = table.number(row, c);
            text += c > 0 ? "," : row > 0 ? "; " : ": ";
            text += !value ? "?" : std::isnan(*value) ? "-" : QByteArray::number(*value, 'g', 12);
        }
    return text;
}

QByteArray utf16(const QString &text, bool isBigEndian)
{
    QByteArray bytes = isBigEndian ? "\xFE\xFF" : "\xFF\xFE";
    for (const auto c : text) {
        const char low = static_cast<char>(c.unicode() & 0xFF),
                   high = static_cast<char>(c.unicode() >> 8);
        bytes += isBigEndian ? high : low;
        bytes += isBigEndian ? low : high;
    }
    return bytes;
}

} // namespace

void TextTableTest::tablesAreReadHoweverTheyAreWritten_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("numbers");
    QTest::addColumn<QByteArray>("format");
    const auto row = [](const char *name, const QByteArray &text, const QByteArray &format = "",
                        const QByteArray &numbers = "a,b: 1.5,2; 3,4.25") {
        QTest::newRow(name) << text << numbers << format;
    };
    row("commas", "a,b\n1.5,2\n3,4.25\n");
    row("blanks around", " a , b \n 1.5 ,2\n3,\t4.25 ");
    row("quotes", "\"a\",\"b\"\n\"1.5\",2\n3,\"4.25\"\n");
    row("a line in quotes", "\"a\nlength\",b\n1.5,2\n", "", "a length,b: 1.5,2");
    row("byte order mark", "\xEF\xBB\xBF"
                           "a,b\n1.5,2\n3,4.25\n");
    row("CR LF", "a,b\r\n1.5,2\r\n3,4.25\r\n");
    row("CR", "a,b\r1.5,2\r3,4.25\r");
    row("blank lines", "\n\na,b\n\n1.5,2\n  \n3,4.25\n,\n");
    row("remarks", "# made by hand\na,b\n1.5,2\n% half way\n3,4.25\n");
    row("semicolons", "a;b\n1.5;2\n3;4.25\n", "semicolons");
    row("semicolons, decimal commas", "a;b\n1,5;2\n3;4,25\n", "semicolons, decimal commas");
    row("three digits behind commas", "a;b\n1,500;2,000\n3,000;4,250\n",
        "semicolons, decimal commas");
    row("tabs", "a\tb\n1.5\t2\n3\t4.25\n", "tabs");
    row("tabs, decimal commas", "a\tb\n1,5\t2\n3\t4,25\n", "tabs, decimal commas");
    row("bars", "a|b\n1.5|2\n3|4.25\n", "bars");
    row("blanks", "  a    b\n1.5 2  \n  3\t4.25\n", "blanks");
    row("blanks, decimal commas", "a b\n1,5 2\n3 4,25\n", "blanks, decimal commas");
    row("decimal commas in quotes", "a,b\n\"1,5\",2\n3,\"4,25\"\n", "decimal commas");
    row("sep", "sep=;\na;b\n1.5;2\n3;4.25\n", "semicolons");
    row("sep of a tab", "sep=\t\na\tb\n1.5\t2\n3\t4.25\n", "tabs");
    row("sep of commas", "\"sep=,\"\r\na,b\r\n1.5,2\r\n3,4.25\r\n");
    row("UTF-16", utf16("a,b\r\n1.5,2\r\n3,4.25\r\n", false), "UTF-16");
    row("UTF-16, the other end", utf16("a,b\n1.5,2\n3,4.25\n", true), "UTF-16");
    row("Windows-1252", "\xE4,b\n1.5,2\n3,4.25\n", "Windows-1252", "\xC3\xA4,b: 1.5,2; 3,4.25");
    row("numpy.savetxt", "# a,b\n1.500e+00,2.000e+00\n3.000e+00,4.250e+00\n");
    row("numpy.savetxt, blanks", "# a b\n1.500e+00 2.000e+00\n3.000e+00 4.250e+00\n", "blanks");
    row("a header of blanks above commas", "# a b\n1.5,2\n3,4.25\n");
    row("Dakota", "%eval_id interface a\n1 NO_ID 1.5\n2 NO_ID 3\n", "blanks",
        "eval_id,interface,a: 1,?,1.5; 2,?,3");
    row("an index of pandas", ",a,b\n0,1.5,2\n1,3,4.25\n");
    row("separators at the ends", "a,b,\n1.5,2,\n3,4.25,\n");
    row("separators at the ends of rows", "a,b\n1.5,2,\n3,4.25,\n");
    row("one column", "a\n1.5\n3\n", "", "a: 1.5; 3");
    row("guarded", "'=a,b\n1.5,2\n", "", "=a,b: 1.5,2");
    row("semicolons in words", "a,b,note\n1.5,2,x;y\n3,4.25,z\n", "",
        "a,b,note: 1.5,2,?; 3,4.25,?");
    row("commas in names", "length, mm;b\n1,5;2\n", "semicolons, decimal commas",
        "length,b: 1.5,2");
}

void TextTableTest::tablesAreReadHoweverTheyAreWritten()
{
    QFETCH(QByteArray, text);
    const TextTable table(text.toStdString(), "t.csv");
    QTEST(numbersOf(table), "numbers");
    QTEST(QByteArray::fromStdString(table.format()), "format");
}

void TextTableTest::numbersAreReadOrAreNone_data()
{
    QTest::addColumn<QByteArray>("cells"); // of a column; in a table with semicolons
    QTest::addColumn<QByteArray>("numbers");
    const auto row = [](const QByteArray &cells, const QByteArray &numbers) {
        QTest::addRow("%s", cells.constData()) << cells << numbers;
    };
    row("1.5D+00|2d-1", "1.5; 0.2");
    row("+1.5E+00|-.5|5.", "1.5; -0.5; 5");
    row("1.5-101|2.5+100", "1.5e-101; 2.5e+100");
    row("1,200.5|1,234,567", "1200.5; 1234567");
    row("1.200,5|1.234.567", "1200.5; 1234567");
    row("1,200.5|3,5", "1200.5; ?"); // neither a group nor a decimal point
    row("1,200|0.5", "?; 0.5");      // may be 1.2
    row("0,5|1.200", "0.5; ?");      // may be 1200
    row("0,123|0,5", "0.123; 0.5");
    row("1,2345|2", "1.2345; 2");
    row("1'200.5|12'345'678", "1200.5; 12345678");
    row("1\xC2\xA0"
        "200,5|3,5",
        "1200.5; 3.5");
    row("\xE2\x88\x92"
        "1.5|2",
        "-1.5; 2");
    row("2024-01-05|2024-01-06", "?; ?");
    row("1.2.3|1.2.4", "?; ?");
    row("12:30|12:45", "?; ?");
    row("0x1F|0x2A", "?; ?");
    row("--1|1 2", "?; ?");
    row("1e400|1", "?; 1");
    row("inf|-Infinity", "inf; -inf");
    row("5 %|7.5 %", "5; 7.5");
    row("1.5X00|2.5X00", "?; ?");
    row("1e|2e", "?; ?");
    row("3 m2|4 m2", "3; 4");
    row("3 mm|4", "?; 4");
    row("3 mm|4 m", "?; ?");
    row("1,200 mm|0,5 mm", "1.2; 0.5");
}

void TextTableTest::numbersAreReadOrAreNone()
{
    QFETCH(QByteArray, cells);
    auto text = "a;b\n" + cells.replace('|', ";\n") + ";\n";
    const TextTable table(text.toStdString(), "t.csv");
    QByteArray numbers;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const auto value = table.number(i, 0);
        numbers += (i > 0 ? "; " : "") + (value ? QByteArray::number(*value, 'g', 12) : "?");
    }
    QTEST(numbers, "numbers");
}

void TextTableTest::whatIsMissingIsNoNumber()
{
    const TextTable table("a,b\n1,\nNA,nan\nNone,null\n-999,#N/A\n1e30,<NA>\n2,NaN\n", "t.csv",
                          {.missing = {-999, 1e30}});
    QCOMPARE(numbersOf(table), QByteArray("a,b: 1,-; -,-; -,-; -,-; -,-; 2,-"));
    QVERIFY(table.hasNumbers(0) && !table.hasNumbers(1));
}

void TextTableTest::unitsStandInHeadersOrBehindNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("unit");
    const auto row = [](const QByteArray &text, const char *name, const char *unit) {
        QTest::addRow("%s", text.constData()) << text << QByteArray(name) << QByteArray(unit);
    };
    row("a [m],b\n1,2\n", "a", "m");
    row("a[m/s],b\n1,2\n", "a", "m/s");
    row("a (m),b\n1,2\n", "a", "m");
    row("inlet velocity [m/s],b\n1,2\n", "inlet velocity", "m/s");
    row("v[0],b\n1,2\n", "v[0]", "");
    row("f(x),b\n1,2\n", "f(x)", "");
    row("a,b\n3 mm,2\n4 mm,1\n", "a", "mm");
    row("a [mm],b\n3 mm,2\n", "a", "mm");
    row("a,b\n5 %,2\n", "a", "%");
    row("a,b\n3 [N/m],2\n", "a", "N/m");
    row("a,mm;b\n1,5;2\n", "a", "mm");
    row("drag (left),drag (right)\n1,2\n", "drag (left)", "");
}

void TextTableTest::unitsStandInHeadersOrBehindNumbers()
{
    QFETCH(QByteArray, text);
    const TextTable table(text.toStdString(), "t.csv");
    QTEST(QByteArray::fromStdString(table.columns()[0].name), "name");
    QTEST(QByteArray::fromStdString(table.columns()[0].unit), "unit");
    QVERIFY(table.number(0, 0).has_value());
}

void TextTableTest::aHeaderMayBeOptional()
{
    const TableReading optional{TableHeader::optional};
    const TextTable without("0.5,0.25\n1,0\n", "t.csv", optional);
    QCOMPARE(numbersOf(without), QByteArray(": 0.5,0.25; 1,0"));
    QVERIFY(!without.find("x"));
    const TextTable with("y,x\n0.5,0.25\n", "t.csv", optional);
    QCOMPARE(with.find("x"), std::optional<std::size_t>(1));
}

void TextTableTest::rowsKnowTheirLines()
{
    const TextTable table("# remark\n\na,b\n1,\"2\n3\"\n\n4,x\n", "t.csv");
    QCOMPARE(table.headerPlace(), std::string("t.csv, line 3"));
    QCOMPARE(table.line(0), std::size_t{4});
    QCOMPARE(table.place(1), std::string("t.csv, line 7"));
    QCOMPARE(table.finiteNumber(1, 0), 4.0);
    QCOMPARE(test::refusalOf([&] { table.finiteNumber(1, 1); }),
             std::string("t.csv, line 7: 'x' is not a finite number for b; correct it"));
}

void TextTableTest::whatCannotBeReadNamesTheLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const QByteArray &text, const char *sentence) {
        QTest::newRow(name) << text << QString(sentence);
    };
    row("nothing", "", "t.csv is empty");
    row("remarks alone", "# a\n\n", "t.csv is empty");
    row("no rows", "a,b\n", "t.csv has no rows");
    row("no names", "1,2\n3,4\n", "t.csv, line 1 has numbers, and no names");
    row("a cell too many", "a,b\n1,2\n1,2,3\n",
        "t.csv, line 3: there are 3 cells, but the first line has 2");
    row("decimal commas between commas", "a,b\n1,5,2,5\n", "is that a decimal comma?");
    row("a cell too few", "a;b\n1;2\n1\n", "t.csv, line 3: there are 1 cells");
    row("an open quote", "a,b\n1,\"2\n3,4\n", "t.csv, line 2: a quote is not closed");
    row("behind a quote", "a,b\n\"1\"2,3\n", "t.csv, line 2: text stands behind a cell in quotes");
    row("a column twice", "a,b,a\n1,2,3\n", "t.csv, line 1: the column a stands there twice");
    row("a zero byte", QByteArray("a,b\n1,2\n\0,3\n", 11), "t.csv, line 3 holds a zero byte");
    row("half of UTF-16",
        QByteArray("\xFF\xFE"
                   "a\0,",
                   5),
        "no text in UTF-16");
}

void TextTableTest::whatCannotBeReadNamesTheLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, sentence);
    QVERIFY(
        test::isRefused([&] { TextTable(text.toStdString(), "t.csv"); }, sentence.toStdString()));
}

GRIDHELM_TEST(TextTableTest)
#include "tst_text_table.moc"
