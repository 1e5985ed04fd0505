// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/numpy_archive.h"
#include "tests/core/expect_error.h"
#include "tests/data/npz_reader.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <array>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

std::span<const std::byte> bytesOfText(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

/// What python3 prints; a program that ends with an error fails the test.
QByteArray python(const QString &program, const std::filesystem::path &path)
{
    QProcess process;
    process.start("python3", {"-c", program, QString::fromStdString(path.string())});
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
        return "failed: " + process.readAllStandardError();
    return process.readAllStandardOutput().trimmed();
}

bool hasPython(const QString &module)
{
    QProcess process;
    process.start("python3", {"-c", "import " + module});
    return process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit
           && process.exitCode() == 0;
}

void writeThreeMembers(const std::filesystem::path &path, std::uint64_t largest)
{
    OutputFile file(path);
    data::StoredZip zip(file, {{"a.txt", 6}, {"größe.txt", 3}, {"empty", 0}}, largest);
    zip.append(0, bytesOfText("abc"));
    zip.append(1, bytesOfText("xyz"));
    zip.append(0, {});
    zip.append(0, bytesOfText("def"));
    zip.close();
    file.commit();
    QCOMPARE(std::filesystem::file_size(path), zip.bytes());
}

} // namespace

class TestNumpyArchive : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

private slots:
    void membersAreFilledSideBySide()
    {
        writeThreeMembers(m_folder / "plain.zip", data::StoredZip::largestOf32Bits);
        const ZipReader zip(allBytesOf(m_folder / "plain.zip"));
        QVERIFY(!zip.isZip64());
        const std::map<std::string, std::string> expected{
            {"a.txt", "abcdef"}, {"größe.txt", "xyz"}, {"empty", ""}};
        QVERIFY(zip.members() == expected);
    }

    /// The limit is 4 GiB, but for this test.
    void beyondTheLimitNumbersHave64Bits_data()
    {
        QTest::addColumn<quint64>("largest");
        QTest::newRow("everything") << quint64{0};
        QTest::newRow("sizes and far members") << quint64{4};
        QTest::newRow("far members") << quint64{56};
        QTest::newRow("the directory alone") << quint64{150};
    }
    void beyondTheLimitNumbersHave64Bits()
    {
        QFETCH(quint64, largest);
        const auto path = m_folder / "zip64.zip";
        writeThreeMembers(path, largest);
        const ZipReader zip(allBytesOf(path));
        QVERIFY(zip.isZip64());
        QCOMPARE(zip.members().at("a.txt"), std::string("abcdef"));
        QCOMPARE(zip.members().at("größe.txt"), std::string("xyz"));
        if (!hasPython("zipfile"))
            QSKIP("there is no python3");
        QCOMPARE(python("import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]);"
                        "print(z.testzip(), [(i.filename, z.read(i)) for i in z.infolist()])",
                        path),
                 QByteArray("None [('a.txt', b'abcdef'), ('größe.txt', b'xyz'), ('empty', b'')]"));
    }

    void moreThan65535MembersAreThere()
    {
        const auto path = m_folder / "many.zip";
        OutputFile file(path);
        std::vector<data::StoredZip::Member> members;
        for (int i = 0; i < 70000; ++i)
            members.push_back({std::to_string(i), 1});
        data::StoredZip zip(file, members);
        for (std::size_t i = 0; i < members.size(); ++i)
            zip.append(i, bytesOfText("x"));
        zip.close();
        file.commit();
        const ZipReader read(allBytesOf(path));
        QVERIFY(read.isZip64());
        QCOMPARE(read.members().size(), members.size());
    }

    void whatDoesNotFitIsRefused()
    {
        const OutputFile file(m_folder / "wrong.zip");
        data::StoredZip zip(file, {{"a", 3}});
        zip.append(0, bytesOfText("ab"));
        QVERIFY_EXCEPTION_THROWN(zip.append(0, bytesOfText("cd")), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(zip.close(), std::logic_error);
        GRIDHELM_EXPECT_ERROR(data::StoredZip(file, {{"a", ~std::uint64_t{0} - 1000}}));
        GRIDHELM_EXPECT_ERROR(data::StoredZip(file, {{"a", ~std::uint64_t{0}}, {"b", 99}}));
        GRIDHELM_EXPECT_ERROR(data::StoredZip(file, {{std::string(70000, 'a'), 1}}));
    }

    void arraysAreAsNumpyWritesThem()
    {
        const auto path = m_folder / "arrays.npz";
        OutputFile file(path);
        const data::NumpyTexts texts("names", {"Re", "größe", ""});
        std::vector<float> values(2 * 3 * 4);
        std::iota(values.begin(), values.end(), 0.5F);
        const std::array one{0.1};
        const std::array<std::int64_t, 3> shape{1, -2, 3};
        data::NumpyArchive archive(file, {data::float32Array("velocity", {2, 3, 4}),
                                          data::float64Array("one", {1}), texts.array,
                                          data::int64Array("shape", {3})});
        archive.append(0, std::span(values).first(10));
        archive.append(2, std::span(texts.characters));
        archive.append(1, std::span(one));
        archive.append(3, std::span(shape));
        archive.append(0, std::span(values).subspan(10));
        archive.close();
        file.commit();

        const auto arrays = readNpz(path);
        QCOMPARE(arrays.size(), std::size_t{4});
        QVERIFY(arrays.at("velocity").is("<f4", "(2, 3, 4)"));
        QVERIFY(arrays.at("velocity").values<float>() == values);
        QVERIFY(arrays.at("one").is("<f8", "(1,)"));
        QVERIFY(arrays.at("names").is("<U5", "(3,)"));
        QVERIFY(arrays.at("names").values<char32_t>() == texts.characters);
        QVERIFY(arrays.at("shape").is("<i8", "(3,)"));

        if (!hasPython("numpy"))
            QSKIP("python3 has no numpy");
        QCOMPARE(python("import sys, numpy; f = numpy.load(sys.argv[1], allow_pickle=False);"
                        "v = f['velocity'];"
                        "print(sorted(f), v.dtype, v.shape, v[1, 2, 3], f['one'], "
                        "f['names'].tolist(), f['shape'].tolist())",
                        path),
                 QByteArray("['names', 'one', 'shape', 'velocity'] float32 (2, 3, 4) 23.5 [0.1] "
                            "['Re', 'größe', ''] [1, -2, 3]"));
    }

    void namesStayInTheArchive()
    {
        QCOMPARE(data::NumpyArchive::nameFor("../../etc/passwd"), std::string(".._.._etc_passwd"));
        QCOMPARE(data::NumpyArchive::nameFor("a\\b\nc"), std::string("a_b c"));
        const OutputFile file(m_folder / "twice.npz");
        GRIDHELM_EXPECT_ERROR(
            data::NumpyArchive(file, {data::float32Array("p", {1}), data::float64Array("p", {2})}));
    }

    /// Takes 4.3 GB of the disk.
    void anArrayBeyond4GiBIsRead()
    {
        if (!isLong())
            QSKIP("a long test");
        const auto path = m_folder / "large.npz";
        OutputFile file(path);
        constexpr std::uint64_t rows = 1030, columns = 1 << 20;
        std::vector<float> row(columns);
        data::NumpyArchive archive(
            file, {data::float32Array("u", {rows, columns}), data::float32Array("v", {rows})});
        for (std::uint64_t i = 0; i < rows; ++i) {
            std::ranges::fill(row, static_cast<float>(i));
            archive.append(0, std::span(row));
            archive.append(1, std::span(row).first(1));
        }
        archive.close();
        file.commit();
        QCOMPARE(std::filesystem::file_size(path), archive.bytes());
        QVERIFY(archive.bytes() > std::uint64_t{1} << 32);
        if (!hasPython("zipfile"))
            QSKIP("there is no python3");
        QCOMPARE(python("import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip())",
                        path),
                 QByteArray("None"));
        if (!hasPython("numpy"))
            QSKIP("python3 has no numpy");
        QCOMPARE(python("import sys, numpy; v = numpy.load(sys.argv[1])['v'];"
                        "print(v.shape, v[0], v[-1])",
                        path),
                 QByteArray("(1030,) 0.0 1029.0"));
    }
};

GRIDHELM_TEST(TestNumpyArchive)
#include "tst_numpy_archive.moc"
