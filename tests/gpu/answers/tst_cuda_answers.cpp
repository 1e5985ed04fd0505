// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums of squares on a GPU, of which Sobol' maps are made, beside literal ones.
#include "core/support/error.h"
#include "gpu/answers/cuda_square_sums.h"
#include "gpu/device_info.h"
#include "tests/core/backends.h"
#include "tests/core/square_sums_case.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

using namespace gridhelm;
using namespace gridhelm::gpu;
using gridhelm::test::SquareSumsCase;

class CudaAnswersTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (const auto reason = test::reasonToSkip("cuda"); !reason.isEmpty())
            QSKIP(qPrintable(reason));
    }

    void squaresAreSummed_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        for (const int rows : {1, 5, 63, 64, 65, 300})
            for (const int columns : {1, 511, 512, 513, 5000})
                QTest::addRow("%d rows, %d columns", rows, columns) << rows << columns;
    }

    void squaresAreSummed()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        const SquareSumsCase given(static_cast<std::size_t>(rows),
                                   static_cast<std::size_t>(columns), {1, 0, 15, 16, 17, 40},
                                   {0, 0, 15, 3, 17, 1});
        auto out = given.output();
        const auto where = sumSquares(given.sums, given.matrix(), out.spans(), onOneGpu());
        QVERIFY2(given.isRight(out), qPrintable(given.problem));
        QVERIFY(where == ComputedOn::gpu(gpuDevices().front().index));
    }

    /// A GPU with room for few columns takes them a few at a time; with less it says so.
    void whatDoesNotFitIsTakenInLots()
    {
        const SquareSumsCase given(20, 30'000, {10, 10}, {2, 0});
        auto out = given.output();
        auto gpus = gpuDevices();
        gpus.resize(1);
        gpus.front().memory = std::make_shared<MemoryBudget>(2'000'000);
        const auto context = ExecutionContext().withGpus(gpus);
        sumSquares(given.sums, given.matrix(), out.spans(), context);
        QVERIFY2(given.isRight(out), qPrintable(given.problem));
        gpus.front().memory = std::make_shared<MemoryBudget>(20'000);
        QVERIFY_THROWS_EXCEPTION(BackendError, sumSquares(given.sums, given.matrix(), out.spans(),
                                                          ExecutionContext().withGpus(gpus)));
    }

private:
    static ExecutionContext onOneGpu()
    {
        return ExecutionContext().withGpus({gpuDevices().front()});
    }
};

GRIDHELM_TEST(CudaAnswersTest)
#include "tst_cuda_answers.moc"
