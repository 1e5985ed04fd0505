// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the panel Runs says of a study, and which buttons it offers, is right for its kind: all
// kinds by all sentences.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_outlook.h"
#include "data/mesh/campaign_files.h"
#include "tests/data/scattered_cases.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/refine_box.h"
#include "ui/campaign/study_forecast.h"
#include "ui/campaign/study_page.h"
#include "ui/campaign/study_text.h"

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>

#include <functional>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

struct Kind
{
    const char *name;
    std::function<data::StudyWriter(const Folder &)> make;
    bool hasSimulation, isScattered, isComplete, isShown;
};

data::StudyWriter planned(const Folder &folder, const std::string &grid)
{
    const auto plan = "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n" + grid
                      + "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n";
    std::string note;
    return data::createStudy(folder / "s", data::parsePlan(plan, "plan", folder / ""), note);
}

data::StudyWriter run(data::StudyWriter writer, bool isCompressed)
{
    data::StepControl control;
    control.files = data::meshFilesThroughVtk();
    data::runStep(writer, {}, control);
    if (isCompressed)
        data::compressStep(writer, {}, control);
    return writer;
}

/// Without a plan, and only some of its jobs.
data::StudyWriter fed(const Folder &folder, std::size_t leftOut, bool isCompressed)
{
    auto description = smallDescription(3);
    description.simulation.clear();
    auto writer = data::StudyWriter::create(folder / "s", description);
    writer.addField(smallField("u", 40));
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i + leftOut < jobs.size(); ++i)
        runJob(writer, jobs[i]);
    if (isCompressed)
        compress(writer, {});
    return writer;
}

constexpr auto level = "[grid]\nlevel = 2\n";
constexpr auto filling = "[grid]\ndesign = \"space-filling\"\nruns = 8\n";

const std::vector<Kind> kinds{
    {"grid, nothing run", [](const Folder &f) { return planned(f, level); }, true, false, false,
     false},
    {"grid, run", [](const Folder &f) { return run(planned(f, level), false); }, true, false, true,
     false},
    {"grid, compressed", [](const Folder &f) { return run(planned(f, level), true); }, true, false,
     true, true},
    {"grid, nothing imported", [](const Folder &f) { return fed(f, 1000, false); }, false, false,
     false, false},
    {"grid, some imported", [](const Folder &f) { return fed(f, 5, false); }, false, false, false,
     false},
    {"grid, imported and compressed", [](const Folder &f) { return fed(f, 0, true); }, false, false,
     true, true},
    {"space-filling, nothing run", [](const Folder &f) { return planned(f, filling); }, true, true,
     false, false},
    {"space-filling, run", [](const Folder &f) { return run(planned(f, filling), true); }, true,
     true, true, true},
    {"imported table", [](const Folder &f) { return importedStudy(f); }, false, true, true, true},
};

/// All that is said, and nothing of what widgets are called.
QStringList sentencesOf(StudyPage &page, const StudyState &state)
{
    QStringList all{nextStepOf(state),
                    summaryOf(state),
                    errorsOf(state),
                    holdOutForecast(state, 12, 2),
                    QString::fromStdString(data::howToMeasure(state.outlook)),
                    QString::fromStdString(data::howToComplete(state.outlook)),
                    QString::fromStdString(state.outlook.refineObstacle)};
    for (const auto *label : page.findChildren<QLabel *>())
        if (label->isVisibleTo(&page))
            all << label->text();
    all << page.findChild<QTextBrowser *>("errors")->toPlainText();
    all.removeAll({});
    return all;
}

} // namespace

class StudyAdviceTest : public QObject
{
    Q_OBJECT

private slots:
    void sentencesAreOfTheKindOfStudy_data();
    void sentencesAreOfTheKindOfStudy();
};

void StudyAdviceTest::sentencesAreOfTheKindOfStudy_data()
{
    QTest::addColumn<std::size_t>("number");
    for (std::size_t i = 0; i < kinds.size(); ++i)
        QTest::newRow(kinds[i].name) << i;
}

void StudyAdviceTest::sentencesAreOfTheKindOfStudy()
{
    QFETCH(std::size_t, number);
    const auto &kind = kinds[number];
    const Folder folder;
    const auto writer = kind.make(folder);
    const auto state = std::make_shared<const StudyState>(stateOf(writer, 0, 1));
    QCOMPARE(state->outlook.hasSimulation, kind.hasSimulation);
    QCOMPARE(state->isScattered(), kind.isScattered);
    QCOMPARE(state->hasSomethingToShow(), kind.isShown);
    QCOMPARE(nextStepOf(*state).isEmpty(), kind.isShown);

    StudyPage page;
    page.setState(state);
    const auto all = sentencesOf(page, *state).join(" | ");
    const auto says = [&](const char *words) {
        const QRegularExpression found(words, QRegularExpression::CaseInsensitiveOption);
        return all.contains(found);
    };
    const auto detail = qUtf8Printable(all);
    if (!kind.hasSimulation) {
        QVERIFY2(!says("press run|\\bruns \\d+ more|with validation points|rerun failed;"), detail);
        QVERIFY2(says("import"), detail);
    } else {
        QVERIFY2(!says("import"), detail);
        QVERIFY2(says("with validation points"), detail);
    }
    if (kind.isScattered) {
        QVERIFY2(!says("\\bgrid points?\\b|coefficient|\\blevel\\b|\\bpoints? (have|has)"), detail);
        QVERIFY2(says("\\bruns\\b"), detail);
    } else {
        QVERIFY2(says("\\blevel \\d"), detail);
    }
    const auto isEnabled = [&](const char *name) {
        return page.findChild<QPushButton *>(name)->isEnabled();
    };
    QCOMPARE(isEnabled("run"), kind.hasSimulation && !kind.isComplete);
    QCOMPARE(isEnabled("refine"), kind.hasSimulation);
    QCOMPARE(isEnabled("compress"), state->hasResults());
    QCOMPARE(page.findChild<QPushButton *>("grow")->isVisibleTo(&page), !kind.isScattered);
    // What the goal's page offers.
    const std::vector<double> place(state->description.space.parameters().size(), 0.5);
    QCOMPARE(page.refineBox()->refineAt(place, 4).isEmpty(), kind.hasSimulation);
}

GRIDHELM_WIDGET_TEST(StudyAdviceTest)
#include "tst_study_advice.moc"
