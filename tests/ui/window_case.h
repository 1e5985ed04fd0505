// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window with a small study, driven by events as a user's.
#pragma once

#include "core/support/colour_map.h"
#include "data/study/image_mesh.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/number_field.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/viewer/scene_platform.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/steered_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include <memory>

namespace gridhelm::test {

constexpr std::size_t columns = 33, rows = 25;
constexpr int waitMilliseconds = 20000; ///< slow machines, instrumented builds

/// Two fields on an image of [0, 1] x [0, 0.75]: "u", a scalar, and "v" with two components. With
/// points in z, in 3D.
inline data::StudyWriter newStudy(const std::filesystem::path &path, int level = 4,
                                  std::size_t layers = 1)
{
    auto description = smallDescription(level);
    description.simulation.clear(); // nothing that a campaign could run
    auto writer = data::StudyWriter::create(path, description);
    data::ImageMesh image{{columns, rows, layers}, {0, 0, 0}, {1.0 / 32, 1.0 / 32, 1.0 / 32}};
    writer.setMesh(data::encodeImageMesh(image));
    writer.addField(smallField("u", columns * rows * layers));
    writer.addField(smallField("v", columns * rows * layers, 2));
    return writer;
}

inline std::filesystem::path makeStudy(const Folder &folder, int level = 4, std::size_t layers = 1)
{
    const auto path = folder / "small.gridhelm";
    auto writer = newStudy(path, level, layers);
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

/// What the library says that a field is there.
inline std::vector<float> fieldAt(const std::filesystem::path &path, data::FieldIndex field,
                                  const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    std::vector<float> values(study.fields().at(field).values());
    data::evaluateFromFile(study, field, study.description().space.toUnit(parameters), {values},
                           CpuDevice{});
    return values;
}

inline QPoint placeOnTrack(const ui::ValueTrack &track, double place)
{
    return track.handleAt(place).toPoint();
}

/// Where the picture of a flat view on the mesh of newStudy() has not the colours of these values
/// (one for each node); empty: nowhere.
inline QString wrongColours(ui::SteeredView &view, const std::vector<float> &values, ColourMap map)
{
    auto &widget = *view.sceneWidget();
    const auto picture = widget.picture();
    const auto range = view.scene().range();
    // Flat fields are seen straight: two places tell where all the others are.
    const QRectF area = widget.fieldArea();
    const double apart = 0.15 * std::min(area.width(), area.height());
    const QPointF one = area.center() - QPointF(apart, apart);
    const QPointF other = area.center() + QPointF(apart, apart);
    const auto atOne = widget.pick(one), atOther = widget.pick(other);
    if (!atOne || !atOther)
        return "there is no field in the middle of the picture";
    const auto pixelOf = [&](double x, double y) {
        const double s = (x - (*atOne)[0]) / ((*atOther)[0] - (*atOne)[0]);
        const double t = (y - (*atOne)[1]) / ((*atOther)[1] - (*atOne)[1]);
        return QPoint(static_cast<int>(one.x() + s * (other.x() - one.x())),
                      static_cast<int>(one.y() + t * (other.y() - one.y())));
    };
    for (std::size_t j = 1; j + 1 < rows; j += 3) {
        for (std::size_t i = 1; i + 1 < columns; i += 3) {
            const double value = values.at(j * columns + i);
            const auto wanted = colourOf(map, (value - range.low) / (range.high - range.low));
            const auto pixel = pixelOf(static_cast<double>(i) / 32, static_cast<double>(j) / 32);
            int difference = 1000; // of the best of its neighbours: places are rounded
            for (const QPoint by : {QPoint(0, 0), {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                const QColor seen = picture.pixelColor(pixel + by);
                difference = std::min(difference, std::abs(seen.red() - wanted[0])
                                                      + std::abs(seen.green() - wanted[1])
                                                      + std::abs(seen.blue() - wanted[2]));
            }
            if (difference >= 30)
                return QString("%1 off at node %2, %3").arg(difference).arg(i).arg(j);
        }
    }
    return {};
}

/// A window in which a study is open and shown.
class OpenWindow
{
public:
    explicit OpenWindow(const std::filesystem::path &path, int threads = 1)
        : window(std::make_unique<ui::MainWindow>(onCpu(threads)))
    {
        window->show();
        window->openFile(QString::fromStdString(path.string()));
        m_isOpen = waitForFrame();
    }

    bool isOpen() const { return m_isOpen; }

    /// As a user does.
    void press(const QKeySequence &keys)
    {
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get(), waitMilliseconds))
            qWarning("the window does not become active");
        QTest::keySequence(window.get(), keys);
    }

    /// Until the picture shows what the model says, exactly.
    bool waitForFrame()
    {
        return QTest::qWaitFor(
            [this] {
                const auto &frame = window->view().frame();
                const auto &now = window->model().now();
                return frame && frame->isExact && frame == m_shown
                       && frame->request.parameters == now.parameters
                       && frame->request.field == now.field && !frame->request.isDragging;
            },
            waitMilliseconds);
    }

    ui::ValueSlider &slider(std::size_t t) { return *window->steerPanel().sliders().at(t); }
    ui::SteeringModel &model() { return window->model(); }
    const ui::FieldFrame &frame() { return *window->view().frame(); }
    QStringList sentences() { return window->messages().sentences(); }

    std::unique_ptr<ui::MainWindow> window;

private:
    std::shared_ptr<const ui::FieldFrame> m_shown;
    QMetaObject::Connection m_following = QObject::connect(
        window.get(), &ui::MainWindow::frameShown, window.get(),
        [this](std::shared_ptr<const ui::FieldFrame> frame) { m_shown = std::move(frame); });
    bool m_isOpen = false;
};

inline QAction *action(ui::MainWindow &window, const QKeySequence &key)
{
    for (auto *candidate : window.findChildren<QAction *>()) {
        if (candidate->shortcut() == key)
            return candidate;
    }
    return nullptr;
}

inline QComboBox *box(ui::MainWindow &window, const QString &name)
{
    for (auto *candidate : window.findChildren<QComboBox *>()) {
        if (candidate->accessibleName() == name)
            return candidate;
    }
    return nullptr;
}

/// By keys, as a user without a mouse.
inline void choose(QComboBox &of, const QString &text)
{
    of.setFocus();
    const int wanted = of.findText(text);
    for (int steps = 0; of.currentIndex() != wanted && steps < of.count(); ++steps)
        QTest::keyClick(&of, of.currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

/// Of windows: without a screen all of it is skipped, and every function begins as a new user does.
class ScreenTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!ui::canShowScenes())
            QSKIP("this platform cannot show scenes");
    }
    void init() { QSettings().clear(); }
};

/// The main function of a test of windows; its settings are its own.
template <typename Test>
int runOnScreen(int argc, char **argv)
{
    ui::prepareForScenes();
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("Gridhelm");
    QCoreApplication::setApplicationName(Test::staticMetaObject.className());
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace gridhelm::test
