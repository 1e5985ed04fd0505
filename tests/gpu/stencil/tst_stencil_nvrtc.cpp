// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the code that is made for GPUs is compiled without a single header, for GPUs that need
// not be there.
#include "core/stencil/generate/code.h"
#include "gpu/support/nvrtc.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

using namespace gridhelm;
using namespace gridhelm::stencil;

class TestStencilNvrtc : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void examplesAreCompiled_data();
    void examplesAreCompiled();
    void allSidesAreCompiled();
    void formulasAreCompiled();
    void passesAreCompiled_data();
    void passesAreCompiled();

private:
    void compile(const Stencil &stencil);

    std::optional<gpu::Nvrtc> m_nvrtc;
};

void TestStencilNvrtc::initTestCase()
{
    try {
        m_nvrtc.emplace();
    } catch (const BackendError &error) {
        QSKIP(error.what());
    }
}

void TestStencilNvrtc::compile(const Stencil &stencil)
{
    const auto text = cudaDeviceCode(stencil).text;
    QVERIFY(text.find("#include") == std::string::npos);
    const auto code = m_nvrtc->cubin(text, 9, 0);
    for (const char *kernel : {"iterate", "setGhostsAlong", "followValues"})
        QVERIFY2(code.find(std::string(".text.") + kernel) != std::string::npos, kernel);
}

void TestStencilNvrtc::examplesAreCompiled_data()
{
    test::addExampleRows();
}

void TestStencilNvrtc::examplesAreCompiled()
{
    QFETCH(const QString, file);
    QFETCH(const bool, isFloat);
    auto stencil = test::smallExample(file.toStdString());
    stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
    compile(stencil);
}

void TestStencilNvrtc::allSidesAreCompiled()
{
    for (int combination = 0; combination < 9; ++combination) {
        auto stencil = test::lopsidedStencil(combination % 2 == 0 ? 2 : 3, 1 + combination % 4);
        test::setSides(stencil, combination);
        compile(stencil);
    }
}

void TestStencilNvrtc::formulasAreCompiled()
{
    for (const char *precision : {"float", "double"}) {
        const auto text = std::string("points = [20, 20]\nprecision = \"") + precision
                          + "\"\n[coefficients]\nk = \"x\"\nm = 2\n";
        for (const char *weight : {"-k/(m-k)", "(k + 2*m)/(3 - k*m)", "1/3 - -k", "k*k*0.25 + m"}) {
            const auto whole = "neighbours = [[0, 0, \"" + std::string(weight) + "\"]]\n" + text;
            compile(data::parseStencil(whole, "s.toml", ".").stencil);
        }
    }
}

void TestStencilNvrtc::passesAreCompiled_data()
{
    QTest::addColumn<int>("levels");
    QTest::addColumn<int>("combination");
    int combination = 0; // of sides and precisions: all nine
    for (const int levels : {2, 4, 8}) {
        for (int i = 0; i < 3; ++i, ++combination)
            QTest::addRow("%d, combination %d", levels, combination) << levels << combination;
    }
}

void TestStencilNvrtc::passesAreCompiled()
{
    QFETCH(const int, levels);
    QFETCH(const int, combination);
    auto stencil = test::lopsidedBox();
    stencil.target.iterationsPerPass = levels;
    stencil.precision =
        combination % 2 == 0 ? solvers::Precision::float32 : solvers::Precision::float64;
    test::setSides(stencil, combination);
    const auto code = m_nvrtc->cubin(cudaDeviceCode(stencil).text, 9, 0);
    QVERIFY(code.find(".text.iterateSeveral") != std::string::npos);
}

GRIDHELM_TEST(TestStencilNvrtc)
#include "tst_stencil_nvrtc.moc"
