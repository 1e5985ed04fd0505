// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes of 1,000 snapshots of a million values, 4 GB in a file, within 2 GB of memory.
#include "core/modes/modes.h"
#include "tests/support/test_program.h"

#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <unistd.h>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::modes;

namespace {

constexpr std::size_t snapshotCount = 1000, valueCount = 1'000'000;

/// A file of rows, as a study would read them: in parts of 256 KiB.
class RowsInFile final : public SnapshotBlocks
{
public:
    explicit RowsInFile(int file)
        : m_file(file)
    {
    }
    std::size_t snapshots() const override { return snapshotCount; }
    std::size_t values() const override { return valueCount; }
    std::size_t columnsAtOnce() const override { return std::size_t{1} << 16; }
    void read(std::size_t first, MatrixView<float> block) override
    {
        for (std::size_t i = 0; i < block.rows; ++i) {
            const auto bytes = block.columns * sizeof(float);
            const auto at = static_cast<off_t>((i * valueCount + first) * sizeof(float));
            isWhole =
                isWhole && ::pread(m_file, block.row(i), bytes, at) == static_cast<ssize_t>(bytes);
        }
    }
    bool isWhole = true;

private:
    int m_file;
};

/// cos(pi (m + 1) (k + 1/2) / values): of any two of them the product sums up to 0, and the square
/// to values / 2.
double shape(std::size_t m, std::size_t k)
{
    return std::cos(std::numbers::pi * static_cast<double>(m + 1) * (static_cast<double>(k) + 0.5)
                    / static_cast<double>(valueCount));
}

double peakMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0)
            return std::stod(line.substr(6)) / 1024;
    return 0;
}

} // namespace

class ModesLongTest : public QObject
{
    Q_OBJECT

private slots:
    void aThousandSnapshotsOfAMillionValues();
};

void ModesLongTest::aThousandSnapshotsOfAMillionValues()
{
    // Orthogonal shapes times orthogonal coefficients: all is known. Sizes fall by 10.
    constexpr std::size_t shapes = 4;
    const auto coefficient = [](std::size_t m, std::size_t j) {
        return std::pow(10.0, -static_cast<double>(m))
               * std::cos(std::numbers::pi * static_cast<double>(m) * (static_cast<double>(j) + 0.5)
                          / static_cast<double>(snapshotCount));
    };
    QTemporaryFile file;
    QVERIFY(file.open());
    {
        std::vector<std::vector<float>> all(shapes, std::vector<float>(valueCount));
        for (std::size_t m = 0; m < shapes; ++m)
            for (std::size_t k = 0; k < valueCount; ++k)
                all[m][k] = static_cast<float>(shape(m, k));
        std::vector<float> row(valueCount);
        for (std::size_t j = 0; j < snapshotCount; ++j) {
            std::ranges::fill(row, 0.0F);
            for (std::size_t m = 0; m < shapes; ++m) {
                const auto size = static_cast<float>(coefficient(m, j));
                for (std::size_t k = 0; k < valueCount; ++k)
                    row[k] += size * all[m][k];
            }
            const auto bytes = static_cast<qint64>(valueCount * sizeof(float));
            if (file.write(reinterpret_cast<const char *>(row.data()), bytes) != bytes)
                QSKIP("there is no room for a file of 4 GB");
        }
        file.flush();
    }
    RowsInFile rows(file.handle());
    const std::vector<double> weights(valueCount, 1.0);
    ModesOptions options;
    options.cpu = wholeCpu();
    std::size_t written = 0;
    const auto begin = std::chrono::steady_clock::now();
    const auto modes =
        computeModes(rows, {weights}, options, [&](std::size_t, MatrixView<const float> block) {
            written += block.rows * block.columns;
        });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const double peak = peakMegabytes();
    qInfo("%.1f s with %d threads, %.0f MB at most", taken.count(), options.cpu.threads, peak);
    QVERIFY(rows.isWhole);
    QVERIFY(peak < 2000);
    QCOMPARE(modes.count(), shapes);
    QCOMPARE(written, shapes * valueCount);
    for (std::size_t m = 0; m < shapes; ++m) {
        double sum = 0;
        for (std::size_t j = 0; j < snapshotCount; ++j)
            sum += coefficient(m, j) * coefficient(m, j);
        const double exact = std::sqrt(sum * static_cast<double>(valueCount) / 2);
        QVERIFY(std::abs(modes.singularValues[m] / exact - 1) <= 1e-4);
    }
    QVERIFY(modes.largestError <= 1e-6);
}

GRIDHELM_TEST(ModesLongTest)
#include "tst_modes_long.moc"
