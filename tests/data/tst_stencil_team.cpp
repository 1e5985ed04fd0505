// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid that several devices share has the values that one has: CPUs here, and two groups of
// devices with packed messages between them.
#include "core/stencil/compiled_part.h"
#include "core/stencil/divided_iterations.h"
#include "data/stencil/compile_stencil.h"
#include "data/stencil/stencil_solver.h"
#include "tests/core/expect_error.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::stencil;
using test::largestOf;
using test::valuesIn;

class TestStencilTeam : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void piecesHaveTheGridsValues();
    void divisionsAreWholePassesDeep();
    void slabsHoldWhatNeighboursNeed_data();
    void slabsHoldWhatNeighboursNeed();
    void sharedGridsHaveTheValuesOfOneDevice_data();
    void sharedGridsHaveTheValuesOfOneDevice();
    void examplesAreShared_data();
    void examplesAreShared();
    void figuresAreThoseOfOneDevice();
    void aPartThatFailsEndsTheOthers();
    void teamsAreTold();
    void gridsWithoutRoomHaveFewerDevices();

private:
    CompiledKernel kernelOf(const Stencil &stencil);
    std::unique_ptr<solvers::Stepper> shared(const Stencil &stencil, int devices,
                                             std::uint64_t depth, bool isOneGroup);
    void compare(const Stencil &stencil, const std::string &what);

    QTemporaryDir m_folder;
    std::filesystem::path m_cache;
};

void TestStencilTeam::initTestCase()
{
    if (findCompiler().empty())
        QSKIP("there is no C++ compiler in PATH");
    m_cache = m_folder.path().toStdString() + "/cache/gridhelm";
}

CompiledKernel TestStencilTeam::kernelOf(const Stencil &stencil)
{
    auto code = compileStencil(stencil, m_cache);
    if (code.kernel.function == nullptr)
        throw Error("not compiled: " + code.whyNot);
    return code.kernel;
}

/// Unequal parts of it, moved by one thread or by one each.
std::unique_ptr<solvers::Stepper> TestStencilTeam::shared(const Stencil &stencil, int devices,
                                                          std::uint64_t depth, bool isOneGroup)
{
    const auto kernel = kernelOf(stencil);
    return makeStencilStepper<double>(stencil, CpuDevice{1}, [&](const Stencil &kept) {
        std::vector<StencilMember<double>> members;
        std::vector<double> weights;
        for (int i = 0; i < devices; ++i) {
            weights.push_back(1 + i % 2);
            members.push_back({[kernel](const StencilPiece &piece) {
                                   return makeCompiledPart<double>(piece, kernel, CpuDevice{1});
                               },
                               isOneGroup ? 0 : static_cast<std::size_t>(i), weights.back()});
        }
        return makeDividedIterations<double>(kept, members, dividedLayers(kept, weights, depth),
                                             ExecutionContext());
    });
}

void TestStencilTeam::compare(const Stencil &stencil, const std::string &what)
{
    const auto one = makeStencilStepper(stencil, kernelOf(stencil), CpuDevice{2});
    one->advance(5);
    const auto early = valuesIn(*one);
    one->advance(8);
    const auto expected = valuesIn(*one);
    QVERIFY2(largestOf(expected) > 1e-8, what.c_str());
    for (const int devices : {2, 3, 4}) {
        for (const std::uint64_t depth : {1, 2, 3, 7}) {
            const auto several = shared(stencil, devices, depth, devices == 3);
            several->advance(5);
            QVERIFY2(valuesIn(*several) == early, what.c_str());
            QVERIFY(std::isfinite(several->report().residual)); // asking for it changes nothing
            several->advance(8);
            QVERIFY2(valuesIn(*several) == expected, (what + ", " + std::to_string(devices)
                                                      + " devices, depth " + std::to_string(depth))
                                                         .c_str());
        }
    }
}

void TestStencilTeam::piecesHaveTheGridsValues()
{
    auto stencil = test::lopsidedStencil(3, 1);
    const auto whole = valuesIn(*makeStencilStepper(stencil, {}, CpuDevice{1}));
    const auto layer = valuesOfLayer(stencil);
    for (const std::ptrdiff_t first : {-2, 0, 1, 3}) {
        const StencilPiece piece(stencil, first, 3);
        QCOMPARE(piece.stencil().count(), 3 * layer);
        const auto values = piece.valuesOf<double>(stencil.start, CpuDevice{2});
        bool hasSpike = false;
        for (std::size_t l = 0; l < 3; ++l) {
            const auto of =
                static_cast<std::size_t>(first + static_cast<std::ptrdiff_t>(l) + 4) % 4;
            for (std::size_t i = 0; i < layer; ++i)
                QCOMPARE(values[l * layer + i], whole[of * layer + i]);
            if (of == (*stencil.source.spike)[2]) {
                hasSpike = true;
                QCOMPARE((*piece.stencil().source.spike)[2], l);
            }
        }
        QCOMPARE(piece.stencil().source.spike.has_value(), hasSpike);
    }
}

/// As deep as asked for, or as suits; a share may be too small for that, but not for one pass.
void TestStencilTeam::divisionsAreWholePassesDeep()
{
    auto stencil = test::lopsidedBox();
    stencil.target.iterationsPerPass = 4;
    for (std::size_t rows = 10; rows < 6000; rows += 37) {
        stencil.points[1] = rows;
        for (const std::uint64_t depth : {0, 16}) {
            for (const double weight : {1.0, 0.1, 0.002}) {
                const auto division = dividedLayers(stencil, {1, weight}, depth);
                std::size_t smallest = rows;
                for (const auto &slab : division.slabs)
                    smallest = std::min(smallest, slab.size());
                if (division.slabs.size() > 1 && smallest >= 4)
                    QVERIFY2(division.depth % 4 == 0, std::to_string(rows).c_str());
                QVERIFY(division.slabs.size() == 1 || division.depth <= smallest);
            }
        }
    }
}

void TestStencilTeam::slabsHoldWhatNeighboursNeed_data()
{
    QTest::addColumn<bool>("isPeriodic");
    QTest::newRow("values") << false;
    QTest::newRow("periodic") << true;
}

void TestStencilTeam::slabsHoldWhatNeighboursNeed()
{
    QFETCH(const bool, isPeriodic);
    auto stencil = test::lopsidedStencil(2, 3);
    test::setSides(stencil, isPeriodic ? 2 : 0);
    if (isPeriodic)
        stencil.sides[2].rule = stencil.sides[3].rule = SideRule::periodic;
    for (std::size_t rows = 3; rows < 200; rows += 7) {
        stencil.points[1] = rows;
        for (const std::uint64_t depth : {0, 1, 5}) {
            const auto division = dividedLayers(stencil, {1, 3, 2, 1}, depth);
            QVERIFY(division.depth >= 1 && (depth == 0 || division.depth <= depth));
            std::size_t layers = 0;
            for (const auto &slab : division.slabs) {
                QCOMPARE(slab.begin, layers);
                layers = slab.end;
                if (division.slabs.size() == 1)
                    continue;
                QVERIFY(slab.size() >= 3 * division.depth);
                QVERIFY(!isPeriodic || slab.size() + 6 * division.depth <= rows);
            }
            QCOMPARE(layers, rows);
            QVERIFY(rows < 60 || division.slabs.size() == 4);
        }
    }
}

void TestStencilTeam::sharedGridsHaveTheValuesOfOneDevice_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("radius");
    QTest::addColumn<int>("pass");
    QTest::newRow("2D") << 2 << 1 << 1;
    QTest::newRow("2D, radius 2, three a pass") << 2 << 2 << 3;
    QTest::newRow("3D, two a pass") << 3 << 1 << 2;
    QTest::newRow("3D, radius 2") << 3 << 2 << 1;
}

/// Sides of all kinds, formulas whose places must be those of the whole grid, and spikes.
void TestStencilTeam::sharedGridsHaveTheValuesOfOneDevice()
{
    QFETCH(const int, dimension);
    QFETCH(const int, radius);
    QFETCH(const int, pass);
    auto stencil = test::lopsidedStencil(dimension, radius);
    stencil.target.iterationsPerPass = pass;
    stencil.points = {11, dimension == 3 ? std::size_t{6} : std::size_t{53},
                      dimension == 3 ? std::size_t{47} : std::size_t{1}};
    for (const int combination : {0, 4, 8, 2}) {
        test::setSides(stencil, combination);
        compare(stencil, "combination " + std::to_string(combination));
    }
}

void TestStencilTeam::examplesAreShared_data()
{
    QTest::addColumn<QString>("file");
    for (const auto *name : {"5-point", "anisotropic", "advection", "19-point"})
        QTest::newRow(name) << name;
}

void TestStencilTeam::examplesAreShared()
{
    QFETCH(const QString, file);
    auto stencil = test::smallExample(test::stencilExamples().front().parent_path()
                                      / (file.toStdString() + ".toml"));
    stencil.precision = solvers::Precision::float64;
    compare(stencil, file.toStdString());
}

void TestStencilTeam::figuresAreThoseOfOneDevice()
{
    auto stencil =
        test::smallExample(test::stencilExamples().front().parent_path() / "5-point.toml");
    stencil.precision = solvers::Precision::float64;
    const auto one = makeStencilStepper(stencil, kernelOf(stencil), CpuDevice{1});
    const auto several = shared(stencil, 3, 4, false);
    for (const std::uint64_t iterations : {1, 3, 4, 6}) {
        one->advance(iterations);
        several->advance(iterations);
        const auto expected = one->report(), report = several->report();
        QVERIFY(expected.largestChange > 1e-6);
        QCOMPARE(report.largestChange, expected.largestChange);
        QVERIFY(std::abs(report.residual - expected.residual) < 1e-12 * expected.residual);
    }
    for (auto *stepper : {one.get(), several.get()}) {
        stepper->setLiveParameter("source factor", -0.5);
        stepper->advance(5);
    }
    QCOMPARE(valuesIn(*several), valuesIn(*one));
    QVERIFY(several->computedOn() == ComputedOn::cpu());
}

namespace {

/// One that ends at some iteration.
class Failing final : public StencilPart<double>
{
public:
    Failing(const StencilPiece &piece, CompiledKernel kernel)
        : StencilPart<double>(piece)
        , m_part(makeCompiledPart<double>(piece, std::move(kernel), CpuDevice{1}))
    {
    }
    std::string_view method() const override { return m_part->method(); }
    ComputedOn computedOn() const override { return m_part->computedOn(); }
    double advance(std::uint64_t iterations, double factor) override
    {
        return m_part->advance(iterations, factor);
    }
    void iterate(std::uint64_t iterations, double factor) override
    {
        if (++m_calls > 3)
            throw Error("it has burnt out");
        m_part->iterate(iterations, factor);
    }
    Change lastChange(const Layers &layers) override { return m_part->lastChange(layers); }
    Change nextChange(const Layers &layers, double factor) override
    {
        return m_part->nextChange(layers, factor);
    }
    void read(const Layers &layers, double *to) const override { m_part->read(layers, to); }
    void write(const Layers &layers, const double *from) override { m_part->write(layers, from); }

private:
    std::unique_ptr<StencilPart<double>> m_part;
    int m_calls = 0;
};

} // namespace

void TestStencilTeam::aPartThatFailsEndsTheOthers()
{
    auto stencil = test::lopsidedStencil(2, 1);
    stencil.points = {20, 30, 1};
    const auto kernel = kernelOf(stencil);
    const auto stepper =
        makeStencilStepper<double>(stencil, CpuDevice{1}, [&](const Stencil &kept) {
            const MakeStencilPart<double> good = [kernel](const StencilPiece &piece) {
                return makeCompiledPart<double>(piece, kernel, CpuDevice{1});
            };
            const MakeStencilPart<double> bad = [kernel](const StencilPiece &piece) {
                return std::make_unique<Failing>(piece, kernel);
            };
            return makeDividedIterations<double>(kept, {{good, 0, 1}, {bad, 1, 1}, {good, 2, 1}},
                                                 dividedLayers(kept, {1, 1, 1}, 1),
                                                 ExecutionContext());
        });
    stepper->advance(2);
    QString message;
    try {
        stepper->advance(20);
    } catch (const Error &error) {
        message = error.what();
    }
    QCOMPARE(message, QString("it has burnt out"));
}

void TestStencilTeam::teamsAreTold()
{
    auto stencil = test::lopsidedStencil(2, 1);
    stencil.points = {20, 400, 1};
    StencilMeans means;
    means.cache = m_cache;
    means.devices = "cpu/2";
    const auto parts = split(CpuDevice{3}, 2);
    const auto context = ExecutionContext(CpuDevice{3}).withTeam({parts.begin(), parts.end()});
    const auto prepared = prepareStencil(stencil, means, context);
    QCOMPARE(prepared.threads, 3);
    const auto stepper = prepared.makeStepper();
    QVERIFY(prepared.shares != nullptr);
    QCOMPARE(prepared.shares->size(), std::size_t{2});
    QCOMPARE(prepared.shares->front().device, nameOf(parts.front()));
    QCOMPARE(prepared.shares->back().end, std::size_t{400});
    QCOMPARE(prepared.shares->front().end, prepared.shares->back().begin);
    const auto one = makeStencilStepper(stencil, {}, CpuDevice{1});
    stepper->advance(50);
    one->advance(50);
    QVERIFY(test::largestDifference(valuesIn(*stepper), valuesIn(*one))
            < test::toleranceOf(stencil, 50, 4));
    means.backend = "cuda";
    GRIDHELM_EXPECT_ERROR(prepareStencil(stencil, means, context));
}

void TestStencilTeam::gridsWithoutRoomHaveFewerDevices()
{
    auto stencil = test::lopsidedStencil(3, 2); // 4 planes
    std::vector<std::string> told;
    const auto parts = split(CpuDevice{4}, 4);
    const auto context =
        ExecutionContext(CpuDevice{4})
            .withTeam({parts.begin(), parts.end()})
            .withEvents([&](const ExecutionEvent &event) { told.push_back(event.sentence); });
    StencilMeans means;
    means.cache = m_cache;
    const auto prepared = prepareStencil(stencil, means, context);
    const auto stepper = prepared.makeStepper();
    QCOMPARE(prepared.shares->size(), std::size_t{2});
    QCOMPARE(told.size(), std::size_t{1});
    QVERIFY(told.front().starts_with("2 of 4 devices compute"));
    const auto one = makeStencilStepper(stencil, kernelOf(stencil), CpuDevice{1});
    stepper->advance(9);
    one->advance(9);
    QCOMPARE(valuesIn(*stepper), valuesIn(*one));
}

GRIDHELM_TEST(TestStencilTeam)
#include "tst_stencil_team.moc"
