// SPDX-License-Identifier: GPL-3.0-or-later
//
// The numbers of an independent oracle (tests/reference): indices and points exactly,
// coefficients, values and indicators to 1e-13 (double) and 1e-5 (float) of the largest value.
#include "tests/core/reference_cases.h"

#include "core/sparse/backend.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"

#include <QTest>

#include <cmath>
#include <memory>
#include <numbers>
#include <type_traits>

using namespace gridhelm::sparse;
using namespace gridhelm::test;
using nlohmann::json;

namespace {

double sampledFunction(const std::string &name, const std::vector<double> &x)
{
    double product = 1, sum = 0, waves = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const auto direction = static_cast<double>(t);
        if (name == "parabola")
            product *= 4 * x[t] * (1 - x[t]);
        else if (name == "sines")
            product *= std::sin(std::numbers::pi * x[t]) * (1 + 0.5 * direction * x[t]);
        sum += x[t];
        waves += (direction + 1) * x[t];
    }
    if (name == "waves")
        return std::exp(-0.7 * sum) * std::cos(2 * waves);
    if (name != "parabola" && name != "sines")
        qFatal("unknown function %s", name.c_str());
    return product;
}

std::shared_ptr<const SparseGrid> gridOf(const json &entry)
{
    return std::make_shared<SparseGrid>(GridShape(entry.at("dim"), entry.at("level"),
                                                  entry.at("caps"),
                                                  treatmentsFromLetters(entry.at("treatment"))));
}

template <typename T>
std::vector<T> sampledValues(const SparseGrid &grid, const std::string &function)
{
    std::vector<T> values(grid.points());
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    for (std::uint64_t index = 0; index < grid.points(); ++index) {
        grid.coordinates(index, x);
        values[index] = static_cast<T>(sampledFunction(function, x));
    }
    return values;
}

std::string titleOf(const json &entry)
{
    return entry.at("treatment").get<std::string>() + " n=" + entry.at("level").dump()
           + " c=" + entry.at("caps").dump() + " " + entry.at("function").get<std::string>();
}

} // namespace

class ReferenceCasesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void countsIndicesAndPointsAreExact();
    void coefficientsMatch_data() { addBackendAndTypeRows(Backends::all); }
    void coefficientsMatch();
    void valuesAndIndicatorsMatch_data() { addBackendAndTypeRows(Backends::all); }
    void valuesAndIndicatorsMatch();

private:
    json m_cases;
};

void ReferenceCasesTest::initTestCase()
{
    m_cases = readReferenceCases().at("cases");
    QVERIFY(!m_cases.empty());
}

void ReferenceCasesTest::countsIndicesAndPointsAreExact()
{
    for (const auto &entry : m_cases) {
        const auto grid = gridOf(entry);
        QCOMPARE(grid->points(), entry.at("points").get<std::uint64_t>());
        QCOMPARE(std::uint64_t{grid->blocks()}, entry.at("blocks").get<std::uint64_t>());
        QVERIFY(!entry.at("some_points").empty());
        for (const auto &point : entry.at("some_points")) {
            const auto index = point.at("index").get<std::uint64_t>();
            const auto levels = point.at("level").get<std::vector<Level>>();
            const auto positions = point.at("position_in_level").get<std::vector<std::uint32_t>>();
            QCOMPARE(grid->gp2idx(levels, positions), index);

            std::vector<Level> foundLevels(levels.size());
            std::vector<std::uint32_t> foundPositions(levels.size());
            grid->idx2gp(index, foundLevels, foundPositions);
            QCOMPARE(foundLevels, levels);
            QCOMPARE(foundPositions, positions);

            std::vector<double> x(levels.size());
            grid->coordinates(index, x);
            const auto expected = point.at("x").get<std::vector<double>>();
            for (std::size_t t = 0; t < x.size(); ++t)
                QVERIFY(x[t] == expected[t]);
        }
    }
}

void ReferenceCasesTest::coefficientsMatch()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        const double relative = std::is_same_v<T, double> ? 1e-13 : 1e-5;
        for (const auto &entry : m_cases) {
            const auto grid = gridOf(entry);
            auto values = sampledValues<T>(*grid, entry.at("function"));
            const double scale = largestMagnitude(values);
            backend.hierarchize(*grid, std::span(values));
            std::vector<T> result;
            std::vector<double> expected;
            for (const auto &[index, coefficient] : entry.at("coefficients").items()) {
                result.push_back(values[std::stoull(index)]);
                expected.push_back(coefficient.template get<double>());
            }
            QVERIFY(!expected.empty());
            GRIDHELM_COMPARE_CLOSE(result, expected, relative * scale, titleOf(entry));
        }
    });
}

void ReferenceCasesTest::valuesAndIndicatorsMatch()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        const double relative = std::is_same_v<T, double> ? 1e-13 : 1e-5;
        for (const auto &entry : m_cases) {
            const auto grid = gridOf(entry);
            auto coefficients = sampledValues<T>(*grid, entry.at("function"));
            const double scale = largestMagnitude(coefficients);
            backend.hierarchize(*grid, std::span(coefficients));
            const auto evaluator = backend.load(grid, coefficients);

            std::vector<T> points;
            for (const auto &point : entry.at("at")) {
                for (double x : point.template get<std::vector<double>>())
                    points.push_back(static_cast<T>(x));
            }
            const auto view = viewOf(points, *grid);
            std::vector<T> values(view.count()), indicator(view.count());
            evaluator->interpolate(view, {values, indicator});
            GRIDHELM_COMPARE_CLOSE(values, entry.at("value").template get<std::vector<double>>(),
                                   relative * scale, titleOf(entry));
            GRIDHELM_COMPARE_CLOSE(indicator,
                                   entry.at("indicator").template get<std::vector<double>>(),
                                   relative * scale, titleOf(entry));
        }
    });
}

QTEST_GUILESS_MAIN(ReferenceCasesTest)
#include "tst_reference_cases.moc"
