// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field that ranks save in pieces is one image for VTK, with the values of one that is whole.
#include "core/execution/crew.h"
#include "core/solvers/field_layers.h"
#include "core/solvers/field_pieces.h"
#include "core/solvers/pmm/divided_pmm_stepper.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/thread_ranks.h"
#include "tests/solvers/jacobi_cases.h"
#include "tests/solvers/pmm_cases.h"
#include "tests/support/test_program.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPImageDataReader.h>

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

using Maker = std::function<std::unique_ptr<Stepper>(const ExecutionContext &)>;

template <typename Reader>
vtkSmartPointer<vtkImageData> readWith(const std::filesystem::path &path)
{
    vtkNew<Reader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    return reader->GetOutput();
}

/// Empty if both images are the same.
std::string difference(vtkImageData &one, vtkImageData &other)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (one.GetDimensions()[axis] != other.GetDimensions()[axis])
            return "other size along axis " + std::to_string(axis);
        if (one.GetOrigin()[axis] != other.GetOrigin()[axis]
            || one.GetSpacing()[axis] != other.GetSpacing()[axis])
            return "another place along axis " + std::to_string(axis);
    }
    const int arrays = one.GetPointData()->GetNumberOfArrays();
    if (arrays != other.GetPointData()->GetNumberOfArrays())
        return "another number of arrays";
    for (int a = 0; a < arrays; ++a) {
        auto *values = one.GetPointData()->GetArray(a);
        auto *others = other.GetPointData()->GetArray(values->GetName());
        if (others == nullptr || others->GetDataType() != values->GetDataType())
            return std::string("no array ") + values->GetName();
        for (vtkIdType i = 0; i < one.GetNumberOfPoints(); ++i) {
            if (values->GetTuple1(i) != others->GetTuple1(i))
                return std::string(values->GetName()) + " differs at point " + std::to_string(i);
        }
    }
    return {};
}

} // namespace

class FieldPiecesTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path path(const char *name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    void saveByRanks(int count, const Maker &make, std::optional<int> layers = {})
    {
        const auto meeting = std::make_shared<ThreadRanksMeeting>(count);
        Crew(static_cast<std::size_t>(count)).run([&](std::size_t i) {
            const auto ranks = std::make_shared<ThreadRanks>(meeting, static_cast<int>(i));
            const auto stepper = make(ExecutionContext(CpuDevice{1}).withRanks(ranks));
            stepper->advance(3);
            saveFieldPieces(path("u.pvti"), "u", stepper->part(), layers);
        });
    }

    /// By ranks, beside what one saves.
    std::string differenceFromOne(int count, const Maker &make, std::optional<int> layers = {})
    {
        saveByRanks(count, make, layers);
        const auto one = make(ExecutionContext(CpuDevice{1}));
        one->advance(3);
        saveField(path("one.vti"), "u", one->field(), layers);
        const auto text = difference(*readWith<vtkXMLPImageDataReader>(path("u.pvti")),
                                     *readWith<vtkXMLImageDataReader>(path("one.vti")));
        return text.empty() ? text : text + ", " + std::to_string(count) + " ranks";
    }

private slots:
    void onePiece();
    void piecesFit();
    void piecesOfTimesFit();
    void anErrorIsOneOfAll();
};

/// What a process alone saves under such a name.
void FieldPiecesTest::onePiece()
{
    Random random(1);
    const auto problem = iterationProblem(random, 2, {9, 7, 1}, mixed, 0);
    const auto one = makePoissonStepper(problem, with("tuned"), test::onCpu());
    one->advance(3);
    saveFieldPieces(path("u.pvti"), "u", one->part());
    saveField(path("one.vti"), "u", one->field());
    const auto text = difference(*readWith<vtkXMLPImageDataReader>(path("u.pvti")),
                                 *readWith<vtkXMLImageDataReader>(path("one.vti")));
    QVERIFY2(text.empty(), text.c_str());
}

void FieldPiecesTest::piecesFit()
{
    Random random(2);
    for (int count : {1, 2, 3, 4}) {
        // 3 rows: of 3 slabs one row each, the last without a piece of its own; of 4 ranks one
        // idle.
        for (std::size_t layers : {3, 4, 9}) {
            for (int dimension : {2, 3}) {
                for (auto precision : {Precision::float32, Precision::float64}) {
                    const auto problem = iterationProblem(
                        random, dimension,
                        {8, dimension == 2 ? layers : 5, dimension == 2 ? 1 : layers}, allNeumann,
                        0);
                    const auto text =
                        differenceFromOne(count, [&](const ExecutionContext &context) {
                            return makePoissonStepper(problem, with("red-black", precision),
                                                      context);
                        });
                    QVERIFY2(text.empty(), text.c_str());
                }
            }
        }
    }
}

void FieldPiecesTest::piecesOfTimesFit()
{
    const auto problem = ballInCube(11, false);
    const auto text = differenceFromOne(
        3,
        [&](const ExecutionContext &context) {
            return makePmmStepper(problem, Precision::float64, {}, context);
        },
        4);
    QVERIFY2(text.empty(), text.c_str());
}

void FieldPiecesTest::anErrorIsOneOfAll()
{
    Random random(3);
    const auto problem = iterationProblem(random, 2, {9, 7, 1}, mixed, 0);
    const auto meeting = std::make_shared<ThreadRanksMeeting>(2);
    std::vector<std::string> errors(2);
    Crew(2).run([&](std::size_t i) {
        const auto ranks = std::make_shared<ThreadRanks>(meeting, static_cast<int>(i));
        const auto stepper = makePoissonStepper(problem, with("tuned"),
                                                ExecutionContext(CpuDevice{1}).withRanks(ranks));
        try {
            saveFieldPieces(path("nowhere/u.pvti"), "u", stepper->part());
        } catch (const Error &error) {
            errors[i] = error.what();
        }
    });
    QVERIFY2(errors[0].find("nowhere") != std::string::npos, errors[0].c_str());
    QCOMPARE(errors[1], errors[0]);
}

GRIDHELM_TEST(FieldPiecesTest)
#include "tst_field_pieces.moc"
