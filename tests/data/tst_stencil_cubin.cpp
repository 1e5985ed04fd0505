// SPDX-License-Identifier: GPL-3.0-or-later
//
// Code for GPUs: how it is kept, and who computes where there is none. The compiler and the GPU
// are made up: the text itself is the code.
#include "core/stencil/generate/code.h"
#include "data/stencil/compile_cubin.h"
#include "data/stencil/kernel_cache.h"
#include "data/stencil/stencil_solver.h"
#include "tests/core/expect_error.h"
#include "tests/data/partless_gpu.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::stencil;

namespace {

struct CountingCompiler
{
    int calls = 0;

    CubinCompiler compiler(const std::string &identity = "1.0 -O")
    {
        return {"made up 1.0", identity, [this](const std::string &text) {
                    ++calls;
                    return "code of " + text;
                }};
    }
};

/// Iterates `most` times, then it is lost.
class BrittleStepper final : public solvers::Stepper
{
public:
    BrittleStepper(const Stencil &stencil, std::uint64_t most)
        : m_stepper(makeStencilStepper(stencil, {}, CpuDevice{1}))
        , m_most(most)
    {
    }
    std::string_view method() const override { return "brittle"; }
    ComputedOn computedOn() const override { return ComputedOn::gpu(0); }
    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        if (m_stepper->report().iterations + iterations > m_most)
            throw BackendError("the GPU is lost");
        m_stepper->advance(iterations, stop);
    }
    solvers::StepReport report() const override { return m_stepper->report(); }
    solvers::FieldView field() const override { return m_stepper->field(); }
    std::vector<solvers::LiveParameter> liveParameters() const override
    {
        return m_stepper->liveParameters();
    }
    void setLiveParameter(std::string_view name, double value) override
    {
        m_stepper->setLiveParameter(name, value);
    }

private:
    std::unique_ptr<solvers::Stepper> m_stepper;
    std::uint64_t m_most;
};

class MadeUpGpu final : public test::PartlessGpu
{
public:
    CubinCompiler compilerFor(const ExecutionContext &) const override
    {
        if (isWithoutCompiler)
            throw BackendError("there is no compiler for it");
        if (isWithoutGpu)
            throw Error("there is no GPU here");
        return compiler->compiler();
    }
    std::unique_ptr<solvers::Stepper> makeStepper(const Stencil &stencil, const std::string &cubin,
                                                  const ExecutionContext &) const override
    {
        if (cubin != "code of " + cudaDeviceCode(stencil).text)
            throw BackendError("that is no code");
        if (isFull)
            throw BackendError("there is no room for the grid");
        return std::make_unique<BrittleStepper>(stencil, most);
    }

    CountingCompiler *compiler = nullptr;
    bool isWithoutCompiler = false;
    bool isWithoutGpu = false;
    bool isFull = false;
    std::uint64_t most = 1000;
};

} // namespace

class TestStencilCubin : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void codeIsKeptForTheNextTime();
    void otherTextsAndCompilersHaveTheirOwn();
    void damagedCodeIsMadeAgain();
    void cacheOfOthersIsRefused();
    void whatCannotBeKeptIsCompiledAllTheSame();
    void whatWasUsedLongestAgoGoes();
    void gpuComputesWhatItIsGiven();
    void cpuTakesOverWhereItMay_data();
    void cpuTakesOverWhereItMay();
    void theLiteralLoopThatTakesOverIsSaid();
    void passesThatAGpuDoesNotMakeAreSaid_data();
    void passesThatAGpuDoesNotMakeAreSaid();
    void withoutGpuItIsAnError();
    void namesAndTargetDecideWhoComputes_data();
    void namesAndTargetDecideWhoComputes();

private:
    std::filesystem::path newFolder()
    {
        return m_folder.path().toStdString() + "/" + std::to_string(++m_folders) + "/gridhelm";
    }
    ExecutionContext telling(FallbackPolicy policy)
    {
        return ExecutionContext(CpuDevice{1})
            .withFallback(policy)
            .withEvents([this](const ExecutionEvent &event) { m_told.push_back(event.sentence); });
    }

    QTemporaryDir m_folder;
    int m_folders = 0;
    std::filesystem::path m_shared = newFolder(); ///< one cache, so that the CPU's is compiled once
    std::vector<std::string> m_told;
    Stencil m_stencil;
};

void TestStencilCubin::init()
{
    m_stencil =
        test::smallExample(test::stencilFolder() / "5-point.toml");
    m_told.clear();
}

void TestStencilCubin::codeIsKeptForTheNextTime()
{
    CountingCompiler counting;
    const auto cache = newFolder();
    const auto first = compileCubin(m_stencil, counting.compiler(), cache);
    const auto second = compileCubin(m_stencil, counting.compiler(), cache);
    QVERIFY(!first.wasThere && second.wasThere);
    QCOMPARE(counting.calls, 1);
    QCOMPARE(second.bytes, first.bytes);
    QCOMPARE(first.bytes, "code of " + cudaDeviceCode(m_stencil).text);
    struct stat status
    {};
    for (const auto &entry : std::filesystem::directory_iterator(cache / "stencils")) {
        QCOMPARE(entry.path().extension(), std::filesystem::path(".cubin")); // nothing is left
        QCOMPARE(::stat(entry.path().c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0077U, 0U);
    }
}

void TestStencilCubin::otherTextsAndCompilersHaveTheirOwn()
{
    CountingCompiler counting;
    const auto cache = newFolder();
    compileCubin(m_stencil, counting.compiler("1.0 sm_80"), cache);
    QVERIFY(!compileCubin(m_stencil, counting.compiler("1.0 sm_90"), cache).wasThere);
    QVERIFY(!compileCubin(m_stencil, counting.compiler("1.1 sm_80"), cache).wasThere);
    auto other = m_stencil;
    other.neighbours[0].weight = Expression(0.125);
    QVERIFY(!compileCubin(other, counting.compiler("1.0 sm_80"), cache).wasThere);
    other = m_stencil;
    other.points[0] *= 2; // an argument of the code
    QVERIFY(compileCubin(other, counting.compiler("1.0 sm_80"), cache).wasThere);
    QCOMPARE(counting.calls, 4);
}

void TestStencilCubin::damagedCodeIsMadeAgain()
{
    CountingCompiler counting;
    const auto cache = newFolder();
    const auto good = compileCubin(m_stencil, counting.compiler(), cache).bytes;
    const auto file = std::filesystem::directory_iterator(cache / "stencils")->path();
    const auto whole = test::textIn(file);
    auto damaged = whole;
    damaged[damaged.size() / 2] ^= 1;
    const std::vector<std::string> contents{damaged, whole.substr(0, whole.size() / 2),
                                            whole.substr(whole.size() - 64), "", "no code"};
    for (const auto &content : contents) {
        std::filesystem::remove(file);
        test::writeText(file, content);
        const auto again = compileCubin(m_stencil, counting.compiler(), cache);
        QVERIFY(!again.wasThere);
        QCOMPARE(again.bytes, good);
        QVERIFY(compileCubin(m_stencil, counting.compiler(), cache).wasThere);
    }
    std::filesystem::rename(file, cache / "elsewhere.cubin");
    std::filesystem::create_symlink(cache / "elsewhere.cubin", file);
    QVERIFY(!compileCubin(m_stencil, counting.compiler(), cache).wasThere);
    QVERIFY(compileCubin(m_stencil, counting.compiler(), cache).wasThere);
    QCOMPARE(::chmod(file.c_str(), 0666), 0);
    QVERIFY(!compileCubin(m_stencil, counting.compiler(), cache).wasThere);
    std::filesystem::remove(file);
    QCOMPARE(::mkfifo(file.c_str(), 0600), 0); // nobody writes to it
    QVERIFY(!compileCubin(m_stencil, counting.compiler(), cache).wasThere);
}

void TestStencilCubin::cacheOfOthersIsRefused()
{
    CountingCompiler counting;
    const auto cache = newFolder();
    compileCubin(m_stencil, counting.compiler(), cache);
    for (const auto &folder : {cache.parent_path(), cache, cache / "stencils"}) {
        QCOMPARE(::chmod(folder.c_str(), 0777), 0);
        GRIDHELM_EXPECT_ERROR(compileCubin(m_stencil, counting.compiler(), cache));
        QCOMPARE(::chmod(folder.c_str(), 0700), 0);
    }
    const auto other = newFolder();
    std::filesystem::create_directories(other.parent_path());
    std::filesystem::create_directory_symlink(cache, other);
    GRIDHELM_EXPECT_ERROR(compileCubin(m_stencil, counting.compiler(), other));
    // The CPU would load code from there, too: nobody takes over.
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    GRIDHELM_EXPECT_ERROR(prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, other},
                                         telling(FallbackPolicy::allowed)));
    QCOMPARE(counting.calls, 1);
}

void TestStencilCubin::whatWasUsedLongestAgoGoes()
{
    const auto folder = newFolder();
    const data::KernelCache cache(folder, {2000, 3});
    const auto foreign = folder / "notes.txt"; // older than all that is kept
    std::ofstream(foreign) << std::string(3000, 'x');
    const auto keep = [&](const std::string &name, std::size_t bytes) {
        QTest::qSleep(20); // times of files are as coarse as the kernel's clock
        cache.keep(std::string(bytes, 'x'), name);
    };
    keep("a.cubin", 10);
    keep("b.cubin", 10);
    keep("c.cubin", 10);
    QTest::qSleep(20);
    QVERIFY(cache.read("a.cubin")); // used
    keep("d.cubin", 10);
    QVERIFY(!cache.read("b.cubin"));
    QVERIFY(cache.read("a.cubin") && cache.read("c.cubin") && cache.read("d.cubin"));
    keep("large.cubin", 1900); // with its hash beside one more
    QVERIFY(cache.read("large.cubin"));
    QVERIFY(!cache.read("a.cubin") && !cache.read("c.cubin") && !cache.read("d.cubin"));
    keep("too large.cubin", 5000); // what was just made is there all the same
    QVERIFY(cache.read("too large.cubin"));
    QVERIFY(!cache.read("large.cubin"));
    QVERIFY(std::filesystem::exists(foreign));
}

void TestStencilCubin::whatCannotBeKeptIsCompiledAllTheSame()
{
    CountingCompiler counting;
    for (const std::filesystem::path folder : {"", "/proc/nothing/gridhelm"}) {
        const auto code = compileCubin(m_stencil, counting.compiler(), folder);
        QVERIFY(!code.wasThere && !code.bytes.empty());
    }
}

void TestStencilCubin::gpuComputesWhatItIsGiven()
{
    CountingCompiler counting;
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    const auto cache = newFolder();
    const auto prepared = prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, cache},
                                         telling(FallbackPolicy::allowed));
    QCOMPARE(prepared.backend, std::string("cuda"));
    QCOMPARE(prepared.threads, 0);
    QCOMPARE(prepared.code, std::string("compiled"));
    QCOMPARE(prepared.compiler, std::string("made up 1.0"));
    const auto stepper = prepared.makeStepper();
    stepper->advance(10);
    QCOMPARE(stepper->method(), std::string_view("brittle"));
    QVERIFY(m_told.empty());
    QCOMPARE(prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, cache},
                            telling(FallbackPolicy::allowed))
                 .code,
             std::string("from the cache"));
    // The literal loop is nobody's code.
    QCOMPARE(prepareStencil(m_stencil, {&gpu, "cuda", "auto", true, cache},
                            telling(FallbackPolicy::allowed))
                 .code,
             std::string("literal"));
}

void TestStencilCubin::cpuTakesOverWhereItMay_data()
{
    QTest::addColumn<bool>("isWithoutCompiler");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("why");
    QTest::newRow("no compiler") << true << 0 << "there is no compiler for it";
    QTest::newRow("lost at once") << false << 0 << "the GPU is lost";
    QTest::newRow("lost later") << false << 12 << "the GPU is lost";
}

void TestStencilCubin::cpuTakesOverWhereItMay()
{
    QFETCH(const bool, isWithoutCompiler);
    QFETCH(const int, most);
    QFETCH(const QString, why);
    CountingCompiler counting;
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    gpu.isWithoutCompiler = isWithoutCompiler;
    gpu.most = static_cast<std::uint64_t>(most);
    const auto run = [&](FallbackPolicy policy) {
        const auto prepared =
            prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, newFolder()}, telling(policy));
        auto stepper = prepared.makeStepper();
        stepper->advance(10);
        stepper->setLiveParameter("source factor", 0.5);
        stepper->advance(10);
        return stepper;
    };
    GRIDHELM_EXPECT_ERROR(run(FallbackPolicy::forbidden));
    QVERIFY(m_told.empty());
    const auto stepper = run(FallbackPolicy::allowed);
    QCOMPARE(m_told.size(), std::size_t{1});
    QVERIFY2(m_told.front().find(why.toStdString()) != std::string::npos, m_told.front().c_str());
    const auto literal = makeStencilStepper(m_stencil, {}, CpuDevice{1});
    literal->advance(10);
    literal->setLiveParameter("source factor", 0.5);
    literal->advance(10);
    const auto expected = test::valuesIn(*literal);
    QVERIFY(test::largestDifference(test::valuesIn(*stepper), expected)
            <= test::toleranceOf(m_stencil, 20, std::max(1.0, test::largestOf(expected))));
    QCOMPARE(stepper->report().iterations, std::uint64_t{20});
}

/// Where the GPU fails, and there is no compiler for the CPU.
void TestStencilCubin::theLiteralLoopThatTakesOverIsSaid()
{
    CountingCompiler counting;
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    gpu.isFull = true;
    const auto prepared = prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, newFolder()},
                                         telling(FallbackPolicy::allowed));
    QVERIFY(m_told.empty());
    const auto path = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    const auto stepper = prepared.makeStepper();
    qputenv("PATH", path);
    QCOMPARE(stepper->method(), std::string_view("literal"));
    const auto isTold = [&](const char *what) {
        return std::ranges::any_of(
            m_told, [&](const auto &sentence) { return sentence.find(what) != std::string::npos; });
    };
    QVERIFY(isTold("the literal loop computes the stencil, more slowly: there is no C++ compiler"));
    QVERIFY(isTold("there is no room"));
    QCOMPARE(m_told.size(), std::size_t{2});
}

void TestStencilCubin::passesThatAGpuDoesNotMakeAreSaid_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<int>("wanted");
    QTest::addColumn<int>("made");
    QTest::addColumn<bool>("isTeam");
    QTest::newRow("2D") << "5-point.toml" << 4 << 4 << false;
    QTest::newRow("more than there are") << "5-point.toml" << 16 << 8 << false;
    QTest::newRow("3D") << "7-point.toml" << 4 << 1 << false;
    QTest::newRow("3D, team") << "7-point.toml" << 4 << 1 << true;
}

void TestStencilCubin::passesThatAGpuDoesNotMakeAreSaid()
{
    QFETCH(const QString, example);
    QFETCH(const int, wanted);
    QFETCH(const int, made);
    QFETCH(const bool, isTeam);
    auto stencil = test::smallExample(test::stencilFolder()
                                      / example.toStdString());
    stencil.target.iterationsPerPass = wanted;
    CountingCompiler counting;
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    auto context = telling(FallbackPolicy::forbidden);
    if (isTeam)
        context = context.withTeam({GpuDevice{0}, GpuDevice{1}});
    const auto prepared = prepareStencil(
        stencil, {&gpu, "cuda", isTeam ? "gpu:all" : "gpu", false, newFolder()}, context);
    QCOMPARE(prepared.backend, std::string("cuda"));
    QCOMPARE(prepared.iterationsPerPass, made);
    QCOMPARE(m_told.size(), std::size_t{made < wanted ? 1U : 0U});
    if (made < wanted)
        QVERIFY2(m_told.front().find("not the " + std::to_string(wanted)) != std::string::npos,
                 m_told.front().c_str());
}

void TestStencilCubin::withoutGpuItIsAnError()
{
    MadeUpGpu gpu;
    gpu.isWithoutGpu = true;
    GRIDHELM_EXPECT_ERROR(prepareStencil(m_stencil, {&gpu, "cuda", "auto", false, newFolder()},
                                         telling(FallbackPolicy::allowed)));
}

void TestStencilCubin::namesAndTargetDecideWhoComputes_data()
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("devices");
    QTest::addColumn<bool>("targetIsGpu");
    QTest::addColumn<bool>("hasGpu");
    QTest::addColumn<QString>("expected"); // "": refused
    const auto row = [](const char *backend, const char *devices, bool targetIsGpu, bool hasGpu,
                        const char *expected) {
        QTest::addRow("%s %s %d %d", backend, devices, targetIsGpu, hasGpu)
            << backend << devices << targetIsGpu << hasGpu << expected;
    };
    row("auto", "auto", false, true, "omp");
    row("auto", "auto", true, true, "cuda");
    row("auto", "auto", true, false, "omp");
    row("auto", "cpu", true, true, "omp");
    row("omp", "auto", true, true, "omp");
    row("cuda", "auto", false, true, "cuda");
    row("auto", "gpu", false, true, "cuda");
    row("auto", "gpu:0", false, true, "cuda");
    row("omp", "gpu:0", false, true, "");
}

void TestStencilCubin::namesAndTargetDecideWhoComputes()
{
    QFETCH(const QString, backend);
    QFETCH(const QString, devices);
    QFETCH(const bool, targetIsGpu);
    QFETCH(const bool, hasGpu);
    QFETCH(const QString, expected);
    CountingCompiler counting;
    MadeUpGpu gpu;
    gpu.compiler = &counting;
    if (targetIsGpu)
        m_stencil.target.device = Target::Device::gpu;
    auto context = telling(FallbackPolicy::forbidden);
    if (hasGpu)
        context = context.withGpus(std::vector<GpuDevice>{{}});
    const auto prepare = [&] {
        return prepareStencil(m_stencil,
                              {&gpu, backend.toStdString(), devices.toStdString(), false, m_shared},
                              context);
    };
    if (expected.isEmpty())
        GRIDHELM_EXPECT_ERROR(prepare());
    else
        QCOMPARE(prepare().backend, expected.toStdString());
    QCOMPARE(m_told.size(), std::size_t{targetIsGpu && !hasGpu ? 1U : 0U});
    const auto team = context.withTeam({CpuDevice{1}, CpuDevice{1}});
    QCOMPARE(prepareStencil(m_stencil, {&gpu, "auto", "cpu/2", false, m_shared}, team).backend,
             std::string("omp"));
    GRIDHELM_EXPECT_ERROR(
        prepareStencil(m_stencil, {&gpu, "cuda", "cpu/2", false, m_shared}, team));
}

GRIDHELM_TEST(TestStencilCubin)
#include "tst_stencil_cubin.moc"
