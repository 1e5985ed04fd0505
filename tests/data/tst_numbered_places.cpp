// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses on patches and regions that a field numbers, against integrals by hand.
#include "data/answers/numbered_place.h"
#include "data/answers/study_responses.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/place_samples.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Two boxes of 1 x 1 x 1 along x, and of the face x = 0 a square, as files of finite elements have
/// boundaries: cells of a lower dimension.
vtkSmartPointer<vtkDataSet> boxesWithFace()
{
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (int x = 0; x < 3; ++x)
        for (const auto &[y, z] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            points->InsertNextPoint(x, y, z);
    auto mesh = vtkSmartPointer<vtkUnstructuredGrid>::New();
    mesh->SetPoints(points);
    for (vtkIdType x = 0; x < 2; ++x) {
        std::array<vtkIdType, 8> corners{};
        std::iota(corners.begin(), corners.end(), 4 * x);
        mesh->InsertNextCell(VTK_HEXAHEDRON, 8, corners.data());
    }
    const std::array<vtkIdType, 4> face{0, 1, 2, 3};
    mesh->InsertNextCell(VTK_QUAD, 4, face.data());
    return mesh;
}

constexpr std::size_t nodes = 12, cells = 3;

using Values = std::vector<float>;

/// Of u: x + 10 y + a.
double valueAt(std::size_t node, double a)
{
    return static_cast<double>(node / 4) + (node % 4 == 1 || node % 4 == 2 ? 10 : 0) + a;
}

/// q the cell's number plus a; patch and zone do as they are told.
StudyWriter boxStudy(const std::filesystem::path &path,
                     const std::function<Values(double a)> &patch, const Values &zone)
{
    auto writer = StudyWriter::create(
        path, {"boxes", StudyKind::vector, ParameterSpace({Parameter{"a", "", 0, 1}}), 3, ""});
    writer.setMesh(encodeMesh(*boxesWithFace()));
    writer.addField({"u", "", 1, Association::point, nodes});
    writer.addField({"q", "", 1, Association::cell, cells});
    writer.addField({"patch", "", 1, Association::cell, cells});
    writer.addField({"zone", "", 1, Association::point, nodes});
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        auto transaction = writer.transaction();
        for (const auto point : job.points) {
            const double a = coordinatesOf(writer, point)[0];
            Values u, q;
            for (std::size_t i = 0; i < nodes; ++i)
                u.push_back(static_cast<float>(valueAt(i, a)));
            for (std::size_t c = 0; c < cells; ++c)
                q.push_back(static_cast<float>(static_cast<double>(c) + a));
            writer.putSnapshot(point, 0, u);
            writer.putSnapshot(point, 1, q);
            writer.putSnapshot(point, 2, patch(a));
            writer.putSnapshot(point, 3, zone);
        }
        writer.finishJob(job.id, "");
        transaction.commit();
    }
    compress(writer, {});
    return writer;
}

Values numbered(double)
{
    return {7, 7, 3};
}
const Values byX{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};

} // namespace

class NumberedPlacesTest : public QObject
{
    Q_OBJECT

private slots:
    void cellsAndTheirPointsAreThatPlace();
    void pointsAndTheCellsBetweenThemAreThatPlace();
    void itStaysLinear();
    void aFieldIsEvaluatedWhereItIsReduced();
    void whatIsNoNumberingIsRefused();

private:
    Folder m_folder;
};

void NumberedPlacesTest::cellsAndTheirPointsAreThatPlace()
{
    const auto study = boxStudy(m_folder / "cells.gridhelm", numbered, byX);
    const auto value = [&](const char *of, const char *reduce, const char *place) {
        return studyResponses(study, {{"r", "", of, reduce, place}}, samplesOf(study), onCpu(1))
            .front()
            .model->value(std::vector{0.5});
    };
    // The face: 1 x 1, u from 0.5 to 10.5. Nothing of the boxes behind it counts.
    QCOMPARE(value("u", "integral", "on patch=3"), 5.5);
    QCOMPARE(value("u", "mean", "on patch = 3"), 5.5);
    QCOMPARE(value("u", "maximum", "on patch=3"), 10.5);
    QCOMPARE(value("q", "integral", "on patch=3"), 2.5); // though it has no volume
    // The boxes: of volume 2, their nodes from x = 0 to 2.
    QCOMPARE(value("u", "integral", "on patch=7"), 13.0);
    QCOMPARE(value("q", "integral", "on patch=7"), 2.0);
    QCOMPARE(value("u", "integral", "on patch=7,3"), 13.0); // beside volumes a face has none
}

void NumberedPlacesTest::pointsAndTheCellsBetweenThemAreThatPlace()
{
    const auto study = boxStudy(m_folder / "points.gridhelm", numbered, byX);
    const auto value = [&](const char *of, const char *reduce, const char *place) {
        return studyResponses(study, {{"r", "", of, reduce, place}}, samplesOf(study), onCpu(1))
            .front()
            .model->value(std::vector{0.5});
    };
    QCOMPARE(value("u", "maximum", "on zone=0"), 10.5);
    QCOMPARE(value("u", "minimum", "on zone=1"), 1.5);
    // Around the nodes at x = 1 there is twice as much as around those at the end.
    QCOMPARE(value("u", "integral", "on zone=1"), 6.5 * 1 + 7.5 * 0.5);
    QCOMPARE(value("q", "integral", "on zone=1"), 1.5); // the second box
    QCOMPARE(value("q", "integral", "on zone=0"), 2.5); // the face
}

void NumberedPlacesTest::itStaysLinear()
{
    const auto study = boxStudy(m_folder / "linear.gridhelm", numbered, byX);
    const auto response = studyResponses(study, {{"r", "", "2 * u - 1", "mean", "on patch=3"}},
                                         samplesOf(study), onCpu(1))
                              .front();
    QVERIFY(response.way == ResponseWay::rows);
    for (const double a : {0.0, 0.3, 1.0})
        QVERIFY(std::abs(response.model->value(std::vector{a}) - (2 * (5 + a) - 1)) <= 1e-6);
}

/// A third of its nodes: the largest of |a - 5.3| and |4.7 + a|, which has a kink at 0.3.
void NumberedPlacesTest::aFieldIsEvaluatedWhereItIsReduced()
{
    auto study = boxStudy(m_folder / "reduced.gridhelm", numbered, byX);
    for (int i = 0; i < 20; ++i) {
        const double a = (i + 0.37) / 20;
        Values u;
        for (std::size_t node = 0; node < nodes; ++node)
            u.push_back(static_cast<float>(valueAt(node, a)));
        study.putHoldOut(study.addHoldOut(std::vector{a}), 0, u);
    }
    ResponseReading how;
    how.known = studyResponses(study, {{"r", "", "abs(u - 5.3)", "maximum", "on zone=0"}},
                               samplesOf(study), onCpu(1));
    const auto &response = how.known.front();
    QVERIFY(response.way == ResponseWay::field);
    for (const double a : {0.0, 0.21, 0.33, 0.8, 1.0})
        QVERIFY(std::abs(response.model->value(std::vector{a}) - std::max(5.3 - a, 4.7 + a))
                <= 1e-5);
    const ResponseOfState state(study, response.definition, samplesOf(study));
    QCOMPARE(state.entities(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    // Others share what this one holds in memory.
    const auto all = studyResponses(study, {{"all", "", "abs(u - 6.3)", "maximum", ""}},
                                    samplesOf(study), onCpu(1), how)
                         .front();
    QVERIFY(all.way == ResponseWay::field);
    QCOMPARE(all.loaded.at(0), response.loaded.at(0));
    for (const double a : {0.0, 0.4, 1.0})
        QVERIFY(std::abs(all.model->value(std::vector{a}) - std::max(6.3 - a, 5.7 + a)) <= 1e-5);
}

void NumberedPlacesTest::whatIsNoNumberingIsRefused()
{
    const auto study = boxStudy(m_folder / "refused.gridhelm", numbered, byX);
    const auto refusal = [](const Study &of, const char *place) {
        return refusalOf([&] {
            studyResponses(of, {{"r", "", "u", "mean", place}}, samplesOf(of), onCpu(1));
        });
    };
    const auto says = [&](const Study &of, const char *place, const char *what) {
        const auto sentence = refusal(of, place);
        if (sentence.find(what) == std::string::npos)
            qWarning("%s: %s", place, sentence.c_str());
        return sentence.find(what) != std::string::npos && sentence.starts_with("response r: ");
    };
    QVERIFY(says(study, "on patch=4", "choose from 3, 7"));
    QVERIFY(says(study, "on pach=3", "did you mean patch?"));
    QVERIFY(says(study, "on inlet", "\"on patch=3\""));
    QVERIFY(says(study, "on patch=", "whole number"));
    QVERIFY(says(study, "on patch=2.5", "whole number"));
    QVERIFY(says(study, "on u=3", "the value 0.5"));
    const auto moving = boxStudy(
        m_folder / "moving.gridhelm",
        [](double a) {
            return Values{7, a > 0.6 ? 3.0F : 7.0F, 3};
        },
        byX);
    QVERIFY(says(moving, "on patch=3", "same in all runs"));
    const auto broken = boxStudy(
        m_folder / "broken.gridhelm",
        [](double) {
            return Values{0.35F, 7, 3};
        },
        byX);
    QVERIFY(says(broken, "on patch=3", "0.35"));
}

GRIDHELM_TEST(NumberedPlacesTest)
#include "tst_numbered_places.moc"
