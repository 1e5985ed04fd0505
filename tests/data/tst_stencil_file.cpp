// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stencil files: what they say, their mistakes, and files that mean harm.
#include "core/solvers/vti_file.h"
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "data/stencil/generated_folder.h"
#include "data/stencil/stencil_table.h"
#include "tests/core/expect_error.h"
#include "tests/data/stencil_cases.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <random>
#include <span>

using namespace gridhelm;
using namespace gridhelm::data;
using stencil::SideRule;

namespace {

const std::string neighbours = "neighbours = [[1, 0, 0.5], [-1, 0, 0.5]]\n";
const std::string smallest = "points = [8, 6]\n" + neighbours;

stencil::Stencil parsed(const std::string &toml, const std::filesystem::path &folder = "/nowhere")
{
    return parseStencil(toml, "s.toml", folder).stencil;
}

struct Mistake
{
    int line = -1;
    int column = -1;
    std::string sentence;
};

Mistake mistakeOf(const std::string &toml, const std::filesystem::path &folder = "/nowhere")
{
    try {
        parseStencil(toml, "s.toml", folder);
    } catch (const StencilFileError &error) {
        return {error.line(), error.column(), error.what()};
    }
    return {};
}

} // namespace

class TestStencilFile : public QObject
{
    Q_OBJECT

private slots:
    void smallestFileHasDefaults();
    void everyKeyIsRead();
    void examplesAreReadAndDoNotDiverge();
    void mistakesHaveLineAndColumn_data();
    void mistakesHaveLineAndColumn();
    void unknownKeysAreRefusedWithTheNearest();
    void listsComeFromFilesBeside();
    void filesElsewhereAreRefused();
    void foldersThatAreNotEmptyAreRefused();
    void textOfAFileReachesNoCode();
    void damagedFilesAreRefusedOrUnderstood();
};

void TestStencilFile::smallestFileHasDefaults()
{
    const auto stencil = parsed(smallest);
    QCOMPARE(stencil.dimension, 2);
    QCOMPARE(stencil.points, (std::array<std::size_t, 3>{8, 6, 1}));
    QCOMPARE(stencil.spacing, 1.0 / 9);
    QCOMPARE(stencil.origin[1], 1.0 / 9);
    QCOMPARE(stencil.neighbours.size(), std::size_t(2));
    QCOMPARE(stencil.precision, solvers::Precision::float64);
    QVERIFY(!stencil.source.field && !stencil.source.spike);
    for (const auto &side : stencil.sides)
        QVERIFY(side == stencil::Side{});
}

void TestStencilFile::everyKeyIsRead()
{
    const auto file = parseStencil(R"toml(
title = "all of it"
points = [8, 6, 5]
spacing = 0.5
origin = [1, 2, 3]
precision = "float"
start = "x*y + z"
neighbours = [[0, 0, 0, "1 - 2*b"], [1, 0, 0, "b"], [-1, 0, 0, "b"], [0, 0, 2, 1e-3]]
[coefficients]
b = 0.25
a = "x"
[source]
factor = 3
f = "sin(pi*x)"
[boundary]
all = {slope = 1}
y = "periodic"
x_high = 7
[target]
on = "gpu"
threads = 2
iterations = 4
side_by_side = 2
block = [32, 8]
unknowns = 8
)toml",
                                   "s.toml", "/nowhere");
    const auto &stencil = file.stencil;
    QCOMPARE(file.title, std::string("all of it"));
    QCOMPARE(stencil.dimension, 3);
    QCOMPARE(stencil.origin, (std::array<double, 3>{1, 2, 3}));
    QCOMPARE(stencil.precision, solvers::Precision::float32);
    const std::array<float, 2> coefficients{0.25F, 9}; // in the order of the file
    QCOMPARE(stencil.neighbours[0].weight.evaluate<float>(coefficients), 0.5F);
    QCOMPARE(radiusOf(stencil), 2);
    QCOMPARE(stencil.source.factor, 3.0);
    QCOMPARE(stencil.sides[0].rule, SideRule::slope);
    QCOMPARE(stencil.sides[1].number, 7.0);
    QCOMPARE(stencil.sides[3].rule, SideRule::periodic);
    QCOMPARE(stencil.target.device, stencil::Target::Device::gpu);
    QCOMPARE(stencil.target.iterationsPerPass, 4);
    QCOMPARE(stencil.target.block, (std::array<int, 2>{32, 8}));
    QCOMPARE(stencil.target.sideBySide, 2);
    QCOMPARE(stencil.target.unknowns, 8);
    const auto spike =
        parsed(smallest + "spacing = 1\norigin = [0, 0]\n[source]\nspike = [2.4, 5]\n");
    QCOMPARE(*spike.source.spike, (std::array<std::size_t, 3>{2, 5, 0}));
}

void TestStencilFile::examplesAreReadAndDoNotDiverge()
{
    const auto examples = test::stencilExamples();
    QVERIFY(examples.size() >= 11);
    for (const auto &example : examples) {
        const auto stencil = test::smallExample(example);
        const auto bound = spectralBound(stencil);
        QVERIFY2(divergenceWarning(bound).empty(), example.c_str());
        QVERIFY2(bound.value > 0.9, example.c_str());
    }
}

void TestStencilFile::mistakesHaveLineAndColumn_data()
{
    QTest::addColumn<QString>("toml");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    const auto row = [](const char *name, const std::string &toml, int line, int column) {
        QTest::newRow(name) << QString::fromStdString(toml) << line << column;
    };
    row("no points", neighbours, 0, 0);
    row("no neighbours", "points = [8, 6]\n", 0, 0);
    row("empty list", "points = [8, 6]\nneighbours = []\n", 2, 14);
    row("one dimension", "points = [8]\n" + neighbours, 1, 10);
    row("no whole number", "points = [8, 6.5]\n" + neighbours, 1, 14);
    row("no point", "points = [8, 0]\n" + neighbours, 1, 14);
    row("too many points", "points = [2000000000, 2000000000]\n" + neighbours, 1, 10);
    row("too far", "points = [8, 6]\nneighbours = [[5, 0, 1]]\n", 2, 16);
    row("place in 3D", "points = [8, 6]\nneighbours = [[1, 0, 0, 1]]\n", 2, 15);
    row("twice", "points = [8, 6]\nneighbours = [[1, 0, 1],\n  [1, 0, 1]]\n", 3, 3);
    row("infinite weight", "points = [8, 6]\nneighbours = [[1, 0, inf]]\n", 2, 22);
    row("mistake in a weight", "points = [8, 6]\nneighbours = [[1, 0, \"1 + q\"]]\n", 2, 27);
    row("mistake in a formula", smallest + "start = 'x + '\n", 3, 14);
    row("z in 2D", smallest + "start = 'x + z'\n", 3, 14);
    row("precision", smallest + "precision = \"half\"\n", 3, 13);
    row("periodic on one side", smallest + "[boundary]\nx_low = \"periodic\"\n", 4, 9);
    row("one side beside periodic ones", smallest + "[boundary]\nx = \"periodic\"\nx_low = 1\n", 5,
        9);
    row("source without f", smallest + "[source]\nfactor = 1\n", 3, 1);
    row("spike outside", smallest + "[source]\nspike = [7, 7]\n", 4, 9);
    row("radius beyond the grid", "points = [8, 3]\nneighbours = [[0, 4, 1]]\n", 2, 14);
    row("deep", smallest + "start = '" + std::string(100, '(') + "'\n", 3, 50);
    row("block too large", smallest + "[target]\nblock = [64, 64]\n", 4, 9);
    row("bad name", smallest + "[coefficients]\n\"a b\" = 1\n", 4, 9);
}

void TestStencilFile::mistakesHaveLineAndColumn()
{
    QFETCH(QString, toml);
    QFETCH(int, line);
    QFETCH(int, column);
    const auto mistake = mistakeOf(toml.toStdString());
    QVERIFY2(mistake.line == line && mistake.column == column,
             (mistake.sentence + " (" + std::to_string(mistake.line) + ", "
              + std::to_string(mistake.column) + ")")
                 .c_str());
    QVERIFY2(mistake.sentence.find(';') != std::string::npos, mistake.sentence.c_str());
}

void TestStencilFile::unknownKeysAreRefusedWithTheNearest()
{
    const auto mistake = mistakeOf("pionts = [8, 6]\n" + smallest);
    QCOMPARE(mistake.line, 1);
    QVERIFY2(mistake.sentence.find("(points?)") != std::string::npos, mistake.sentence.c_str());
    QVERIFY(mistakeOf(smallest + "[source]\nf = 1\nfaktor = 2\n").sentence.find("(factor?)")
            != std::string::npos);
}

void TestStencilFile::listsComeFromFilesBeside()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::vector<double> values(48);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i) / 7;
    const auto bytes = std::as_bytes(std::span(values));
    test::writeText(path / "f.f64", {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    const solvers::ImageArrayView array{"u", std::span<const double>(values)};
    solvers::writeVti(path / "u.vti", {{8, 6, 1}, {0, 0, 0}, 1, {0, 0, 0}}, std::span(&array, 1));
    const auto stencil =
        parsed(smallest + "start = {file = 'u.vti'}\n[source]\nf = {file = 'f.f64'}\n", path);
    QCOMPARE(std::get<std::vector<double>>(stencil.start), values);
    QCOMPARE(std::get<std::vector<double>>(*stencil.source.field), values);
}

void TestStencilFile::filesElsewhereAreRefused()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    test::writeText(path / "secret.f64", std::string(48 * 8, '\0'));
    test::writeText(path / "in/short.f64", "12345678");
    std::filesystem::create_symlink(path / "secret.f64", path / "in/link.f64");
    std::filesystem::create_directory(path / "in/folder.f64");
    QCOMPARE(::mkfifo((path / "in/pipe.f64").c_str(), 0600), 0);
    test::writeText(path / "in/broken.vti", "<VTKFile>");
    for (const std::string name :
         {"../secret.f64", "link.f64", "folder.f64", "pipe.f64", "short.f64", "broken.vti",
          "missing.f64", "/etc/passwd", "", ".", "..", "a.txt"}) {
        const auto mistake = mistakeOf(smallest + "start = {file = '" + name + "'}\n", path / "in");
        QVERIFY2(mistake.line == 3, name.c_str());
    }
}

void TestStencilFile::foldersThatAreNotEmptyAreRefused()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    writeNewFolder(path / "new/deep", {{"a.txt", "A"}});
    QCOMPARE(test::textIn(path / "new/deep/a.txt"), std::string("A"));
    GRIDHELM_EXPECT_ERROR(writeNewFolder(path / "new/deep", {{"b.txt", "B"}}));
    QVERIFY(!std::filesystem::exists(path / "new/deep/b.txt"));
    GRIDHELM_EXPECT_ERROR(writeNewFolder(path / "new/deep/a.txt", {{"b.txt", "B"}}));
    std::filesystem::create_directory(path / "elsewhere");
    std::filesystem::create_symlink(path / "elsewhere", path / "link");
    GRIDHELM_EXPECT_ERROR(writeNewFolder(path / "link", {{"b.txt", "B"}}));
    std::filesystem::create_directory(path / "empty");
    writeNewFolder(path / "empty", {{"b.txt", "B"}});
}

void TestStencilFile::textOfAFileReachesNoCode()
{
    const auto stencil = parsed(R"(
title = "*/ MARK"
points = [8, 6]
start = "sin(x) + 3"
neighbours = [[1, 0, "MARK_1 * 2"], [0, 0, "MARK_2"]]
[coefficients]
MARK_2 = 1
MARK_1 = "x"
)");
    for (const auto &[name, text] : folderCode(stencil))
        QVERIFY2(text.find("MARK") == std::string::npos, name.c_str());
    QVERIFY(kernelCode(stencil, stencil::CodeForm::single).find("MARK") == std::string::npos);
}

void TestStencilFile::damagedFilesAreRefusedOrUnderstood()
{
    const bool isLong = std::getenv("GRIDHELM_LONG_TESTS") != nullptr;
    const int rounds = isLong ? 100000 : 1500;
    std::vector<std::string> texts;
    for (const auto &example : test::stencilExamples())
        texts.push_back(test::textIn(example));
    const std::vector<std::string> pieces{"[",
                                          "]",
                                          "{",
                                          "}",
                                          "\"",
                                          "'",
                                          "=",
                                          ",",
                                          "1e999",
                                          "-",
                                          "nan",
                                          "inf",
                                          "\n",
                                          "^",
                                          "(",
                                          ")",
                                          "9999999999999999999",
                                          "0x10",
                                          "points",
                                          "neighbours",
                                          "[source]\n",
                                          "[boundary]\n",
                                          "\"periodic\"",
                                          "{slope = 1}",
                                          "{file = '/etc/passwd'}",
                                          std::string("\0", 1),
                                          "\xff",
                                          "#"};
    std::mt19937 random(20);
    int understood = 0;
    for (int round = 0; round < rounds; ++round) {
        auto text = texts[random() % texts.size()];
        for (auto changes = 1 + random() % 3; changes > 0; --changes) {
            const auto at = random() % text.size();
            const auto length = std::min<std::size_t>(random() % 8, text.size() - at);
            text.replace(at, length, random() % 2 == 0 ? pieces[random() % pieces.size()] : "");
            if (text.empty())
                text = "x";
        }
        try {
            const auto stencil = parsed(text);
            requireStencil(stencil);
            QVERIFY(!kernelCode(stencil, stencil::CodeForm::single).empty());
            ++understood;
        } catch (const StencilFileError &error) {
            QVERIFY2(std::string(error.what()).size() > 20, text.c_str());
        }
    }
    QVERIFY(understood > rounds / 100);
}

GRIDHELM_TEST(TestStencilFile)
#include "tst_stencil_file.moc"
