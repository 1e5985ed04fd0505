// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene.h"

#include "core/support/error.h"
#include "data/mesh/boundary_edges.h"
#include "data/mesh/mesh_codec.h"
#include "data/study/geometry_fields.h"
#include "ui/scene/annotation/annotation.h"
#include "ui/scene/annotation/axes.h"
#include "ui/scene/annotation/box_edges.h"
#include "ui/scene/annotation/outline.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/geometry/body.h"
#include "ui/scene/geometry/outer_surface.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/pictures/geometry.h"
#include "ui/scene/pictures/view_choice.h"
#include "ui/scene/stage/doubt_overlay.h"
#include "ui/scene/stage/sorted_blending.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkCoordinate.h>
#include <vtkFloatArray.h>
#include <vtkLight.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>
#include <vtkWeakPointer.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr float outlineWidth = 1.2F; // pixels

/// Which way the camera looks; it is fitted again when this changes.
struct Look
{
    bool straight = true;
    Axis axis = Axis::z; ///< seen along it if straight, else upwards

    bool operator==(const Look &) const = default;
};

Look lookOf(const MeshShape &shape, const ViewSettings &settings)
{
    const bool relief = shape.flat && settings.kind == ViewKind::surface;
    const bool straight = settings.projection == Projection::automatic
                              ? shape.flat && !relief
                              : settings.projection == Projection::straight;
    Axis axis = shape.flat ? shape.normal : Axis::z;
    if (straight && !shape.flat && settings.kind == ViewKind::slice && !settings.tilted)
        axis = settings.normal;
    return {straight, axis};
}

/// Distances are those of points: what lies on cells is not cut.
std::span<const float> ofPoints(const data::Field &field, std::span<const float> distance)
{
    return field.association == data::Association::point ? distance : std::span<const float>();
}

void requireSensible(const ViewSettings &settings)
{
    if (settings.range
        && !(std::isfinite(settings.range->low) && std::isfinite(settings.range->high)
             && settings.range->low < settings.range->high))
        throw Error("the range of the colours is empty; give two numbers, the lower one first");
    if (settings.range && settings.scale == Scale::logarithmic && settings.range->low <= 0)
        throw Error("a logarithmic scale cannot begin at 0 or below; give a range above 0");
    if (settings.levelCount < 1 || settings.levelCount > maxLevels
        || settings.levels.size() > static_cast<std::size_t>(maxLevels))
        throw Error(fmt::format("a contour view has 1 to {} levels; choose a number between them",
                                maxLevels));
    if (!(settings.opacity > 0 && settings.opacity <= 1))
        throw Error("the opacity must be above 0 and at most 1");
    if (!std::isfinite(settings.relief))
        throw Error("the height of the relief must be a number");
    if (!std::isfinite(settings.tilt.azimuth) || !std::isfinite(settings.tilt.elevation))
        throw Error("the angles of a slice must be numbers");
    if (settings.glyphCount < 1 || settings.glyphCount > maxGlyphs)
        throw Error(
            fmt::format("a picture has 1 to {} glyphs; choose a number between them", maxGlyphs));
    if (!(settings.glyphScale > 0 && settings.glyphScale <= maxGlyphScale))
        throw Error(
            fmt::format("the length of glyphs must be above 0 and at most {}", maxGlyphScale));
    if (settings.streamlineCount < 1 || settings.streamlineCount > maxStreamlines)
        throw Error(fmt::format("a picture has 1 to {} streamlines; choose a number between them",
                                maxStreamlines));
    if (!(settings.doubtfulAbove > 0 && std::isfinite(settings.doubtfulAbove)))
        throw Error("the share of the range above which places are doubtful must be above 0");
}

} // namespace

/// What is drawn, and from what.
class Scene::Parts
{
public:
    Parts();
    ~Parts() { measure(nullptr); }

    /// How long its pictures take; null: those of no window.
    void measure(vtkRenderWindow *window);
    void setMesh(const data::Mesh &encoded);
    void setValues(const data::Field &newField, std::span<const float> newValues,
                   const ValuesBeside &beside);
    MeshShape shapeNow() const;
    vtkBoundingBox box() const;
    void setView(const ViewSettings &newSettings);
    std::optional<StillView> layOut(int width, int height, int dpi);
    void prepare(int width, int height, int dpi);
    void setFaces(Faces faces);
    Surface surface() const;
    std::span<const float> shown() const { return m_shown; }
    std::shared_ptr<const std::vector<std::uint32_t>> visible();
    void setVisibleValues(std::span<const float> newValues);
    void updateCaption();
    std::optional<CameraPlace> camera() const;
    void lookFrom(Sight sight);
    void setPace(Pace pace) { m_pace = pace; }
    bool isCoarse() const;
    bool wouldBeFiner(Pace pace) const;
    double secondsWhenFull() const;
    void setBackground(const std::optional<Colour> &colour);

    vtkSmartPointer<vtkRenderer> renderer;
    Annotation annotation;
    Axes axes;
    ViewSettings settings;
    std::string caption;
    std::string title;
    ColourScale colours;
    MeshShape shape;
    bool mustFit = true;
    std::optional<CameraPlace> wantedCamera; ///< instead of fitting it

private:
    ColourScale colourScaleFor(std::optional<ValueRange> ofValues, const ViewSettings &view) const;
    MeshParts meshParts();
    void rebuild(Geometry newGeometry);
    void retireVolume();
    void applyStyle();
    void placeCamera(const PixelBox &field);
    void showBody();
    std::vector<float> shownInBody() const;
    void showVectors();
    bool showsDoubt() const;
    bool isStill() const;
    void applyColours(const ColourScale &scale);
    void showValues();
    double reliefHeight() const;
    int pieces() const;
    int eachAt(Pace pace) const;
    bool isTranslucent() const { return m_geometry.contour && !shape.flat && settings.opacity < 1; }
    std::pair<ViewKind, bool> drawnNow() const { return {settings.kind, isTranslucent()}; }
    void thin();

    vtkSmartPointer<vtkDataSet> m_mesh;
    std::unique_ptr<OuterSurface> m_surface;
    std::unique_ptr<Body> m_body; ///< of both

    data::Field m_field;
    std::vector<float> m_values;
    std::vector<float> m_vectors;   ///< if they are not m_values
    std::vector<float> m_shown;     ///< one number of each entity
    std::vector<float> m_spare;     ///< the next ones: fresh memory would take longer than they do
    std::vector<float> m_indicator; ///< its magnitude; empty: not known

    vtkSmartPointer<vtkFloatArray> m_onMesh; ///< m_shown, for VTK
    vtkSmartPointer<vtkFloatArray> m_doubtOnMesh;
    std::shared_ptr<const MeshSampling> m_sampling;
    Geometry m_geometry;
    std::vector<std::unique_ptr<Volume>> m_retired; ///< until the window is drawn again
    vtkSmartPointer<vtkLookupTable> m_table;
    std::optional<ColourScale> m_inTable;
    vtkSmartPointer<vtkPolyDataMapper> m_facesMapper, m_linesMapper, m_outlineMapper;
    vtkSmartPointer<vtkPolyData> m_allEdges; ///< of the outline
    vtkSmartPointer<vtkActor> m_faces, m_lines, m_outline;
    BoxEdges m_boxEdges;                             ///< around a volume
    vtkNew<vtkPolyDataMapper2D> m_edgesBeforeMapper; ///< over everything else
    vtkNew<vtkActor2D> m_edgesBefore;
    DoubtOverlay m_doubt;
    Look m_look;
    std::array<double, 6> m_fittedTo{}; ///< the box of a body that moves
    PixelBox m_fieldBox;                ///< in the window
    Fonts m_fonts;
    std::uint64_t m_geometryNumber = 0;
    std::optional<ValueRange> m_range; ///< of all values; none if it was not needed
    std::shared_ptr<const std::vector<std::uint32_t>> m_visible;
    std::uint64_t m_visibleOf = 0;       ///< geometry
    std::optional<Sight> m_sight;        ///< to look from when it is next fitted
    std::optional<CameraPlace> m_fitted; ///< where the scene itself has placed it
    std::optional<Colour> m_background;
    Pace m_pace = Pace::full;
    vtkWeakPointer<vtkRenderWindow> m_window;
    vtkNew<vtkCallbackCommand> m_onStart, m_onEnd; ///< of its drawing
    std::chrono::steady_clock::time_point m_began;
    std::vector<double> m_levels;
    int m_each = 1; ///< so-manieth of the pieces() is drawn
    /// Seconds of the last picture of this mesh, by what was drawn; translucent or not.
    std::map<std::pair<ViewKind, bool>, double> m_perPiece;
    std::chrono::duration<double> m_preparing{}; ///< for the next picture
    SortedBlending m_blending;
};

Scene::Parts::Parts()
    : renderer(vtkSmartPointer<vtkRenderer>::New())
    , m_onMesh(vtkSmartPointer<vtkFloatArray>::New())
    , m_doubtOnMesh(vtkSmartPointer<vtkFloatArray>::New())
    , m_table(vtkSmartPointer<vtkLookupTable>::New())
    , m_facesMapper(vtkSmartPointer<vtkPolyDataMapper>::New())
    , m_linesMapper(vtkSmartPointer<vtkPolyDataMapper>::New())
    , m_outlineMapper(vtkSmartPointer<vtkPolyDataMapper>::New())
    , m_faces(vtkSmartPointer<vtkActor>::New())
    , m_lines(vtkSmartPointer<vtkActor>::New())
    , m_outline(vtkSmartPointer<vtkActor>::New())
{
    m_onMesh->SetName("shown");
    m_doubtOnMesh->SetName(DoubtOverlay::arrayName);
    renderer->SetLayer(1);
    // One light from the eye, one from above its right shoulder: the three sides of a box that
    // are seen differ a little, and none is dark.
    renderer->RemoveAllLights();
    renderer->AutomaticLightCreationOff();
    vtkNew<vtkLight> fromEye, fromAbove;
    fromEye->SetLightTypeToHeadlight();
    fromEye->SetIntensity(0.6);
    fromAbove->SetLightTypeToCameraLight();
    fromAbove->SetPosition(0.5, 0.8, 1.0);
    fromAbove->SetFocalPoint(0, 0, 0);
    fromAbove->SetIntensity(0.5);
    renderer->AddLight(fromEye);
    renderer->AddLight(fromAbove);
    // Lines are drawn on faces that lie where they do.
    vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();

    m_facesMapper->SetLookupTable(m_table);
    m_facesMapper->UseLookupTableScalarRangeOn();
    m_facesMapper->InterpolateScalarsBeforeMappingOn();
    m_linesMapper->ScalarVisibilityOff();
    m_outlineMapper->ScalarVisibilityOff();
    m_faces->SetMapper(m_facesMapper);
    m_lines->SetMapper(m_linesMapper);
    m_outline->SetMapper(m_outlineMapper);
    for (const auto &actor : {m_lines, m_outline}) {
        actor->GetProperty()->LightingOff();
        actor->PickableOff();
    }
    for (const auto &actor : {m_faces, m_lines, m_outline}) {
        actor->VisibilityOff();
        renderer->AddActor(actor);
    }
    renderer->AddActor(&m_doubt.actor());
    vtkNew<vtkCoordinate> inMesh;
    inMesh->SetCoordinateSystemToWorld();
    m_edgesBeforeMapper->SetTransformCoordinate(inMesh);
    m_edgesBeforeMapper->SetInputData(&m_boxEdges.before());
    m_edgesBefore->SetMapper(m_edgesBeforeMapper);
    m_edgesBefore->VisibilityOff();
    renderer->AddViewProp(m_edgesBefore);

    using Clock = std::chrono::steady_clock;
    m_onStart->SetClientData(this);
    m_onStart->SetCallback([](vtkObject *, unsigned long, void *self, void *) {
        static_cast<Parts *>(self)->m_began = Clock::now();
    });
    m_onEnd->SetClientData(this);
    m_onEnd->SetCallback([](vtkObject *, unsigned long, void *self, void *) {
        auto &parts = *static_cast<Parts *>(self);
        if (parts.pieces() == 0)
            return;
        parts.m_window->WaitForCompletion(); // OpenGL draws later than it says
        const std::chrono::duration<double> took =
            Clock::now() - parts.m_began + std::exchange(parts.m_preparing, {});
        // From another side it may take longer again: what was long is forgotten slowly.
        auto &perPiece = parts.m_perPiece[parts.drawnNow()];
        perPiece = std::max(took.count() * parts.m_each / parts.pieces(), 0.8 * perPiece);
    });
}

void Scene::Parts::setMesh(const data::Mesh &encoded)
{
    auto mesh = data::decodeMesh(encoded);
    if (mesh->GetNumberOfCells() == 0)
        throw Error("the mesh has no cells, so there is nothing to draw; its points can be "
                    "exported instead");
    auto surface = std::make_unique<OuterSurface>(*mesh);
    m_mesh = mesh;
    shape = shapeOf(*mesh);
    m_surface = std::move(surface);
    m_body = std::make_unique<Body>(*m_mesh, *m_surface);
    m_allEdges = shape.flat ? data::boundaryEdges(*m_surface->polyData()) : linesOfBox(shape.box());
    if (!shape.flat)
        m_boxEdges.setBox(shape.box());
    m_field = {};
    m_values.clear();
    m_vectors.clear();
    m_shown.clear();
    m_indicator.clear();
    retireVolume();
    m_geometry = {};
    m_levels.clear();
    m_perPiece.clear();
    ++m_geometryNumber;
    m_sampling.reset();
    mustFit = true;
    wantedCamera.reset();
    m_sight.reset();
    for (const auto &actor : {m_faces, m_lines, m_outline})
        actor->VisibilityOff();
    m_edgesBefore->VisibilityOff();
    m_doubt.actor().VisibilityOff();
}

MeshParts Scene::Parts::meshParts()
{
    return {*m_mesh,    *m_surface->polyData(), shape,
            m_sampling, m_body->hasHoles(),     m_body->isMoved()};
}

void Scene::Parts::setValues(const data::Field &newField, std::span<const float> newValues,
                             const ValuesBeside &beside)
{
    if (!m_mesh)
        throw Error("there is no mesh yet on which the field " + newField.name + " could be shown");
    const bool atPoints = newField.association == data::Association::point;
    const auto entities = atPoints ? m_mesh->GetNumberOfPoints() : m_mesh->GetNumberOfCells();
    if (newField.entities != static_cast<std::uint64_t>(entities))
        throw Error("the field " + newField.name + " does not belong to this mesh");
    auto &numbers = m_spare;
    numbers.resize(newField.entities);
    showComponent(newField, settings.component, newValues, numbers);
    const auto range =
        settings.range ? std::nullopt
                       : rangeInBody(numbers, ofPoints(newField, beside.distance), settings.scale);
    const auto scale = colourScaleFor(range, settings);
    m_body->require(beside.displacement, beside.distance);
    for (const auto &values : {beside.vectors, beside.indicator})
        if (!values.empty() && values.size() != newField.values())
            throw Error("what comes with the field " + newField.name
                        + " has another length than its mesh");
    // Places of arrows and the like are found when they are made.
    const bool mustFollow =
        !beside.displacement.empty() && (m_geometry.vectors || m_geometry.volume);
    const bool sameKind = m_geometry.isMade() && !m_shown.empty()
                          && m_field.association == newField.association
                          && m_field.components == newField.components && !mustFollow
                          && m_body->isMoved() == !beside.displacement.empty()
                          && m_body->hasHoles() == !beside.distance.empty();
    if (const auto reason = whyNot(settings.kind, shape.flat, newField); !reason.empty())
        throw Error(reason); // before anything has changed
    m_body->set(beside.displacement, beside.distance);
    if (!beside.displacement.empty()) {
        m_sampling.reset();
        showBody();
    }
    Geometry geometry;
    if (!sameKind)
        geometry = makeGeometry(meshParts(), newField, settings);
    m_field = newField;
    m_range = range;
    m_values.assign(newValues.begin(), newValues.end());
    m_vectors.assign(beside.vectors.begin(), beside.vectors.end());
    m_indicator.resize(beside.indicator.empty() ? 0 : newField.entities);
    if (!m_indicator.empty())
        showComponent(newField, {}, beside.indicator, m_indicator);
    m_shown.swap(numbers);
    showValues();
    if (!sameKind)
        rebuild(std::move(geometry));
    applyStyle();
    applyColours(scale);
}

/// Its outline, and all of it in the picture, if the user has not moved the camera.
void Scene::Parts::showBody()
{
    m_allEdges =
        shape.flat ? data::boundaryEdges(*m_surface->polyData()) : linesOfBox(m_body->box());
    if (!shape.flat)
        m_boxEdges.setBox(m_body->box());
    if (m_outlineMapper->GetInput() && !m_geometry.volume)
        m_outlineMapper->SetInputData(m_allEdges);
    auto all = shape.box();
    all.AddBox(m_body->box());
    all.GetBounds(shape.bounds.data()); // slices, seeds and volumes are anywhere in there
    std::array<double, 6> now{};
    m_body->box().GetBounds(now.data());
    if (now != m_fittedTo && !camera())
        mustFit = true;
    m_fittedTo = now;
}

/// Where the mesh is in the present state.
MeshShape Scene::Parts::shapeNow() const
{
    auto now = shape;
    if (m_body && m_body->isMoved())
        m_mesh->GetBounds(now.bounds.data());
    return now;
}

/// What the camera has to see.
vtkBoundingBox Scene::Parts::box() const
{
    auto seen = shape;
    if (m_body && m_body->isMoved())
        m_body->box().GetBounds(seen.bounds.data());
    return seen.box(m_geometry.relief ? reliefHeight() : 0);
}

void Scene::Parts::setView(const ViewSettings &newSettings)
{
    requireSensible(newSettings);
    if (newSettings == settings && m_geometry.isMade())
        return;
    if (m_mesh && m_shown.empty() && !shape.flat && newSettings.kind == ViewKind::slice)
        slicePlane(shape, newSettings);
    if (!m_shown.empty()) {
        auto &numbers = m_spare;
        numbers.resize(m_field.entities);
        showComponent(m_field, newSettings.component, m_values, numbers);
        const auto range =
            newSettings.range
                ? std::nullopt
                : rangeInBody(numbers, ofPoints(m_field, m_body->distance()), newSettings.scale);
        const auto scale = colourScaleFor(range, newSettings);
        const bool isOther = !m_geometry.isMade() || !haveSameGeometry(settings, newSettings);
        Geometry geometry;
        if (isOther)
            geometry = makeGeometry(meshParts(), m_field, newSettings);
        settings = newSettings;
        m_range = range;
        m_shown.swap(numbers);
        showValues();
        if (isOther)
            rebuild(std::move(geometry));
        applyStyle();
        applyColours(scale);
    }
    settings = newSettings;
    setBackground(m_background);
    axes.setInk(annotation.ink());
    const auto &ink = annotation.ink();
    m_outline->GetProperty()->SetColor(ink[0], ink[1], ink[2]);
    m_edgesBefore->GetProperty()->SetColor(ink[0], ink[1], ink[2]);
}

ColourScale Scene::Parts::colourScaleFor(std::optional<ValueRange> ofValues,
                                         const ViewSettings &view) const
{
    ColourScale scale;
    scale.map = view.colours;
    scale.scale = view.scale;
    if (view.range) {
        scale.range = *view.range;
    } else {
        if (!ofValues)
            throw Error(view.scale == Scale::logarithmic
                            ? "the field has no positive values, which a logarithmic scale needs; "
                              "choose a linear one"
                            : "the field has no value that is a number, so there is nothing to "
                              "show");
        scale.range = roundedOutward(*ofValues, view.scale);
    }
    if (view.kind == ViewKind::contour && shape.flat) {
        scale.steps = view.levels.empty() ? evenLevels(scale.range, view.scale, view.levelCount)
                                          : view.levels;
        std::sort(scale.steps.begin(), scale.steps.end());
        std::erase_if(scale.steps, [&](double level) {
            return !(level > scale.range.low && level < scale.range.high);
        });
        if (scale.steps.empty())
            throw Error(fmt::format("none of the levels is in the range of the colours ({} .. {}); "
                                    "choose others",
                                    scale.range.low, scale.range.high));
    }
    return scale;
}

void Scene::Parts::showValues()
{
    m_onMesh->SetArray(m_shown.data(), static_cast<vtkIdType>(m_shown.size()), 1);
    m_onMesh->Modified();
    const bool atPoints = m_field.association == data::Association::point;
    m_mesh->GetPointData()->SetScalars(atPoints ? m_onMesh.Get() : nullptr);
    m_mesh->GetCellData()->SetScalars(atPoints ? nullptr : m_onMesh.Get());
    m_mesh->Modified();
    m_surface->setValues(m_shown, m_field.association);
    m_mesh->GetPointData()->RemoveArray(DoubtOverlay::arrayName);
    m_mesh->GetCellData()->RemoveArray(DoubtOverlay::arrayName);
    if (!settings.markDoubtful || m_indicator.empty())
        return;
    m_doubtOnMesh->SetArray(m_indicator.data(), static_cast<vtkIdType>(m_indicator.size()), 1);
    m_doubtOnMesh->Modified();
    if (atPoints)
        m_mesh->GetPointData()->AddArray(m_doubtOnMesh);
    else
        m_mesh->GetCellData()->AddArray(m_doubtOnMesh);
    m_surface->setBeside(DoubtOverlay::arrayName, m_indicator, m_field.association);
}

void Scene::Parts::rebuild(Geometry newGeometry)
{
    retireVolume();
    m_geometry = std::move(newGeometry);
    m_each = 1;
    ++m_geometryNumber;
    if (m_geometry.volume)
        renderer->AddVolume(&m_geometry.volume->prop());
    m_faces->SetVisibility(m_geometry.faces != nullptr);
    if (m_geometry.faces) {
        m_facesMapper->SetInputConnection(m_geometry.faces->GetOutputPort());
        if (m_geometry.association == data::Association::point)
            m_facesMapper->SetScalarModeToUsePointData();
        else
            m_facesMapper->SetScalarModeToUseCellData();
        m_doubt.setGeometry(m_geometry);
    }
    m_lines->SetVisibility(m_geometry.lines != nullptr);
    if (m_geometry.lines)
        m_linesMapper->SetInputConnection(m_geometry.lines->GetOutputPort());
}

/// It holds textures, which only the thread that draws can give back.
void Scene::Parts::retireVolume()
{
    if (!m_geometry.volume)
        return;
    m_geometry.volume->prop().VisibilityOff();
    m_retired.push_back(std::move(m_geometry.volume));
}

/// What the settings say of the actors, whatever their geometry is.
void Scene::Parts::applyStyle()
{
    auto &property = *m_faces->GetProperty();
    property.SetLighting(m_geometry.isLit);
    property.SetAmbient(m_geometry.isLit ? 0.5 : 0.0);
    property.SetDiffuse(m_geometry.isLit ? 0.55 : 1.0); // unlit: exactly the colours of the bar
    property.SetSpecular(0.0);
    const bool edges = settings.edges && !m_geometry.vectors;
    property.SetEdgeVisibility(edges);
    property.SetEdgeColor(0.25, 0.26, 0.28);
    property.SetLineWidth(edges ? 1.0F : 2.0F);
    const bool isosurfaces = settings.kind == ViewKind::contour && !shape.flat;
    property.SetOpacity(isosurfaces ? settings.opacity : 1.0);
    if (isTranslucent()) {
        m_blending.begin(*renderer);
        m_facesMapper->SetInputConnection(
            m_blending.sorted(*m_geometry.faces, *renderer).GetOutputPort());
    } else {
        SortedBlending::end(*renderer);
        if (isosurfaces)
            m_facesMapper->SetInputConnection(m_geometry.faces->GetOutputPort());
    }
    m_lines->GetProperty()->SetColor(0.12, 0.13, 0.15);
    m_lines->GetProperty()->SetLineWidth(1.3F);
    m_doubt.actor().SetVisibility(showsDoubt());

    const Look look = lookOf(shape, settings);
    mustFit = mustFit || look != m_look;
    m_look = look;

    m_outline->SetVisibility(settings.outline);
    m_outline->GetProperty()->SetLineWidth(outlineWidth);
    m_edgesBefore->GetProperty()->SetLineWidth(outlineWidth);
    m_edgesBefore->SetVisibility(settings.outline && m_geometry.volume);
    m_outlineMapper->SetInputData(m_geometry.volume ? &m_boxEdges.behind() : m_allEdges.Get());
    updateCaption();
}

bool Scene::Parts::showsDoubt() const
{
    const bool hasFaces = m_geometry.faces && !m_geometry.vectors;
    const bool isosurfaces = settings.kind == ViewKind::contour && !shape.flat;
    return settings.markDoubtful && !m_indicator.empty() && hasFaces && !isosurfaces;
}

void Scene::Parts::applyColours(const ColourScale &scale)
{
    if (scale != m_inTable) {
        fillTable(scale, *m_table);
        m_inTable = scale;
    }
    colours = scale;
    annotation.setColours(scale);
    title = titleOf(m_field, settings.component);
    annotation.setTitle(settings.scale == Scale::logarithmic ? title + ", logarithmic" : title);
    if (m_geometry.contour) {
        m_levels = scale.steps;
        if (m_levels.empty())
            m_levels = settings.levels.empty()
                           ? evenLevels(scale.range, scale.scale, settings.levelCount)
                           : settings.levels;
    }
    if (m_geometry.vectors)
        showVectors();
    if (m_geometry.volume) {
        if (m_body->hasHoles())
            m_geometry.volume->setValues(shownInBody(), scale);
        else
            m_geometry.volume->setValues(m_shown, scale);
        m_geometry.volume->setColours(scale, settings.opacity);
    }
    m_doubt.setThreshold(settings.doubtfulAbove * (scale.range.high - scale.range.low));
    m_outline->SetPosition(0, 0, 0);
    if (m_geometry.relief) {
        const double factor = reliefHeight() / (scale.range.high - scale.range.low);
        m_geometry.relief->SetScaleFactor(factor);
        // The lowest value lies in the mesh's plane.
        auto base = unitVector(shape.normal);
        for (double &x : base)
            x *= -factor * scale.range.low;
        m_faces->SetPosition(base.data());
        m_doubt.actor().SetPosition(base.data());
    } else {
        m_faces->SetPosition(0, 0, 0);
        m_doubt.actor().SetPosition(0, 0, 0);
    }
}

/// The values shown, without any outside of the body.
std::vector<float> Scene::Parts::shownInBody() const
{
    auto values = m_shown;
    data::fillOutside(ofPoints(m_field, m_body->distance()), values,
                      std::numeric_limits<float>::quiet_NaN());
    return values;
}

void Scene::Parts::showVectors()
{
    const auto &vectors = m_vectors.empty() ? m_values : m_vectors;
    // Where the colours say the magnitude, the longest arrow is that at the end of the bar.
    const bool isMagnitude = m_vectors.empty() && settings.component.index == Component::magnitude;
    const double longest = isMagnitude && colours.range.high > 0
                               ? colours.range.high
                               : longestOf(vectors, m_field.components);
    m_geometry.vectors->setValues(
        {m_shown, vectors, m_field.components, longest, ofPoints(m_field, m_body->distance())});
}

double Scene::Parts::reliefHeight() const
{
    return settings.relief * shape.longestSide();
}

void Scene::Parts::updateCaption()
{
    std::string text = caption;
    const auto add = [&text](const std::string &part) {
        text += (text.empty() ? "" : ", ") + part;
    };
    if (m_mesh && !shape.flat && settings.kind == ViewKind::slice)
        add(captionOf(slicePlane(shape, settings), settings));
    if (showsDoubt())
        add(fmt::format("dark: indicator above {:.3g} % of the range",
                        100 * settings.doubtfulAbove));
    annotation.setCaption(text);
}

std::optional<StillView> Scene::Parts::layOut(int width, int height, int dpi)
{
    m_fonts = Fonts::forWindow(width, height, dpi);
    PixelBox &field = m_fieldBox;
    field = annotation.layOut(width, height, dpi);
    if (m_look.straight) {
        const auto [left, bottom] = Axes::roomForFrame(m_fonts);
        field.left += left;
        field.width = std::max(field.width - left, 1.0);
        field.bottom += bottom;
        field.height = std::max(field.height - bottom, 1.0);
    }
    renderer->SetViewport(field.left / width, field.bottom / height,
                          (field.left + field.width) / width,
                          (field.bottom + field.height) / height);
    vtkCamera &camera = *renderer->GetActiveCamera();
    if (mustFit && m_mesh)
        placeCamera(field);
    if (!isStill())
        return std::nullopt;
    StillView view{{width, height, dpi}, field, {}, m_geometryNumber};
    camera.GetPosition(&view.camera[0]);
    camera.GetFocalPoint(&view.camera[3]);
    camera.GetViewUp(&view.camera[6]);
    view.camera[9] = camera.GetParallelProjection();
    view.camera[10] = camera.GetParallelScale();
    view.camera[11] = camera.GetViewAngle();
    return view;
}

/// Whether new values change nothing but colours.
bool Scene::Parts::isStill() const
{
    return m_geometry.isStill && !m_shown.empty() && !showsDoubt();
}

void Scene::Parts::prepare(int width, int height, int dpi)
{
    for (const auto &volume : std::exchange(m_retired, {}))
        renderer->RemoveVolume(&volume->prop());
    layOut(width, height, dpi);
    if (m_geometry.volume) {
        m_geometry.volume->setPace(m_pace, m_fieldBox.width * m_fieldBox.height);
        m_boxEdges.look(*renderer->GetActiveCamera());
    }
    const auto began = std::chrono::steady_clock::now();
    thin();
    renderer->ResetCameraClippingRange(); // needs the geometry, and has it made
    m_preparing = std::chrono::steady_clock::now() - began;
    vtkCamera &camera = *renderer->GetActiveCamera();
    if (m_look.straight)
        axes.drawFrame(shapeNow(), camera, m_fieldBox, m_fonts);
    else
        axes.drawMarker(camera, m_fieldBox, m_fonts);
}

void Scene::Parts::setFaces(Faces faces)
{
    annotation.showCaption(faces == Faces::byValue);
    m_faces->SetVisibility(m_geometry.faces && faces != Faces::hidden);
    if (faces == Faces::hidden)
        return;
    if (faces == Faces::byValue) {
        fillTable(colours, *m_table);
        return;
    }
    const double white = 255 * (m_geometry.isLit ? whiteOfLitFaces : 1.0);
    const auto part = static_cast<std::uint8_t>(faces == Faces::allWhite ? std::lround(white) : 0);
    fillTable(Colour{part, part, part}, *m_table);
}

std::shared_ptr<const std::vector<std::uint32_t>> Scene::Parts::visible()
{
    if (!isStill())
        return nullptr;
    if (m_visibleOf == m_geometryNumber)
        return m_visible;
    m_visibleOf = m_geometryNumber;
    m_visible.reset();
    std::vector<std::uint32_t> entities;
    for (const auto &source : surface().sources) {
        entities.push_back(source.first);
        entities.push_back(source.second);
    }
    std::ranges::sort(entities);
    entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
    if (!entities.empty() && 2 * entities.size() < m_shown.size()) // else it is not worth it
        m_visible = std::make_shared<const std::vector<std::uint32_t>>(std::move(entities));
    return m_visible;
}

void Scene::Parts::setVisibleValues(std::span<const float> newValues)
{
    const auto entities = visible();
    const auto components = static_cast<std::size_t>(m_field.components);
    if (!entities || newValues.size() != components * entities->size())
        throw Error("the values of what is visible of the field " + m_field.name
                    + " have another length than that");
    auto field = m_field;
    field.entities = entities->size();
    std::vector<float> numbers(entities->size());
    showComponent(field, settings.component, newValues, numbers);
    auto range = settings.range ? std::nullopt : rangeOf(numbers, settings.scale);
    if (m_range)
        range = range ? ValueRange{std::min(range->low, m_range->low),
                                   std::max(range->high, m_range->high)}
                      : *m_range;
    const auto scale = colourScaleFor(range, settings);
    for (std::size_t i = 0; i < entities->size(); ++i) {
        const std::size_t entity = (*entities)[i];
        m_shown[entity] = numbers[i];
        std::copy_n(newValues.begin() + static_cast<std::ptrdiff_t>(components * i), components,
                    m_values.begin() + static_cast<std::ptrdiff_t>(components * entity));
    }
    showValues();
    applyColours(scale);
}

Scene::Surface Scene::Parts::surface() const
{
    Surface surface;
    surface.isLit = m_geometry.isLit;
    surface.isPerCell = m_geometry.association == data::Association::cell;
    m_geometry.faces->Update();
    surface.data = vtkPolyData::SafeDownCast(m_geometry.faces->GetOutputDataObject(0));
    if (surface.data == m_surface->polyData())
        surface.sources = sourcesAt(m_surface->ids(m_geometry.association));
    else if (surface.data && !surface.isPerCell && !settings.tilted)
        surface.sources = sourcesOfSlice(*m_mesh, *surface.data, settings.normal);
    return surface;
}

void Scene::Parts::placeCamera(const PixelBox &field)
{
    vtkCamera &camera = *renderer->GetActiveCamera();
    const auto sight = m_look.straight ? std::nullopt : std::exchange(m_sight, std::nullopt);
    if (m_look.straight)
        lookStraight(camera, m_look.axis);
    else if (sight)
        ui::lookFrom(camera, *sight);
    else
        lookOblique(camera, m_look.axis);
    fit(camera, box(), field.width / field.height);
    m_fitted = placeOf(camera);
    if (const auto place = std::exchange(wantedCamera, std::nullopt); place && place->isSound()) {
        moveTo(camera, *place);
        m_fitted.reset();
    }
    if (sight) // chosen, so worth keeping
        m_fitted.reset();
    mustFit = false;
}

std::optional<CameraPlace> Scene::Parts::camera() const
{
    if (mustFit)
        return wantedCamera;
    auto place = placeOf(*renderer->GetActiveCamera());
    return place == m_fitted ? std::nullopt : std::optional(place);
}

void Scene::Parts::lookFrom(Sight sight)
{
    if (m_look.straight)
        throw Error("A flat field is seen straight from above and cannot be turned; show it as a "
                    "relief (the view surface) to look from another side");
    m_sight = sight;
    wantedCamera.reset();
    mustFit = true;
}

void Scene::Parts::measure(vtkRenderWindow *window)
{
    if (m_window) {
        m_window->RemoveObserver(m_onStart);
        m_window->RemoveObserver(m_onEnd);
    }
    m_window = window;
    if (!window)
        return;
    m_window->AddObserver(vtkCommand::StartEvent, m_onStart);
    m_window->AddObserver(vtkCommand::EndEvent, m_onEnd);
}

/// Isosurfaces, arrows, or streamlines.
int Scene::Parts::pieces() const
{
    if (m_geometry.vectors)
        return m_geometry.vectors->count().all;
    return m_geometry.contour && !shape.flat ? static_cast<int>(m_levels.size()) : 0;
}

/// Each so-manieth of the pieces() can be drawn at that pace.
int Scene::Parts::eachAt(Pace pace) const
{
    if (pace == Pace::full)
        return 1;
    constexpr int levelsAlways = 2; ///< while nobody knows how long it takes
    const int always = m_geometry.vectors ? m_geometry.vectors->count().always : levelsAlways;
    const double seconds = pace == Pace::patient ? 0.08 : 0.04;
    const auto perPiece = m_perPiece.find(drawnNow());
    const double possible = perPiece == m_perPiece.end() ? always : seconds / perPiece->second;
    int each = 1; // powers of 2, so that it does not change with every picture
    while (pieces() > possible * each && pieces() > each)
        each *= 2;
    return each;
}

void Scene::Parts::thin()
{
    m_each = pieces() > 0 ? eachAt(m_pace) : 1;
    if (m_geometry.vectors)
        m_geometry.vectors->showEach(m_each);
    if (!m_geometry.contour)
        return;
    auto &contour = *m_geometry.contour;
    const auto each = static_cast<std::size_t>(m_each);
    contour.SetNumberOfContours(static_cast<int>((m_levels.size() + each - 1) / each));
    for (std::size_t i = 0; i < m_levels.size(); i += each)
        contour.SetValue(static_cast<int>(i / each), m_levels[i]);
}

bool Scene::Parts::isCoarse() const
{
    return m_each > 1 || (m_geometry.volume && m_geometry.volume->pixelsPerRay() > 1);
}

bool Scene::Parts::wouldBeFiner(Pace pace) const
{
    if (m_each > 1)
        return eachAt(pace) < m_each;
    return m_geometry.volume
           && m_geometry.volume->pixelsPerRayAt(pace, m_fieldBox.width * m_fieldBox.height)
                  < m_geometry.volume->pixelsPerRay();
}

double Scene::Parts::secondsWhenFull() const
{
    if (m_geometry.volume)
        return m_geometry.volume->secondsWhenFull(m_fieldBox.width * m_fieldBox.height);
    const auto perPiece = m_perPiece.find(drawnNow());
    return perPiece == m_perPiece.end() ? 0 : perPiece->second * pieces();
}

void Scene::Parts::setBackground(const std::optional<Colour> &colour)
{
    m_background = colour;
    ++m_geometryNumber;
    annotation.setDark(settings.dark);
    if (colour)
        annotation.renderer()->SetBackground((*colour)[0] / 255.0, (*colour)[1] / 255.0,
                                             (*colour)[2] / 255.0);
}

Scene::Scene()
    : m_parts(std::make_unique<Parts>())
{
}

Scene::~Scene() = default;

void Scene::setMesh(const data::Mesh &mesh)
{
    m_parts->setMesh(mesh);
}

void Scene::setValues(const data::Field &field, std::span<const float> values,
                      const ValuesBeside &beside)
{
    m_parts->setValues(field, values, beside);
}

std::shared_ptr<const std::vector<std::uint32_t>> Scene::visible() const
{
    return m_parts->visible();
}

void Scene::setVisibleValues(std::span<const float> values)
{
    m_parts->setVisibleValues(values);
}

void Scene::setView(const ViewSettings &settings)
{
    m_parts->setView(settings);
}

const ViewSettings &Scene::view() const
{
    return m_parts->settings;
}

void Scene::setCaption(const std::string &caption)
{
    m_parts->caption = caption;
    m_parts->updateCaption();
}

const MeshShape &Scene::shape() const
{
    return m_parts->shape;
}

ValueRange Scene::range() const
{
    return m_parts->colours.range;
}

std::string Scene::title() const
{
    return m_parts->title;
}

void Scene::addTo(vtkRenderWindow &window)
{
    window.SetNumberOfLayers(3);
    window.AddRenderer(m_parts->annotation.renderer());
    window.AddRenderer(m_parts->renderer);
    window.AddRenderer(m_parts->axes.renderer());
    m_parts->measure(&window);
}

void Scene::removeFrom(vtkRenderWindow &window)
{
    m_parts->measure(nullptr);
    for (auto *renderer :
         {m_parts->annotation.renderer(), m_parts->renderer.Get(), m_parts->axes.renderer()}) {
        renderer->ReleaseGraphicsResources(&window);
        window.RemoveRenderer(renderer);
    }
}

vtkRenderer *Scene::fieldRenderer() const
{
    return m_parts->renderer;
}

void Scene::prepare(int width, int height, int dpi)
{
    m_parts->prepare(width, height, dpi);
}

void Scene::resetCamera()
{
    setCamera(std::nullopt);
}

bool Scene::isFitted() const
{
    return !m_parts->mustFit;
}

std::optional<CameraPlace> Scene::camera() const
{
    return m_parts->camera();
}

void Scene::setCamera(const std::optional<CameraPlace> &place)
{
    m_parts->wantedCamera = place;
    m_parts->mustFit = true;
}

std::optional<StillView> Scene::layOut(int width, int height, int dpi)
{
    return m_parts->layOut(width, height, dpi);
}

void Scene::setFaces(Faces faces)
{
    m_parts->setFaces(faces);
}

Scene::Surface Scene::surface() const
{
    return m_parts->surface();
}

std::span<const float> Scene::shown() const
{
    return m_parts->shown();
}

const ColourScale &Scene::colours() const
{
    return m_parts->colours;
}

const TextImage &Scene::captionImage() const
{
    return m_parts->annotation.captionImage();
}

const std::array<double, 3> &Scene::ink() const
{
    return m_parts->annotation.ink();
}

void Scene::lookFrom(Sight sight)
{
    m_parts->lookFrom(sight);
}

void Scene::setPace(Pace pace)
{
    m_parts->setPace(pace);
}

bool Scene::isCoarse() const
{
    return m_parts->isCoarse();
}

bool Scene::wouldBeFiner(Pace pace) const
{
    return m_parts->wouldBeFiner(pace);
}

double Scene::secondsWhenFull() const
{
    return m_parts->secondsWhenFull();
}

void Scene::setBackground(const std::optional<Colour> &colour)
{
    m_parts->setBackground(colour);
}

} // namespace gridhelm::ui
