// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window of the program, whose GPU is lost while somebody steers. GRIDHELM_PICTURES: a folder
// for pictures of it. Without a GPU there is nothing to lose.
#include "app/desktop/accelerators.h"
#include "app/machine/machine_execution.h"
#include "tests/ui/window_case.h"
#include "ui/performance/performance_panel.h"

#include <QLabel>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

#include <dlfcn.h>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// A kernel of the program stops with a fault, as after an access outside of its memory: nothing
/// that the program has on the GPU can be used from then on. By the driver, which nothing else here
/// links.
bool loseGpu()
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!driver)
        return false;
    const auto named = [driver]<typename F>(const char *name, F *&function) {
        function = reinterpret_cast<F *>(dlsym(driver, name));
        return function != nullptr;
    };
    int (*retain)(void **, int), (*push)(void *), (*pop)(void **), (*synchronize)(),
        (*load)(void **, const void *), (*find)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    void *context = nullptr, *module = nullptr, *kernel = nullptr;
    constexpr auto fault = R"(.version 6.4
.target sm_52
.address_size 64
.visible .entry fault() { trap; }
)";
    return named("cuDevicePrimaryCtxRetain", retain) && named("cuCtxPushCurrent_v2", push)
           && named("cuCtxPopCurrent_v2", pop) && named("cuCtxSynchronize", synchronize)
           && named("cuModuleLoadData", load) && named("cuModuleGetFunction", find)
           && named("cuLaunchKernel", launch) && retain(&context, 0) == 0 && push(context) == 0
           && load(&module, fault) == 0 && find(&kernel, module, "fault") == 0
           && launch(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == 0
           && synchronize() != 0 && pop(&context) == 0;
}

void keepPicture(OpenWindow &open, const QString &name)
{
    const auto folder = qEnvironmentVariable("GRIDHELM_PICTURES");
    if (!folder.isEmpty())
        open.window->grab().save(folder + "/" + name);
}

/// Somewhere in the status bar.
bool says(OpenWindow &open, const QString &text)
{
    return std::ranges::any_of(open.window->statusBar()->findChildren<QLabel *>(),
                               [&](QLabel *label) { return label->text().contains(text); });
}

} // namespace

class GpuWindowTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void theCpuTakesOverFromALostGpu_data();
    void theCpuTakesOverFromALostGpu();
};

void GpuWindowTest::theCpuTakesOverFromALostGpu_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("cuda") << "cuda";
    QTest::newRow("auto") << "auto";
}

void GpuWindowTest::theCpuTakesOverFromALostGpu()
{
    QFETCH(QString, name);
    const auto context = app::machineContext(cpuWith(2), "auto");
    if (context.gpus().empty())
        QSKIP("there is no GPU here");
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(std::make_unique<MainWindow>(context, desktop::accelerators(context)), path);
    QVERIFY(open.isOpen());
    open.window->performancePanel().backends().choose(name);
    const auto isRight = [&] {
        const auto wanted = fieldAt(path, 0, open.model().now().parameters);
        const auto &values = open.frame().values;
        return std::ranges::equal(values, wanted, [](float a, float b) {
            return std::abs(a - b) <= 1e-5F * std::max(1.0F, std::abs(b));
        });
    };
    for (const double place : {0.2, 0.4, 0.6, 0.8}) { // a matrix goes to a GPU when it pays
        open.clickSlider(0, place);
        QVERIFY(open.waitForFrame());
        QVERIFY(isRight());
    }
    if (name == "cuda") {
        QCOMPARE(open.frame().backend, std::string("cuda"));
        QTRY_VERIFY(says(open, "on gpu:0"));
    }
    QCOMPARE(open.sentences(), QStringList());
    keepPicture(open, name + "-before.png");

    if (!loseGpu())
        QSKIP("the GPU is lost to this program already: run this row alone");
    for (const double place : {0.3, 0.5, 0.7}) {
        open.clickSlider(0, place);
        QVERIFY(open.waitForFrame());
        QVERIFY(isRight());
    }
    QTRY_VERIFY(says(open, "on cpu"));
    keepPicture(open, name + "-after.png");
    qInfo("evaluated by %s; said: %s", open.frame().backend.c_str(),
          qPrintable(open.sentences().join(" | ")));
    if (name == "cuda") {
        QCOMPARE(open.sentences().size(), 1); // once, not at every frame
        QVERIFY2(open.sentences()[0].contains("CPU"), qPrintable(open.sentences()[0]));
    }
}

GRIDHELM_SCREEN_TEST(GpuWindowTest)

#include "tst_gpu_window.moc"
