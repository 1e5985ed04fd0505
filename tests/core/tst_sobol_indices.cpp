// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sobol' indices: of interpolants against an independent quadrature on a full grid, of functions
// against closed forms; by sampling within the error that is said.
#include "core/answers/sobol_indices.h"

#include "core/answers/sample_points.h"
#include "core/answers/sobol_maps.h"
#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/core/sanitized.h"
#include "tests/core/square_sums_case.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

const std::array<double, 4> gWeights{0, 1, 4.5, 9};

/// Closed forms of the G function.
struct GIndices
{
    double variance = 1;
    std::vector<double> first, total;

    explicit GIndices(std::span<const double> a)
    {
        for (const double at : a)
            variance *= 1 + 1 / (3 * (1 + at) * (1 + at));
        const double product = variance;
        variance -= 1;
        for (const double at : a) {
            const double part = 1 / (3 * (1 + at) * (1 + at));
            first.push_back(part / variance);
            total.push_back(part * product / (1 + part) / variance);
        }
    }
};

/// By brute force: a tensor of Gauss-Legendre nodes in every cell, weighted by density. Nothing of
/// expansions, Gram matrices or supports.
SobolIndices byQuadrature(const ResponseModel &model, const std::vector<Measure> &measures)
{
    const auto d = measures.size();
    std::vector<std::size_t> sizes;
    std::size_t all = 1;
    for (const auto &measure : measures) {
        sizes.push_back(measure.nodes.size());
        all *= sizes.back();
    }
    const auto nodeOf = [&](std::size_t index, std::size_t t) {
        for (std::size_t s = 0; s < t; ++s)
            index /= sizes[s];
        return index % sizes[t];
    };
    std::vector<double> values(all), weights(all, 1.0), x(d);
    SobolIndices indices;
    for (std::size_t i = 0; i < all; ++i) {
        for (std::size_t t = 0; t < d; ++t) {
            x[t] = measures[t].nodes[nodeOf(i, t)];
            weights[i] *= measures[t].weights[nodeOf(i, t)];
        }
        values[i] = model.value(x);
        indices.mean += weights[i] * values[i];
    }
    for (std::size_t i = 0; i < all; ++i)
        indices.variance += weights[i] * (values[i] - indices.mean) * (values[i] - indices.mean);
    for (std::size_t t = 0; t < d; ++t) {
        std::vector<double> given(sizes[t], 0.0);
        std::vector<double> others(all / sizes[t], 0.0);
        std::size_t below = 1;
        for (std::size_t s = 0; s < t; ++s)
            below *= sizes[s];
        for (std::size_t i = 0; i < all; ++i) {
            const auto k = nodeOf(i, t);
            given[k] += weights[i] / measures[t].weights[k] * values[i];
            others[i % below + i / below / sizes[t] * below] += measures[t].weights[k] * values[i];
        }
        double first = 0, without = 0;
        for (std::size_t k = 0; k < sizes[t]; ++k)
            first += measures[t].weights[k] * std::pow(given[k] - indices.mean, 2);
        for (std::size_t i = 0; i < all; ++i)
            if (nodeOf(i, t) == 0)
                without +=
                    weights[i] / measures[t].weights[0]
                    * std::pow(others[i % below + i / below / sizes[t] * below] - indices.mean, 2);
        indices.first.push_back(first / indices.variance);
        indices.total.push_back(1 - without / indices.variance);
    }
    return indices;
}

bool areClose(const std::vector<double> &a, const std::vector<double> &b, double to)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= to)) {
            qWarning("%.17g and %.17g", a[i], b[i]);
            return false;
        }
    return true;
}

std::vector<Measure> measuresOf(const Inputs &inputs, std::size_t cells)
{
    std::vector<Measure> measures;
    for (const auto &input : inputs.distributions)
        measures.push_back(input.measure(cells));
    return measures;
}

} // namespace

class SobolIndicesTest : public QObject
{
    Q_OBJECT

private slots:
    void interpolantsHaveTheirOwnIndicesExactly_data();
    void interpolantsHaveTheirOwnIndicesExactly();
    void otherDistributionsAreExactToo();
    void polynomialsOfHighDegreeAreExact();
    void fineInterpolantsApproachClosedForms();
    void pairsAddUpToTheWhole();
    void samplingIsWithinItsError();
    void constantResponsesAreSaid();
    void correlatedInputsAreRefused();
    void mapsAreTheIndicesOfEachNode();
    void squaresAreSummed();
    void sampledMapsAreNearExactOnes();
};

void SobolIndicesTest::interpolantsHaveTheirOwnIndicesExactly_data()
{
    QTest::addColumn<int>("treatment");
    QTest::addColumn<int>("degree");
    for (const auto treatment : sparse::boundaryTreatments())
        for (int degree = 1; degree <= sparse::highestDegreeOf(treatment); ++degree)
            QTest::addRow("%s, degree %d", std::string(sparse::toString(treatment)).c_str(), degree)
                << static_cast<int>(treatment) << degree;
}

void SobolIndicesTest::interpolantsHaveTheirOwnIndicesExactly()
{
    QFETCH(int, treatment);
    QFETCH(int, degree);
    const auto chosen = static_cast<BoundaryTreatment>(treatment);
    const sparse::GridShape shape(3, 3, {}, {chosen, chosen, chosen}, {}, {degree, degree, degree});
    const auto inputs = uniformInputs(unitSpace(3));
    for (const UnitFunction &function :
         {UnitFunction(ishigami), UnitFunction([](std::span<const double> x) {
              return gFunction(x, std::span(gWeights).first(3));
          })}) {
        const auto model = interpolantOf(function, shape);
        const auto found = sobolIndices(model, inputs, 0, 1, wholeCpu());
        QVERIFY(found[0].isExact);
        const auto exact = byQuadrature(model, measuresOf(inputs, 8));
        QVERIFY(std::abs(found[0].mean - exact.mean) <= 1e-10 * std::abs(exact.mean) + 1e-12);
        QVERIFY(std::abs(found[0].variance - exact.variance) <= 1e-10 * exact.variance);
        QVERIFY(areClose(found[0].first, exact.first, 1e-10));
        QVERIFY(areClose(found[0].total, exact.total, 1e-10));
        if (isSanitized)
            break;
    }
}

void SobolIndicesTest::otherDistributionsAreExactToo()
{
    const auto space = unitSpace(3);
    Inputs inputs;
    inputs.distributions = {InputDistribution::parse("normal(0.4,0.1)", space[0]),
                            InputDistribution::parse("triangular(0.1,0.3,0.9)", space[1]),
                            InputDistribution::parse("beta(2,3)", space[2])};
    const auto model = interpolantOf(ishigami, {3, 4, {}, {BoundaryTreatment::modified}});
    const auto found = sobolIndices(model, inputs, 0, 1, wholeCpu());
    // Samples of the same distributions know nothing of densities.
    const auto sampled = sobolBySampling([&](std::span<const double> x) { return model.value(x); },
                                         inputs, 1 << 15, 3, wholeCpu());
    QVERIFY(std::abs(found[0].mean - sampled.mean) <= 5 * sampled.meanError + 1e-6);
    for (std::size_t t = 0; t < 3; ++t) {
        QVERIFY(std::abs(found[0].first[t] - sampled.first[t]) <= 5 * sampled.firstErrors[t]);
        QVERIFY(std::abs(found[0].total[t] - sampled.total[t]) <= 5 * sampled.totalErrors[t]);
    }
}

void SobolIndicesTest::polynomialsOfHighDegreeAreExact()
{
    // Chebyshev's polynomial of degree k, with the mean 1 / (1 - k^2).
    constexpr int k = 30;
    const auto model = interpolantOf(
        [](std::span<const double> x) { return std::cos(k * std::acos(2 * x[0] - 1)); },
        sparse::GridShape(1, 32, {}, {BoundaryTreatment::leja}));
    const auto indices = sobolIndices(model, uniformInputs(unitSpace(1)), 0, 1, wholeCpu()).front();
    const double mean = 1.0 / (1 - k * k);
    QVERIFY(indices.isExact);
    QVERIFY(std::abs(indices.mean - mean) <= 1e-10);
    QVERIFY(std::abs(indices.variance - (0.5 + 0.5 / (1 - 4 * k * k) - mean * mean)) <= 1e-10);
}

void SobolIndicesTest::fineInterpolantsApproachClosedForms()
{
    const auto inputs = uniformInputs(unitSpace(4));
    const auto model =
        interpolantOf([](std::span<const double> x) { return gFunction(x, gWeights); },
                      {4, 7, {}, std::vector<BoundaryTreatment>(4, BoundaryTreatment::boundary)});
    const auto found = sobolIndices(model, inputs, 0, 1, wholeCpu());
    // Its kinks are points of the grid: it is interpolated exactly.
    const GIndices exact(gWeights);
    QVERIFY(std::abs(found[0].variance - exact.variance) <= 1e-12);
    QVERIFY(std::abs(found[0].mean - 1) <= 1e-12);
    QVERIFY(areClose(found[0].first, exact.first, 1e-12));
    QVERIFY(areClose(found[0].total, exact.total, 1e-12));
}

void SobolIndicesTest::pairsAddUpToTheWhole()
{
    const auto inputs = uniformInputs(unitSpace(3));
    const auto model = interpolantOf(
        [](std::span<const double> x) { return x[0] * x[1] + 2 * x[2] + x[0] * x[1] * x[2]; },
        {3, 4, {}, std::vector<BoundaryTreatment>(3, BoundaryTreatment::boundary)});
    const auto found = sobolIndices(model, inputs, 0, 1, wholeCpu()).front();
    // f - mean = sum of products of x_t - 1/2: V_0 = V_1 = (3/4)^2 / 12, and so on.
    const double one = 1.0 / 12, two = one * one, three = two * one;
    const double variance =
        2 * 0.75 * 0.75 * one + 2.25 * 2.25 * one + 1.5 * 1.5 * two + 2 * 0.5 * 0.5 * two + three;
    QVERIFY(std::abs(found.variance - variance) <= 1e-13);
    QVERIFY(std::abs(found.pairs[0 * 3 + 1] - 2.25 * two / variance) <= 1e-13);
    QVERIFY(std::abs(found.pairs[1 * 3 + 2] - 0.25 * two / variance) <= 1e-13);
    QCOMPARE(found.pairs[2 * 3 + 1], found.pairs[1 * 3 + 2]);
    const double rest = 1 - found.first[0] - found.first[1] - found.first[2] - found.pairs[1]
                        - found.pairs[2] - found.pairs[5];
    QVERIFY(std::abs(rest - three / variance) <= 1e-13);
}

void SobolIndicesTest::samplingIsWithinItsError()
{
    const auto inputs = uniformInputs(unitSpace(4));
    const GIndices exact(gWeights);
    const auto found =
        sobolBySampling([](std::span<const double> x) { return gFunction(x, gWeights); }, inputs,
                        1 << 14, 5, wholeCpu());
    QVERIFY(!found.isExact);
    QCOMPARE(found.evaluations, std::size_t{1 << 14} * 6);
    for (std::size_t t = 0; t < 4; ++t) {
        QVERIFY(found.firstErrors[t] > 0 && found.firstErrors[t] < 0.02);
        QVERIFY(std::abs(found.first[t] - exact.first[t]) <= 5 * found.firstErrors[t]);
        QVERIFY(std::abs(found.total[t] - exact.total[t]) <= 5 * found.totalErrors[t]);
    }
    GRIDHELM_EXPECT_ERROR(
        sobolBySampling([](std::span<const double>) { return 0.0; }, inputs, 100, 1, wholeCpu()));
}

void SobolIndicesTest::constantResponsesAreSaid()
{
    const auto inputs = uniformInputs(unitSpace(2));
    const auto constant = [](std::span<const double>) { return 3.25; };
    const auto model = interpolantOf(constant, {2, 3, {}, {BoundaryTreatment::modified}});
    for (const auto &found : {sobolIndices(model, inputs, 0, 1, wholeCpu()).front(),
                              sobolBySampling(constant, inputs, 256, 1, wholeCpu())}) {
        QVERIFY(found.isConstant);
        QVERIFY(std::abs(found.mean - 3.25) <= 1e-12);
        QCOMPARE(found.total, std::vector<double>(2, 0.0));
    }
}

void SobolIndicesTest::correlatedInputsAreRefused()
{
    auto inputs = uniformInputs(unitSpace(2));
    inputs.rankCorrelations = {1, 0.5, 0.5, 1};
    const auto model = interpolantOf([](std::span<const double> x) { return x[0]; },
                                     {2, 3, {}, {BoundaryTreatment::modified}});
    const auto saysShapley = [&] { // which samples that go together do not have, either
        const auto exact = refusalOf([&] { sobolIndices(model, inputs, 0, 1, wholeCpu()); });
        const auto sampled = refusalOf([&] {
            sobolBySampling([](std::span<const double> x) { return x[0]; }, inputs, 512, 1,
                            wholeCpu());
        });
        return exact.empty() || exact != sampled
                   ? -1
                   : static_cast<int>(exact.find("Shapley") != std::string::npos);
    };
    QCOMPARE(saysShapley(), 1);
    inputs.rankCorrelations = {1, 0, 0, 1}; // which is none
    QCOMPARE(saysShapley(), -1);
    inputs.rankCorrelations.clear();
    inputs.joint = {{{0, 1}, {{0.1, 0.2}, {0.3, 0.4}}}};
    QCOMPARE(saysShapley(), 0);
}

void SobolIndicesTest::mapsAreTheIndicesOfEachNode()
{
    const auto model = interpolantOf(ishigami, {3, 4, {}, {BoundaryTreatment::modified}});
    const auto &surrogate = *model.parts()[0].surrogate;
    const auto inputs = uniformInputs(unitSpace(3));
    Random random(4);
    const std::size_t rows = surrogate.rows(), columns = 101; // no multiple of a block
    std::vector<float> matrix(rows * columns);
    for (auto &value : matrix)
        value = static_cast<float>(random.real(-1, 1));
    const auto covariances = weightCovariances(surrogate, inputs, 0, 1, wholeCpu());
    QVERIFY(covariances.isExact);
    const auto maps = sobolMaps(covariances, {matrix.data(), rows, columns, columns}, wholeCpu());
    for (std::size_t n = 0; n < columns; n += 10) {
        std::vector<double> one;
        for (std::size_t b = 0; b < rows; ++b)
            one.push_back(static_cast<double>(matrix[b * columns + n]));
        const ResponseModel node({{model.parts()[0].surrogate, one}}, {0.0});
        const auto exact = sobolIndices(node, inputs, 0, 1, wholeCpu()).front();
        QVERIFY(std::abs(static_cast<double>(maps.mean[n]) - exact.mean) <= 1e-5);
        QVERIFY(std::abs(static_cast<double>(maps.variance[n]) - exact.variance)
                <= 1e-4 * exact.variance);
        for (std::size_t t = 0; t < 3; ++t) {
            QVERIFY(std::abs(static_cast<double>(maps.first[t][n]) - exact.first[t]) <= 1e-4);
            QVERIFY(std::abs(static_cast<double>(maps.total[t][n]) - exact.total[t]) <= 1e-4);
        }
    }
}

void SobolIndicesTest::squaresAreSummed()
{
    const SquareSumsCase given(7, 101, {3, 0, 5}, {1, 0, 5});
    auto out = given.output();
    sumSquares(given.sums, given.matrix(), out.spans(), wholeCpu());
    QVERIFY2(given.isRight(out), qPrintable(given.problem));
    auto tooFew = out.spans();
    tooFew.sums.pop_back();
    QCOMPARE(missingError([&] { sumSquares(given.sums, given.matrix(), tooFew, wholeCpu()); }), "");
}

void SobolIndicesTest::sampledMapsAreNearExactOnes()
{
    // A surrogate that is no grid, over the rows of one that is.
    class Disguised final : public Surrogate
    {
    public:
        explicit Disguised(const Surrogate &of)
            : m_of(of)
        {
        }
        int dimension() const override { return m_of.dimension(); }
        int groups() const override { return m_of.groups(); }
        std::uint64_t rows(int groups) const override { return m_of.rows(groups); }
        std::uint64_t activeRows(int groups) const override { return m_of.activeRows(groups); }
        SparseWeights weights(std::span<const double> x, int groups,
                              OutOfRange outOfRange) const override
        {
            return m_of.weights(x, groups, outOfRange);
        }
        SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                        OutOfRange outOfRange) const override
        {
            return m_of.derivativeWeights(x, t, groups, outOfRange);
        }

    private:
        const Surrogate &m_of;
    };
    const auto model = interpolantOf(ishigami, {3, 4, {}, {BoundaryTreatment::modified}});
    const auto &surrogate = *model.parts()[0].surrogate;
    const auto inputs = uniformInputs(unitSpace(3));
    std::vector<float> row;
    for (const double coefficient : model.parts()[0].rows)
        row.push_back(static_cast<float>(coefficient));
    for (const std::size_t few : {0, 1, 255})
        QVERIFY(
            isRefused([&] { weightCovariances(Disguised(surrogate), inputs, few, 1, wholeCpu()); },
                      "too few"));
    const auto sampled = weightCovariances(Disguised(surrogate), inputs, 8000, 1, wholeCpu());
    QVERIFY(!sampled.isExact);
    const auto maps = sobolMaps(sampled, {row.data(), row.size(), 1, 1}, wholeCpu());
    const auto exact = sobolIndices(model, inputs, 0, 1, wholeCpu()).front();
    for (std::size_t t = 0; t < 3; ++t) {
        QVERIFY(std::abs(static_cast<double>(maps.first[t][0]) - exact.first[t]) <= 0.02);
        QVERIFY(std::abs(static_cast<double>(maps.total[t][0]) - exact.total[t]) <= 0.02);
    }
    // However many are added at once: the mean of all weights, and what they vary by.
    const auto u = scrambledPoints(8000, 6, 1);
    const auto rows = surrogate.rows();
    std::vector<double> mean(rows), square(rows);
    for (std::size_t i = 0; i < u.size(); i += 3) {
        std::vector<double> dense(rows, 0.0);
        const auto weights = surrogate.weights(std::span(u).subspan(i, 3), surrogate.groups());
        for (std::size_t k = 0; k < weights.rows.size(); ++k)
            dense[weights.rows[k]] += weights.weights[k];
        for (std::size_t b = 0; b < rows; ++b) {
            mean[b] += dense[b] / 16000;
            square[b] += dense[b] * dense[b];
        }
    }
    for (std::size_t b = 0; b < rows; ++b) {
        const double variance = (square[b] - 16000 * mean[b] * mean[b]) / 15999;
        QVERIFY(std::abs(sampled.mean[b] - mean[b]) <= 1e-12);
        QVERIFY(std::abs(sampled.all[b * rows + b] - variance) <= 1e-12);
    }
}

GRIDHELM_TEST(SobolIndicesTest)
#include "tst_sobol_indices.moc"
