// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study whose body depends on a parameter, in the window: what is shown and what is probed is
// where the body is.
#include "data/mesh/mesh_motion.h"
#include "data/study/geometry_fields.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/probe/probe_panel.h"

#include <vtkCamera.h>

#include <cmath>
#include <functional>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr std::size_t side = 33, nodes = side * side;

/// One parameter, "r" in [0.1, 0.4] with both ends, and a field "p", beside `body`: values of every
/// node at r.
std::filesystem::path makeBodyStudy(const Folder &folder, const data::Mesh &mesh,
                                    const data::Field &body,
                                    const std::function<std::vector<float>(double r)> &valuesOfBody)
{
    const auto path = folder / "body.gridhelm";
    Parameter r{"r", "", 0.1, 0.4};
    r.treatment = sparse::BoundaryTreatment::boundary;
    auto writer = data::StudyWriter::create(
        path, {"body", data::StudyKind::vector, ParameterSpace({r}), 3, ""});
    writer.setMesh(mesh);
    const auto p = writer.addField({"p", "", 1, data::Association::point, nodes});
    const auto of = writer.addField(body);
    std::vector<float> x(nodes);
    for (std::size_t i = 0; i < nodes; ++i)
        x[i] = static_cast<float>(i % side) / (side - 1);
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (const auto point : job.points) {
            writer.putSnapshot(point, p, x);
            writer.putSnapshot(
                point, of,
                valuesOfBody(writer.description().space.valuesAt(*writer.grid(), point)[0]));
        }
        writer.finishJob(job.id, "");
    }
    compress(writer, {});
    writer.close();
    return path;
}

data::Mesh square()
{
    return data::encodeImageMesh({{side, side, 1}, {0, 0, 0}, {1.0 / 32, 1.0 / 32, 1}});
}

/// A circular hole of radius r in the middle.
std::filesystem::path makeHoleStudy(const Folder &folder)
{
    return makeBodyStudy(
        folder, square(),
        {std::string(data::distanceField), "", 1, data::Association::point, nodes}, [](double r) {
            std::vector<float> distance(nodes);
            for (std::size_t i = 0; i < nodes; ++i) {
                const auto row = i / side;
                distance[i] =
                    static_cast<float>(std::hypot(static_cast<double>(i % side) / 32 - 0.5,
                                                  static_cast<double>(row) / 32 - 0.5)
                                       - r);
            }
            return distance;
        });
}

class BodyWindow : public OpenWindow
{
public:
    using OpenWindow::OpenWindow;

    SceneWidget &view() { return *window->view().sceneWidget(); }
    const std::shared_ptr<const ProbeAnswer> &answer() { return window->probePanel().answer(); }

    /// Pixels of a place in the plane, which is seen straight.
    QPointF pixelOf(double x, double y)
    {
        const QRectF area = view().fieldArea();
        auto &camera = *view().scene().fieldRenderer()->GetActiveCamera();
        const double scale = area.height() / (2 * camera.GetParallelScale());
        return {area.center().x() + (x - camera.GetFocalPoint()[0]) * scale,
                area.center().y() - (y - camera.GetFocalPoint()[1]) * scale};
    }
    bool steer(double r)
    {
        model().setParameter(0, r, false);
        return waitForFrame();
    }
    bool click(double x, double y)
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, pixelOf(x, y).toPoint());
        return QTest::qWaitFor(
            [this] {
                return window->probePanel().isSettled() && answer()
                       && answer()->question.parameters == model().now().parameters;
            },
            waitMilliseconds);
    }
};

} // namespace

class BodyWindowTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void holesAreSeenAndProbed();
    void linesThroughHolesHaveGaps();
    void nodesMoveAndAreProbedWhereTheyAre();
};

void BodyWindowTest::holesAreSeenAndProbed()
{
    const Folder folder;
    BodyWindow open(makeHoleStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(open.steer(0.2));
    const auto isWhite = [&](double x, double y) {
        const QColor seen = open.view().picture().pixelColor(open.pixelOf(x, y).toPoint());
        return seen.lightness() > 245;
    };
    QVERIFY(isWhite(0.5, 0.5));
    QVERIFY(isWhite(0.5, 0.67));
    QVERIFY(!isWhite(0.5, 0.75));
    QVERIFY(!open.view().pick(open.pixelOf(0.5, 0.5))); // there is nothing to click at

    QVERIFY(open.click(0.5, 0.75));
    QVERIFY(std::abs(open.answer()->value - 0.5F) < 0.02F);
    // Along r the place is swallowed by the hole.
    const auto &curve = open.answer()->curves.at(0);
    const auto node = open.answer()->fields[0]->entity.place;
    const double away = std::hypot(node[0] - 0.5, node[1] - 0.5);
    for (std::size_t i = 0; i < curve.at.size(); ++i)
        if (std::abs(curve.at[i] - away) > 1e-4)
            QCOMPARE(std::isnan(curve.values[i]), curve.at[i] > away);
    QVERIFY(std::isnan(curve.values.back()) && !std::isnan(curve.values.front()));

    QVERIFY(open.steer(0.35));
    QVERIFY(QTest::qWaitFor([&] { return std::isnan(open.answer()->value); }, waitMilliseconds));
    QVERIFY(isWhite(0.5, 0.75));
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void BodyWindowTest::linesThroughHolesHaveGaps()
{
    const Folder folder;
    BodyWindow open(makeHoleStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(open.steer(0.2));
    const auto from = open.pixelOf(0.1, 0.5).toPoint(), to = open.pixelOf(0.9, 0.5).toPoint();
    QTest::mousePress(&open.view(), Qt::LeftButton, Qt::AltModifier, from);
    QTest::mouseMove(&open.view(), (from + to) / 2);
    QTest::mouseMove(&open.view(), to);
    QTest::mouseRelease(&open.view(), Qt::LeftButton, Qt::AltModifier, to);
    QVERIFY(
        QTest::qWaitFor([&] { return open.answer() && open.answer()->line; }, waitMilliseconds));
    const auto &line = *open.answer()->line;
    for (std::size_t i = 0; i < line.places.size(); ++i) {
        const double away = std::abs(line.places[i][0] - 0.5);
        if (std::abs(away - 0.2) > 0.02)
            QCOMPARE(std::isnan(line.values[i]), away < 0.2);
    }
}

void BodyWindowTest::nodesMoveAndAreProbedWhereTheyAre()
{
    const Folder folder;
    // The square is 10 r wide.
    BodyWindow open(makeBodyStudy(
        folder, data::movable(square()),
        {std::string(data::displacementField), "", 3, data::Association::point, nodes},
        [](double r) {
            std::vector<float> displacement(3 * nodes);
            for (std::size_t i = 0; i < nodes; ++i)
                displacement[3 * i] =
                    static_cast<float>((10 * r - 1) * static_cast<double>(i % side) / 32);
            return displacement;
        }));
    QVERIFY(open.isOpen());
    for (const double r : {0.2, 0.4, 0.15}) {
        QVERIFY(open.steer(r));
        for (const double share : {0.25, 0.5, 0.875}) {
            QVERIFY(open.click(10 * r * share, 0.5));
            const auto number = open.answer()->fields[0]->entity.number;
            QCOMPARE(number % side, static_cast<std::uint64_t>(std::lround(share * 32)));
            QVERIFY(std::abs(open.answer()->value - static_cast<float>(share)) < 0.02F);
        }
    }
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

GRIDHELM_SCREEN_TEST(BodyWindowTest)

#include "tst_body_window.moc"
