// SPDX-License-Identifier: GPL-3.0-or-later
//
// The surrogate over modes beside the one whose rows they tell; and combinations in which value and
// indicator share rows.
#include "core/modes/modal_surrogate.h"

#include "core/sparse/sparse_grid_surrogate.h"
#include "tests/core/backends.h"
#include "tests/core/expect_error.h"
#include "tests/core/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::modes;
using namespace gridhelm::test;

namespace {

/// A grid, rows at its points, and the same over modes.
struct ModalCase
{
    std::shared_ptr<const sparse::SparseGridSurrogate> ofRows;
    Matrix rows{0, 0}, modes{0, 0};
    std::vector<double> weights;
    std::shared_ptr<const ModalSurrogate> modal;

    explicit ModalCase(double cut)
    {
        const sparse::GridShape shape(
            2, 4, {}, {sparse::BoundaryTreatment::modified, sparse::BoundaryTreatment::boundary});
        ofRows = std::make_shared<sparse::SparseGridSurrogate>(
            std::make_shared<const sparse::SparseGrid>(shape));
        rows = pulses(ofRows->rows(), 400);
        weights = unevenWeights(400);
        ModesOptions options;
        options.cut = cut;
        auto whole = modesOf(rows, weights, options);
        modes = std::move(whole.values);
        SnapshotsInMemory readRows(rows.view()), readModes(modes.view());
        const auto projection = projectOnModes(readRows, readModes, {weights}, {});
        auto stored = std::make_shared<ModalRows>();
        stored->modes = modes.rows;
        stored->coefficients.assign(projection.coefficients.begin(), projection.coefficients.end());
        stored->residuals.assign(projection.residuals.begin(), projection.residuals.end());
        modal = std::make_shared<ModalSurrogate>(ofRows, stored);
    }
};

/// Weighted sums of rows in double: all of them, or from lastGroupBegin on.
std::vector<double> combined(const SparseWeights &weights, const Matrix &rows, bool lastGroup)
{
    std::vector<double> sums(rows.columns, 0.0);
    for (std::size_t i = lastGroup ? weights.lastGroupBegin : 0; i < weights.rows.size(); ++i)
        for (std::size_t k = 0; k < rows.columns; ++k)
            sums[k] += weights.weights[i] * static_cast<double>(rows(weights.rows[i], k));
    return sums;
}

double distance(const std::vector<double> &a, const std::vector<double> &b,
                const std::vector<double> &weights)
{
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += weights[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return std::sqrt(sum);
}

const std::vector<std::vector<double>> places{{0.5, 0.5}, {0.1, 0.93}, {0.37, 0.0}, {1.0, 0.61}};

} // namespace

class ModalSurrogateTest : public QObject
{
    Q_OBJECT

private slots:
    void modalWeightsSayTheSameField();
    void modalIndicatorIsTheRowsIndicator();
    void fewerGroupsAreCoarser();
    void errorsStayBelowTheBound();
    void rowsThatCameLaterCountNothing();

    void valueAndIndicatorMayShareRows_data();
    void valueAndIndicatorMayShareRows();
};

void ModalSurrogateTest::modalWeightsSayTheSameField()
{
    const ModalCase given(1e-9);
    QCOMPARE(given.modal->rows(), given.modes.rows);
    QVERIFY(given.modes.rows < given.rows.rows / 2);
    for (const auto &x : places) {
        const auto compare = [&](const SparseWeights &ofRows, const SparseWeights &ofModes,
                                 double scale) {
            const auto exact = combined(ofRows, given.rows, false);
            const auto found = combined(ofModes, given.modes, false);
            return distance(exact, found, given.weights) <= scale * 1e-3;
        };
        const int groups = given.ofRows->groups();
        const auto ofRows = given.ofRows->weights(x, groups);
        QVERIFY(compare(ofRows, given.modal->weights(x, groups), 1));
        const auto once = given.modal->ofModes(ofRows, false);
        QVERIFY(compare(ofRows, once, 1));
        QVERIFY(once.rows.size() <= given.modes.rows);
        QCOMPARE(once.lastGroupBegin, once.rows.size());
        for (int t = 0; t < 2; ++t)
            QVERIFY(compare(given.ofRows->derivativeWeights(x, t, groups),
                            given.modal->derivativeWeights(x, t, groups), 10));
    }
    GRIDHELM_EXPECT_ERROR(given.modal->weights(std::vector{0.5, 2.0}, 4));
    const auto outside = std::vector{0.5, 1.2};
    QVERIFY(distance(combined(given.ofRows->weights(outside, 4, OutOfRange::extrapolated),
                              given.rows, false),
                     combined(given.modal->weights(outside, 4, OutOfRange::extrapolated),
                              given.modes, false),
                     given.weights)
            <= 1e-2);
}

void ModalSurrogateTest::modalIndicatorIsTheRowsIndicator()
{
    const ModalCase given(1e-9);
    for (const auto &x : places) {
        const int groups = given.ofRows->groups();
        const auto exact = combined(given.ofRows->weights(x, groups), given.rows, true);
        const auto found = combined(given.modal->weights(x, groups), given.modes, true);
        QVERIFY(distance(exact, found, given.weights) <= 1e-3);
        const auto zero = std::vector<double>(exact.size(), 0.0);
        if (x != places[0]) // a point of the coarsest grid
            QVERIFY(distance(found, zero, given.weights) > 0.1);
    }
}

void ModalSurrogateTest::fewerGroupsAreCoarser()
{
    const ModalCase given(1e-9);
    QCOMPARE(given.modal->groups(), given.ofRows->groups());
    QCOMPARE(given.modal->rows(0), std::uint64_t{0});
    QCOMPARE(given.modal->rows(1), given.modal->rows());
    for (const auto &x : places)
        for (int groups = 1; groups <= given.ofRows->groups(); ++groups)
            QVERIFY(distance(combined(given.ofRows->weights(x, groups), given.rows, false),
                             combined(given.modal->weights(x, groups), given.modes, false),
                             given.weights)
                    <= 1e-3);
}

void ModalSurrogateTest::errorsStayBelowTheBound()
{
    for (const double cut : {1e-9, 1e-4, 1e-2}) {
        const ModalCase given(cut);
        for (const auto &x : places) {
            const auto ofRows = given.ofRows->weights(x, given.ofRows->groups());
            const double bound = given.modal->errorBound(ofRows);
            const double error =
                distance(combined(ofRows, given.rows, false),
                         combined(given.modal->ofModes(ofRows), given.modes, false), given.weights);
            QVERIFY(error <= bound + 1e-6);
            QVERIFY(bound > 0);
        }
    }
}

void ModalSurrogateTest::rowsThatCameLaterCountNothing()
{
    const ModalCase given(1e-9);
    auto fewer = std::make_shared<ModalRows>(given.modal->modal());
    fewer->residuals.resize(3);
    fewer->coefficients.resize(3 * fewer->modes);
    const ModalSurrogate few(given.ofRows, fewer);
    SparseWeights some;
    some.rows = {1, 5};
    some.weights = {2, 1};
    some.lastGroupBegin = 1;
    const auto found = few.ofModes(some);
    QCOMPARE(found.lastGroupBegin, found.rows.size()); // row 5 is none
    fewer->coefficients.pop_back();
    GRIDHELM_EXPECT_ERROR(ModalSurrogate(given.ofRows, fewer));
}

void ModalSurrogateTest::valueAndIndicatorMayShareRows_data()
{
    QTest::addColumn<QString>("backend");
    for (const char *backend : {"reference", "omp, 1 thread", "omp, 2 threads", "cuda"})
        QTest::addRow("%s", backend) << QString(backend);
}

void ModalSurrogateTest::valueAndIndicatorMayShareRows()
{
    QFETCH(QString, backend);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto made = makeBackend(backend);
    Random random(8);
    // No multiples of a register or a tile, rows in fours and beside.
    for (const std::size_t columns : {1, 7, 100, 33'000}) {
        for (const std::size_t rows : {1, 3, 4, 9}) {
            Matrix matrix(rows, columns);
            matrix.values = randomValues<float>(random, matrix.values.size());
            const auto loaded = made->loadVectors(matrix.view());
            SparseWeights weights;
            for (int side = 0; side < 2; ++side) {
                for (std::size_t m = 0; m < rows; ++m) {
                    weights.rows.push_back(m);
                    weights.weights.push_back(random.real(-1, 1));
                }
            }
            weights.lastGroupBegin = rows;
            const auto values = combined(weights, matrix, false);
            const auto indicator = combined(weights, matrix, true);
            const auto first = random.index(columns);
            std::vector<float> y(columns - first), last(columns - first);
            loaded->combine(weights, first, y, last);
            for (std::size_t k = first; k < columns; ++k) {
                QVERIFY(std::abs(static_cast<double>(y[k - first]) - values[k]) <= 3e-6);
                QVERIFY(std::abs(static_cast<double>(last[k - first]) - std::abs(indicator[k]))
                        <= 3e-6);
            }
            loaded->combine(weights, first, y, {});
            for (std::size_t k = first; k < columns; ++k)
                QVERIFY(std::abs(static_cast<double>(y[k - first]) - values[k]) <= 3e-6);
        }
    }
}

GRIDHELM_TEST(ModalSurrogateTest)
#include "tst_modal_surrogate.moc"
