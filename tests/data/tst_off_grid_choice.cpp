// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kind of surrogate, chosen by runs off the grid.
#include "core/kriging/groups_left_out.h"
#include "data/campaign/campaign_text.h"
#include "tests/data/choice_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class OffGridChoiceTest : public QObject
{
    Q_OBJECT

private slots:
    /// Literally: the whole grid at these runs, and kriging of all runs but the one.
    void runsOffTheGridJudge()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 3),
                                 {{"u", plume}});
        for (const double a : {0.1, 0.37, 0.58, 0.83})
            addRun(writer, plume, {a, 0.9 - 0.8 * a});
        chooseFor(writer);
        QVERIFY(!choiceOf(writer, 0)->isOffGrid); // too few
        addRun(writer, plume, {0.95, 0.05});
        chooseFor(writer);
        const auto choice = choiceOf(writer, 0);
        QVERIFY(choice->isOffGrid);
        QCOMPARE(choice->places, std::size_t{5});
        QVERIFY(choiceText(writer, 0).find("at 5 snapshots of runs off the grid")
                != std::string::npos);
        QVERIFY(isUpToDate(*choice, writer, 0));
        compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
        const auto figures = compareSurrogates(writer, 0, onCpu(1));
        const auto kriging = writer.kriging(0);
        std::vector<std::size_t> alone(kriging->model.runs);
        std::iota(alone.begin(), alone.end(), std::size_t{0});
        const auto left = kriging::leaveGroupsOut(kriging->model, alone, onCpu(1));
        compressStep(writer, surrogateStep(SurrogateKind::sparseGrid), {});
        const double sumOfGrid = sumOffGrid(writer);
        const auto runs = writer.trainingRuns();
        double sumOfKriging = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            std::vector<float> exact(nodes);
            writer.readHoldOut(runs[i].id, 0, exact);
            double squares = 0, size = 0;
            const auto modes = kriging->model.outputs();
            for (std::size_t m = 0; m < modes; ++m)
                squares += std::pow(left[(kriging->points.size() + i) * modes + m], 2);
            for (const float value : exact)
                size += std::pow(static_cast<double>(value), 2);
            sumOfKriging += std::sqrt(squares / size);
        }
        QVERIFY(isNear(meanOf(figures, ErrorKind::sparseGridCompared), sumOfGrid / 5));
        const double ofKriging = meanOf(figures, ErrorKind::krigingCompared); // modes are cut
        QVERIFY(ofKriging >= sumOfKriging / 5 - 1e-6 && ofKriging < 1.2 * sumOfKriging / 5 + 1e-6);
        QVERIFY(sumOfGrid > 5e-3);
    }

    void aGridWithoutAllPointsIsMeasuredOffIt()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 4),
                                 {{"u", kinked}}, 5);
        for (const double a : {0.11, 0.27, 0.48, 0.66, 0.83})
            addRun(writer, kinked, {a, 1 - a / 2});
        chooseFor(writer);
        const auto choice = *choiceOf(writer, 0);
        QVERIFY(choice.isOffGrid && choice.missingPoints > 0 && isUpToDate(choice, writer, 0));
        QVERIFY(choiceText(writer, 0).find("of runs off the grid") != std::string::npos);
        compressStep(writer, surrogateStep(SurrogateKind::sparseGrid), {});
        QVERIFY(isNear(choice.sparseGrid, sumOffGrid(writer) / 5));
    }
};

GRIDHELM_TEST(OffGridChoiceTest)
#include "tst_off_grid_choice.moc"
