// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text that others wrote cannot command a terminal, a JSON parser or a spreadsheet.
#include "core/support/clean_text.h"
#include "core/support/csv_line.h"
#include "tests/core/harmless.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QTest>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace std::string_literals;

namespace {

/// Bytes of which many are lead bytes, continuations and controls.
std::string randomBytes(Random &random, int length)
{
    std::string bytes;
    for (int i = 0; i < length; ++i) {
        const int kind = random.integer(0, 5);
        const int byte = kind == 0   ? random.integer(0, 0x1F)
                         : kind == 1 ? random.integer(0x20, 0x7F)
                         : kind == 2 ? random.integer(0x80, 0xBF)
                         : kind == 3 ? random.integer(0xC0, 0xFF)
                         : kind == 4 ? random.integer(0xE0, 0xE2)
                                     : random.integer(0x80, 0x82);
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

} // namespace

class CleanTextTest : public QObject
{
    Q_OBJECT

private slots:
    void whatIsReadableStays()
    {
        const auto text = "velocity u\xC3\xBC\xCE\xB1 in m/s, \xE2\x82\xAC, \xF0\x9F\x98\x80"s;
        QCOMPARE(cleanLine(text), text);
        QCOMPARE(cleanLines(text + "\n\tmore"), text + "\n\tmore");
        QVERIFY(isPlainLines("plain\n\ttext"));
        QVERIFY(!isPlainLines(text));
        QVERIFY(!isPlainLines(std::string(5000, 'x') + "\x1b"));
    }

    void controlsAreSpelledOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("escape") << QByteArray("a\x1b[2Jb") << QByteArray("a<U+001B>[2Jb");
        QTest::newRow("window title")
            << QByteArray("\x1b]0;x\x07") << QByteArray("<U+001B>]0;x<U+0007>");
        QTest::newRow("C1, one byte") << QByteArray("\x9b"
                                                    "31m")
                                      << QByteArray("\xEF\xBF\xBD"
                                                    "31m");
        QTest::newRow("C1, UTF-8") << QByteArray("\xC2\x9b"
                                                 "31m")
                                   << QByteArray("<U+009B>31m");
        QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("<U+007F>");
        QTest::newRow("nothing") << QByteArray("a\0b", 3) << QByteArray("a<U+0000>b");
        QTest::newRow("override") << QByteArray("\xE2\x80\xAE"
                                                "x")
                                  << QByteArray("<U+202E>x");
        QTest::newRow("isolate") << QByteArray("\xE2\x81\xA6"
                                               "x")
                                 << QByteArray("<U+2066>x");
        QTest::newRow("separator") << QByteArray("\xE2\x80\xA8") << QByteArray("<U+2028>");
        QTest::newRow("ends of lines") << QByteArray("a\nb\rc\td") << QByteArray("a b c d");
    }
    void controlsAreSpelledOut()
    {
        QFETCH(QByteArray, text);
        QTEST(QByteArray::fromStdString(cleanLine(text.toStdString())), "line");
    }

    void endsOfLinesBecomeOne()
    {
        QCOMPARE(cleanLines("a\r\nb\rc\n\td\x1b"), "a\nb\nc\n\td<U+001B>"s);
    }

    void whatIsNoUtf8IsReplaced_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("replacements");
        QTest::newRow("lone continuation") << QByteArray("\x80") << 1;
        QTest::newRow("cut off") << QByteArray("\xE2\x82") << 1;
        QTest::newRow("too long") << QByteArray("\xC0\xAF") << 2;
        QTest::newRow("too long, three bytes") << QByteArray("\xE0\x80\xAF") << 3;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 3;
        QTest::newRow("above all") << QByteArray("\xF4\x90\x80\x80") << 4;
        QTest::newRow("cut off, then good") << QByteArray("\xF0\x9F\x98z") << 1;
        QTest::newRow("too long escape") << QByteArray("\xC1\x9B") << 2;
    }
    void whatIsNoUtf8IsReplaced()
    {
        QFETCH(QByteArray, bytes);
        const auto line = QByteArray::fromStdString(cleanLine(bytes.toStdString()));
        QTEST(static_cast<int>(line.count("\xEF\xBF\xBD")), "replacements");
    }

    void whatHasToBeJudgedHidesNothing()
    {
        QCOMPARE(everythingSpelledOut("rm\t-r\n\x1b\xE2\x80\x8B\xF3\xA0\x81\x81\xE2\x82"),
                 "rm\t-r\n<U+001B><U+200B><U+E0041><0xE2><0x82>"s);
        QCOMPARE(everythingSpelledOut("\xE2\x80\xAE\xC3\xA4\r"), "<U+202E>\xC3\xA4<U+000D>"s);
    }

    void whatIsKeptIsUtf8()
    {
        QCOMPARE(validUtf8("a\0\xff\xC3\xA4\x1b\xE2\x82"s),
                 "a\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA4\x1b\xEF\xBF\xBD"s);
    }

    void anyBytesBecomeHarmless()
    {
        Random random(1);
        for (int i = 0; i < 20000; ++i) {
            const auto bytes = randomBytes(random, random.integer(0, 24));
            const auto line = cleanLine(bytes), lines = cleanLines(bytes);
            QVERIFY(isHarmless(QByteArray::fromStdString(line), {}));
            QVERIFY(isHarmless(QByteArray::fromStdString(lines)));
            QCOMPARE(cleanLine(line), line); // once is enough
            QCOMPARE(cleanLines(lines), lines);
        }
    }

    void jsonGivesBackWhatItHolds()
    {
        const std::string text = "\x1b[0m \xC2\x9b \x7f \xE2\x80\xAE \xE2\x80\xA8 \n \xC3\xBC";
        const auto document = cleanJson(nlohmann::json{{"title", text}}.dump(2));
        QVERIFY(isHarmless(QByteArray::fromStdString(document)));
        QVERIFY(document.find("\\u202E") != std::string::npos);
        QCOMPARE(nlohmann::json::parse(document).at("title").get<std::string>(), text);
    }

    void spreadsheetsComputeNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("cell");
        QTest::newRow("name") << QByteArray("u_x [m/s]") << QByteArray("u_x [m/s]");
        QTest::newRow("formula") << QByteArray("=cmd|' /C calc'!A0")
                                 << QByteArray("'=cmd|' /C calc'!A0");
        QTest::newRow("quoted formula") << QByteArray("=HYPERLINK(\"x\",\"y\")")
                                        << QByteArray("\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
        QTest::newRow("plus") << QByteArray("+A1") << QByteArray("'+A1");
        QTest::newRow("minus") << QByteArray("-A1") << QByteArray("'-A1");
        QTest::newRow("at") << QByteArray("@SUM(A1)") << QByteArray("'@SUM(A1)");
        QTest::newRow("after a tab") << QByteArray("\t=A1") << QByteArray("'=A1");
        QTest::newRow("after a return") << QByteArray("\r=A1") << QByteArray("'=A1");
        QTest::newRow("hidden apostrophe") << QByteArray("'=A1") << QByteArray("''=A1");
        QTest::newRow("number") << QByteArray("-1.5e-3") << QByteArray("-1.5e-3");
        QTest::newRow("comma") << QByteArray("a,b") << QByteArray("\"a,b\"");
        QTest::newRow("lines") << QByteArray("a\nb") << QByteArray("a b");
        QTest::newRow("escape") << QByteArray("\x1b[m") << QByteArray("<U+001B>[m");
    }
    void spreadsheetsComputeNothing()
    {
        QFETCH(QByteArray, text);
        QTEST(QByteArray::fromStdString(csvCell(text.toStdString())), "cell");
    }

    void cellsAreReadAsTheyWereWritten()
    {
        const std::vector<std::string> texts{"Re",      "=A1", "'=A1", "''@x",    "-3",
                                             "a,\"b\"", "'it", "",     "-x, \"y", "+"};
        std::string line;
        for (const auto &text : texts)
            line += (line.empty() ? "" : ",") + csvCell(text);
        QVERIFY(csvCells(line, "here") == texts);
    }

    void plainTextIsFast()
    {
        const std::string text(50 << 20, 'x');
        QElapsedTimer timer;
        timer.start();
        QVERIFY(isPlainLines(text));
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    }
};

GRIDHELM_TEST(CleanTextTest)
#include "tst_clean_text.moc"
