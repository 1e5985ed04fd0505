// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields on small meshes, drawn off the screen, and what colours their pictures have.
#pragma once

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/study/image_mesh.h"
#include "ui/scene/drawing/off_screen.h"

#include <vtkActor2DCollection.h>
#include <vtkCamera.h>
#include <vtkRenderWindow.h>
#include <vtkRendererCollection.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <QByteArray>
#include <QString>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace gridhelm::test {

using namespace gridhelm::ui;

inline constexpr int width = 480, height = 400;

using Function = std::function<float(double, double, double)>;

/// [0, 1]^2 or, with points in z, [0, 1]^3.
inline data::ImageMesh unitImage(std::size_t nx, std::size_t ny, std::size_t nz = 1)
{
    data::ImageMesh image{{nx, ny, nz}, {0, 0, 0}, {1, 1, 1}};
    for (std::size_t t = 0; t < 3; ++t)
        if (image.points[t] > 1)
            image.spacing[t] = 1.0 / static_cast<double>(image.points[t] - 1);
    return image;
}

inline std::vector<float> sample(const data::ImageMesh &image, const Function &f,
                                 bool atCells = false)
{
    std::vector<float> values;
    const double shift = atCells ? 0.5 : 0.0;
    const auto count = [&](std::size_t t) {
        return atCells && image.points[t] > 1 ? image.points[t] - 1 : image.points[t];
    };
    for (std::size_t k = 0; k < count(2); ++k)
        for (std::size_t j = 0; j < count(1); ++j)
            for (std::size_t i = 0; i < count(0); ++i)
                values.push_back(f((static_cast<double>(i) + shift) * image.spacing[0],
                                   (static_cast<double>(j) + shift) * image.spacing[1],
                                   (static_cast<double>(k) + shift) * image.spacing[2]));
    return values;
}

inline data::Field fieldOf(std::size_t entities, int components = 1,
                           data::Association association = data::Association::point)
{
    return {"velocity", "m/s", components, association, entities};
}

/// A scene, its window, and where a place in space is in the picture.
struct Drawn
{
    Scene scene;
    std::unique_ptr<OffScreenWindow> window;
    Image image;

    void show(const data::Mesh &mesh, const data::Field &field, const std::vector<float> &values,
              const ViewSettings &settings = {})
    {
        scene.setView(settings);
        scene.setMesh(mesh);
        scene.setValues(field, values);
        draw();
    }
    void show(const data::ImageMesh &mesh, const data::Field &field,
              const std::vector<float> &values, const ViewSettings &settings = {})
    {
        show(data::encodeImageMesh(mesh), field, values, settings);
    }
    void draw(int samples = 4)
    {
        if (!window)
            window = std::make_unique<OffScreenWindow>(scene, width, height);
        image = window->draw(samples);
    }
    /// For x to the right and y upwards, seen straight.
    Colour colourAt(double x, double y) const
    {
        auto &camera = *scene.fieldRenderer()->GetActiveCamera();
        const double *viewport = scene.fieldRenderer()->GetViewport();
        const double pixels =
            (viewport[3] - viewport[1]) * height / (2 * camera.GetParallelScale());
        const double column =
            0.5 * (viewport[0] + viewport[2]) * width + (x - camera.GetFocalPoint()[0]) * pixels;
        const double row = height - 0.5 * (viewport[1] + viewport[3]) * height
                           - (y - camera.GetFocalPoint()[1]) * pixels;
        return image.at(static_cast<int>(column), static_cast<int>(row));
    }
    /// The middle of the part where the field is.
    Colour middle() const
    {
        const double *viewport = scene.fieldRenderer()->GetViewport();
        return image.at(static_cast<int>(0.5 * (viewport[0] + viewport[2]) * width),
                        static_cast<int>(height - 0.5 * (viewport[1] + viewport[3]) * height));
    }
};

/// That stands at the axes of the picture, or in its corner, with its angle.
inline std::map<QString, double> textsAtAxes(Scene &scene)
{
    std::map<QString, double> texts;
    auto *all = scene.fieldRenderer()->GetRenderWindow()->GetRenderers();
    for (all->InitTraversal(); auto *renderer = all->GetNextItem();) {
        if (renderer->GetLayer() != 2)
            continue;
        auto *actors = renderer->GetActors2D();
        for (actors->InitTraversal(); auto *actor = actors->GetNextActor2D();) {
            auto *text = vtkTextActor::SafeDownCast(actor);
            if (text && text->GetVisibility() != 0)
                texts[text->GetInput()] = text->GetTextProperty()->GetOrientation();
        }
    }
    return texts;
}

inline bool isNear(const Colour &a, const Colour &b, int tolerance = 6)
{
    for (std::size_t part = 0; part < 3; ++part)
        if (std::abs(int(a[part]) - int(b[part])) > tolerance)
            return false;
    return true;
}

inline QByteArray text(const Colour &c)
{
    return QByteArray::number(c[0]) + "," + QByteArray::number(c[1]) + ","
           + QByteArray::number(c[2]);
}

#define COMPARE_COLOURS(actual, expected)                                                          \
    QVERIFY2(isNear(actual, expected), text(actual) + " instead of " + text(expected))

/// Lightness on a white background: less is more of a thing.
inline int sumOf(const Colour &c)
{
    return c[0] + c[1] + c[2];
}

inline constexpr ValueRange unitRange{0, 1};
inline constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();

inline ViewSettings viewOf(ViewKind kind)
{
    ViewSettings settings;
    settings.kind = kind;
    return settings;
}

/// The sentence with which a view is refused; empty if it is not.
inline QByteArray whyRefused(Drawn &drawn, const ViewSettings &settings)
{
    try {
        drawn.scene.setView(settings);
    } catch (const Error &problem) {
        return problem.what();
    }
    return {};
}

} // namespace gridhelm::test
