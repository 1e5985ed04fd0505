// SPDX-License-Identifier: GPL-3.0-or-later
//
// *Refine*, where the error inside of the main view's picture counts.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_plan.h"
#include "data/mesh/campaign_files.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QSpinBox>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr int patience = 150'000; // milliseconds; campaigns on instrumented builds

void planStudy(const std::filesystem::path &path)
{
    const std::string plan = "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n"
                             "[[parameter]]\nname = \"strength\"\ncap = 2\n[grid]\nlevel = 2\n"
                             "[simulation]\nbuiltin = \"plate\"\nresolution = 33\n";
    std::string note;
    data::createStudy(path, data::parsePlan(plan, "plan", path.parent_path()), note);
}

/// Run and compressed.
std::filesystem::path plateIn(const Folder &folder)
{
    const auto path = folder / "plate.gridhelm";
    planStudy(path);
    auto writer = data::StudyWriter::open(path);
    data::StepControl control;
    control.files = data::meshFilesThroughVtk();
    data::runStep(writer, {}, control);
    compress(writer, {});
    return path;
}

std::size_t estimatesIn(const std::filesystem::path &path)
{
    const auto history = data::Study::open(path).errorHistory();
    return static_cast<std::size_t>(std::ranges::count_if(
        history, [](const auto &error) { return error.kind == data::HistoryKind::estimate; }));
}

} // namespace

class RefineInViewTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void theErrorInThePictureCounts();
    void withoutThePictureOfTheStudyThereIsNoSuchChoice();
};

void RefineInViewTest::theErrorInThePictureCounts()
{
    const Folder folder;
    const auto path = plateIn(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->campaignPanel();
    QStringList said;
    QObject::connect(&panel, &CampaignPanel::news,
                     [&said](const QString &sentence) { said.append(sentence); });
    QObject::connect(&panel, &CampaignPanel::failed,
                     [&said](const QString &sentence) { said.append("failed: " + sentence); });
    auto *inView = panel.findChild<QAbstractButton *>("refineInView");
    auto *refine = panel.findChild<QAbstractButton *>("refine");
    panel.findChild<QSpinBox *>("refineRuns")->setValue(12);
    const auto runsWith = [&](const CameraPlace &place) {
        const auto before = data::Study::open(path).jobs().size();
        QVERIFY2(QTest::qWaitFor([&] { return inView->isEnabled(); }, patience),
                 qPrintable(inView->toolTip() + " | " + open.sentences().join(" | ")));
        open.window->view().moveCamera(place);
        QVERIFY(open.waitForFrame());
        inView->setChecked(true);
        said.clear();
        refine->click();
        QVERIFY(QTest::qWaitFor([&] { return !panel.isRunning() && !said.isEmpty(); }, patience));
        if (!said.first().startsWith("failed"))
            QVERIFY2(data::Study::open(path).jobs().size() > before, qPrintable(said.join(" | ")));
    };
    QVERIFY(QTest::qWaitFor([&] { return inView->isEnabled(); }, patience));
    QVERIFY(inView->toolTip().contains("inside of the picture"));
    // A corner of the plate.
    runsWith(CameraPlace{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 0.2});
    QVERIFY2(said.join(" | ").contains("the error there is"), qPrintable(said.join(" | ")));
    QCOMPARE(estimatesIn(path), std::size_t{0}); // it was not the error everywhere
    // Where the plate is not.
    runsWith(CameraPlace{{50, 0, 5}, {50, 0, 0}, {0, 1, 0}, 0.2});
    QVERIFY2(said.first().contains("the region holds no value of field"),
             qPrintable(said.join(" | ")));
    // All of it: no region.
    runsWith(CameraPlace{{0.5, 0.5, 5}, {0.5, 0.5, 0}, {0, 1, 0}, 3});
    QVERIFY2(said.join(" | ").contains("the error is"), qPrintable(said.join(" | ")));
    // Of the field that is shown.
    const auto fields = data::Study::open(path).fields().size();
    QVERIFY(estimatesIn(path) > 0 && fields >= 1);
    for (const auto &error : data::Study::open(path).errorHistory())
        if (error.kind == data::HistoryKind::estimate)
            QCOMPARE(error.field, open.frame().request.field);
}

void RefineInViewTest::withoutThePictureOfTheStudyThereIsNoSuchChoice()
{
    const Folder folder;
    const auto path = plateIn(folder);
    const auto other = folder / "other.gridhelm";
    planStudy(other);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->campaignPanel();
    auto *refine = panel.findChild<QAbstractButton *>("refine");
    auto *inView = panel.findChild<QAbstractButton *>("refineInView");
    QVERIFY(QTest::qWaitFor([&] { return inView->isEnabled(); }, patience));
    inView->setChecked(true);
    panel.setStudy(inside(folder, "other.gridhelm"));
    QVERIFY(!inView->isEnabled());
    QVERIFY(QTest::qWaitFor([&] { return refine->isEnabled(); }, patience));
    QVERIFY(!inView->isEnabled() && !inView->isChecked());
    QVERIFY(inView->toolTip().contains("another study"));
    open.window->closeStudy();
    QVERIFY(!inView->isEnabled());
    QVERIFY(inView->toolTip().contains("No view shows this study"));
}

GRIDHELM_SCREEN_TEST(RefineInViewTest)

#include "tst_refine_in_view.moc"
