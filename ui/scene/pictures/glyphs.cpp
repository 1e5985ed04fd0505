// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrows along a vector field.
#include "ui/scene/geometry/spread_places.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/vector_picture.h"

#include <vtkArrowSource.h>
#include <vtkFloatArray.h>
#include <vtkGlyph3D.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

/// Arrows at evenly spread points (or cells): direction and length are those of the vector there.
/// The arrow's middle is at the place. Where the vector is 0, or no number, there is none.
class Glyphs : public VectorPicture
{
public:
    /// About ViewSettings::glyphCount arrows; the longest has glyphScale times the distance between
    /// two.
    Glyphs(const PictureSource &source, data::Association association,
           const ViewSettings &settings);

    Pieces pieces() const override { return {static_cast<int>(m_spread.places.size()), 300}; }

private:
    void setValues(const VectorValues &values) override;

    MeshShape m_shape;
    SpreadPlaces m_spread;
    double m_length;
    vtkSmartPointer<vtkPolyData> m_places;
    vtkSmartPointer<vtkFloatArray> m_vectors, m_shown;
    vtkSmartPointer<vtkGlyph3D> m_arrows;
};

Glyphs::Glyphs(const PictureSource &source, data::Association association,
               const ViewSettings &settings)
    : m_shape(source.shape)
    , m_spread(spreadOver(source.mesh, source.shape, association, settings.glyphCount))
    , m_length(settings.glyphScale * m_spread.distance)
    , m_places(vtkSmartPointer<vtkPolyData>::New())
    , m_vectors(vtkSmartPointer<vtkFloatArray>::New())
    , m_shown(vtkSmartPointer<vtkFloatArray>::New())
    , m_arrows(vtkSmartPointer<vtkGlyph3D>::New())
{
    m_vectors->SetNumberOfComponents(3);
    m_vectors->SetName("arrow");
    m_shown->SetName("shown");
    vtkNew<vtkPoints> points;
    m_places->SetPoints(points);
    m_places->GetPointData()->SetVectors(m_vectors);
    m_places->GetPointData()->SetScalars(m_shown);

    vtkNew<vtkArrowSource> arrow;
    arrow->SetArrowOriginToCenter();
    arrow->SetTipResolution(10);
    arrow->SetShaftResolution(6);
    arrow->SetTipLength(0.4);
    arrow->SetTipRadius(0.18);
    arrow->SetShaftRadius(0.07);
    m_arrows->SetSourceConnection(arrow->GetOutputPort());
    places().SetInputData(m_places);
    m_arrows->SetInputConnection(places().GetOutputPort());
    m_arrows->SetVectorModeToUseVector();
    m_arrows->SetScaleModeToScaleByVector();
    m_arrows->SetColorModeToColorByScalar();
    m_arrows->OrientOn();
    m_arrows->SetScaleFactor(1);
    m_parts.isLit = !m_shape.flat;
    finish(*m_arrows, source);
}

void Glyphs::setValues(const VectorValues &values)
{
    auto &points = *m_places->GetPoints();
    points.Reset();
    m_vectors->Reset();
    m_shown->Reset();
    for (std::size_t i = 0; i < m_spread.entities.size(); ++i) {
        const auto entity = static_cast<std::size_t>(m_spread.entities[i]);
        auto vector = vectorAt(values, entity, m_shape);
        for (double &x : vector)
            x *= m_length / values.longest;
        // Shorter ones could not be seen, and have no direction that could be computed.
        if (!(std::hypot(vector[0], vector[1], vector[2]) > 1e-4 * m_length))
            continue;
        points.InsertNextPoint(m_spread.places[i].data());
        m_vectors->InsertNextTuple(vector.data());
        m_shown->InsertNextValue(values.shown[entity]);
    }
    points.Modified();
    m_vectors->Modified();
    m_shown->Modified();
    m_places->Modified();
}

constinit const PictureOption countOption{
    .key = "glyphs",
    .help = "About so many arrows, spread evenly",
    .placeholder = "N",
    .type = PictureOption::Type::whole,
    .name = "Arrows",
    .step = "arrows",
    .low = 10,
    .high = 5000,
    .isLogarithmic = true,
    .least = 1,
    .most = maxGlyphs,
    .refusal = "a picture has {0} to {1} glyphs; choose a number between them",
    .get = [](const ViewSettings &settings) { return static_cast<double>(settings.glyphCount); },
    .set = [](ViewSettings &settings,
              double value) { settings.glyphCount = static_cast<int>(value); },
};
constinit const PictureOption scaleOption{
    .key = "glyph-scale",
    .help = "Length of the longest arrow, in distances between arrows",
    .placeholder = "X",
    .name = "Length",
    .step = "length of arrows",
    .low = 0.2,
    .high = 5,
    .isLogarithmic = true,
    .least = aboveZero,
    .most = maxGlyphScale,
    .refusal = "the length of glyphs must be above 0 and at most {1}",
    .get = [](const ViewSettings &settings) { return settings.glyphScale; },
    .set = [](ViewSettings &settings, double value) { settings.glyphScale = value; },
};
constexpr std::array glyphsOptions{&countOption, &scaleOption};

} // namespace

constinit const PictureKind glyphsKind{
    .id = "glyphs",
    .name = "glyphs",
    .summary = "arrows along a vector field (--glyphs, --glyph-scale)",
    .options = glyphsOptions,
    .unavailableReason = [](bool,
                            const data::Field &field) { return needsVectors("Glyphs", field); },
    .make = [](const PictureSource &source, const data::Field &field,
               const ViewSettings &settings) -> std::unique_ptr<FieldPicture> {
        return std::make_unique<Glyphs>(source, field.association, settings);
    },
};

} // namespace gridhelm::ui
