// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports: what they say, what they hold, and what they replace.
#include "core/support/base64.h"
#include "core/support/html_page.h"
#include "core/support/output_file.h"
#include "data/answers/study_report.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/response_cases.h"
#include "tests/support/test_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Of 12 hold-outs, and the response `mean`.
Study studyWithMean(const Folder &folder)
{
    const auto path = folder / "study.gridhelm";
    {
        auto writer = responseStudy(path, 12);
        writer.putResponse(mean);
        writer.close();
    }
    return Study::open(path);
}

} // namespace

class StudyReportTest : public QObject
{
    Q_OBJECT

private slots:
    void aReportSaysWhatTheLibraryDoes();
    void aReportIsNoPlaceForAStrangersMarkup();
    void aReportHasWhatWasFound();
    void aReportHasPictures();
    void onlyReportsAreReplacedByReports();
};

void StudyReportTest::aReportSaysWhatTheLibraryDoes()
{
    const Folder folder;
    const auto study = studyWithMean(folder);
    const auto &space = study.description().space;
    const auto place = space.fromUnit(std::vector{0.25, 0.5, 0.75});
    const auto report = studyReport(
        study, {place}, [] { return SamplesOfMesh(&samplesOf); }, onCpu(1));
    QCOMPARE(report.responses.size(), std::size_t{1});
    const auto &answer = report.responses[0];
    const auto response = studyResponses(study, {mean}, samplesOf, onCpu(1)).front();
    const auto x = space.toUnit(place);
    QCOMPARE(answer.value, response.model->value(x));
    for (std::size_t t = 0; t < x.size(); ++t) {
        auto end = x;
        end[t] = 1;
        QCOMPARE(answer.curves[t].back(), response.model->value(end));
        QCOMPARE(report.curveAt[t].front(), space[t].low);
    }
    const auto indices = answers::sobolIndices(*response.model, answers::uniformInputs(space), 256,
                                               1, onCpu(1).cpu())
                             .front();
    QVERIFY(indices.isExact);
    QCOMPARE(answer.influence.first, indices.first);
    const auto page = reportPage(report);
    for (const auto &shown :
         {std::string("<h2>mean</h2>"), std::string("2 * u - v_y + 3"),
          std::string(" % error bound "), std::string("calibrated at 12 validation points")})
        QVERIFY2(page.find(shown) != std::string::npos, shown.c_str());
    QCOMPARE(std::ranges::count(page, '\0'), 0);
    auto outside = place;
    outside[0] = space[0].high + 1;
    QVERIFY(isRefused(
        [&] {
            studyReport(
                study, {outside}, [] { return SamplesOfMesh(&samplesOf); }, onCpu(1));
        },
        space[0].name));
}

/// Titles, units, plans and formulas may be a stranger's.
void StudyReportTest::aReportIsNoPlaceForAStrangersMarkup()
{
    StudyReport report{"<b>file", smallDescription(2), {}, {}, {}, {"<img src=x>"}, {}, {}, {}, {}};
    report.description.title = "<script>alert(1)</script>";
    report.description.simulation = "# </pre><script>\n\"quoted\" & more";
    report.fields = {{"u\"><i>", "<u>", 1, Association::point, 4}};
    report.place = {1, 2, 3};
    report.refused = {"<a href=//x>"};
    report.states = {{{"<script>state", {1, 2, 3}}, {}}};
    report.findings = {"<u>found"};
    report.pictures = {{"", "\" onerror=\"<script>"}};
    const auto page = reportPage(report);
    for (const auto *mark : {"<script", "<b>", "<img src", "<i>", "<u>", "<a "})
        QVERIFY2(page.find(mark) == std::string::npos, mark);
    QVERIFY(page.find("&lt;script&gt;alert(1)") != std::string::npos);
    QVERIFY(page.find("&lt;script&gt;state") != std::string::npos);
    QVERIFY(page.find("&lt;u&gt;found") != std::string::npos);
    QVERIFY(page.find("alt=\"&quot; onerror=&quot;&lt;script&gt;\"") != std::string::npos);
    QVERIFY(page.find("default-src 'none'; img-src data:; style-src") != std::string::npos);
    QVERIFY(page.find("&quot;quoted&quot; &amp; more") != std::string::npos);
}

void StudyReportTest::aReportHasWhatWasFound()
{
    const Folder folder;
    const auto study = studyWithMean(folder);
    const auto &space = study.description().space;
    const auto place = space.fromUnit(std::vector{0.25, 0.5, 0.75});
    const RunPlace best{"best of all", space.fromUnit(std::vector{0.5, 0.125, 1.0})};
    const auto samples = [] { return SamplesOfMesh(&samplesOf); };
    const auto report = studyReport(study, {place, {best}}, samples, onCpu(1));
    QCOMPARE(report.states.size(), std::size_t{1});
    QCOMPARE(report.states[0].values.size(), std::size_t{1});
    const auto response = studyResponses(study, {mean}, samplesOf, onCpu(1)).front();
    const double value = response.model->value(space.toUnit(best.parameters));
    QCOMPARE(report.states[0].values[0], value);
    QVERIFY(value != report.responses[0].value);
    const auto page = reportPage(report);
    const auto found = page.find("What was found");
    QVERIFY(found != std::string::npos);
    const auto row = page.find("<td>best of all</td>", found);
    const auto next = page.find("</tr>", row);
    QVERIFY(row < next && next != std::string::npos);
    QVERIFY(page.substr(row, next - row).find(fmt::format("<td>{:.5g} m/s</td>", value))
            != std::string::npos);
    QVERIFY(page.find("<td>error bound</td>", next) != std::string::npos);
    const auto without = reportPage(studyReport(study, {place}, samples, onCpu(1)));
    QCOMPARE(without.find("What was found"), std::string::npos);
    auto outside = best;
    outside.parameters[1] = space[1].low - 1;
    QVERIFY(isRefused(
        [&] {
            studyReport(study, {place, {outside}}, samples, onCpu(1));
        },
        space[1].name));
}

void StudyReportTest::aReportHasPictures()
{
    // RFC 4648, section 10.
    for (const auto &[bytes, text] :
         {std::pair{"", ""}, std::pair{"f", "Zg=="}, std::pair{"fo", "Zm8="},
          std::pair{"foo", "Zm9v"}, std::pair{"foobar", "Zm9vYmFy"}})
        QCOMPARE(base64(bytes), std::string(text));
    QCOMPARE(base64(std::string_view("\xff\x00\xfe", 3)), std::string("/wD+"));
    StudyReport report{"f", smallDescription(2), {}, {}, {}, {}, {1, 2, 3}, {}, {}, {}};
    QCOMPARE(reportPage(report).find("<img"), std::string::npos);
    report.pictures = {{"first", "here"}, {"second", "there"}};
    const auto page = reportPage(report);
    QVERIFY(page.find("src=\"data:image/png;base64,Zmlyc3Q=\"><figcaption>here<")
            != std::string::npos);
    QVERIFY(page.find("<figcaption>there</figcaption>") != std::string::npos);
}

void StudyReportTest::onlyReportsAreReplacedByReports()
{
    const Folder folder;
    const auto path = (folder / "page.html").string();
    requireReportFile(path); // nothing is there
    StudyReport report{"f", smallDescription(2), {}, {}, {}, {}, {1, 2, 3}, {}, {}, {}};
    writeTextFile(path, reportPage(report));
    QVERIFY(isPageOf(path, reportGenerator));
    QVERIFY(!isPageOf(path, "gridhelm-cli bench machine"));
    requireReportFile(path);
    writeTextFile(path, "<!DOCTYPE html>\n<p>mine");
    QVERIFY(isRefused([&] { requireReportFile(path); }, "is no report"));
    QVERIFY(isRefused([&] { requireReportFile((folder / "nowhere" / "page.html").string()); },
                      "nowhere"));
}

GRIDHELM_TEST(StudyReportTest)
#include "tst_study_report.moc"
