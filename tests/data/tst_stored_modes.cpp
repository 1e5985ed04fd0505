// SPDX-License-Identifier: GPL-3.0-or-later
//
// How modes in few bits are stored: coefficients with few digits, and packed codes.
#include "core/sparse/sparse_grid_surrogate.h"
#include "data/study/blob_store.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/quantised_modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

int countOf(const std::filesystem::path &path, const std::string &rows)
{
    const SQLite::Database file(path);
    SQLite::Statement query(file, "SELECT count(*) FROM " + rows);
    return query.executeStep() ? query.getColumn(0).getInt() : 0;
}

} // namespace

class StoredModesTest : public QObject
{
    Q_OBJECT

private slots:
    void coefficientsHaveFewDigits_data();
    void coefficientsHaveFewDigits();
    void codesArePacked();
};

void StoredModesTest::coefficientsHaveFewDigits_data()
{
    QTest::addColumn<double>("cut");
    QTest::addColumn<double>("allowed");
    QTest::addRow("as the error asks for") << cutForError(1e-3) << 1e-3;
    QTest::addRow("of far more modes") << 1e-12 << 0.05;
    QTest::addRow("little") << 1e-12 << 1e-5;
}

void StoredModesTest::coefficientsHaveFewDigits()
{
    QFETCH(double, cut);
    QFETCH(double, allowed);
    const Folder folder;
    makeStudy(folder / "s", 5);
    auto writer = StudyWriter::open(folder / "s");
    ModesOptions options;
    options.cut = cut;
    storeModes(writer, options);
    const auto exact = *writer.modalRows(0);
    QuantiseOptions few;
    few.allowed = allowed;
    QVERIFY(quantiseModes(writer, 0, few).isQuantised);
    writer.close();
    QVERIFY(verified(folder / "s").isKept());
    QCOMPARE(countOf(folder / "s", "modal_coefficients WHERE encoding = 6"), 1);

    // What rounding takes of the error, at all points, from the coefficients alone.
    const auto study = Study::open(folder / "s");
    const auto rounded = study.modalRows(0);
    const auto norm = study.modeSet(0)->norm;
    const sparse::SparseGridSurrogate surrogate(study.grid());
    std::vector<double> x(3);
    double most = 0;
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
        study.grid()->coordinates(point, x);
        const auto weights = surrogate.weights(x, surrogate.groups());
        double square = 0;
        for (std::size_t m = 0; m < rounded->modes; ++m) {
            double off = 0;
            for (std::size_t i = 0; i < weights.rows.size(); ++i)
                off += weights.weights[i]
                       * (double{rounded->coefficients[weights.rows[i] * rounded->modes + m]}
                          - double{exact.coefficients[weights.rows[i] * exact.modes + m]});
            square += off * off;
        }
        most = std::max(most, std::sqrt(square) / norm);
    }
    QVERIFY2(most <= 0.1 * allowed * (1 + 1e-9), qPrintable(QString::number(most / allowed)));
    QVERIFY2(most > 0.01 * allowed, qPrintable(QString::number(most / allowed)));
}

void StoredModesTest::codesArePacked()
{
    const Folder folder;
    makeStudy(folder / "s", 3, 1009); // one wave: nothing that comes again
    addBits(folder / "s", 1e-4);
    QVERIFY(countOf(folder / "s", "modes WHERE encoding = 7") > 0);
    QVERIFY(verified(folder / "s").isKept());
    QCOMPARE(problemsOf(folder / "s"), std::string());
    // From somebody else, with a checksum that matches.
    auto writer = StudyWriter::open(folder / "s");
    auto &file = writer.file();
    file.guarded([&] {
        std::vector<std::byte> bytes(3000, std::byte{0x5a});
        const auto key = blobKey(BlobTable::modes, 0, 0, 0);
        writeModePart(file, key, sealed(key, StoredEncoding::packed, bytes));
    });
    writer.close();
    GRIDHELM_EXPECT_ERROR(loadFirstField(folder / "s"));
}

GRIDHELM_TEST(StoredModesTest)
#include "tst_stored_modes.moc"
