// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of rounded values as multiples of a step for each column: bit for bit the same again, and
// foreign bytes are refused.
#include "data/study/blob_codec.h"
#include "data/study/column_multiples.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

bool areSame(const std::vector<float> &a, const std::vector<float> &b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Column c has multiples of 2^(first - c).
std::vector<float> roundedTable(std::size_t values, std::size_t columns, int first)
{
    Random random(11);
    std::vector<float> table;
    for (std::size_t i = 0; i < values; ++i) {
        const double multiple = std::round(2000 * (random.real() - 0.5)) + 0.0;
        table.push_back(
            static_cast<float>(std::ldexp(multiple, first - static_cast<int>(i % columns))));
    }
    return table;
}

} // namespace

class ColumnMultiplesTest : public QObject
{
    Q_OBJECT

private slots:
    void tablesComeBackBitForBit_data();
    void tablesComeBackBitForBit();
    void whatIsNoMultipleIsLeft_data();
    void whatIsNoMultipleIsLeft();
    void blobsOfTablesAreSmaller();
    void foreignBytesAreRefused();
    void damagedBytesNeverCrash();
};

void ColumnMultiplesTest::tablesComeBackBitForBit_data()
{
    QTest::addColumn<int>("values");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("first");
    QTest::addRow("whole rows") << 700 << 7 << -3;
    QTest::addRow("a part of a row") << 703 << 7 << -3;
    QTest::addRow("one column") << 50 << 1 << 20;
    QTest::addRow("less than a row") << 5 << 9 << 0;
    QTest::addRow("as large as can be") << 40 << 2 << 116;
    QTest::addRow("without leading digits") << 40 << 2 << -148;
}

void ColumnMultiplesTest::tablesComeBackBitForBit()
{
    QFETCH(int, values);
    QFETCH(int, columns);
    QFETCH(int, first);
    const auto table =
        roundedTable(static_cast<std::size_t>(values), static_cast<std::size_t>(columns), first);
    const auto bytes = columnMultiples(table, static_cast<std::size_t>(columns));
    QVERIFY(bytes.has_value());
    QVERIFY(bytes->size() <= mostMultipleBytes(table.size()));
    std::vector<float> again(table.size(), -1.0F);
    QVERIFY(fromColumnMultiples(*bytes, again));
    QVERIFY(areSame(again, table));
}

void ColumnMultiplesTest::whatIsNoMultipleIsLeft_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<bool>("isLeft");
    QTest::newRow("too many steps") << 3e9F << true;
    QTest::newRow("too many steps below 0") << -3e9F << true;
    QTest::newRow("just few enough") << -2147483520.0F << false;
    QTest::newRow("not a number") << std::numeric_limits<float>::quiet_NaN() << true;
    QTest::newRow("infinite") << std::numeric_limits<float>::infinity() << true;
    QTest::newRow("a zero with a sign") << -0.0F << true;
}

void ColumnMultiplesTest::whatIsNoMultipleIsLeft()
{
    QFETCH(float, value);
    QFETCH(bool, isLeft);
    const std::vector<float> table{1.0F, 2.0F, value, 4.0F};
    const auto bytes = columnMultiples(table, 2);
    QCOMPARE(bytes.has_value(), !isLeft);
    // Whatever it is, it is stored.
    const BlobKey key{1, 2, 3, 4};
    BlobEncoder encoder;
    const auto blob = encoder.encodeTable(key, table, 2, BlobEncoding::automatic);
    const std::vector<std::byte> kept(blob.bytes.begin(), blob.bytes.end());
    std::vector<float> again(table.size());
    QVERIFY(BlobDecoder().decode(static_cast<std::int64_t>(blob.encoding), kept, again));
    QVERIFY(areSame(again, table));
    QVERIFY(!columnMultiples({}, 2).has_value());
    QVERIFY(!columnMultiples(table, 0).has_value());
}

void ColumnMultiplesTest::blobsOfTablesAreSmaller()
{
    const auto table = roundedTable(50000, 60, 3);
    const BlobKey key{1, 2, 3, 4};
    BlobEncoder encoder;
    const auto before = encoder.encode(key, table, BlobEncoding::automatic).bytes.size();
    const auto blob = encoder.encodeTable(key, table, 60, BlobEncoding::automatic);
    QCOMPARE(blob.encoding, StoredEncoding::zstdMultiples);
    QVERIFY(blob.bytes.size() < before * 8 / 10);
    QVERIFY(blob.bytes.size() < 50000 * 15 / 8); // of 11 bits each, in whole bytes
    QCOMPARE(checkBlob(key, static_cast<std::int64_t>(blob.encoding), blob.checksum, blob.bytes),
             std::string());
    const std::vector<std::byte> kept(blob.bytes.begin(), blob.bytes.end());
    std::vector<float> again(table.size());
    BlobDecoder decoder;
    const auto encoding = static_cast<std::int64_t>(blob.encoding);
    QVERIFY(decoder.decode(encoding, kept, again));
    QVERIFY(areSame(again, table));
    std::vector<float> more(table.size() + 1);
    QVERIFY(!decoder.decode(encoding, kept, more));
    QVERIFY(!decoder.decode(encoding, std::span(kept).first(kept.size() - 1), again));
    QCOMPARE(encoder.encodeTable(key, table, 60, BlobEncoding::raw).encoding, StoredEncoding::raw);
}

void ColumnMultiplesTest::foreignBytesAreRefused()
{
    const auto table = roundedTable(40, 3, 0);
    const auto bytes = columnMultiples(table, 3).value();
    std::vector<float> again(table.size());
    const auto isTaken = [&](std::size_t place, auto number) {
        auto changed = bytes;
        std::memcpy(changed.data() + place, &number, sizeof number);
        return fromColumnMultiples(changed, again);
    };
    QVERIFY(isTaken(0, std::uint32_t{3}));
    for (const std::uint32_t columns : {0U, 2U, 4U, 41U, 0xffffffffU})
        QVERIFY(!isTaken(0, columns));
    for (const int exponent : {-150, 129, 32767, -32768})
        QVERIFY(!isTaken(4, static_cast<std::int16_t>(exponent)));
    QVERIFY(!isTaken(4, std::int16_t{125})); // more than float32 can be
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, bytes.size() - 1})
        QVERIFY(!fromColumnMultiples(std::span(bytes).first(size), again));
    QVERIFY(!fromColumnMultiples(bytes, {}));
}

void ColumnMultiplesTest::damagedBytesNeverCrash()
{
    const auto table = roundedTable(300, 11, 5);
    const auto bytes = columnMultiples(table, 11).value();
    std::vector<float> again(table.size());
    Random random(2);
    for (int round = 0; round < 3000; ++round) {
        auto changed = bytes;
        for (int i = 0; i < 3; ++i)
            changed[random.index(round % 2 == 0 ? 30 : changed.size())] =
                static_cast<std::byte>(random.index(256));
        if (fromColumnMultiples(changed, again))
            QVERIFY(std::ranges::all_of(again, [](float value) { return std::isfinite(value); }));
    }
}

GRIDHELM_TEST(ColumnMultiplesTest)
#include "tst_column_multiples.moc"
