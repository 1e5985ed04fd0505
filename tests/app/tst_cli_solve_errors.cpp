// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve: what it refuses, and what it says then.
#include "core/solvers/vti_file.h"
#include "tests/app/cli_folder.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <span>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliSolveErrors : public QObject, private CliFolder
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", ""); // what is said where there is no GPU
    }

    void badInputIsOneSentenceAndWritesNothing_data();
    void badInputIsOneSentenceAndWritesNothing();
};

void TestCliSolveErrors::badInputIsOneSentenceAndWritesNothing_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says"); // part of the sentence
    const auto add = [](const QString &line, const QString &says) {
        QTest::newRow(qPrintable(line)) << "solve " + line << says;
    };
    add("", "command");
    add("gauss", "gauss");
    add("jacobi --devices cpu/0", "parts");
    add("jacobi --devices cpu/x", "--devices");
    add("jacobi --devices cpu/2/2", "--devices");
    add("jacobi --devices cpu+gpu", "cpu"); // without a GPU, or because it is of another kind
    add("jacobi --devices cpu+cpu", "between");
    add("jacobi --devices disk", "disk");
    add("jacobi --devices cpu/2 --pin", "--pin");
    add("jacobi --devices cpu/2 --method naive", "choose tuned");
    add("jacobi --devices cpu/2 --backend cuda", "cuda"); // it is not theirs, or is not here
    add("sor --devices cpu/2 --method sequential", "choose red-black or mlssor");
    add("pmm --nodes 5 --point 0,0,0 --devices cpu/2 --pin", "--pin");
    add("pmm --nodes 5 --point 0,0,0 --devices cpu/2 --partition rows", "repartition or pipelined");
    add("pmm --nodes 5 --point 0,0,0 --partition pipelined", "--devices");
    add("pmm --nodes 5 --point 0,0,0 --devices cpu/2 --backend cuda", "cuda");
    for (const QString solver : {"jacobi", "sor"}) {
        const auto row = [&](const char *options, const char *says) {
            add(solver + " --save out.vti " + options, says);
        };
        row("--size 0", "--size");
        row("--size 5x0", "--size");
        row("--size x", "--size");
        row("--size 5x", "--size");
        row("--size -5", "--size");
        row("--size 5x5x5x5", "3 directions");
        row("--size 4000000000x4000000000x4000000000", "64 bits");
        row("--size 10000000", "memory");
        row("--size 10000000 --source constant", "memory");
        row("--size 1000000x1000000 --start missing.vti", "memory");
        row("--spacing 0", "--spacing");
        row("--spacing nan", "--spacing");
        row("--side left=neumann", "left");
        row("--side z-low=neumann", "2D");
        row("--side x-low", "side condition");
        row("--side x-low=robin:1", "side condition");
        row("--side x-low=neumann:", "--side");
        row("--side all=neumann", "Neumann");
        row("--source laser", "laser");
        row("--source-at 0.5", "--source-at");
        row("--source-at 0.5,1.5", "outside");
        row("--source constant --source-at 0.5,0.5", "--source-at");
        row("--strength much", "--strength");
        row("--strength inf", "--strength");
        row("--waves 1,1", "--waves");
        row("--source eigenfunction --waves 1", "--waves");
        row("--source eigenfunction --waves 0,1", "--waves");
        row("--source eigenfunction --side x-low=dirichlet:1", "side values of 0");
        row("--source missing.f64", "missing.f64");
        row("--known eigenfunction", "--source eigenfunction");
        row("--known guess", "guess");
        row("--known missing.vti", "missing.vti");
        row("--start missing.vti", "missing.vti");
        row("--size 5x5x5 --start other.vti", "3 dimensions");
        row("--spacing 1 --start other.vti", "other.vti reaches");
        row("--start none.vti", "not a finite number, nan at point 1");
        row("--start other.vti --start-field v", "no field \"v\": it has u");
        row("--start ./numbers.txt --start-field v", "--start-field");
        row("--start-field u", "--start");
        row("--start-at x=1", "--start");
        row("--start study.gridhelm", "--start-at");
        row("--start text.vti --start-at x=1", "text.vti");
        row("--until residual=1e-2 --compare-cold", "--start");
        row("--size 3x1 --start other.vti --compare-cold", "--until");
        row("--source constant --radius 0.1", "--radius");
        row("--source gaussian --radius 0", "--radius");
        row("--start text.vti", "text.vti");
        row("--precision half", "half");
        row("--method fast", "fast");
        row("--iterations -1", "--iterations");
        row("--until 1e-6", "--until");
        row("--until error=1e-6", "error");
        row("--until flops=5", "flops");
        row("--until residual=-1", "--until");
        row("--until residual=", "--until");
        row("--every 0", "--every");
        row("--at 5", "--at");
        row("--at 5:speed=1", "speed");
        row("--at 5:source-x=2", "source x");
        row("--at 5:source-x=nan", "--at");
        row("--at 2000:source-x=0.2", "never happens");
        row("--threads 0x", "--threads");
        row("--threads 1000 --pin", "CPU");
        row("--backend reference", "reference");
        row("--backend cuda", "cuda");
        row("--picture nowhere/u.png", "nowhere/u.png");
        row("--picture .", "folder");
        row("--picture u.gif", ".png");
        row("--history nowhere/h.csv", "nowhere/h.csv");
        row("--slice w=1", "--slice");
        row("--slice z=2", "--slice");
        row("--layers 5", "--layers");
    }
    add("jacobi --save nowhere/u.vti", "nowhere/u.vti");
    add("jacobi --save u.txt", ".vti or .pvti");
    add("jacobi --method tuned --alpha 4", "--alpha");
    add("jacobi --method temporal --tile 4", "--tile");
    add("jacobi --method async0 --alpha 3", "odd");
    add("jacobi --method async0 --alpha -2", "async factor");
    add("jacobi --method async0 --tile 4x4x4", "--tile");
    add("jacobi --method async0 --until change=1", "change");
    add("jacobi --method async2 --size 5x5x5", "2D");
    add("jacobi --method temporal --depth 100", "100");
    add("jacobi --method naive --depth 4", "--depth");
    add("jacobi --relaxation 1", "--relaxation");
    add("jacobi --source eigenfunction --until error=0.1 --at 5:boundary-x-low=1", "--at");
    for (const char *w : {"0", "2", "-1", "2.5", "nan", "x"}) {
        add(QString("sor --save out.vti --relaxation %1").arg(w), "relaxation");
        add(QString("sor --save out.vti --at 5:relaxation=%1").arg(w), "");
    }
    add("sor --direction forward", "--direction");
    add("sor --method mlssor --direction up", "up");
    add("sor --shape 4x8", "--shape");
    add("sor --method mlssor --shape 8", "--shape");
    add("sor --method mlssor --shape 8x16x15", "--shape");
    add("sor --method mlssor --shape 9x16", "MLSSOR");
    add("sor --method mlssor --size 9x9x9", "2D");
    add("sor --method sequential --pass 3", "--pass");
    add("sor --pass 100", "--pass");
    add("sor --until change=1e-6", "change");
    const auto pmm = [&](const char *options, const char *says) {
        add(QString("pmm --save out.vti --nodes 9 %1").arg(options), says);
    };
    const auto ball = [&](const char *options, const char *says) {
        add(QString("pmm --save out.vti --nodes 9 --ball 0.5,0.5,0.5,0.2 %1").arg(options), says);
    };
    pmm("", "no source");
    pmm("--point 0,0,0 --horizon plane", "several kinds");
    pmm("--point 0,0", "--point");
    pmm("--point 0,0,0,0,0", "--point");
    pmm("--point 5,5,5", "no node");
    pmm("--ball 0.5,0.5,0.5", "--ball");
    pmm("--ball 0.5,0.5,0.5,-1", "negative");
    pmm("--horizon hill", "hill");
    pmm("--horizon folds:1,2,3", "too many");
    pmm("--horizon plane:7", "no node");
    pmm("--horizon missing.txt", "missing.txt");
    ball("--speed 0", "F");
    ball("--speed -1", "F");
    ball("--speed fast", "fast");
    ball("--speed gradient:1", "gradient");
    ball("--speed gradient:1,-1", "F");
    ball("--speed missing.f64", "missing.f64");
    ball("--psi 1 --a 1,0,0", "against");
    ball("--psi wave:0,2 --a 0,1,0", "against");
    ball("--a 1,0", "--direction");
    ball("--spacing 0", "spacing");
    ball("--until residual=1e-6", "residual");
    ball("--sweeps 2.5", "--sweeps");
    ball("--layers 0", "--layers");
    ball("--at 1:relaxation=1", "relaxation");
    ball("--until error=0.1 --at 1:psi=0.1", "--at");
    ball("--known sun", "sun");
    ball("--start other.vti", "other.vti holds 3 x 1 x 1");
    ball("--start other.vti --start-field v", "no field");
    ball("--compare-cold", "--start");
    ball("--known rays --speed gradient:1,2", "rays");
    add("pmm --nodes 0 --point 0,0,0", "--nodes");
    add("pmm --nodes 9x9 --point 0,0,0", "--nodes");
    add("pmm --nodes 10000 --point 0,0,0", "memory");
    add("pmm --nodes 10000 --point 0,0,0 --speed gradient:1,2", "memory");
    add("pmm --nodes 1000000x1000000x2 --horizon dome", "memory");
    add("pmm --nodes 5000000x5000000x5000000 --point 0,0,0", "64 bits");
}

void TestCliSolveErrors::badInputIsOneSentenceAndWritesNothing()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    if (!QFile::exists(m_folder.filePath("other.vti"))) {
        const std::vector<float> three{1, 2, 3};
        const std::vector<solvers::ImageArrayView> arrays{{"u", std::span<const float>(three)}};
        solvers::writeVti(path("other.vti"), {{3, 1, 1}, {0, 0, 0}, 1}, arrays);
        const std::vector<double> none{1, NAN, 3};
        const std::vector<solvers::ImageArrayView> bad{{"u", std::span<const double>(none)}};
        solvers::writeVti(path("none.vti"), {{3, 1, 1}, {0, 0, 0}, 1}, bad);
        QFile study(m_folder.filePath("study.gridhelm")); // what begins like one
        QVERIFY(study.open(QIODevice::WriteOnly) && study.write("SQLite format 3") == 15);
        QFile text(m_folder.filePath("text.vti"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("1\n2\n") == 4);
    }
    const QStringList before = filesHere();
    const Outcome outcome = runHere(line);
    QVERIFY2(isOneSentence(outcome, says),
             QByteArray::number(outcome.exitCode) + " " + outcome.out + outcome.err);
    QCOMPARE(filesHere(), before);
}

GRIDHELM_TEST(TestCliSolveErrors)
#include "tst_cli_solve_errors.moc"
