// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quantised rows as differences from what their neighbours foretell: bit for bit the same again.
#include "core/codec/code_differences.h"
#include "tests/core/expect_error.h"
#include "tests/core/quantised_row_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::codec;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// Bits that a code for single bytes needs at least.
double entropyOf(const std::vector<std::byte> &bytes)
{
    std::array<double, 256> counts{};
    for (const auto byte : bytes)
        ++counts[std::to_integer<std::size_t>(byte)];
    double bits = 0;
    for (const double count : counts)
        if (count > 0)
            bits -= count * std::log2(count / static_cast<double>(bytes.size()));
    return bits;
}

} // namespace

class CodeDifferencesTest : public QObject
{
    Q_OBJECT

private slots:
    void rowsAreTheSameAgain_data() { addCountsAndNeighbours(); }

    void rowsAreTheSameAgain()
    {
        QFETCH(int, count);
        QFETCH(int, value);
        QFETCH(int, row);
        QVERIFY(comesBack(count, value, row, differencesOf, fromDifferences));
    }

    void neighboursAreThoseOfTheMesh_data()
    {
        QTest::addColumn<int>("rowLength");
        QTest::addColumn<int>("components");
        QTest::newRow("plane") << 129 << 1;
        QTest::newRow("vectors") << 65 << 3;
        QTest::newRow("long rows") << 1500 << 1;
    }

    void neighboursAreThoseOfTheMesh()
    {
        QFETCH(int, rowLength);
        QFETCH(int, components);
        const auto length = static_cast<std::size_t>(rowLength);
        const auto of = static_cast<std::size_t>(components);
        const auto row = QuantisedRow::encode(smooth(length, 60, of), 1e-4);
        const auto found = likelyNeighbours(row, of);
        QCOMPARE(found.value, static_cast<std::uint32_t>(of));
        // Hardly worse than by the mesh's own rows, and far less than the codes.
        const auto left = entropyOf(differencesOf(row, found));
        const auto byMesh =
            entropyOf(differencesOf(row, {found.value, static_cast<std::uint32_t>(length * of)}));
        QVERIFY2(left <= 1.1 * byMesh, qPrintable(QString("%1 %2").arg(left).arg(byMesh)));
        QVERIFY2(left < 0.7 * entropyOf(row.serialised()),
                 qPrintable(QString("%1 %2").arg(left).arg(entropyOf(row.serialised()))));
    }

    void noiseHasNoRows()
    {
        Random random(5);
        for (const std::size_t count : {1, 20, 64, 4000}) {
            std::vector<float> values;
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(static_cast<float>(random.real()));
            const auto row = QuantisedRow::encode(values, 1e-3);
            for (const std::size_t components : {1, 3, 50}) {
                const auto found = likelyNeighbours(row, components);
                QCOMPARE(found.value, static_cast<std::uint32_t>(components));
                QVERIFY(fromDifferences(differencesOf(row, found), count).serialised()
                        == row.serialised());
            }
        }
    }

    /// From a file that somebody has made: an error, or a row of so many values.
    void whatIsNoRowIsRefused()
    {
        Random random(7);
        const auto values = ofAllWidths(random, 3000);
        const auto row = QuantisedRow::encode(values, 1e-2);
        const auto stored = differencesOf(row, {1, 50});
        GRIDHELM_EXPECT_ERROR(fromDifferences(stored, 2999));
        GRIDHELM_EXPECT_ERROR(fromDifferences(stored, 3001));
        GRIDHELM_EXPECT_ERROR(fromDifferences({}, 3000));
        for (std::size_t size = 0; size < stored.size(); size += 37)
            GRIDHELM_EXPECT_ERROR(fromDifferences(std::span(stored).first(size), 3000));
        auto none = stored;
        none[0] = std::byte{0}; // no value before
        GRIDHELM_EXPECT_ERROR(fromDifferences(none, 3000));
        std::size_t refused = 0, read = 0;
        for (int attempt = 0; attempt < 3000; ++attempt) {
            auto bad = stored;
            for (int k = 0; k < 3; ++k)
                bad[random.index(bad.size())] = static_cast<std::byte>(random.integer(0, 255));
            try {
                QCOMPARE(fromDifferences(bad, 3000).values(), std::size_t{3000});
                ++read;
            } catch (const Error &) {
                ++refused;
            }
        }
        QVERIFY(refused > 0 && read + refused == 3000);
    }
};

GRIDHELM_TEST(CodeDifferencesTest)
#include "tst_code_differences.moc"
