// SPDX-License-Identifier: GPL-3.0-or-later
//
// Code that is made for GPUs, beside the literal loop, without a GPU (tests/data/emulated_gpu.h).
#include "core/stencil/divided_iterations.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/literal_stencil.h"
#include "core/stencil/padded_values.h"
#include "core/stencil/stencil_data.h"
#include "core/stencil/stencil_stepper.h"
#include "core/support/error.h"
#include "data/stencil/compile_stencil.h"
#include "tests/core/expect_error.h"
#include "tests/data/emulated_gpu.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/data/text_files.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

#include <array>
#include <bit>
#include <cstring>

#include <memory>

using namespace gridhelm;
using namespace gridhelm::stencil;

namespace {

struct Grid
{
    long long points[3];
    long long strides[3];
};

/// As generated code has it, with room for the most coefficients.
template <typename T>
struct ListsOf
{
    std::vector<unsigned long long> words;

    ListsOf(const CudaDeviceCode &code, const std::vector<const T *> &coefficients, const T *f,
            T factor, long long spike)
        : words(code.lists + 3)
    {
        for (std::size_t c = 0; c < coefficients.size(); ++c)
            words[c] = std::bit_cast<unsigned long long>(coefficients[c]);
        words[code.lists] = std::bit_cast<unsigned long long>(f);
        std::memcpy(&words[code.lists + 1], &factor, sizeof(factor));
        words.back() = static_cast<unsigned long long>(spike);
    }
};

/// With ghosts around it, in memory that needs no room beside what generated code wants.
template <typename T>
class Values
{
public:
    Values(const Stencil &stencil, const ScalarField &field)
        : m_layout(paddedLayout(stencil, sizeof(T)))
        , m_values(m_layout.size)
    {
        forEachValue(stencil, field, CpuDevice{1},
                     [&](std::size_t i, std::size_t j, std::size_t k, double value) {
                         first()[offset(j, k) + i] = static_cast<T>(value);
                     });
    }
    T *first() { return m_values.data() + m_layout.first; }
    std::size_t offset(std::size_t j, std::size_t k) const
    {
        return k * m_layout.planeStride + j * m_layout.rowStride;
    }

private:
    PaddedLayout m_layout;
    std::vector<T> m_values;
};

template <typename T>
using Run = T *(*)(T *, T *, const Grid *, const void *, long long);

} // namespace

class TestStencilEmulated : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void examplesAreTheLiteralLoops_data();
    void examplesAreTheLiteralLoops();
    void rowsThatShareNeighboursAreTheLiteralLoops_data();
    void rowsThatShareNeighboursAreTheLiteralLoops();
    void severalIterationsAreTheLiteralLoops_data();
    void severalIterationsAreTheLiteralLoops();
    void whatSuitsNoPassMakesNone();
    void foldersDivideInWholePasses();

private:
    std::shared_ptr<void> compiled(const CudaDeviceCode &code, int rows);
    std::shared_ptr<void> compiled(const std::string &text);
    template <typename T>
    std::vector<double> valuesOn(const Stencil &stencil, std::uint64_t iterations, int rows);
    void compare(const Stencil &stencil, std::uint64_t iterations, int rows,
                 const std::string &what);

    QTemporaryDir m_folder;
    int m_files = 0;
};

void TestStencilEmulated::initTestCase()
{
    if (data::findCompiler().empty())
        QSKIP("there is no C++ compiler in PATH");
}

std::shared_ptr<void> TestStencilEmulated::compiled(const CudaDeviceCode &code, int rows)
{
    auto text = code.text;
    // Functions of C++ are not called by names of C.
    const std::string linkage = "extern \"C\" {";
    text.replace(text.find(linkage), linkage.size(), "namespace {");
    std::string head(test::emulatedGpu);
    if (code.levels > 1)
        head += "#define PASSES\n#define ROWS " + std::to_string(rows) + "\n";
    return compiled(head + text + std::string(test::emulatedLaunches));
}

std::shared_ptr<void> TestStencilEmulated::compiled(const std::string &text)
{
    const auto name = m_folder.filePath(QString::number(++m_files));
    test::writeText((name + ".cpp").toStdString(), text);
    QProcess compiler;
    compiler.start(QString::fromStdString(data::findCompiler().string()),
                   {"-std=c++17", "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-shared",
                    "-fPIC", "-w", "-o", name + ".so", name + ".cpp"});
    if (!compiler.waitForFinished(120000) || compiler.exitCode() != 0)
        throw Error("not compiled: " + compiler.readAllStandardError().toStdString());
    void *library = dlopen((name + ".so").toLocal8Bit(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw Error(dlerror());
    return {library, [](void *loaded) { dlclose(loaded); }};
}

template <typename T>
std::vector<double> TestStencilEmulated::valuesOn(const Stencil &stencil, std::uint64_t iterations,
                                                  int rows)
{
    const auto code = cudaDeviceCode(stencil);
    const auto library = compiled(code, rows);
    const auto run = reinterpret_cast<Run<T>>(dlsym(library.get(), "run"));
    std::vector<Values<T>> lists;
    lists.reserve(stencil.coefficients.size() + 1);
    std::vector<const T *> coefficients;
    for (const auto &coefficient : stencil.coefficients)
        coefficients.push_back(lists.emplace_back(stencil, coefficient).first());
    const T *f =
        stencil.source.field ? lists.emplace_back(stencil, *stencil.source.field).first() : nullptr;
    Values<T> present(stencil, stencil.start), next(stencil, 0.0);
    Grid grid{{},
              {1, static_cast<long long>(present.offset(1, 0)),
               static_cast<long long>(present.offset(0, 1))}};
    for (std::size_t axis = 0; axis < 3; ++axis)
        grid.points[axis] = static_cast<long long>(stencil.points[axis]);
    long long spike = -1;
    if (const auto &at = stencil.source.spike)
        spike = static_cast<long long>((*at)[0] + present.offset((*at)[1], (*at)[2]));
    const ListsOf<T> words(code, coefficients, f, static_cast<T>(stencil.source.factor), spike);
    const T *result = run(present.first(), next.first(), &grid, words.words.data(),
                          static_cast<long long>(iterations));
    std::vector<double> values;
    for (std::size_t k = 0; k < stencil.points[2]; ++k) {
        for (std::size_t j = 0; j < stencil.points[1]; ++j) {
            const auto *row = result + present.offset(j, k);
            values.insert(values.end(), row, row + stencil.points[0]);
        }
    }
    return values;
}

void TestStencilEmulated::compare(const Stencil &stencil, std::uint64_t iterations, int rows,
                                  const std::string &what)
{
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
    const double before = test::largestOf(test::valuesIn(*literal));
    literal->advance(iterations);
    const auto expected = test::valuesIn(*literal);
    const bool isFloat = stencil.precision == solvers::Precision::float32;
    const auto values = isFloat ? valuesOn<float>(stencil, iterations, rows)
                                : valuesOn<double>(stencil, iterations, rows);
    QVERIFY2(test::largestOf(expected) > 1e-8, what.c_str());
    const double largest =
        std::max({1.0, before, 4 * test::largestOf(expected), stencil.source.factor});
    const double difference = test::largestDifference(values, expected);
    QVERIFY2(difference <= test::toleranceOf(stencil, iterations, largest),
             (what + ": " + std::to_string(difference)).c_str());
}

void TestStencilEmulated::examplesAreTheLiteralLoops_data()
{
    QTest::addColumn<QString>("file");
    for (const auto &example : test::stencilExamples())
        QTest::newRow(example.stem().c_str()) << QString::fromStdString(example.string());
}

void TestStencilEmulated::examplesAreTheLiteralLoops()
{
    QFETCH(const QString, file);
    compare(test::smallExample(file.toStdString()), 5, 1, file.toStdString());
}

void TestStencilEmulated::rowsThatShareNeighboursAreTheLiteralLoops_data()
{
    QTest::addColumn<int>("radius");
    QTest::addColumn<bool>("isFloat");
    QTest::addColumn<int>("combination");
    for (int combination = 0; combination < 9; combination += 2) {
        for (const int radius : {1, 2, 3})
            QTest::addRow("radius %d, combination %d", radius, combination)
                << radius << (combination % 4 == 0) << combination;
    }
}

/// In 3D a thread has several rows: grids with as many as blocks have, with some that are left
/// over, and with fewer than a thread's.
void TestStencilEmulated::rowsThatShareNeighboursAreTheLiteralLoops()
{
    QFETCH(const int, radius);
    QFETCH(const bool, isFloat);
    QFETCH(const int, combination);
    auto stencil = test::lopsidedStencil(3, radius);
    stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
    test::setSides(stencil, combination);
    using Points = std::array<std::size_t, 3>;
    std::vector<Points> grids{{9, 16, 5}, {12, 17, 19}, {137, 7, 6}};
    if (radius == 1)
        grids.push_back({6, 1, 5});
    for (const auto &points : grids) {
        stencil.points = points;
        if (stencil.source.spike)
            stencil.source.spike = Points{points[0] - 1, points[1] - 1, 0};
        compare(stencil, 3, 1,
                "combination " + std::to_string(combination) + ", " + std::to_string(points[1]));
    }
}

void TestStencilEmulated::severalIterationsAreTheLiteralLoops_data()
{
    QTest::addColumn<int>("levels");
    QTest::addColumn<bool>("isFloat");
    QTest::addColumn<int>("combination");
    QTest::addColumn<bool>("hasField");
    for (int combination = 0; combination < 9; ++combination) {
        const int levels = std::array{2, 3, 4, 8}[static_cast<std::size_t>(combination) % 4];
        QTest::addRow("combination %d, %d a pass", combination, levels)
            << levels << (combination % 2 == 0) << combination << (combination % 3 == 1);
    }
    QTest::addRow("8 a pass, f, double") << 8 << false << 5 << true;
}

/// All kinds of sides; grids of one strip and of several, and smaller than a pass; whole lanes and
/// such that are not.
void TestStencilEmulated::severalIterationsAreTheLiteralLoops()
{
    QFETCH(const int, levels);
    QFETCH(const bool, isFloat);
    QFETCH(const int, combination);
    QFETCH(const bool, hasField);
    auto stencil = test::lopsidedBox();
    stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
    stencil.target.iterationsPerPass = levels;
    test::setSides(stencil, combination);
    if (hasField)
        stencil.source = {0.25, parseExpression("cos(7*x) - y", {{"x", "y"}, true}), {}};
    QCOMPARE(iterationsPerGpuPass(stencil), levels);
    const auto iterations = static_cast<std::uint64_t>(2 * levels + 1);
    for (const auto &points : {std::array<std::size_t, 3>{9, 5, 1}, {261, 53, 1}, {256, 40, 1}}) {
        stencil.points = points;
        if (stencil.source.spike)
            stencil.source.spike = std::array<std::size_t, 3>{points[0] - 1, points[1] / 2, 0};
        compare(stencil, iterations, 7 + levels,
                "combination " + std::to_string(combination) + ", " + std::to_string(points[0]));
    }
}

void TestStencilEmulated::whatSuitsNoPassMakesNone()
{
    auto stencil = test::lopsidedStencil(2, 2);
    stencil.target.iterationsPerPass = 4;
    QCOMPARE(iterationsPerGpuPass(stencil), 1);
    QCOMPARE(cudaDeviceCode(stencil).levels, 1);
    stencil = test::lopsidedStencil(3, 1);
    stencil.target.iterationsPerPass = 4;
    QCOMPARE(iterationsPerGpuPass(stencil), 1);
    stencil = test::lopsidedStencil(2, 1);
    stencil.target.iterationsPerPass = 16;
    QCOMPARE(iterationsPerGpuPass(stencil), mostIterationsPerGpuPass);
    // Where columns or rows cannot be counted in 32 bits.
    for (const std::size_t axis : {0, 1}) {
        auto longest = stencil;
        longest.points[axis] = std::size_t{1} << 31;
        QCOMPARE(iterationsPerGpuPass(longest), 1);
        longest.target.device = Target::Device::gpu;
        QVERIFY(test::isRefused([&] { (void)folderCode(longest); }, "2^28"));
    }
}

/// What a generated folder says of its parts, beside what teams of this program do.
void TestStencilEmulated::foldersDivideInWholePasses()
{
    auto stencil = test::lopsidedBox();
    stencil.target.device = Target::Device::several;
    stencil.target.iterationsPerPass = 6;
    const auto code = cudaCode(stencil);
    const auto begin = code.find("constexpr int axis ="), end = code.find("// A piece of a run's");
    QVERIFY(begin != std::string::npos && end > begin);
    const auto library =
        compiled("#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include <vector>\n"
                 "using Index = std::ptrdiff_t;\n"
                 "namespace stencil { constexpr int dimension = 2; constexpr Index "
                 "iterationsPerPass = 6; }\n"
                 "constexpr Index radius = 1;\nnamespace {\n"
                 + code.substr(begin, end - begin)
                 + "}\nextern \"C\" long depthOf(long layers, int gpus)\n"
                   "{ return divided(layers, gpus).depth; }\n");
    const auto depthOf = reinterpret_cast<long (*)(long, int)>(dlsym(library.get(), "depthOf"));
    QVERIFY(depthOf != nullptr);
    for (std::size_t rows = 10; rows < 5000; rows += 31) {
        stencil.points[1] = rows;
        const auto team = dividedLayers(stencil, {1, 1, 1});
        const auto depth = depthOf(static_cast<long>(rows), 3);
        QVERIFY2(depth % 6 == 0 || rows / 3 < 6, std::to_string(rows).c_str());
        if (rows % 3 == 0) // else they may give the odd layers to others
            QCOMPARE(static_cast<std::uint64_t>(depth), team.depth);
    }
}

GRIDHELM_TEST(TestStencilEmulated)
#include "tst_stencil_emulated.moc"
