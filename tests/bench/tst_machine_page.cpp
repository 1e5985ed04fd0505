// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page of a machine: whole, and nothing but text of what others have written.
#include "app/bench/machine/machine_page.h"
#include "core/support/html_text.h"
#include "core/support/svg_plots.h"
#include "tests/bench/machine_reports.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::bench;
using namespace gridhelm::test;

namespace {

/// The picture that so many precede; empty if there are fewer.
QString svgOf(const std::string &page, int number)
{
    qsizetype begin = -1;
    const auto text = QString::fromStdString(page);
    for (int i = 0; i <= number; ++i)
        begin = text.indexOf("<svg", begin + 1);
    return begin < 0 ? QString() : text.mid(begin, text.indexOf("</svg>", begin) + 6 - begin);
}

int elementsIn(const QString &xml, const QString &name)
{
    QXmlStreamReader reader(xml);
    int count = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name)
            ++count;
    }
    return reader.hasError() ? -1 : count;
}

} // namespace

class TestMachinePage : public QObject
{
    Q_OBJECT

private slots:
    void whatMarkupIsMadeOfIsSpelledOut();
    void namesAreTextOnThePage();
    void everyOperationHasAPlotOfRates();
    void machinesStandSideBySide();
    void pagesOfNothingAreWhole();
    void wrongResultsAreNotDrawn();
    void barsAreAsLongAsTheirValues();
    void linesAreLogarithmic();
};

void TestMachinePage::whatMarkupIsMadeOfIsSpelledOut()
{
    QCOMPARE(htmlText("<a href=\"x\" b='y'>&amp;"),
             std::string("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"));
    QCOMPARE(htmlText("Intel\xC2\xAE 7"), std::string("Intel\xC2\xAE 7"));
    QVERIFY(htmlText("\xFF\x1b").find('\x1b') == std::string::npos);
}

void TestMachinePage::namesAreTextOnThePage()
{
    const std::string evil = "</title><script>alert(1)</script><img src=x onerror='a()'>\"";
    auto report = reportOf(evil, 10);
    report.commit = report.version = evil;
    report.devices[0] = {evil, evil, 1, 1, 1, 1, 1, evil};
    for (auto &each : report.cases)
        each.work = each.device = each.limit = evil;
    report.failures = {evil};
    for (const auto &page :
         {machinePage({report}, report), machinePage({report, report}, report)}) {
        QVERIFY(page.find("<script") == std::string::npos);
        QVERIFY(page.find("<img") == std::string::npos);
        QVERIFY(page.find("onerror='") == std::string::npos);
        QVERIFY(page.find("&lt;script&gt;") != std::string::npos);
        QVERIFY(page.find("default-src 'none'") != std::string::npos);
        QVERIFY(page.find("src=\"http") == std::string::npos);
        for (int i = 0; i < 7; ++i)
            QVERIFY(elementsIn(svgOf(page, i), "title") > 0);
    }
}

void TestMachinePage::everyOperationHasAPlotOfRates()
{
    auto report = reportOf("a machine", 10);
    const auto onePoint = machinePage({report}, report);
    for (std::size_t i = 0; i < operationClasses.size(); ++i) {
        auto more = measuredCase(operationClasses[i], "more", 30);
        more.dimension = 7;
        report.cases.push_back(more);
    }
    const auto page = machinePage({report}, report);
    QVERIFY(svgOf(page, 7).isEmpty()); // two with bars, five with lines
    for (int i = 0; i < 2; ++i)
        QCOMPARE(elementsIn(svgOf(page, i), "rect"), 5);
    for (int i = 2; i < 7; ++i) {
        QCOMPARE(elementsIn(svgOf(onePoint, i), "circle"), 1);
        QCOMPARE(elementsIn(svgOf(page, i), "circle"), 2);
        QCOMPARE(elementsIn(svgOf(page, i), "polyline"), 1);
    }
    QVERIFY(page.find("<b>100</b>") != std::string::npos);
}

void TestMachinePage::machinesStandSideBySide()
{
    const auto page =
        machinePage({reportOf("fast", 30), reportOf("slow", 10)}, reportOf("slow", 10));
    for (const char *part : {"A: fast", "B: slow", "<b>300</b>", "<b>100</b>"})
        QVERIFY2(page.find(part) != std::string::npos, part);
    QCOMPARE(elementsIn(svgOf(page, 0), "rect"), 10);
    QCOMPARE(elementsIn(svgOf(page, 2), "polyline"), 2);
}

void TestMachinePage::pagesOfNothingAreWhole()
{
    const auto page = machinePage({MachineReport()}, reportOf("reference", 1));
    for (int i = 0; i < 7; ++i)
        QVERIFY(elementsIn(svgOf(page, i), "svg") == 1);
    QVERIFY(page.ends_with("</html>\n"));
    QVERIFY(page.find("nan") == std::string::npos && page.find("inf") == std::string::npos);
}

void TestMachinePage::wrongResultsAreNotDrawn()
{
    auto report = reportOf("a machine", 10);
    for (auto &each : report.cases)
        each.error = 1;
    const auto page = machinePage({report}, reportOf("reference", 1));
    QCOMPARE(elementsIn(svgOf(page, 2), "polyline"), 0);
    QVERIFY(page.find("no score") != std::string::npos);
}

void TestMachinePage::barsAreAsLongAsTheirValues()
{
    QXmlStreamReader reader(QString::fromStdString(
        barPlot({{"a", 1, "one", 0}, {"b", 4, "four", 1}, {"c", 0, "none", 2}}, 2, "bars")));
    std::vector<double> lengths;
    double mark = 0, left = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QString("rect")) {
            lengths.push_back(reader.attributes().value("width").toDouble());
            left = reader.attributes().value("x").toDouble();
        } else if (reader.name() == QString("line")) {
            mark = reader.attributes().value("x1").toDouble();
        }
    }
    QCOMPARE(lengths.size(), std::size_t{3});
    QVERIFY(lengths[0] > 10 && lengths[2] == 0);
    QVERIFY(std::abs(lengths[1] - 4 * lengths[0]) < 0.5);
    QVERIFY(std::abs(mark - left - lengths[1] / 2) < 0.5);
}

void TestMachinePage::linesAreLogarithmic()
{
    QXmlStreamReader reader(QString::fromStdString(
        linePlot({{{{2, 10}, {4, 1000}, {10, 100}}, "rates"}}, "lines", "x", "y")));
    std::vector<QPair<double, double>> places;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement
            && reader.name() == QString("circle"))
            places.push_back({reader.attributes().value("cx").toDouble(),
                              reader.attributes().value("cy").toDouble()});
    }
    QCOMPARE(places.size(), std::size_t{3});
    QVERIFY(places[0].second > places[2].second && places[2].second > places[1].second);
    const double middle = (places[0].second + places[1].second) / 2;
    QVERIFY(std::abs(places[2].second - middle) < 0.2); // of the logarithms
    const double unit = (places[1].first - places[0].first) / 2;
    QVERIFY(std::abs(places[2].first - places[0].first - 8 * unit) < 0.4);
}

GRIDHELM_TEST(TestMachinePage)
#include "tst_machine_page.moc"
