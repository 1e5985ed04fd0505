// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve: that the options arrive at the solvers, and how a run ends. What the solvers
// compute is tested in tests/solvers.
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/vti_file.h"
#include "tests/app/solve_folder.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <csignal>

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

/// 23 x 17, a spike, and one side that is neither 0 nor Dirichlet.
constexpr const char *smallProblem = "--size 23x17 --source-at 0.3,0.6 --strength 2 "
                                     "--side y-high=neumann:0.5 --side x-low=dirichlet:0.25 "
                                     "--spacing 0.04 --threads 1 ";

solvers::PoissonProblem smallProblemItself()
{
    solvers::PoissonProblem problem;
    problem.unknowns = {23, 17, 1};
    problem.spacing = 0.04;
    problem.sides[0].value = 0.25;
    problem.sides[3] = {solvers::SideKind::neumann, 0.5};
    problem.source = solvers::SpikeSource{2, {0.3, 0.6, 0.5}};
    return problem;
}

} // namespace

class TestCliSolve : public QObject, private SolveFolder
{
    Q_OBJECT

private:
    QByteArray contentOf(const QString &name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Starts a run that does not end by itself, with signals as a shell in a terminal sets them.
    void startEndlessRun(QProcess &process, const QStringList &more) const
    {
        process.setWorkingDirectory(m_folder.path());
        process.setChildProcessModifier([] {
            std::signal(SIGINT, SIG_DFL);
            std::signal(SIGTERM, SIG_DFL);
        });
        process.start(QString(paths::cli), QStringList{"solve", "jacobi", "--threads", "1",
                                                       "--iterations", "1000000000000"}
                                               + more);
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(waitsForSignals(process), 60000);
    }

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", ""); // the CPU's alone: GPUs are tst_cli_solve_devices'
    }

    void helpTeachesWithExamples_data();
    void helpTeachesWithExamples();
    void helpSaysWhatIsSolvedAndWhatMethodsAreFor();

    void everyMethodReachesTheKnownSolution_data();
    void everyMethodReachesTheKnownSolution();
    void optionsArriveAtTheSolver();
    void startGoesOnWhereSaveStopped();
    void scheduledChangesGoOnFromThePresentState();
    void valuesComeFromFiles();

    void frontsArriveInTime();
    void flatHorizonIsExact();
    void layersAreSavedAndCounted();
    void mediumComesFromFormulasAndFiles();

    void historyAndPictureAreWritten();
    void targetNotReachedIsNoSuccess();
    void interruptedRunSavesWhatItHas_data();
    void interruptedRunSavesWhatItHas();
    void secondInterruptionEndsAtOnce();
    void threadsCanBePinned();
};

void TestCliSolve::helpTeachesWithExamples_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"solve", "solve jacobi", "solve sor", "solve pmm"})
        QTest::newRow(command) << command;
}

void TestCliSolve::helpTeachesWithExamples()
{
    QFETCH(QString, command);
    const Outcome help = runCli(command + " --help");
    QCOMPARE(help.exitCode, 0);
    QVERIFY2(help.err.isEmpty(), help.err);
    QVERIFY2(help.out.contains("Examples"), help.out);
    QVERIFY2(help.out.contains("  gridhelm-cli " + command.toUtf8()), help.out);
}

/// With the words of the window.
void TestCliSolve::helpSaysWhatIsSolvedAndWhatMethodsAreFor()
{
    const auto says = [](const QByteArray &help, std::string_view what) {
        return !what.empty() && help.simplified().contains(QByteArray(what.data(), what.size()));
    };
    for (const auto *family : solvers::poissonFamilies()) {
        const auto help = runCli("solve " + QString::fromUtf8(family->id) + " --help").out;
        QVERIFY2(says(help, solvers::poissonInWords.equation), help);
        QVERIFY2(says(help, solvers::poissonInWords.meaning), help);
        QVERIFY2(says(help, solvers::poissonInWords.start), help);
        QVERIFY2(says(help, solvers::convergedInWords), help);
        for (const auto *method : methodsOf(*family))
            QVERIFY2(says(help, method->purpose), std::string(method->name).c_str());
    }
    const auto help = runCli("solve pmm --help").out;
    QVERIFY2(says(help, solvers::frontInWords.equation), help);
    QVERIFY2(says(help, solvers::frontInWords.domain), help);
    QVERIFY2(says(help, solvers::pmmPurpose), help);
    QVERIFY2(says(help, meaningOf(solvers::Quantity::change)), help);
    QVERIFY2(!help.contains("residual"), help); // it has none
}

void TestCliSolve::everyMethodReachesTheKnownSolution_data()
{
    QTest::addColumn<QString>("options");
    for (const char *options :
         {"jacobi --method naive --size 20", "jacobi --method tuned --size 20x13 --waves 2,1",
          "jacobi --method temporal --depth 5 --size 20",
          "jacobi --method async0 --alpha 4 --tile 16x5 --size 20",
          "jacobi --method async1 --size 20 --tile 8", "jacobi --method async2 --size 20",
          "jacobi --method async3 --alpha 3 --size 20", "jacobi --size 8x9x7 --waves 1,2,1",
          "jacobi --size 20 --side all=neumann",
          "jacobi --size 12x15 --side x-low=neumann --side y-high=neumann:0", "sor --size 31",
          "sor --method red-black --pass 3 --size 9x12x10",
          "sor --method sequential --size 31 --waves 3,2",
          "sor --method sequential --direction forward --relaxation 1 --size 15",
          "sor --method sequential --direction backward --w 1.7 --size 31",
          "sor --method mlssor --size 31 --shape 4x8",
          "sor --method mlssor --direction forward --shape 8x16x16 --size 40 --strength -3",
          "sor --size 20 --side all=neumann --spacing 7"})
        QTest::newRow(options) << options;
}

void TestCliSolve::everyMethodReachesTheKnownSolution()
{
    QFETCH(QString, options);
    const Outcome outcome = runHere(
        "solve " + options + " --source eigenfunction --until error=1e-9 --json --threads 2");
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.out.right(200) + outcome.err);
    const QJsonObject json = jsonOf(outcome);
    QCOMPARE(json["stop_reason"].toString(), "target");
    const QJsonObject report = json["report"].toObject();
    QVERIFY(report["error"].toDouble(1) <= 1e-9);
    QVERIFY(report["residual"].toDouble(1) < 1e-6);
    QVERIFY(report["iterations"].toDouble() > 10);
    const QJsonArray history = json["history"].toArray();
    QCOMPARE(history.first().toObject()["iterations"].toDouble(), 0.0);
    QCOMPARE(history.first().toObject()["residual"].toDouble(), 1.0);
    QCOMPARE(history.last().toObject()["iterations"], report["iterations"]);
    QVERIFY(json["rates"].toObject()["bytes_per_second"].toDouble() > 0);
    QVERIFY(json["settings"].toObject()["unknowns"].isArray());
}

void TestCliSolve::optionsArriveAtTheSolver()
{
    const QString line =
        QString("solve jacobi --method naive --iterations 37 --save u.vti %1").arg(smallProblem);
    const Outcome outcome = runHere(line);
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.err);
    QVERIFY2(outcome.out.contains("after 37 iterations"), outcome.out);
    const auto stepper =
        solvers::makePoissonStepper(smallProblemItself(), {"naive"}, test::onCpu());
    stepper->advance(37);
    QVERIFY(saved("u.vti") == valuesOf(*stepper));
    const auto image = solvers::readVti(path("u.vti"));
    QVERIFY(image.grid.points == stepper->field().points);
    QVERIFY(image.grid.origin == stepper->field().origin);
    QCOMPARE(image.grid.spacing, 0.04);
    QCOMPARE(image.arrays.front().name, std::string("u"));

    QCOMPARE(runHere(line + " --precision float").exitCode, 0);
    const auto narrow = solvers::readVti(path("u.vti"));
    QVERIFY(std::holds_alternative<std::vector<float>>(narrow.arrays.front().values));
}

void TestCliSolve::startGoesOnWhereSaveStopped()
{
    const QString start = QString("solve jacobi %1 --iterations ").arg(smallProblem);
    QCOMPARE(runHere(start + "30 --save whole.vti").exitCode, 0);
    QCOMPARE(runHere(start + "12 --save first.vti").exitCode, 0);
    QCOMPARE(runHere(start + "18 --start first.vti --save second.vti").exitCode, 0);
    QVERIFY(saved("second.vti") == saved("whole.vti"));
    QVERIFY(saved("first.vti") != saved("whole.vti"));
    QCOMPARE(runHere(start + "0 --start first.vti --save same.vti").exitCode, 0);
    QVERIFY(saved("same.vti") == saved("first.vti"));
}

void TestCliSolve::scheduledChangesGoOnFromThePresentState()
{
    const QString line =
        QString("solve sor --method sequential --relaxation 1.1 %1 "
                "--iterations 60 --at 45:boundary-x-high=-1 --at 20:relaxation=1.6 "
                "--at \"45:source x=0.9\" --save changed.vti")
            .arg(smallProblem);
    const Outcome outcome = runHere(line);
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto stepper = solvers::makePoissonStepper(
        smallProblemItself(), {"sequential", solvers::Precision::float64, {{"relaxation", 1.1}}},
        test::onCpu());
    stepper->advance(20);
    stepper->setLiveParameter("relaxation", 1.6);
    stepper->advance(25);
    stepper->setLiveParameter("boundary x high", -1);
    stepper->setLiveParameter("source x", 0.9);
    stepper->advance(15);
    QVERIFY(saved("changed.vti") == valuesOf(*stepper));

    // A target that is met before does not end the run: what was ordered is still to come.
    const Outcome late = runHere("solve sor --size 15 --until residual=1e-3 --json --at "
                                 "300:source-strength=2");
    QCOMPARE(late.exitCode, 0);
    QVERIFY(jsonOf(late)["report"].toObject()["iterations"].toDouble() > 300);
}

void TestCliSolve::valuesComeFromFiles()
{
    // The solution for a source that comes from a file, once more, and compared with itself.
    const QString line = "solve sor --size 9x6 --until residual=1e-12 ";
    QByteArray text;
    for (int i = 0; i < 54; ++i)
        text += QByteArray::number(i % 7) + "\n";
    QFile file(m_folder.filePath("f.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    QCOMPARE(runHere(line + "--source ./f.txt --save file.vti").exitCode, 0);
    const Outcome again =
        runHere(line + "--source f.txt --strength 2 --known file.vti --json --iterations 900");
    QCOMPARE(again.exitCode, 0);
    const auto u = saved("file.vti");
    const double largest = *std::max_element(u.begin(), u.end());
    QVERIFY(std::abs(jsonOf(again)["report"].toObject()["error"].toDouble() - largest)
            < 1e-9 * largest);
}

void TestCliSolve::frontsArriveInTime()
{
    const Outcome outcome =
        runHere("solve pmm --nodes 21 --ball 0.5,0.5,0.5,0.1 --speed 1.1 --psi 1 "
                "--a -0.35,0.4,0.7 --json --threads 2");
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.err);
    const QJsonObject json = jsonOf(outcome);
    QCOMPARE(json["method"].toString(), "pmm anisotropic");
    QCOMPARE(json["stop_reason"].toString(), "target");
    const QJsonObject report = json["report"].toObject();
    QVERIFY(report["iterations"].toInt() >= 2 && report["iterations"].toInt() <= 5);
    QVERIFY(report["largest_change"].toDouble(1) <= 1e-10);
    QVERIFY(report["error"].toDouble(1) < 0.1); // the mean is 1.7e-2
    QVERIFY(json["rates"].toObject()["sweeps_per_second"].toDouble() > 0);

    // Two points, the second one later: the earlier front counts.
    const Outcome points = runHere("solve pmm --nodes 15x9x9 --point 0,0,0 --point 1,0,0,0.5 "
                                   "--sweeps 3 --json --precision float");
    QVERIFY2(points.exitCode == 0, points.err);
    QCOMPARE(jsonOf(points)["report"].toObject()["iterations"].toInt(), 3);
    QVERIFY(jsonOf(points)["report"].toObject()["error"].toDouble(1) < 0.05);
}

void TestCliSolve::flatHorizonIsExact()
{
    // Up with F + psi a_z, down with F - psi a_z.
    QCOMPARE(runHere("solve pmm --nodes 5x7x9 --spacing 0.25 --origin 1,2,3 --horizon plane:0.5 "
                     "--speed 2 --psi 0.5 --a 0,0,1 --save t.vti")
                 .exitCode,
             0);
    const auto image = solvers::readVti(path("t.vti"));
    QVERIFY((image.grid.origin == std::array<double, 3>{1, 2, 3}));
    const auto times = saved("t.vti");
    for (std::size_t node = 0; node < times.size(); ++node) {
        const auto layer = node / 35;
        const double height = 0.25 * (static_cast<double>(layer) - 4);
        const double time = height > 0 ? height / 2.5 : -height / 1.5;
        QVERIFY(std::abs(times[node] - time) < 1e-12);
    }
}

void TestCliSolve::layersAreSavedAndCounted()
{
    const Outcome outcome = runHere("solve pmm --nodes 17x17x9 --horizon folds --layers 6 "
                                    "--save layers.vti --picture layers.png");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto image = solvers::readVti(path("layers.vti"));
    QCOMPARE(image.arrays.size(), std::size_t(2));
    QCOMPARE(image.arrays[0].name, std::string("arrival time"));
    QCOMPARE(image.arrays[1].name, std::string("layer"));
    const auto &times = std::get<std::vector<double>>(image.arrays[0].values);
    const auto &layers = std::get<std::vector<float>>(image.arrays[1].values);
    const double last = *std::max_element(times.begin(), times.end());
    for (std::size_t node = 0; node < times.size(); ++node)
        QCOMPARE(layers[node], float(std::min(5.0, std::floor(times[node] / last * 6))));
    QVERIFY(contentOf("layers.png").startsWith("\x89PNG"));
}

void TestCliSolve::mediumComesFromFormulasAndFiles()
{
    const QString start = "solve pmm --nodes 11 --point 0.5,0.5,0 --save ";
    QCOMPARE(runHere(start + "one.vti").exitCode, 0);
    QCOMPARE(runHere(start + "same.vti --speed gradient:1,1").exitCode, 0);
    QCOMPARE(runHere(start + "faster.vti --speed gradient:1,2").exitCode, 0);
    QByteArray text;
    for (int node = 0; node < 1331; ++node) {
        const int layer = node / 121;
        text += QByteArray::number(1 + layer / 10.0) + "\n";
    }
    QFile file(m_folder.filePath("speed.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    QCOMPARE(runHere(start + "file.vti --speed speed.txt").exitCode, 0);
    const auto one = saved("one.vti"), same = saved("same.vti"), faster = saved("faster.vti"),
               fromFile = saved("file.vti");
    for (std::size_t node = 0; node < one.size(); ++node) {
        QVERIFY(std::abs(same[node] - one[node]) < 1e-12);
        QVERIFY(std::abs(fromFile[node] - faster[node]) < 1e-12);
    }
    QVERIFY(faster.back() < 0.9 * one.back());
}

void TestCliSolve::historyAndPictureAreWritten()
{
    const Outcome outcome =
        runHere("solve jacobi --size 10x20 --iterations 40 --every 10 --history run.csv "
                "--picture run.png --json");
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.err);
    const QList<QByteArray> lines = contentOf("run.csv").trimmed().split('\n');
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[0], QByteArray("iterations,seconds,residual,largest_change,error"));
    const QJsonArray history = jsonOf(outcome)["history"].toArray();
    QCOMPARE(history.size(), 5);
    for (int i = 0; i < 5; ++i) {
        const auto fields = lines[i + 1].split(',');
        QCOMPARE(fields.size(), 5);
        QCOMPARE(fields[0].toInt(), 10 * i);
        QCOMPARE(fields[2].toDouble(), history[i].toObject()["residual"].toDouble());
        QVERIFY(fields[4].isEmpty());
    }
    QVERIFY(contentOf("run.png").startsWith("\x89PNG"));
    const QJsonObject files = jsonOf(outcome)["files"].toObject();
    QCOMPARE(files.keys(), QStringList({"history", "picture"}));
}

void TestCliSolve::targetNotReachedIsNoSuccess()
{
    const Outcome few = runHere("solve jacobi --size 30 --until residual=1e-9 --iterations 20 "
                                "--json --save few.vti");
    QCOMPARE(few.exitCode, 3);
    QCOMPARE(jsonOf(few)["stop_reason"].toString(), "iterations");
    QCOMPARE(saved("few.vti").size(), std::size_t(900));
    // Round-off in float ends it.
    const Outcome stalled =
        runHere("solve sor --size 30 --until residual=1e-14 --precision float --json");
    QCOMPARE(stalled.exitCode, 3);
    QCOMPARE(jsonOf(stalled)["stop_reason"].toString(), "stalled");
    QVERIFY(jsonOf(stalled)["report"].toObject()["residual"].toDouble(1) < 1e-4);
}

void TestCliSolve::interruptedRunSavesWhatItHas_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
}

void TestCliSolve::interruptedRunSavesWhatItHas()
{
    QFETCH(int, signal);
    QProcess process;
    startEndlessRun(process, {"--size", "40x30", "--save", "stopped.vti", "--json"});
    QTest::qWait(300);
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    const QJsonObject json = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(json["stop_reason"].toString(), "interrupted");
    const double iterations = json["report"].toObject()["iterations"].toDouble();
    QVERIFY(iterations < 1e12);
    const auto values = saved("stopped.vti");
    QCOMPARE(values.size(), std::size_t(1200));
    const auto isPositive = [](double value) { return value > 0; };
    QVERIFY(iterations < 100 || std::all_of(values.begin(), values.end(), isPositive));
    QVERIFY(QFile::remove(m_folder.filePath("stopped.vti")));
}

void TestCliSolve::secondInterruptionEndsAtOnce()
{
    QProcess process;
    // Large enough that it takes a while to stop and to save.
    startEndlessRun(process, {"--size", "1500", "--method", "naive", "--save", "killed.vti"});
    const auto pid = static_cast<pid_t>(process.processId());
    QCOMPARE(kill(pid, SIGINT), 0);
    QCOMPARE(kill(pid, SIGTERM), 0);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), SIGTERM);
    QVERIFY(!QFile::exists(m_folder.filePath("killed.vti")));
}

void TestCliSolve::threadsCanBePinned()
{
    const Outcome outcome =
        runHere("solve jacobi --size 50 --iterations 20 --pin --threads 1 --json");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QVERIFY(jsonOf(outcome)["settings"].toObject()["pinned"].toBool());
}

GRIDHELM_TEST(TestCliSolve)
#include "tst_cli_solve.moc"
