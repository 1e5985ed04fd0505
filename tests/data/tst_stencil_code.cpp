// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code, compiled here: beside the literal loop, and beside its waves; and the cache that
// it is loaded from.
#include "core/stencil/analysis.h"
#include "core/stencil/kernel_run.h"
#include "core/stencil/padded_values.h"
#include "core/stencil/stencil_data.h"
#include "core/stencil/stencil_stepper.h"
#include "data/stencil/compile_stencil.h"
#include "tests/core/expect_error.h"
#include "tests/data/clang_first.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <span>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::stencil;
using test::largestDifference;
using test::largestOf;
using test::toleranceOf;
using test::valuesIn;

class TestStencilCode : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void codeIsTheLiteralLoop_data();
    void codeIsTheLiteralLoop();
    void allSidesAreTheLiteralLoops_data();
    void allSidesAreTheLiteralLoops();
    void wavesAreEigenfunctions();
    void largestChangeIsTheLiteralLoops();
    void codeIsKeptForTheNextTime();
    void damagedCodeIsMadeAgain();
    void whatIsGoneBeforeItIsLoadedIsMadeAgainOnce();
    void cacheOfOthersIsRefused();
    void groupsMayNotWriteWhatIsKept();
    void aCacheThatCannotBeUsedIsDoneWithout();
    void withoutCompilerTheLiteralLoopComputes();
    void resultsPastTheCachesAreTheSame_data();
    void resultsPastTheCachesAreTheSame();
    void aStencilOfThePointAloneIsCompiled();
    void whatIsNoNumberIsNoConvergence();
    void weightsBeyondMeasureAreRefused();

private:
    std::unique_ptr<solvers::Stepper> generated(const Stencil &stencil, int threads = 2);

    QTemporaryDir m_folder;
    std::filesystem::path m_cache;
};

void TestStencilCode::initTestCase()
{
    if (findCompiler().empty())
        QSKIP("there is no C++ compiler in PATH");
    m_cache = m_folder.path().toStdString() + "/cache/gridhelm";
}

std::unique_ptr<solvers::Stepper> TestStencilCode::generated(const Stencil &stencil, int threads)
{
    auto code = compileStencil(stencil, m_cache);
    if (code.kernel.function == nullptr)
        throw Error("not compiled: " + code.whyNot);
    return makeStencilStepper(stencil, std::move(code.kernel), CpuDevice{threads});
}

void TestStencilCode::codeIsTheLiteralLoop_data()
{
    QTest::addColumn<QString>("file");
    for (const auto &example : test::stencilExamples())
        QTest::newRow(example.stem().c_str()) << QString::fromStdString(example.string());
}

void TestStencilCode::codeIsTheLiteralLoop()
{
    QFETCH(QString, file);
    auto stencil = test::smallExample(file.toStdString());
    const auto n = stencil.points;
    constexpr std::uint64_t iterations = 11;
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
    const double largestBefore = largestOf(valuesIn(*literal));
    literal->advance(iterations);
    const auto expected = valuesIn(*literal);
    const double tolerance =
        toleranceOf(stencil, iterations,
                    std::max({largestBefore, largestOf(expected), 1.0, stencil.source.factor}));
    const auto plain = generated(stencil);
    plain->advance(iterations);
    QCOMPARE(plain->method(), std::string_view("generated"));
    const auto values = valuesIn(*plain);
    QVERIFY(largestOf(expected) > 1e-8); // there is something to compare
    QVERIFY2(largestDifference(values, expected) <= tolerance,
             std::to_string(largestDifference(values, expected)).c_str());
    QCOMPARE(stencil.points, n);
    // Several iterations in a pass compute the same in another order of places.
    stencil.target.iterationsPerPass = 4;
    for (const int threads : {1, 3}) {
        const auto temporal = generated(stencil, threads);
        temporal->advance(iterations);
        QCOMPARE(largestDifference(valuesIn(*temporal), values), 0.0);
    }
}

void TestStencilCode::allSidesAreTheLiteralLoops_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("radius");
    QTest::addColumn<int>("pass");
    for (const int dimension : {2, 3}) {
        for (const int radius : {1, 2}) {
            for (const int pass : {1, 3})
                QTest::addRow("%dD, radius %d, %d a pass", dimension, radius, pass)
                    << dimension << radius << pass;
        }
    }
}

/// Grids barely larger than the stencil, with more threads than layers, and all kinds of sides.
void TestStencilCode::allSidesAreTheLiteralLoops()
{
    QFETCH(int, dimension);
    QFETCH(int, radius);
    QFETCH(int, pass);
    auto stencil = test::lopsidedStencil(dimension, radius);
    stencil.target.iterationsPerPass = pass;
    // Each code is compiled, which takes a second or two: all pairs of kinds where iterations run
    // behind each other, two of them elsewhere.
    const int combinations = pass > 1 && radius == 1 ? 9 : 2;
    for (int combination = 0; combination < combinations; ++combination) {
        test::setSides(stencil, combination);
        const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
        const auto code = generated(stencil, 7);
        literal->advance(7);
        code->advance(7);
        const auto expected = valuesIn(*literal);
        const double tolerance = toleranceOf(stencil, 7, std::max(1.0, 4 * largestOf(expected)));
        const double difference = largestDifference(valuesIn(*code), expected);
        QVERIFY2(difference <= tolerance,
                 (std::to_string(difference) + " in combination " + std::to_string(combination))
                     .c_str());
    }
}

void TestStencilCode::wavesAreEigenfunctions()
{
    for (const auto &example : test::stencilExamples()) {
        auto stencil = test::smallExample(example);
        if (!isSymmetric(stencil))
            continue;
        stencil.source = {};
        for (auto &side : stencil.sides)
            side = {SideRule::periodic, 0};
        stencil.target.iterationsPerPass = 4;
        const auto &n = stencil.points;
        std::array<double, 3> theta{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            theta[axis] =
                2 * std::numbers::pi * static_cast<double>(axis + 1) / static_cast<double>(n[axis]);
        if (stencil.dimension == 2)
            theta[2] = 0;
        std::vector<double> wave;
        for (std::size_t k = 0; k < n[2]; ++k) {
            for (std::size_t j = 0; j < n[1]; ++j) {
                for (std::size_t i = 0; i < n[0]; ++i)
                    wave.push_back(std::cos(theta[0] * static_cast<double>(i)
                                            + theta[1] * static_cast<double>(j)
                                            + theta[2] * static_cast<double>(k)));
            }
        }
        stencil.start = wave;
        const auto stepper = generated(stencil);
        constexpr int iterations = 10;
        stepper->advance(iterations);
        const double factor = std::pow(symbolAt(stencil, theta).real(), iterations);
        auto expected = wave;
        for (auto &value : expected)
            value *= factor;
        QVERIFY2(largestDifference(valuesIn(*stepper), expected)
                     <= toleranceOf(stencil, iterations, 1),
                 example.c_str());
    }
}

void TestStencilCode::largestChangeIsTheLiteralLoops()
{
    for (const int pass : {1, 3}) {
        auto stencil =
            test::smallExample(test::stencilFolder() / "5-point.toml");
        stencil.target.iterationsPerPass = pass;
        const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
        const auto code = generated(stencil);
        for (const std::uint64_t iterations : {1, 2, 5, 6}) {
            literal->advance(iterations);
            code->advance(iterations);
            const auto expected = literal->report(), report = code->report();
            QVERIFY(std::abs(report.largestChange - expected.largestChange) < 1e-15);
            QVERIFY(std::abs(report.residual - expected.residual) < 1e-13);
            QCOMPARE(report.iterations, expected.iterations);
        }
        code->setLiveParameter("source factor", 0);
        literal->setLiveParameter("source factor", 0);
        code->advance(5);
        literal->advance(5);
        QVERIFY(largestDifference(valuesIn(*code), valuesIn(*literal)) < 1e-15);
    }
}

void TestStencilCode::codeIsKeptForTheNextTime()
{
    auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    stencil.neighbours[0].weight = Expression(0.2421875);
    QVERIFY(!compileStencil(stencil, m_cache).wasThere);
    QVERIFY(compileStencil(stencil, m_cache).wasThere);
    struct stat status
    {};
    QCOMPARE(::stat((m_cache / "stencils").c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0700U);
    for (const auto &entry : std::filesystem::directory_iterator(m_cache / "stencils"))
        QCOMPARE(entry.path().extension(), std::filesystem::path(".so")); // nothing is left behind
}

void TestStencilCode::damagedCodeIsMadeAgain()
{
    const auto cache = m_cache.parent_path() / "damaged";
    auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    stencil.neighbours[0].weight = Expression(0.2265625);
    QVERIFY(!compileStencil(stencil, cache).wasThere);
    const auto library = std::filesystem::directory_iterator(cache / "stencils")->path();
    const auto whole = test::textIn(library);
    auto damaged = whole;
    damaged[damaged.size() / 2] ^= 1;
    const std::vector<std::string> contents{damaged, whole.substr(0, whole.size() / 2), "",
                                            "no library"};
    for (const auto &content : contents) {
        std::filesystem::remove(library);
        test::writeText(library, content);
        const auto again = compileStencil(stencil, cache);
        QVERIFY(!again.wasThere);
        QVERIFY(again.kernel.function != nullptr);
    }
    // Nor is what a link leads to, or what others may write.
    std::filesystem::rename(library, cache / "elsewhere.so");
    std::filesystem::create_symlink(cache / "elsewhere.so", library);
    QVERIFY(!compileStencil(stencil, cache).wasThere);
    QVERIFY(compileStencil(stencil, cache).wasThere);
    QCOMPARE(::chmod(library.c_str(), 0666), 0);
    QVERIFY(!compileStencil(stencil, cache).wasThere);
}

/// As if another process had taken away what was just made: it is more than is kept.
void TestStencilCode::whatIsGoneBeforeItIsLoadedIsMadeAgainOnce()
{
    auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    const std::string path = std::getenv("PATH");
    const auto compiler = findCompiler().string();
    const std::filesystem::path fake = m_folder.path().toStdString() + "/forgetful";
    const auto calls = (fake / "calls").string();
    for (const int bad : {1, 2}) {
        stencil.neighbours[0].weight = Expression(0.21875 + 0.0078125 * bad);
        // The first calls leave what cannot be found again.
        test::writeText(fake / "c++",
                        "#!/bin/sh\necho >> '" + calls + "'\n'" + compiler
                            + "' \"$@\" || exit 1\n"
                              "[ $(wc -l < '"
                            + calls + "') -gt " + std::to_string(bad)
                            + " ] && exit 0\n"
                              "while [ \"$1\" != -o ]; do shift; done\ntruncate -s 70M \"$2\"\n");
        QCOMPARE(::chmod((fake / "c++").c_str(), 0700), 0);
        ::setenv("PATH", (fake.string() + ":" + path).c_str(), 1);
        const auto made = compileStencil(stencil, m_cache);
        ::setenv("PATH", path.c_str(), 1);
        QCOMPARE(test::textIn(calls), std::string("\n\n"));
        QCOMPARE(made.kernel.function != nullptr, bad == 1);
        QCOMPARE(made.whyNot.empty(), bad == 1);
        QVERIFY(!made.wasThere);
        std::filesystem::remove(calls);
    }
}

void TestStencilCode::cacheOfOthersIsRefused()
{
    const auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    const std::filesystem::path place = m_folder.path().toStdString() + "/unsafe";
    std::filesystem::create_directories(place / "gridhelm/stencils");
    for (const auto &folder : {place, place / "gridhelm", place / "gridhelm/stencils"}) {
        QCOMPARE(::chmod(folder.c_str(), 0777), 0);
        GRIDHELM_EXPECT_ERROR(compileStencil(stencil, place / "gridhelm"));
        QCOMPARE(::chmod(folder.c_str(), 0700), 0);
    }
    std::filesystem::remove(place / "gridhelm/stencils");
    std::filesystem::create_directory_symlink(m_cache / "stencils", place / "gridhelm/stencils");
    GRIDHELM_EXPECT_ERROR(compileStencil(stencil, place / "gridhelm"));
    std::filesystem::remove_all(place / "gridhelm");
    std::filesystem::create_directory_symlink(m_cache, place / "gridhelm");
    GRIDHELM_EXPECT_ERROR(compileStencil(stencil, place / "gridhelm"));
    std::filesystem::remove(place / "gridhelm");
    test::writeText(place / "gridhelm", "a file");
    GRIDHELM_EXPECT_ERROR(compileStencil(stencil, place / "gridhelm"));
}

void TestStencilCode::withoutCompilerTheLiteralLoopComputes()
{
    const auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", ".:relative:/nonexistent", 1);
    const auto none = compileStencil(stencil, m_cache);
    // A compiler that fails is no compiler either.
    const std::filesystem::path fake = m_folder.path().toStdString() + "/fake";
    test::writeText(fake / "c++", "#!/bin/sh\necho 'x.cpp: error: no room' >&2\nexit 1\n");
    QCOMPARE(::chmod((fake / "c++").c_str(), 0700), 0);
    ::setenv("PATH", (fake.string() + ":" + path).c_str(), 1);
    const auto failing = compileStencil(stencil, m_cache);
    ::setenv("PATH", path.c_str(), 1);
    QVERIFY(none.kernel.function == nullptr && !none.whyNot.empty());
    QVERIFY(failing.kernel.function == nullptr);
    QVERIFY2(failing.whyNot.find("error: no room") != std::string::npos, failing.whyNot.c_str());
    const auto stepper = makeStencilStepper(stencil, none.kernel, CpuDevice{1});
    QCOMPARE(stepper->method(), std::string_view("literal"));
}

/// A linker leaves the mode to the user's mask; where each user has a group, that is often 0775.
void TestStencilCode::groupsMayNotWriteWhatIsKept()
{
    auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    const std::filesystem::path cache = m_folder.path().toStdString() + "/of/a/group/gridhelm";
    const auto before = ::umask(002);
    const auto code = compileStencil(stencil, cache);
    const auto again = compileStencil(stencil, cache);
    ::umask(before);
    QVERIFY2(code.kernel.function != nullptr, code.whyNot.c_str());
    QVERIFY(again.wasThere);
}

void TestStencilCode::aCacheThatCannotBeUsedIsDoneWithout()
{
    const auto stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    const auto code = compileStencil(stencil, "/proc/nothing/gridhelm");
    QVERIFY(code.kernel.function == nullptr);
    QVERIFY2(code.whyNot.find("cannot be made") != std::string::npos, code.whyNot.c_str());
}

void TestStencilCode::resultsPastTheCachesAreTheSame_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<bool>("is3D");
    QTest::addColumn<bool>("byClang");
    QTest::newRow("2D") << "5-point.toml" << false << false;
    QTest::newRow("3D") << "7-point.toml" << true << false;
    QTest::newRow("3D, two layers at once, f") << "27-point.toml" << true << false;
    QTest::newRow("3D, four layers at once") << "19-point.toml" << true << false;
    QTest::newRow("3D, eight layers at once") << "25-point.toml" << true << false;
    QTest::newRow("2D, by clang") << "5-point.toml" << false << true;
    QTest::newRow("3D, two layers at once, f, by clang") << "27-point.toml" << true << true;
    QTest::newRow("3D, eight layers at once, by clang") << "25-point.toml" << true << true;
}

/// Rows of several pieces, several tiles, and a spike far in a row; as on grids larger than caches.
void TestStencilCode::resultsPastTheCachesAreTheSame()
{
    QFETCH(const QString, example);
    QFETCH(const bool, is3D);
    QFETCH(const bool, byClang);
    const auto path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    if (byClang && !test::findClangFirst(m_folder.path()))
        QSKIP("there is no clang++ that has OpenMP");
    auto stencil = test::smallExample(test::stencilFolder()
                                      / example.toStdString());
    stencil.precision = solvers::Precision::float64;
    stencil.target.iterationsPerPass = 1;
    stencil.points = {701, is3D ? std::size_t{19} : 37, is3D ? std::size_t{21} : 1};
    const auto code = compileStencil(stencil, m_cache);
    QVERIFY2(code.kernel.function != nullptr, code.whyNot.c_str());
    QCOMPARE(code.compiler.find("/clang/") != std::string::npos, byClang);
    const auto &n = stencil.points;
    std::array<double, 2> changes{};
    const auto iterated = [&](bool past, double &change) {
        PaddedValues<double> present(stencil, CpuDevice{2}), next(stencil, CpuDevice{2}),
            source(stencil, CpuDevice{2});
        for (std::size_t k = 0; k < n[2]; ++k)
            for (std::size_t j = 0; j < n[1]; ++j)
                for (std::size_t i = 0; i < n[0]; ++i)
                    source.at(i, j, k) = present.at(i, j, k) =
                        static_cast<double>((i * 37 + j * 57 + k * 73) % 101) / 101;
        KernelRun<double> run;
        run.present = present.first();
        run.next = next.first();
        if (stencil.source.field)
            run.source = source.first();
        const std::array<std::size_t, 3> spike{600, 5, is3D ? std::size_t{7} : 0};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            run.points[axis] = static_cast<std::ptrdiff_t>(n[axis]);
            run.spike[axis] = static_cast<std::ptrdiff_t>(spike[axis]);
        }
        run.rowStride = static_cast<std::ptrdiff_t>(present.rowStride());
        run.planeStride = static_cast<std::ptrdiff_t>(present.planeStride());
        run.threads = 2;
        run.cacheBytes = past ? 1 : std::ptrdiff_t{1} << 24;
        run.streams = past ? 1 : 0;
        run.compares = 1;
        change = reinterpret_cast<KernelFunction<double>>(code.kernel.function)(&run, 3);
        std::vector<double> values;
        for (std::size_t k = 0; k < n[2]; ++k)
            for (std::size_t j = 0; j < n[1]; ++j)
                for (std::size_t i = 0; i < n[0]; ++i)
                    values.push_back(
                        run.present[k * present.planeStride() + j * present.rowStride() + i]);
        return values;
    };
    const auto expected = iterated(false, changes[0]);
    QVERIFY(iterated(true, changes[1]) == expected);
    QCOMPARE(changes[1], changes[0]);
    QVERIFY(changes[0] > 0 && largestOf(expected) > 0);
}

void TestStencilCode::aStencilOfThePointAloneIsCompiled()
{
    const auto stencil = parseStencil("points = [21, 20]\nstart = \"x + y\"\n"
                                      "neighbours = [[0, 0, 0.5]]\n",
                                      "s.toml", m_folder.path().toStdString())
                             .stencil;
    const auto code = generated(stencil);
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
    code->advance(3);
    literal->advance(3);
    QCOMPARE(valuesIn(*code), valuesIn(*literal));
}

/// 0 / 0 at the first column, which spreads.
void TestStencilCode::whatIsNoNumberIsNoConvergence()
{
    const auto stencil =
        parseStencil("points = [16, 16]\nspacing = 1\norigin = [0, 0]\nstart = 1\n"
                     "neighbours = [[0, 0, \"0.5*k/k\"], [1, 0, 0.25], [-1, 0, 0.25]]\n"
                     "[coefficients]\nk = \"x\"\n",
                     "s.toml", m_folder.path().toStdString())
            .stencil;
    QVERIFY(std::isinf(spectralBound(stencil).value));
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1}), code = generated(stencil);
    for (auto *stepper : {literal.get(), code.get()}) {
        stepper->advance(20);
        QVERIFY(std::isinf(stepper->report().residual));
    }
}

void TestStencilCode::weightsBeyondMeasureAreRefused()
{
    std::string neighbours, weight = "k";
    for (int i = 0; i < 400; ++i)
        weight += "+k";
    for (int y = -4; y <= 4; ++y)
        neighbours += "[0, " + std::to_string(y) + ", \"" + weight + "\"],";
    GRIDHELM_EXPECT_ERROR(parseStencil("points = [16, 16]\nneighbours = [" + neighbours
                                           + "]\n[coefficients]\nk = \"x\"\n",
                                       "s.toml", m_folder.path().toStdString()));
}

GRIDHELM_TEST(TestStencilCode)
#include "tst_stencil_code.moc"
