// SPDX-License-Identifier: GPL-3.0-or-later
//
// The numbers of an independent oracle (tests/reference): indices and points exactly,
// coefficients, values and indicators to 1e-13 (double) and 1e-5 (float) of the largest value.
#include "tests/core/reference_cases.h"

#include "tests/core/backends.h"
#include "tests/core/oracle_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <type_traits>

using namespace gridhelm::sparse;
using namespace gridhelm::test;
using nlohmann::json;

namespace {

std::shared_ptr<const SparseGrid> gridOf(const json &entry)
{
    return std::make_shared<SparseGrid>(GridShape(entry.at("dim"), entry.at("level"),
                                                  entry.at("caps"),
                                                  treatmentsFromLetters(entry.at("treatment"))));
}

std::string titleOf(const json &entry)
{
    return entry.at("treatment").get<std::string>() + " n=" + entry.at("level").dump()
           + " c=" + entry.at("caps").dump() + " " + entry.at("function").get<std::string>();
}

template <typename T>
constexpr double tolerance = std::is_same_v<T, double> ? 1e-13 : 1e-5;

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
    m_cases = readReference("sparse_grid_cases.json").at("cases");
    QVERIFY(!m_cases.empty());
}

void ReferenceCasesTest::countsIndicesAndPointsAreExact()
{
    for (const auto &entry : m_cases) {
        const auto grid = gridOf(entry);
        QCOMPARE(grid->points(), entry.at("points").get<std::uint64_t>());
        QCOMPARE(std::uint64_t{grid->blocks()}, entry.at("blocks").get<std::uint64_t>());
        QVERIFY(!entry.at("some_points").empty());
        for (const auto &point : entry.at("some_points"))
            checkOraclePoint(*grid, point);
    }
}

void ReferenceCasesTest::coefficientsMatch()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        for (const auto &entry : m_cases) {
            if (!QTest::currentTestFailed())
                checkOracleCoefficients<T>(backend, gridOf(entry), entry, tolerance<T>,
                                           titleOf(entry));
        }
    });
}

void ReferenceCasesTest::valuesAndIndicatorsMatch()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        for (const auto &entry : m_cases) {
            if (!QTest::currentTestFailed())
                checkOracleValues<T>(backend, gridOf(entry), entry, tolerance<T>, titleOf(entry));
        }
    });
}

GRIDHELM_TEST(ReferenceCasesTest)
#include "tst_reference_cases.moc"
