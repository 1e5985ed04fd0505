// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Answers in its window: keys, sliders, and real runs.
#include "tests/ui/answers_case.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/answers/goal_page.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/viewer/scene_widget.h"

#include <QDockWidget>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class AnswersWindowTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aKeyOpensThePanelWhichFollowsTheSliders();
    void aRunForRealIsBegunWhereItWasFound();
    void pointingSaysWhereAResponseIs();
};

void AnswersWindowTest::aKeyOpensThePanelWhichFollowsTheSliders()
{
    const Folder folder;
    const auto path = makePlate(folder);
    keep(path, {average, peak});
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->answersPanel();
    QVERIFY(!panel.isVisible());
    open.press(QKeySequence("Ctrl+R"));
    QVERIFY(QTest::qWaitFor([&] { return panel.isVisible() && panel.isSettled(); }, patience));
    QCOMPARE(panel.responses()->rowCount(), 2);
    const auto before = panel.responses()->live();
    open.clickSlider(2, 0.9);
    QVERIFY(QTest::qWaitFor(
        [&] { return panel.responses()->live() != before && panel.isSettled(); }, patience));
    const auto &live = *panel.responses()->live();
    QCOMPARE(live.question.parameters, open.model().now().parameters);
    QCOMPARE(live.question.moved, std::size_t{2});
    QVERIFY(*live.responses[0].value != *before->responses[0].value);
    open.window->closeStudy();
    QCOMPARE(panel.responses()->rowCount(), 0);
}

void AnswersWindowTest::aRunForRealIsBegunWhereItWasFound()
{
    const Folder folder;
    const auto path = makePlate(folder);
    keep(path, {average});
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->answersPanel();
    auto &campaign = open.window->campaignPanel();
    open.window->showPanel(panel);
    QVERIFY(QTest::qWaitFor([&] { return panel.isSettled(); }, patience));
    panel.pages()->setCurrentWidget(panel.goal());
    QTest::mouseClick(panel.findChild<QPushButton *>("find"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return panel.goal()->optimum().has_value(); }, patience));
    QStringList said;
    connect(&campaign, &CampaignPanel::news, this,
            [&said](const QString &sentence) { said.append(sentence); });
    connect(&campaign, &CampaignPanel::failed, this,
            [&said](const QString &sentence) { said.append("failed: " + sentence); });
    // Also if the panel of jobs has not read the study yet: then it says so.
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto *refine = campaign.findChild<QPushButton *>("refine");
            return refine && refine->isEnabled();
        },
        patience));
    const auto before = data::Study::open(path).jobs().size();
    const auto set = panel.responses()->set();
    panel.findChild<QPushButton *>("runForReal")->click();
    QVERIFY(QTest::qWaitFor([&] { return !campaign.isRunning() && !said.isEmpty(); }, patience));
    QVERIFY2(!said.first().startsWith("failed"), qPrintable(said.join(" | ")));
    QVERIFY(campaign.isVisible());
    const auto after = data::Study::open(path).jobs().size();
    QVERIFY2(after > before && after <= before + 16, qPrintable(said.join(" | ")));
    // The surrogate has learnt them: the responses are read anew.
    QVERIFY(QTest::qWaitFor([&] { return panel.responses()->set() != set && panel.isSettled(); },
                            patience));
}

void AnswersWindowTest::pointingSaysWhereAResponseIs()
{
    const Folder folder;
    const auto path = makePlate(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->answersPanel();
    open.press(QKeySequence("Ctrl+R"));
    QVERIFY(QTest::qWaitFor([&] { return panel.isVisible() && panel.isSettled(); }, patience));
    const auto *place = panel.form()->findChild<QLineEdit *>("responsePlace");
    const auto *reduction = panel.form()->findChild<QComboBox *>("responseReduction");
    // Without an open form it is not taken.
    QVERIFY(!panel.takePoint({0.3, 0.6, 0}));
    panel.findChild<QPushButton *>("addResponse")->click();
    QVERIFY(panel.form()->isVisible());
    auto &view = *open.window->view().sceneWidget();
    const auto at = view.fieldArea().center();
    const auto picked = view.pick(at);
    QVERIFY(picked);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at.toPoint());
    QVERIFY(QTest::qWaitFor([&] { return place->text().startsWith("point "); }, patience));
    QCOMPARE(reduction->currentText(), QString("value"));
    const auto numbers = place->text().mid(6).split(',');
    QCOMPARE(numbers.size(), 3);
    for (int axis = 0; axis < 3; ++axis)
        QVERIFY(std::abs(numbers[axis].toDouble() - (*view.pick(at.toPoint()))[axis]) <= 1e-6);
    QVERIFY(panel.isVisible()); // and the probe has not come in front of it
    QVERIFY(panel.takeLine({0, 0.5, 0}, {1, 0.5, 0}));
    QCOMPARE(place->text(), QString("line 0,0.5,0,1,0.5,0"));
    QCOMPARE(reduction->currentText(), QString("mean"));
    panel.findChild<QLineEdit *>("responseName")->setText("there");
    panel.findChild<QPushButton *>("keepResponse")->click();
    QVERIFY(QTest::qWaitFor([&] { return panel.responses()->rowCount() == 4; }, patience));
    QCOMPARE(data::Study::open(path).responses().back().place, "line 0,0.5,0,1,0.5,0");
}

GRIDHELM_SCREEN_TEST(AnswersWindowTest)
#include "tst_answers_window.moc"
