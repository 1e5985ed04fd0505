// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/vti_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::solvers;

class TestVtiFile : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path path(const char *name) const
    {
        return m_folder.filePath(name).toStdString();
    }
    QByteArray contentOf(const char *name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void setContent(const char *name, const QByteArray &content) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test cannot write its input");
    }

private slots:
    void whatIsWrittenIsReadToTheBit_data();
    void whatIsWrittenIsReadToTheBit();
    void fileIsWhatVtkExpects();
    void unusableArraysAreRefused();
    void otherFilesAreRefused_data();
    void otherFilesAreRefused();
};

void TestVtiFile::whatIsWrittenIsReadToTheBit_data()
{
    QTest::addColumn<int>("nx");
    QTest::addColumn<int>("ny");
    QTest::addColumn<int>("nz");
    QTest::newRow("one point") << 1 << 1 << 1;
    QTest::newRow("2D") << 17 << 5 << 1;
    QTest::newRow("3D") << 4 << 7 << 3;
}

void TestVtiFile::whatIsWrittenIsReadToTheBit()
{
    QFETCH(int, nx);
    QFETCH(int, ny);
    QFETCH(int, nz);
    const ImageGrid grid{
        {std::size_t(nx), std::size_t(ny), std::size_t(nz)}, {0.1, -1e-300, 3}, 1.0 / 3.0};
    test::Random random(1);
    std::vector<double> u(grid.count());
    std::vector<float> layer(grid.count());
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = random.real(-1, 1);
        layer[i] = static_cast<float>(random.real(0, 9));
    }
    u.back() = std::numeric_limits<double>::infinity(); // a node that no front has reached

    const std::vector<ImageArrayView> arrays{{"arrival time (s)", std::span<const double>(u)},
                                             {"layer", std::span<const float>(layer)}};
    writeVti(path("image.vti"), grid, arrays);
    const Image read = readVti(path("image.vti"));
    QVERIFY(read.grid.points == grid.points);
    QVERIFY(read.grid.origin == grid.origin);
    QCOMPARE(read.grid.spacing, grid.spacing);
    QCOMPARE(read.arrays.size(), std::size_t(2));
    QCOMPARE(read.arrays[0].name, arrays[0].name);
    QCOMPARE(read.arrays[1].name, arrays[1].name);
    QVERIFY(std::get<std::vector<double>>(read.arrays[0].values) == u);
    QVERIFY(std::get<std::vector<float>>(read.arrays[1].values) == layer);
}

void TestVtiFile::fileIsWhatVtkExpects()
{
    const std::vector<float> u{1, 2, 3, 4, 5, 6};
    const std::vector<ImageArrayView> arrays{{"u", std::span<const float>(u)}};
    writeVti(path("small.vti"), {{3, 2, 1}, {0.5, 0.25, 0}, 0.125}, arrays);
    const QByteArray file = contentOf("small.vti");
    const QByteArray header =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <ImageData WholeExtent=\"0 2 0 1 0 0\" Origin=\"0.5 0.25 0\" "
        "Spacing=\"0.125 0.125 0.125\">\n"
        "    <Piece Extent=\"0 2 0 1 0 0\">\n"
        "      <PointData Scalars=\"u\">\n"
        "        <DataArray type=\"Float32\" Name=\"u\" format=\"appended\" offset=\"0\"/>\n"
        "      </PointData>\n"
        "      <CellData/>\n"
        "    </Piece>\n"
        "  </ImageData>\n"
        "  <AppendedData encoding=\"raw\">\n"
        "   _";
    QCOMPARE(file.left(header.size()), header);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, file.constData() + header.size(), 8);
    QCOMPARE(bytes, std::uint64_t(24));
    QCOMPARE(std::memcmp(file.constData() + header.size() + 8, u.data(), 24), 0);
    QCOMPARE(file.mid(header.size() + 32), "\n  </AppendedData>\n</VTKFile>\n");
}

void TestVtiFile::unusableArraysAreRefused()
{
    const std::vector<float> u{1, 2, 3};
    const ImageGrid grid{{3, 1, 1}, {0, 0, 0}, 1};
    const auto write = [&](std::vector<ImageArrayView> arrays) {
        writeVti(path("refused.vti"), grid, arrays);
    };
    GRIDHELM_EXPECT_ERROR(write({}));
    GRIDHELM_EXPECT_ERROR(write({{"u", std::span<const float>(u).first(2)}}));
    GRIDHELM_EXPECT_ERROR(write({{"", std::span<const float>(u)}}));
    GRIDHELM_EXPECT_ERROR(write({{"u\"", std::span<const float>(u)}}));
    GRIDHELM_EXPECT_ERROR(
        write({{"u", std::span<const float>(u)}, {"u", std::span<const float>(u)}}));
    QVERIFY(!QFile::exists(m_folder.filePath("refused.vti")));
    GRIDHELM_EXPECT_ERROR(writeVti(path("nowhere/u.vti"), grid,
                                   std::vector<ImageArrayView>{{"u", std::span<const float>(u)}}));
}

void TestVtiFile::otherFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    const std::vector<double> u{1, 2, 3, 4};
    const std::vector<ImageArrayView> arrays{{"u", std::span<const double>(u)}};
    writeVti(path("good.vti"), {{4, 1, 1}, {0, 0, 0}, 1}, arrays);
    const QByteArray good = contentOf("good.vti");
    const auto with = [&](const char *before, const char *after) {
        if (!good.contains(before))
            qFatal("the file has changed: adapt the test");
        return QByteArray(good).replace(before, after);
    };
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("not an image\n");
    QTest::newRow("header cut off") << good.left(good.indexOf("<AppendedData"));
    QTest::newRow("no underscore") << good.left(good.indexOf("   _"));
    QTest::newRow("values cut off") << good.left(good.indexOf("   _") + 4 + 8 + 31);
    QTest::newRow("big endian") << with("LittleEndian", "BigEndian");
    QTest::newRow("sizes in 32 bits") << with("UInt64", "UInt32");
    QTest::newRow("compressed") << with("header_type", "compressor=\"vtkZLibDataCompressor\" "
                                                       "header_type");
    QTest::newRow("base64") << with("encoding=\"raw\"", "encoding=\"base64\"");
    QTest::newRow("integers") << with("Float64", "Int64");
    QTest::newRow("inline") << with("format=\"appended\"", "format=\"ascii\"");
    QTest::newRow("other offset") << with("offset=\"0\"", "offset=\"8\"");
    QTest::newRow("offset beyond") << with("offset=\"0\"", "offset=\"18446744073709551615\"");
    QTest::newRow("no offset") << with(" offset=\"0\"", "");
    QTest::newRow("more points") << with("WholeExtent=\"0 3", "WholeExtent=\"0 4");
    QTest::newRow("fewer points") << with("WholeExtent=\"0 3", "WholeExtent=\"0 2");
    QTest::newRow("too many points")
        << with("WholeExtent=\"0 3 0 0", "WholeExtent=\"0 3 0 18446744073709551615");
    QTest::newRow("too large a product")
        << with("WholeExtent=\"0 3 0 0", "WholeExtent=\"0 9999999999 0 9999999999");
    QTest::newRow("a piece of more") << with("WholeExtent=\"0 3", "WholeExtent=\"1 4");
    QTest::newRow("five numbers") << with("WholeExtent=\"0 3 0 0 0 0", "WholeExtent=\"0 3 0 0 0");
    QTest::newRow("seven numbers") << with("WholeExtent=\"0 3", "WholeExtent=\"0 0 3");
    QTest::newRow("uneven spacing") << with("Spacing=\"1 1 1", "Spacing=\"1 1 2");
    QTest::newRow("no spacing") << with("Spacing=\"1 1 1", "Spacing=\"0 0 0");
    QTest::newRow("no values") << with("<DataArray", "<Nothing");
}

void TestVtiFile::otherFilesAreRefused()
{
    QFETCH(QByteArray, content);
    QCOMPARE(readVti(path("good.vti")).grid.count(), std::size_t(4));
    setContent("bad.vti", content);
    GRIDHELM_EXPECT_ERROR(readVti(path("bad.vti")));
    GRIDHELM_EXPECT_ERROR(readVti(path("missing.vti")));
    GRIDHELM_EXPECT_ERROR(readVti(path(".")));
}

GRIDHELM_TEST(TestVtiFile)
#include "tst_vti_file.moc"
