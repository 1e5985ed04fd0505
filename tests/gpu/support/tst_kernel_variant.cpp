// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels that are compiled while the program runs, for GPUs that need not be there, and how they
// are kept.
#include "gpu/poisson/jacobi/tuned_launch.h"
#include "gpu/poisson/sor/relax_launch.h"
#include "gpu/sparse/launch_constants.h"
#include "gpu/support/kept_code.h"
#include "gpu/support/kernel_texts.h"
#include "gpu/support/kernel_variant.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

using namespace gridhelm;
using namespace gridhelm::gpu;

class TestKernelVariant : public QObject
{
    Q_OBJECT

private slots:
    void textsAreTheSources();
    void variantsAreCompiled_data();
    void variantsAreCompiled();
    void aWrongInstanceIsRefused();
    void codeIsKept();
    void damagedCodeIsNotRead();
    void anotherKeysCodeIsNotRead();
    void nothingIsReadWhereOthersWrite();
    void nothingIsKeptWithoutAFolder();
    void theOldestGoes();

private:
    std::filesystem::path cache() const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / QTest::currentTestFunction();
    }
    /// The only file there.
    std::filesystem::path keptFile() const
    {
        return std::filesystem::directory_iterator(cache() / "kernels")->path();
    }

    QTemporaryDir m_folder;
};

void TestKernelVariant::textsAreTheSources()
{
    int sources = 0;
    for (const auto &[name, text] : kernelTexts()) {
        if (!std::string_view(name).starts_with("gpu/"))
            continue;
        std::ifstream file(std::string(test::paths::source) + "/" + name);
        QVERIFY2(file, name);
        std::ostringstream wanted;
        wanted << file.rdbuf();
        QVERIFY2(wanted.str() == text, name);
        ++sources;
    }
    QVERIFY(sources > 5);
}

void TestKernelVariant::variantsAreCompiled_data()
{
    QTest::addColumn<KernelSource>("source");
    const auto add = [](const KernelSource &source) {
        QTest::addRow("%s", source.instance.c_str()) << source;
    };
    add(RowLaunch::source(16));
    for (const bool is3D : {false, true}) {
        add(jacobi::tunedSource<float>(is3D, 6, 0));
        add(jacobi::tunedSource<double>(is3D, 3, 1));
        add(sor::relaxSource<float>(is3D, 6, 128));
        add(sor::relaxSource<double>(is3D, 1, 512));
    }
}

void TestKernelVariant::variantsAreCompiled()
{
    QFETCH(const KernelSource, source);
    if (!canCompileKernels())
        QSKIP("there is no NVRTC");
    const auto code = Nvrtc().cubin(source.program(), 9, 0);
    // One kernel alone, which Cubin::soleKernel() finds.
    const auto first = code.find(".nv.info._Z");
    QVERIFY(first != std::string::npos);
    const auto name = code.substr(first, code.find('\0', first) - first);
    for (auto next = first; next != std::string::npos; next = code.find(".nv.info._Z", next + 1))
        QCOMPARE(code.substr(next, code.find('\0', next) - next), name);
}

void TestKernelVariant::aWrongInstanceIsRefused()
{
    if (!canCompileKernels())
        QSKIP("there is no NVRTC");
    const KernelSource wrong{"gpu/sparse/combine_rows.cuh", "gridhelm::gpu::noKernel<3>"};
    QVERIFY_THROWS_EXCEPTION(BackendError, Nvrtc().cubin(wrong.program(), 9, 0));
}

void TestKernelVariant::codeIsKept()
{
    const std::string bytes("\0code\n\xff", 7);
    {
        const KeptCode kept(cache());
        QVERIFY(!kept.read("key"));
        kept.keep("key", bytes);
    }
    const KeptCode kept(cache());
    QCOMPARE(kept.read("key"), std::optional(bytes));
    QVERIFY(!kept.read("another key"));
    const auto mode = std::filesystem::status(keptFile()).permissions();
    QVERIFY((mode & std::filesystem::perms(077)) == std::filesystem::perms::none);
}

void TestKernelVariant::damagedCodeIsNotRead()
{
    const KeptCode kept(cache());
    kept.keep("key", "some code");
    const auto size = std::filesystem::file_size(keptFile());
    std::fstream(keptFile(), std::ios::in | std::ios::out).seekp(long(size) - 3).put('X');
    QVERIFY(!kept.read("key"));
    kept.keep("key", "some code");
    QVERIFY(kept.read("key"));
    std::filesystem::resize_file(keptFile(), size - 1);
    QVERIFY(!kept.read("key"));
}

void TestKernelVariant::anotherKeysCodeIsNotRead()
{
    const KeptCode kept(cache());
    kept.keep("one", "code of one");
    const auto ofOne = keptFile();
    std::filesystem::remove(ofOne);
    kept.keep("two", "code of two");
    std::filesystem::rename(keptFile(), ofOne);
    QVERIFY(!kept.read("one"));
}

void TestKernelVariant::nothingIsReadWhereOthersWrite()
{
    KeptCode(cache()).keep("key", "code");
    QVERIFY(KeptCode(cache()).read("key"));
    std::filesystem::permissions(cache() / "kernels", std::filesystem::perms::others_write,
                                 std::filesystem::perm_options::add);
    QVERIFY(!KeptCode(cache()).read("key"));
    KeptCode(cache()).keep("second", "code");
    std::filesystem::permissions(cache() / "kernels", std::filesystem::perms::others_write,
                                 std::filesystem::perm_options::remove);
    QVERIFY(KeptCode(cache()).read("key"));
    QVERIFY(!KeptCode(cache()).read("second"));
    std::filesystem::permissions(keptFile(), std::filesystem::perms::others_write,
                                 std::filesystem::perm_options::add);
    QVERIFY(!KeptCode(cache()).read("key"));
}

void TestKernelVariant::nothingIsKeptWithoutAFolder()
{
    const KeptCode kept({});
    kept.keep("key", "code");
    QVERIFY(!kept.read("key"));
}

void TestKernelVariant::theOldestGoes()
{
    const KeptCode kept(cache());
    kept.keep("oldest", "code");
    std::filesystem::last_write_time(keptFile(), std::filesystem::file_time_type::clock::now()
                                                     - std::chrono::hours(1));
    for (std::size_t i = 0; i < KeptCode::mostFiles; ++i)
        kept.keep("key " + std::to_string(i), "code");
    QVERIFY(!kept.read("oldest"));
    QVERIFY(kept.read("key 0"));
    const std::filesystem::directory_iterator files(cache() / "kernels");
    QCOMPARE(std::size_t(std::distance(begin(files), end(files))), KeptCode::mostFiles);
}

GRIDHELM_TEST(TestKernelVariant)
#include "tst_kernel_variant.moc"
