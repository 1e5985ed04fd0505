// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study stores in few bits, combined by every back end, GPUs among them: the pictures of the
// CPU's plain combination.
#include "data/compress/quantise_rows.h"
#include "data/evaluate/field_surrogate.h"
#include "tests/core/backends.h"
#include "tests/data/modes_cases.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

// More than one group of blocks, and an end that is no multiple of anything; two components.
constexpr std::uint64_t entities = 1109;
constexpr std::size_t values = 2 * entities;

/// Coefficients of unlike snapshots in few bits, or modes of others.
void makeFewBits(const std::filesystem::path &path, bool areRows)
{
    if (areRows)
        makeUnlike(path, 3, entities, 2);
    else
        makeStudy(path, 3, entities, 2);
    auto writer = StudyWriter::open(path);
    storeModes(writer, ModesOptions{});
    QuantiseOptions options;
    options.allowed = 1e-3;
    const bool isDone =
        areRows
            ? quantiseRows(writer, 0, options, std::numeric_limits<double>::infinity()).isQuantised
            : quantiseModes(writer, 0, options).isQuantised;
    writer.close();
    QVERIFY(isDone);
}

/// The first value that is off by more than single precision's rounding of sums; as many as there
/// are if none.
std::size_t firstOff(std::span<const float> is, std::span<const float> expected)
{
    float largest = 1;
    for (const float value : expected)
        largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < is.size(); ++i)
        if (!(std::abs(is[i] - expected[i]) <= 2e-5F * largest))
            return i;
    return is.size();
}

} // namespace

class StoredBitsDevicesTest : public QObject
{
    Q_OBJECT

private slots:
    void picturesAreTheCpus_data();
    void picturesAreTheCpus();
    void untilAllIsReadTheCpuCombines();
};

void StoredBitsDevicesTest::picturesAreTheCpus_data()
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<bool>("areRows");
    for (const char *backend : {"reference", "omp, 2 threads", "omp, 3 devices", "cuda"})
        for (const bool areRows : {true, false})
            QTest::addRow("%s, %s", backend, areRows ? "rows" : "modes")
                << QString(backend) << areRows;
}

void StoredBitsDevicesTest::picturesAreTheCpus()
{
    QFETCH(QString, backend);
    QFETCH(bool, areRows);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const Folder folder;
    makeFewBits(folder / "s", areRows);
    const auto study = Study::open(folder / "s");
    QCOMPARE(study.quantisedCoefficients(0) != nullptr, areRows);
    const std::shared_ptr<const sparse::Backend> device = makeBackend(backend);
    FieldSurrogate loaded(study, 0), plain(study, 0);
    loaded.loadAll(study);
    plain.loadAll(study);
    QVERIFY(loaded.isInFewBits());
    QCOMPARE(loaded.quantisedRows().rows.size(), loaded.loadedRows());
    const std::vector<std::uint32_t> columns{values - 1, 3, 3, 0, 1027, 31, 32};
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> expected(values), expectedIndicator(values), is(values),
            indicator(values), some(columns.size()), someExpected(columns.size());
        plain.evaluate(x, {expected, expectedIndicator}, CpuDevice{});
        const auto work = loaded.evaluate(x, {is, indicator}, device);
        QCOMPARE(work.computedOn.usesGpu(), backend == "cuda");
        QCOMPARE(firstOff(is, expected), values);
        QCOMPARE(firstOff(indicator, expectedIndicator), values);
        const std::size_t first = 37; // in the midst of a block
        loaded.evaluate(x, {std::span(is).subspan(first), {}}, device, first);
        QCOMPARE(firstOff(is, expected), values);
        loaded.evaluateColumns(x, columns, {some, {}}, device);
        for (std::size_t i = 0; i < columns.size(); ++i)
            someExpected[i] = expected[columns[i]];
        QCOMPARE(firstOff(some, someExpected), columns.size());
    }
}

void StoredBitsDevicesTest::untilAllIsReadTheCpuCombines()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const Folder folder;
    makeFewBits(folder / "s", true);
    const auto study = Study::open(folder / "s");
    const std::shared_ptr<const sparse::Backend> device = makeBackend("cuda");
    FieldSurrogate loaded(study, 0);
    const auto x = study.description().space.toUnit(somePlaces(study)[5]);
    std::vector<float> part(values), expected(values), whole(values);
    for (int groups = 1; groups < study.grid()->groups(); ++groups) {
        QCOMPARE(loaded.load(study, groups), groups);
        QVERIFY(!loaded.evaluate(x, {part, {}}, device).computedOn.usesGpu());
        loaded.evaluate(x, {expected, {}}, CpuDevice{});
        QCOMPARE(firstOff(part, expected), values);
    }
    loaded.loadAll(study);
    QVERIFY(loaded.evaluate(x, {whole, {}}, device).computedOn.usesGpu());
    loaded.evaluate(x, {expected, {}}, CpuDevice{});
    QCOMPARE(firstOff(whole, expected), values);
}

GRIDHELM_TEST(StoredBitsDevicesTest)
#include "tst_stored_bits_devices.moc"
