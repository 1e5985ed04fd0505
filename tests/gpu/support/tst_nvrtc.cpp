// SPDX-License-Identifier: GPL-3.0-or-later
//
// The compiler that is looked for at run time. It needs no GPU.
#include "gpu/support/nvrtc.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

using namespace gridhelm;
using gpu::Nvrtc;

namespace {

std::string refusalOfBackend(const std::function<void()> &action)
{
    try {
        action();
    } catch (const BackendError &error) {
        return error.what();
    }
    return {};
}

} // namespace

class TestNvrtc : public QObject
{
    Q_OBJECT

private slots:
    void whatIsMissingIsSaid();
    void textBecomesCode();
    void mistakesAreOneSentence_data();
    void mistakesAreOneSentence();

private:
    static std::optional<Nvrtc> found()
    {
        try {
            return Nvrtc();
        } catch (const BackendError &) {
            return std::nullopt;
        }
    }
};

void TestNvrtc::whatIsMissingIsSaid()
{
    const std::vector<std::vector<const char *>> libraries{
        {"libnothing-of-that-name.so"}, {"/etc/passwd"}, {"libm.so.6"}};
    for (const auto &names : libraries) {
        const auto refusal = refusalOfBackend([&] { Nvrtc{names}; });
        QVERIFY2(refusal.find("NVRTC") != std::string::npos, refusal.c_str());
        QVERIFY(refusal.find("install") != std::string::npos);
    }
}

void TestNvrtc::textBecomesCode()
{
    const auto nvrtc = found();
    if (!nvrtc)
        QSKIP("there is no NVRTC");
    const auto code =
        nvrtc->cubin("extern \"C\" __global__ void twice(float *x) { *x *= 2; }", 9, 0);
    QVERIFY(code.starts_with("\x7f"
                             "ELF"));
    QVERIFY(code.find("twice") != std::string::npos);
    QVERIFY(code.find("thrice") == std::string::npos);
    QVERIFY(!nvrtc->version().empty());
}

void TestNvrtc::mistakesAreOneSentence_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("major");
    QTest::addColumn<QString>("part");
    QTest::newRow("mistake") << "__global__ void f() { g(); }" << 9 << "error: identifier \"g\"";
    QTest::newRow("header") << "#include <vector>" << 9 << "error:";
    QTest::newRow("file") << "#include \"/etc/passwd\"" << 9 << "error:";
    QTest::newRow("architecture") << "__global__ void f() {}" << 1 << "architecture";
}

void TestNvrtc::mistakesAreOneSentence()
{
    const auto nvrtc = found();
    if (!nvrtc)
        QSKIP("there is no NVRTC");
    QFETCH(const QString, text);
    QFETCH(const int, major);
    QFETCH(const QString, part);
    const auto refusal = refusalOfBackend([&] { nvrtc->cubin(text.toStdString(), major, 0); });
    QVERIFY2(refusal.find(part.toStdString()) != std::string::npos, refusal.c_str());
    QVERIFY(refusal.find('\n') == std::string::npos);
}

GRIDHELM_TEST(TestNvrtc)
#include "tst_nvrtc.moc"
