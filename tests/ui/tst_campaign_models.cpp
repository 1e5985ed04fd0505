// SPDX-License-Identifier: GPL-3.0-or-later
//
// The item models of the campaign panel, the plan that is being written, and the picture's dots.
#include "data/campaign/fill_step.h"
#include "data/campaign/plan_cost.h"
#include "data/study/study_writer.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/command_words.h"
#include "ui/campaign/grid_projection.h"
#include "ui/campaign/job_model.h"
#include "ui/campaign/parameter_model.h"
#include "ui/campaign/plan_draft.h"
#include "ui/campaign/study_forecast.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <map>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

const QString plate = "# mine\n[[parameter]]\nname = \"x\" # left to right\n[[parameter]]\n"
                      "name = \"strength\"\ncap = 2\n[grid]\nlevel = 4\n"
                      "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n";

StudyStatePtr stateWith(const std::vector<JobRow> &jobs, int parameters = 1)
{
    std::vector<Parameter> all;
    for (int t = 0; t < parameters; ++t)
        all.push_back({"p" + std::to_string(t), "m", 0, 1});
    auto state = std::make_shared<StudyState>(
        "/study", data::StudyDescription{"", data::StudyKind::vector, ParameterSpace(all), 3, ""});
    for (int t = 0; t < parameters; ++t)
        state->jobParameters.push_back(static_cast<std::size_t>(t));
    state->jobs = jobs;
    for (const auto &job : jobs)
        ++state->jobCounts.at(static_cast<std::size_t>(job.state));
    return state;
}

JobRow jobOf(data::JobId id, data::JobState state, double parameter = 0.5)
{
    return {id, state, 1, 100, 102.5, 1, {parameter}};
}

/// Places by looking at every point.
std::map<std::pair<double, double>, GridPlace> placesOf(const sparse::SparseGrid &grid,
                                                        std::size_t across, std::size_t up)
{
    std::map<std::pair<double, double>, GridPlace> places;
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.coordinates(point, x);
        ++places[{x[across], x[up]}].points;
    }
    return places;
}

} // namespace

class TestCampaignModels : public QObject
{
    Q_OBJECT

private slots:
    void aNumberOfRunsIsShownAndHasNoLevel()
    {
        PlanDraft draft;
        draft.setText(QString(plate)
                          .remove("cap = 2\n")
                          .replace("level = 4", "design = \"space-filling\"\nruns = 12"));
        QVERIFY2(draft.isGood(), qPrintable(draft.problem()));
        QCOMPARE(draft.plan()->runs, std::size_t{12});
        const auto before = draft.text();
        QVERIFY(!draft.setLevel(5).isEmpty());
        QCOMPARE(draft.text(), before);
        QCOMPARE(draft.cost(1)->jobs, std::uint64_t{12});

        const QTemporaryDir folder;
        auto writer = data::StudyWriter::create(folder.filePath("s").toStdString(),
                                                draft.plan()->description);
        auto state = stateOf(writer, 0, 1);
        QCOMPARE(state.count(data::JobState::waiting), std::uint64_t{12}); // no place chosen yet
        QVERIFY(state.outlook.hasSimulation && state.jobs.empty()
                && state.projection.places.empty());
        for (const auto &place : data::nextPlaces(writer, 3))
            writer.planRun(place);
        writer.failPlannedRun(2, "it broke");
        state = stateOf(writer, 0, 1);
        QCOMPARE(state.jobs.size(), std::size_t{3});
        QVERIFY(state.jobs[1].state == data::JobState::failed);
        QCOMPARE(state.jobs[1].parameters, writer.plannedRun(2).parameters);
        QCOMPARE(state.count(data::JobState::waiting), std::uint64_t{12});
        QCOMPARE(state.count(data::JobState::failed), std::uint64_t{1});
        QCOMPARE(state.projection.places.size(), std::size_t{3});
        QCOMPARE(state.projection.places[2].up,
                 writer.description().space.toUnit(writer.plannedRun(3).parameters)[1]);
    }

    void runsOffTheGridAreListedAfterItsJobs()
    {
        const QTemporaryDir folder;
        data::StudyDescription description{"grid", data::StudyKind::vector,
                                           ParameterSpace({{"a", "", 0, 1}, {"b", "", 0, 1}}), 2,
                                           ""};
        auto writer = data::StudyWriter::create(folder.filePath("s").toStdString(), description);
        const auto jobs = writer.jobs().size();
        QCOMPARE(stateOf(writer, 0, 1).jobs.size(), jobs);
        for (const double a : {0.3, 0.7})
            writer.planRun(std::vector{a, 0.2});
        writer.failPlannedRun(2, "it broke");
        const auto state = std::make_shared<const StudyState>(stateOf(writer, 0, 1));
        QCOMPARE(state->jobs.size(), jobs + 2);
        QCOMPARE(state->jobs[jobs].id, data::JobId{-1});
        QVERIFY(state->jobs[jobs + 1].state == data::JobState::failed);
        QCOMPARE(state->jobs[jobs + 1].parameters, (std::vector{0.7, 0.2}));
        QCOMPARE(state->count(data::JobState::waiting), jobs + 1);
        const auto &places = state->projection.places;
        QCOMPARE(places.size(), writer.grid()->points() + 2);
        QVERIFY(places.back().across == 0.7 && places.back().up == 0.2);
        JobModel model;
        model.setState(state);
        const auto cell = [&](std::size_t row, int role) {
            return model.index(static_cast<int>(row), JobModel::id).data(role);
        };
        QCOMPARE(cell(jobs, Qt::DisplayRole).toString(), QString("off 1"));
        QCOMPARE(cell(0, Qt::DisplayRole).toString(), QString::number(state->jobs[0].id));
        QVERIFY(cell(jobs, JobModel::sortRole).toLongLong()
                > cell(jobs - 1, JobModel::sortRole).toLongLong());
    }

    void whatAClusterHasIsQueuedOrRunningThere()
    {
        const QTemporaryDir folder;
        data::StudyDescription description{"grid", data::StudyKind::vector,
                                           ParameterSpace({{"a", "", 0, 1}}), 2, ""};
        auto writer = data::StudyWriter::create(folder.filePath("s").toStdString(), description);
        const auto jobs = writer.jobs();
        for (std::size_t i = 0; i < 3; ++i) {
            writer.startJob(jobs[i].id);
            if (i < 2)
                writer.putSubmission(jobs[i].id, "slurm:me@far", "token");
        }
        writer.noteBegunElsewhere(jobs[1].id);
        const double begun = writer.job(jobs[1].id).started;
        writer.noteBegunElsewhere(jobs[1].id); // once
        QCOMPARE(writer.job(jobs[1].id).started, begun);
        writer.noteBegunElsewhere(jobs[2].id); // it is here
        JobModel model;
        model.setState(std::make_shared<const StudyState>(stateOf(writer, 0, 0)));
        const auto cell = [&](int row, int role) {
            return model.index(row, JobModel::state).data(role).toString();
        };
        QCOMPARE(cell(0, Qt::DisplayRole), QString("queued"));
        QCOMPARE(cell(1, Qt::DisplayRole), QString("running there"));
        QCOMPARE(cell(2, Qt::DisplayRole), QString("running"));
        QVERIFY(cell(0, Qt::ToolTipRole).contains("slurm:me@far"));
        QVERIFY(cell(2, Qt::ToolTipRole).isEmpty());
    }

    void parametersAreEditedInThePlansText()
    {
        PlanDraft draft;
        ParameterModel model(draft);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QSignalSpy refused(&model, &ParameterModel::refused);
        draft.setText(plate);
        QCOMPARE(model.rowCount(), 2);
        const auto edit = [&](int row, int column, const QString &value) {
            return model.setData(model.index(row, column), value, Qt::EditRole);
        };
        QVERIFY(edit(0, ParameterModel::low, "0,3"));
        QVERIFY(edit(0, ParameterModel::high, "6e-1"));
        QVERIFY(edit(0, ParameterModel::unit, "m"));
        QVERIFY(edit(1, ParameterModel::scale, "logarithmic"));
        QVERIFY(edit(1, ParameterModel::treatment, "boundary"));
        QVERIFY(edit(1, ParameterModel::cap, "3"));
        QVERIFY(edit(1, ParameterModel::degree, "3"));
        QVERIFY(edit(0, ParameterModel::treatment, "leja"));
        QVERIFY(edit(0, ParameterModel::cap, "64"));
        QCOMPARE(refused.size(), 0);
        const auto &space = draft.plan()->description.space;
        QCOMPARE(space[0].low, 0.3);
        QCOMPARE(space[0].high, 0.6);
        QCOMPARE(space[0].unit, std::string("m"));
        QVERIFY(space[1].scale == ParameterScale::logarithmic);
        QCOMPARE(space[1].treatment, std::optional(sparse::BoundaryTreatment::boundary));
        QCOMPARE(space[1].levelCap, std::optional(3));
        QCOMPARE(space[1].degree, 3);
        QCOMPARE(space[0].treatment, std::optional(sparse::BoundaryTreatment::leja));
        QCOMPARE(space[0].levelCap, std::optional(64));
        QVERIFY(draft.text().startsWith("# mine\n"));
        QVERIFY(draft.text().contains("\"x\" # left to right\n"));
        QVERIFY(edit(1, ParameterModel::cap, ""));
        QVERIFY(edit(1, ParameterModel::treatment, "default (modified)"));
        QVERIFY(!draft.plan()->description.space[1].levelCap);
        QVERIFY(!draft.plan()->description.space[1].treatment);
        QCOMPARE(draft.plan()->description.space[1].degree, 1); // modified has no other
        QVERIFY(!draft.text().contains("degree"));
        QCOMPARE(draft.addParameter(), QString()); // the next one that plates have
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(draft.removeParameter(2), QString());
        QCOMPARE(model.rowCount(), 2);
    }

    void timesOfTimeLikeParametersAreEdited()
    {
        PlanDraft draft;
        ParameterModel model(draft);
        QSignalSpy refused(&model, &ParameterModel::refused);
        draft.setText("[[parameter]]\nname = \"Re\"\n[[parameter]]\nname = \"t\"\ncap = 3\n"
                      "[grid]\nlevel = 4\n[simulation]\nbuiltin = \"cavity\"\n");
        const auto cell = model.index(1, ParameterModel::cap);
        const auto levels = [&] { return draft.plan()->description.space[1].levelCap; };
        QCOMPARE(cell.data().toString(), QString("9 values"));
        QVERIFY(model.setData(cell, "17", Qt::EditRole));
        QVERIFY2(draft.isGood(), qPrintable(draft.problem()));
        QCOMPARE(levels(), std::optional(4));
        QVERIFY(draft.text().contains("times = 17") && !draft.text().contains("cap"));
        QCOMPARE(cell.data(Qt::EditRole).toString(), QString("17"));
        for (const char *value : {"20", "0", "many"})
            QVERIFY(!model.setData(cell, value, Qt::EditRole));
        QCOMPARE(refused.size(), 3);
        QVERIFY(refused[0][0].toString().contains("choose 17 or 33"));
        QVERIFY(model.setData(cell, "", Qt::EditRole));
        QCOMPARE(cell.data().toString(), QString("33 values"));
        QVERIFY(!draft.text().contains("times"));
        QCOMPARE(draft.cost(4)->points, 33 * draft.cost(4)->jobs);
    }

    void whatCannotBeIsRefused_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("part");
        QTest::newRow("no number") << 0 << int(ParameterModel::low) << "abc"
                                   << "Low of x cannot be \"abc\": type a number";
        QTest::newRow("no finite number") << 0 << int(ParameterModel::high) << "inf"
                                          << "type a number";
        QTest::newRow("low above high") << 0 << int(ParameterModel::low) << "0.9"
                                        << "the lower one first";
        QTest::newRow("cap") << 1 << int(ParameterModel::cap) << "0"
                             << "whole number from 1 to 30";
        QTest::newRow("degree") << 1 << int(ParameterModel::degree) << "2"
                                << "Degree of strength cannot be \"2\": choose 1";
        QTest::newRow("name") << 0 << int(ParameterModel::name) << "z"
                              << "is not a parameter of the simulation plate";
        QTest::newRow("twice") << 0 << int(ParameterModel::name) << "strength"
                               << "two parameters with the name strength";
        QTest::newRow("kind") << 0 << int(ParameterModel::kind) << "time-like"
                              << "cannot be time-like";
        QTest::newRow("scale") << 0 << int(ParameterModel::scale) << "square"
                               << "unknown scale";
    }
    void whatCannotBeIsRefused()
    {
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(QString, value);
        QFETCH(QString, part);
        PlanDraft draft;
        ParameterModel model(draft);
        draft.setText(plate);
        QSignalSpy refused(&model, &ParameterModel::refused);
        QVERIFY(!model.setData(model.index(row, column), value, Qt::EditRole));
        QCOMPARE(refused.size(), 1);
        QVERIFY2(refused[0][0].toString().contains(part), qPrintable(refused[0][0].toString()));
        QCOMPARE(draft.text(), plate);
        QVERIFY(draft.isGood());
    }

    void aBadTextKeepsTheTableButLocksIt()
    {
        PlanDraft draft;
        ParameterModel model(draft);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        draft.setText(plate);
        draft.setText(QString(plate).replace("level = 4", "level = 44"));
        QVERIFY(!draft.isGood());
        QCOMPARE(draft.problemLine(), 8);
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(!(model.flags(model.index(0, 0)) & Qt::ItemIsEditable));
        QVERIFY(!draft.setLevel(3).isEmpty());
        draft.setText(plate);
        QVERIFY(model.flags(model.index(0, 0)) & Qt::ItemIsEditable);
        QCOMPARE(draft.setLevel(3), QString());
        QCOMPARE(draft.plan()->description.level, 3);
        QVERIFY(draft.addParameter().isEmpty()); // y
    }

    void costsOfAnyPlanAreCountedOrNot()
    {
        PlanDraft draft;
        QVERIFY(!draft.cost(3));
        draft.setText(plate);
        const auto cost = draft.cost(6);
        QVERIFY(cost);
        const auto direct = data::costOf(*draft.plan(), draft.plan()->description.space, 6);
        QCOMPARE(cost->points, direct.points);
        QCOMPARE(cost->bytes, direct.bytes);
        QString many = "[grid]\nlevel = 30\n";
        for (int t = 0; t < 32; ++t)
            many += QString("[[parameter]]\nname = \"p%1\"\nlow = 0\nhigh = 1\n"
                            "treatment = \"boundary\"\n")
                        .arg(t);
        draft.setText(many); // more points than can be counted
        QVERIFY(!draft.isGood());
    }

    void wordsAreThoseOfAShell()
    {
        using Words = std::vector<std::string>;
        QCOMPARE(wordsOf(" python3  solve.py \"{a} b\" 'it is' x\\ y \"say \\\"hi\\\"\" '' "),
                 (Words{"python3", "solve.py", "{a} b", "it is", "x y", "say \"hi\"", ""}));
        QCOMPARE(wordsOf("solve \"not closed"), (Words{"solve", "not closed"}));
        QCOMPARE(wordsOf("  "), Words());
        const Words odd{"a", "", "two words", "quo\"te", "it's", "back\\slash\\", "li\nne"};
        QCOMPARE(wordsOf(lineOf(odd)), odd);
        QCOMPARE(lineOf({"python3", "solve.py", "{a}"}), std::string("python3 solve.py {a}"));
    }

    void renamingAParameterRenamesItsPlaceholders()
    {
        PlanDraft draft;
        ParameterModel model(draft);
        draft.setText("[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[grid]\nlevel = 2\n"
                      "[simulation]\ncommand = [\"solve\", \"--a={a}\"] # {a}\n"
                      "result = \"r_{a}.vti\"\n");
        QVERIFY2(draft.isGood(), qPrintable(draft.problem()));
        QVERIFY(model.setData(model.index(0, ParameterModel::name), "speed", Qt::EditRole));
        QVERIFY(draft.text().contains("name = \"speed\""));
        QVERIFY(draft.text().contains("[\"solve\", \"--a={speed}\"] # {a}"));
        QVERIFY(draft.text().contains("r_{speed}.vti"));
    }

    void whatCompressingRunsIsSaidBefore()
    {
        auto state = std::make_shared<StudyState>(
            *stateWith({jobOf(1, data::JobState::done), jobOf(2, data::JobState::done)}));
        state->outlook.hasSimulation = true;
        state->coverage.there = 5;
        QCOMPARE(
            holdOutForecast(*state, 12, 2), // 2.5 s each, in 4 batches
            QString(
                "Runs 7 more simulations at other parameters to measure the error (about 10 s)"));
        QCOMPARE(holdOutForecast(*state, 5, 2), QString("Runs no simulation; measures the error at "
                                                        "the 5 validation points that are there"));
        state->coverage.there = 0;
        QCOMPARE(holdOutForecast(*state, 0, 2),
                 QString("Runs no simulation; measures no error at other parameters"));
        state->outlook.hasSimulation = false;
        QVERIFY(holdOutForecast(*state, 12, 2).startsWith("Runs no simulation, because"));
    }

    void jobsChangeInPlace()
    {
        JobModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        using data::JobState;
        model.setState(stateWith({jobOf(1, JobState::waiting), jobOf(2, JobState::waiting)}));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), 6);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setState(stateWith({jobOf(1, JobState::running), jobOf(2, JobState::waiting)}));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 0);
        model.setState(stateWith({jobOf(1, JobState::done), jobOf(2, JobState::failed),
                                  jobOf(3, JobState::waiting, 0.125)}));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(resets.size(), 0);
        const auto text = [&](int row, int column) {
            return model.data(model.index(row, column), Qt::DisplayRole).toString();
        };
        QCOMPARE(text(0, JobModel::state), QString("done"));
        QCOMPARE(text(0, model.durationColumn()), QString("2.50 s"));
        QCOMPARE(text(2, model.durationColumn()), QString("–"));
        QCOMPARE(text(2, JobModel::firstParameter), QString("0.125"));
        QCOMPARE(
            model.headerData(JobModel::firstParameter, Qt::Horizontal, Qt::DisplayRole).toString(),
            QString("p0 (m)"));
        QCOMPARE(model.rowOf(3), 2);
        QCOMPARE(model.rowOf(4), -1);
        model.setState(stateWith({jobOf(1, JobState::done)}));
        QCOMPARE(resets.size(), 1);
        model.setState(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void projectionsHaveEveryPlaceOfTheGrid()
    {
        Parameter time{"t", "s", 0, 5};
        time.kind = ParameterKind::timeLike;
        Parameter capped{"c", "", 0, 1};
        capped.levelCap = 2;
        const ParameterSpace counting({{"a", "", 0, 1}, capped, time, {"b", "", 1, 2}});
        checkProjections(counting);
        time.isDense = true;
        time.levelCap = 3;
        checkProjections(ParameterSpace({{"a", "", 0, 1}, capped, time, {"b", "", 1, 2}}));
    }

private:
    static void checkProjections(const ParameterSpace &space)
    {
        const sparse::SparseGrid grid(space.shape(5));
        std::vector<PointState> states(grid.points(), PointState::missing);
        for (std::size_t i = 0; i < states.size() / 2; ++i)
            states[i] = i % 2 == 0 ? PointState::coefficient : PointState::snapshot;
        for (const auto &[across, up] :
             {std::pair<std::size_t, std::size_t>{0, 1}, {2, 0}, {3, 2}, {1, 3}}) {
            const auto expected = placesOf(grid, across, up);
            const auto planned = projectPlan(space, 5, across, up);
            const auto study = projectStudy(grid, states, across, up);
            QCOMPARE(planned.places.size(), expected.size());
            QCOMPARE(study.places.size(), expected.size());
            QCOMPARE(planned.groups, study.groups);
            std::uint64_t points = 0, snapshots = 0, coefficients = 0;
            for (std::size_t i = 0; i < study.places.size(); ++i) {
                const auto &place = study.places[i];
                QCOMPARE(place.points, expected.at({place.across, place.up}).points);
                QVERIFY(expected.contains({planned.places[i].across, planned.places[i].up}));
                QCOMPARE(planned.places[i].group, place.group);
                points += place.points;
                snapshots += place.snapshots;
                coefficients += place.coefficients;
            }
            QCOMPARE(points, grid.points());
            QCOMPARE(snapshots, grid.points() / 2);
            QCOMPARE(coefficients, (grid.points() / 2 + 1) / 2);
        }
    }

private slots:
    void hugeGridsAreDrawnInPart()
    {
        const ParameterSpace space({{"a", "", 0, 1}, {"b", "", 0, 1}});
        const auto projection = projectPlan(space, 30, 0, 1);
        QVERIFY(!projection.isWhole);
        QVERIFY(projection.places.size() > 1000 && projection.places.size() <= 20'000);
        const auto line = projectPlan(space, 4, 1, 1);
        QCOMPARE(line.places.size(), std::size_t{15});
        QCOMPARE(line.places[3].up, 0.5);
    }
};

GRIDHELM_WIDGET_TEST(TestCampaignModels)
#include "tst_campaign_models.moc"
