// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quantised rows in as few bytes as can be: bit for bit the same again, and as few as that.
#include "core/codec/linear_prediction.h"
#include "core/codec/packed_codes.h"
#include "core/support/binary_coder.h"
#include "tests/core/expect_error.h"
#include "tests/core/quantised_row_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::codec;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// The sum that a prediction is, by its definition in double.
double definition(const std::vector<double> &weights, const std::vector<std::size_t> &offsets,
                  const RowCodes &codes, std::size_t i)
{
    double sum = 0;
    for (std::size_t k = 0; k < offsets.size(); ++k)
        sum += i >= offsets[k] ? weights[k] * codes[i - offsets[k]] : 0;
    return sum;
}

} // namespace

class PackedCodesTest : public QObject
{
    Q_OBJECT

private slots:
    /// Of bits that are set with these probabilities, the coder takes what information theory says.
    void bitsTakeTheirInformation_data()
    {
        QTest::addColumn<double>("probability");
        for (const double probability : {0.5, 0.2, 0.03, 0.95})
            QTest::addRow("%g", probability) << probability;
    }

    void bitsTakeTheirInformation()
    {
        QFETCH(double, probability);
        constexpr int count = 50000;
        Random random(9);
        std::vector<bool> bits;
        BinaryEncoder encoder;
        AdaptiveBit model;
        for (int i = 0; i < count; ++i) {
            bits.push_back(random.chance(probability));
            QCOMPARE(encoder.bit(model, bits.back()), bits.back());
            encoder.evenBit(i % 3 == 0);
        }
        const auto bytes = encoder.finish();
        const double information =
            -probability * std::log2(probability) - (1 - probability) * std::log2(1 - probability);
        const double taken = (8.0 * static_cast<double>(bytes.size()) - count) / count;
        QVERIFY2(std::abs(taken - information) < 0.03, qPrintable(QString::number(taken)));
        BinaryDecoder decoder(bytes);
        AdaptiveBit again;
        for (int i = 0; i < count; ++i) {
            QCOMPARE(decoder.bit(again), static_cast<bool>(bits[static_cast<std::size_t>(i)]));
            QCOMPARE(decoder.evenBit(), i % 3 == 0);
        }
    }

    void bitsThatChangeTheirKindAreLearnt()
    {
        BinaryEncoder encoder;
        AdaptiveBit model;
        for (int i = 0; i < 20000; ++i)
            encoder.bit(model, i / 2000 % 2 == 0);
        QVERIFY(encoder.finish().size() < 600);
        BinaryDecoder nothing({}); // zeros, without end
        for (int i = 0; i < 1000; ++i)
            nothing.bit(model);
    }

    void predictionsAreTheirDefinition()
    {
        Random random(4);
        for (const auto &neighbours : {CodeNeighbours{1, 20}, CodeNeighbours{2, 0},
                                       CodeNeighbours{3, 4}, CodeNeighbours{1, 4000000000}}) {
            RowCodes codes(300);
            for (auto &code : codes)
                code = static_cast<std::int16_t>(random.integer(-32768, 32767));
            const auto offsets = LinearPrediction::offsetsOf(neighbours, codes.size());
            QVERIFY(!offsets.empty() && offsets.back() < codes.size());
            std::vector<double> weights;
            std::vector<LinearPrediction::Weight> whole;
            for (std::size_t k = 0; k < offsets.size(); ++k) {
                whole.push_back(random.integer(-3000000, 3000000));
                weights.push_back(std::ldexp(whole.back(), -20));
            }
            const LinearPrediction prediction(offsets, whole);
            const PaddedCodes padded(codes, offsets.back());
            for (std::size_t i = 0; i < codes.size(); ++i) {
                const double exact = definition(weights, offsets, codes, i);
                const double found = static_cast<double>(prediction.foretold(padded.at(i)))
                                     / LinearPrediction::parts;
                QVERIFY(found <= exact && found > exact - 1.0 / LinearPrediction::parts);
            }
        }
    }

    /// Codes that are a recurrence of those before are foretold; the mean of their squares is as
    /// small as by the Lorenzo predictor, or smaller.
    void weightsAreFitted()
    {
        constexpr std::size_t length = 50;
        const auto row = QuantisedRow::encode(smooth(length, 60, 1), 1e-4);
        const auto codes = codesOf(row);
        const CodeNeighbours neighbours{1, length};
        const std::vector<bool> all(row.values(), true);
        const auto fitted = LinearPrediction::fitted(codes, all, neighbours);
        const auto offsets = LinearPrediction::offsetsOf(neighbours, codes.size());
        const PaddedCodes padded(codes, offsets.back());
        double byFit = 0, byLorenzo = 0;
        for (std::size_t i = 3 * length + 3; i < row.values(); ++i) {
            const double off =
                codes[i]
                - static_cast<double>(fitted.foretold(padded.at(i))) / LinearPrediction::parts;
            const double other =
                codes[i] - (codes[i - 1] + codes[i - length] - codes[i - length - 1]);
            byFit += off * off;
            byLorenzo += other * other;
        }
        QVERIFY2(byFit < 0.7 * byLorenzo, qPrintable(QString("%1 %2").arg(byFit).arg(byLorenzo)));
        const auto none = LinearPrediction::fitted({}, {}, neighbours);
        QVERIFY(none.weights().empty());
    }

    void rowsAreTheSameAgain_data() { addCountsAndNeighbours(); }

    void rowsAreTheSameAgain()
    {
        QFETCH(int, count);
        QFETCH(int, value);
        QFETCH(int, row);
        QVERIFY(comesBack(count, value, row, packedCodes, fromPackedCodes));
    }

    /// Of the largest codes that there are, which nothing foretells.
    void codesOfAnySizeAreTheSameAgain()
    {
        Random random(8);
        std::vector<float> values;
        for (int i = 0; i < 4000; ++i)
            values.push_back(random.chance(0.5) ? 32767.0F : -32767.0F);
        const auto before = QuantisedRow::encode(values, 0.51);
        const auto after = fromPackedCodes(packedCodes(before, {1, 40}), values.size());
        QVERIFY(after.serialised() == before.serialised());
    }

    void smoothRowsTakeLess_data()
    {
        QTest::addColumn<int>("components");
        QTest::addColumn<double>("share"); // of a bit for each value
        QTest::newRow("numbers") << 1 << 1.7;
        QTest::newRow("vectors") << 3 << 2.6;
    }

    void smoothRowsTakeLess()
    {
        QFETCH(int, components);
        QFETCH(double, share);
        const auto of = static_cast<std::size_t>(components);
        const auto row = QuantisedRow::encode(smooth(100, 90, of), 1e-4);
        const auto size =
            packedCodes(row, {static_cast<std::uint32_t>(of), static_cast<std::uint32_t>(100 * of)})
                .size();
        const double bits = 8 * static_cast<double>(size) / static_cast<double>(row.values());
        QVERIFY2(bits < share, qPrintable(QString::number(bits)));
        QVERIFY(bits > 0.5); // quantisation is noise
    }

    /// From a file that somebody has made: an error, or a row of so many values.
    void whatIsNoRowIsRefused()
    {
        Random random(7);
        const auto values = ofAllWidths(random, 3000);
        const auto row = QuantisedRow::encode(values, 1e-2);
        const auto packed = packedCodes(row, {1, 50});
        GRIDHELM_EXPECT_ERROR(fromPackedCodes(packed, 2999));
        GRIDHELM_EXPECT_ERROR(fromPackedCodes(packed, 3001));
        GRIDHELM_EXPECT_ERROR(fromPackedCodes({}, 3000));
        GRIDHELM_EXPECT_ERROR(fromPackedCodes(std::span(packed).first(60), 3000));
        auto none = packed;
        none[0] = std::byte{0}; // no value before
        GRIDHELM_EXPECT_ERROR(fromPackedCodes(none, 3000));
        std::size_t refused = 0, read = 0;
        for (int attempt = 0; attempt < 3000; ++attempt) {
            auto bad = packed;
            const auto end = attempt % 2 == 0 ? std::size_t{100} : bad.size();
            for (int k = 0; k < 3; ++k)
                bad[random.index(end)] = static_cast<std::byte>(random.integer(0, 255));
            try {
                QCOMPARE(fromPackedCodes(bad, 3000).values(), std::size_t{3000});
                ++read;
            } catch (const Error &) {
                ++refused;
            }
        }
        QVERIFY(refused > 0 && read + refused == 3000);
    }
};

GRIDHELM_TEST(PackedCodesTest)
#include "tst_packed_codes.moc"
