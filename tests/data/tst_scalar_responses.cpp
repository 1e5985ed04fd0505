// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of scalar studies against the study's own values.
#include "data/answers/scalar_responses.h"
#include "data/answers/study_report.h"
#include "data/evaluate/scalar_surrogate.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Space comes between the parameters: a, px in 0 .. 2, t, py in 1 .. 2.
StudyWriter madeStudy(const std::filesystem::path &path)
{
    Parameter a{"a", "", 1, 100, ParameterScale::logarithmic}, x{"px", "m", 0, 2};
    Parameter t{"t", "s", 0, 5}, y{"py", "m", 1, 2};
    x.kind = y.kind = ParameterKind::spatial;
    auto study = StudyWriter::create(
        path, {"scalar", StudyKind::scalar, ParameterSpace(std::vector{a, x, t, y}), 4, ""});
    study.addField(smallField("u", 1));
    study.addField(smallField("v", 1));
    runAllJobs(study);
    compress(study, {});
    return study;
}

class Values
{
public:
    explicit Values(const Study &study)
        : m_backend(sparse::makeOmpBackend(onCpu(1)))
        , m_u(study, 0, *m_backend)
        , m_v(study, 1, *m_backend)
    {
    }

    /// The mean of 2 u - v + 3 over these places.
    double mean(const std::vector<double> &at, const std::vector<double> &x,
                const std::vector<double> &y) const
    {
        const std::vector<std::vector<double>> axes{{at[0]}, x, {at[1]}, y};
        std::vector<float> u(x.size() * y.size()), v(u.size());
        m_u.evaluate(axes, {u, {}});
        m_v.evaluate(axes, {v, {}});
        double sum = 0;
        for (std::size_t i = 0; i < u.size(); ++i)
            sum += 2 * static_cast<double>(u[i]) - static_cast<double>(v[i]) + 3;
        return sum / static_cast<double>(u.size());
    }

private:
    std::unique_ptr<sparse::Backend> m_backend;
    ScalarSurrogate m_u, m_v;
};

std::vector<double> middles(double low, double high, int count)
{
    std::vector<double> at;
    for (int i = 0; i < count; ++i)
        at.push_back(low + (high - low) * (i + 0.5) / count);
    return at;
}

const std::string formula = "2 * u - v + 3";

} // namespace

class ScalarResponsesTest : public QObject
{
    Q_OBJECT

private slots:
    void theyAreTheStudysValues();
    void theParametersAreThoseWithoutSpace();
    void aReportIsOfTheParametersWithoutSpace();
    void whatCannotBeIsSaid();
};

void ScalarResponsesTest::theyAreTheStudysValues()
{
    const Folder folder;
    const auto study = madeStudy(folder / "s");
    const Values values(study);
    const auto responses =
        studyResponses(study,
                       {{"point", "", formula, "value", "point 0.63,1.7,0"},
                        {"mean", "", formula, "mean", ""},
                        {"box", "", formula, "integral", "box 0.3,1.2,-1,1.1,9,1"},
                        {"line", "", formula, "integral", "box 0.3,1.4,0,1.1,1.4,0"}},
                       {}, onCpu(1));
    const auto space = answerSpace(study);
    const auto model = together(responses);
    for (const auto &at : {std::vector{7.0, 1.3}, std::vector{80.0, 4.9}}) {
        std::vector<double> found(4);
        model.values(space.toUnit(at), found);
        QVERIFY(std::abs(found[0] - values.mean(at, {0.63}, {1.7})) <= 1e-5);
        QVERIFY(std::abs(found[1] - values.mean(at, middles(0, 2, 400), middles(1, 2, 400)))
                <= 1e-4);
        QVERIFY(std::abs(found[2]
                         - 0.64 * values.mean(at, middles(0.3, 1.1, 400), middles(1.2, 2, 400)))
                <= 1e-4);
        QVERIFY(std::abs(found[3] - 0.8 * values.mean(at, middles(0.3, 1.1, 400), {1.4})) <= 1e-4);
    }
    QVERIFY(!responses[0].band && !responses[0].whyUnmeasured.empty());
}

void ScalarResponsesTest::theParametersAreThoseWithoutSpace()
{
    const Folder folder;
    const auto space = answerSpace(madeStudy(folder / "s"));
    QCOMPARE(space.parameters().size(), std::size_t{2});
    QCOMPARE(space[0].name, "a");
    QCOMPARE(space[1].name, "t");
    QVERIFY(space[0].scale == ParameterScale::logarithmic);
}

void ScalarResponsesTest::aReportIsOfTheParametersWithoutSpace()
{
    const Folder folder;
    auto study = madeStudy(folder / "s");
    study.putResponse({"mean", "", formula, "mean", ""});
    const auto report = studyReport(
        study, {{7.0, 1.3}}, [] { return SamplesOfMesh(); }, onCpu(1));
    QCOMPARE(report.responses.size(), std::size_t{1});
    QVERIFY(report.refused.empty());
    QCOMPARE(report.responses[0].curves.size(), std::size_t{2});
    const auto alone = studyResponses(study, study.responses(), {}, onCpu(1)).front();
    QCOMPARE(report.responses[0].value,
             alone.model->value(answerSpace(study).toUnit(std::vector{7.0, 1.3})));
    QVERIFY(reportPage(report).find("a=7") != std::string::npos);
}

void ScalarResponsesTest::whatCannotBeIsSaid()
{
    const Folder folder;
    const auto study = madeStudy(folder / "s");
    const auto refused = [&](const ResponseDefinition &definition, const std::string &why) {
        return isRefused([&] { studyResponses(study, {definition}, {}, onCpu(1)); }, why);
    };
    QVERIFY(refused({"r", "", "u", "maximum", ""}, "response r: "));
    QVERIFY(refused({"r", "", "u * v", "mean", ""}, "sums of its fields"));
    QVERIFY(refused({"r", "", "grad_x(u)", "mean", ""}, "slopes"));
    QVERIFY(refused({"r", "", "w", "mean", ""}, "means nothing"));
    QVERIFY(refused({"r", "", "u", "value", ""}, "at a point"));
    QVERIFY(refused({"r", "", "u", "mean", "sphere 1,1,0,1"}, "in a box"));
    QVERIFY(refused({"r", "", "u", "value", "point 2.5,1.5,0"}, "along px"));
    QVERIFY(refused({"r", "", "u", "value", "point 1,1.5,0.1"}, "along z"));
    QVERIFY(refused({"r", "", "u", "mean", "box 0,3,0,1,4,0"}, "along py"));
}

GRIDHELM_TEST(ScalarResponsesTest)
#include "tst_scalar_responses.moc"
