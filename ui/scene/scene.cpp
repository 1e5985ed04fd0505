// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene.h"

#include "core/support/error.h"
#include "ui/scene/camera/places_in_sight.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/drawing/opengl_renderer.h"
#include "ui/scene/low_confidence.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/warp_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

ViewDirection directionOf(const FieldPicture &picture, const MeshShape &shape,
                          const ViewSettings &settings)
{
    const auto &parts = picture.parts();
    const bool straight = settings.projection == Projection::automatic
                              ? shape.flat && !parts.isRaised
                              : settings.projection == Projection::straight;
    if (shape.flat)
        return {straight, shape.normal};
    return {straight, straight ? parts.facing.value_or(Axis::z) : Axis::z};
}

/// `shape`: null where it does not matter yet.
void requireSensibleSettings(const ViewSettings &settings, const MeshShape *shape)
{
    if (settings.range
        && !(std::isfinite(settings.range->low) && std::isfinite(settings.range->high)
             && settings.range->low < settings.range->high))
        throw Error("the range of the colours is empty; give two numbers, the lower one first");
    if (settings.range && settings.scale == Scale::logarithmic && settings.range->low <= 0)
        throw Error("a logarithmic scale cannot begin at 0 or below; give a range above 0");
    if (const int bands = settings.colours.bands;
        bands != 0 && (bands < 2 || bands > ColourScheme::maxBands))
        throw Error("there cannot be " + std::to_string(bands)
                    + " bands of colours; choose 2 to 64, or 0 for colours without steps");
    if (!(settings.lowConfidenceAbove > 0 && std::isfinite(settings.lowConfidenceAbove)))
        throw Error(
            "the share of the range above which the field has low confidence must be above 0");
    for (const auto *option : allPictureOptions())
        requirePossible(*option, settings);
    for (const auto *kind : pictureKinds)
        if (kind->requireSensible)
            kind->requireSensible(settings, shape);
}

/// Throws gridhelm::Error unless such a picture can show the field.
void requireAvailable(const ViewSettings &settings, const MeshShape &shape,
                      const data::Field &field)
{
    auto reason = unavailableReason(settings.kind, shape.flat, field);
    if (reason.empty())
        withPossibleOptions(settings, shape.flat, field, reason);
    if (!reason.empty())
        throw Error(reason);
}

/// Whether a picture with one of the settings can be one with the other: they differ in what is
/// live at most, and in colours and the like.
bool haveSameGeometry(const ViewSettings &one, const ViewSettings &other)
{
    auto like = other;
    like.component = one.component;
    like.colours = one.colours;
    like.range = one.range;
    like.scale = one.scale;
    like.levels = one.levels;
    like.markLowConfidence = one.markLowConfidence;
    like.lowConfidenceAbove = one.lowConfidenceAbove;
    like.edges = one.edges;
    like.outline = one.outline;
    like.dark = one.dark;
    like.projection = one.projection;
    for (const auto *option : allPictureOptions())
        if (option->isLive && option->type != PictureOption::Type::text)
            setValue(*option, valueOf(*option, one), like);
    return like == one;
}

ColourScale coloursFor(const ViewSettings &settings, const MeshShape &shape,
                       const std::optional<ValueRange> &ofValues)
{
    ColourScale colours;
    colours.colours = settings.colours;
    colours.scale = settings.scale;
    if (!settings.range && !ofValues)
        throw Error(settings.scale == Scale::logarithmic
                        ? "the field has no positive values, which a logarithmic scale needs; "
                          "choose a linear one"
                        : "the field has no value that is a number, so there is nothing to show");
    colours.range = settings.range ? *settings.range : roundedOutward(*ofValues, settings.scale);
    if (const auto steps = kindOf(settings.kind).colourSteps)
        colours.steps = steps(shape, settings, colours.range);
    return colours;
}

} // namespace

void Scene::setMesh(const data::Mesh &mesh)
{
    auto field = std::make_unique<FieldOnMesh>(mesh);
    m_stage.clear(std::move(m_picture));
    m_field = std::move(field);
    const auto box = m_field->shape().box();
    m_stage.setOutline(m_field->outline(), m_field->shape().flat ? nullptr : &box);
    m_budget.forget();
    m_camera.fitAnew();
    ++m_geometryNumber;
}

void Scene::setAxisNames(const AxisNames &names)
{
    if (names == m_axisNames)
        return;
    m_axisNames = names;
    m_axes.setNames(names);
    ++m_geometryNumber; // what only new values are painted on has other texts
}

const MeshShape &Scene::shape() const
{
    static const MeshShape none;
    return m_field ? m_field->shape() : none;
}

double Scene::heightOf(double value) const
{
    const auto &[low, high] = m_colours.range;
    return m_picture && high > low ? m_picture->height(m_view) * (value - low) / (high - low) : 0;
}

std::array<double, 3> Scene::warpOf(std::size_t point) const
{
    return m_field ? m_field->warpOf(point) : std::array<double, 3>{};
}

void Scene::setValues(const data::Field &field, std::span<const float> values,
                      const ValuesBeside &beside)
{
    if (!m_field)
        throw Error("there is no mesh yet on which the field " + field.name + " could be shown");
    const auto numbers = m_field->prepare(field, m_view.component, values);
    const auto range =
        rangeInBody(numbers, distanceOfEntities(field, beside.distance), m_view.scale);
    const auto colours = coloursFor(m_view, shape(), range);
    m_field->require(field, beside);
    requireAvailable(m_view, shape(), field); // before anything has changed
    const bool isInPlace = followsInPlace(field, beside);
    m_field->move(beside);
    if (!beside.displacement.empty())
        showBody();
    auto picture = isInPlace ? nullptr : makePicture(field, m_view);
    m_range = range;
    m_field->take(field, values, beside);
    showField();
    if (picture)
        showPicture(std::move(picture));
    applyStyle();
    applyColours(colours);
}

/// Whether the picture can show the field by new values alone.
bool Scene::followsInPlace(const data::Field &field, const ValuesBeside &beside) const
{
    const auto &body = m_field->body();
    const bool moves = !beside.displacement.empty();
    return m_picture && m_field->field().association == field.association
           && m_field->field().components == field.components
           && (!moves || m_picture->parts().followsMesh) && body.isMoved() == moves
           && body.hasHoles() == !beside.distance.empty();
}

std::unique_ptr<FieldPicture> Scene::makePicture(const data::Field &field,
                                                 const ViewSettings &settings)
{
    requireAvailable(settings, shape(), field);
    const PictureSource source{m_field->mesh(), m_field->surface(), m_field->shape(),
                               m_field->body(), m_field->sampling()};
    return kindOf(settings.kind).make(source, field, settings);
}

/// What VTK draws from, and where it draws it.
void Scene::showField()
{
    m_field->show(m_view.markLowConfidence);
    m_field->showWarp(warpFactor(m_view));
    std::array<double, 6> now{};
    if (const auto &box = m_field->warpedBox(); box.IsValid())
        box.GetBounds(now.data());
    if (now != m_warpFittedTo)
        m_camera.follow();
    m_warpFittedTo = now;
}

/// Its outline, and all of it in the picture, if the user has not moved the camera.
void Scene::showBody()
{
    const auto box = m_field->body().box();
    m_stage.setOutline(m_field->outline(), shape().flat ? nullptr : &box);
    std::array<double, 6> now{};
    box.GetBounds(now.data());
    if (now != m_fittedTo)
        m_camera.follow();
    m_fittedTo = now;
}

void Scene::setView(const ViewSettings &settings)
{
    const bool hasValues = m_field && m_field->hasValues();
    requireSensibleSettings(settings, m_field && !hasValues ? &shape() : nullptr);
    if (settings == m_view && m_picture)
        return;
    if (hasValues) {
        const auto &field = m_field->field();
        const auto numbers = m_field->prepare(field, settings.component, m_field->values());
        const auto range = rangeInBody(numbers, m_field->distance(), settings.scale);
        const auto colours = coloursFor(settings, shape(), range);
        const bool isOther = !m_picture || !haveSameGeometry(m_view, settings);
        auto picture = isOther ? makePicture(field, settings) : nullptr;
        m_view = settings;
        m_range = range;
        m_field->takePrepared();
        showField();
        if (picture)
            showPicture(std::move(picture));
        applyStyle();
        applyColours(colours);
    }
    m_view = settings;
    setBackground(m_background);
    m_axes.setInk(m_annotation.ink());
    m_stage.setInk(m_annotation.ink());
}

void Scene::showPicture(std::unique_ptr<FieldPicture> picture)
{
    auto last = std::exchange(m_picture, std::move(picture));
    m_stage.show(*m_picture, std::move(last));
    m_budget.begin();
    ++m_geometryNumber;
}

void Scene::applyStyle()
{
    m_stage.applyStyle(*m_picture, m_view, marksLowConfidence());
    m_camera.setDirection(directionOf(*m_picture, shape(), m_view));
    updateCaption();
}

void Scene::applyColours(const ColourScale &colours)
{
    m_colours = colours;
    m_annotation.setColours(colours);
    markBeyond();
    m_title = titleOf(m_field->field(), m_view.component);
    m_annotation.setTitle(m_view.scale == Scale::logarithmic ? m_title + ", logarithmic" : m_title);
    m_picture->show({m_field->field(), m_field->shown(), m_field->vectors(),
                     m_field->hasOwnVectors(), m_field->distance(), m_colours, m_view});
    m_stage.applyColours(
        *m_picture, m_colours,
        indicatorAt(m_view.lowConfidenceAbove * (colours.range.high - colours.range.low),
                    m_field->band()));
}

/// Whether values have the colours of the ends though they are beyond them: at the bar.
void Scene::markBeyond()
{
    constexpr double seen = 1.0 / 256; // of the bar
    const bool isBelow = m_range && placeOf(m_colours, m_range->low) < -seen;
    const bool isAbove = m_range && placeOf(m_colours, m_range->high) > 1 + seen;
    if (m_annotation.setBeyond(isBelow, isAbove))
        ++m_geometryNumber; // what only new values are painted on has no such mark
}

bool Scene::marksLowConfidence() const
{
    return m_view.markLowConfidence && m_field->hasIndicator()
           && canMarkLowConfidence(m_view.kind, shape());
}

void Scene::setCaption(const std::string &caption)
{
    m_caption = caption;
    updateCaption();
}

void Scene::updateCaption()
{
    auto text = m_caption;
    const auto add = [&text](const std::string &part) {
        if (!part.empty())
            text += (text.empty() ? "" : ", ") + part;
    };
    if (m_picture) {
        add(m_picture->caption());
        if (const double factor = warpFactor(m_view); factor != 0)
            add(fmt::format("warp factor {:.4g}", factor));
        if (marksLowConfidence())
            add(lowConfidenceText(100 * m_view.lowConfidenceAbove, m_field->band()));
    }
    m_annotation.setCaption(text);
}

std::optional<StillView> Scene::layOut(int width, int height, int dpi)
{
    m_fonts = Fonts::forWindow(width, height, dpi);
    const PixelBox before = m_fieldBox;
    PixelBox &field = m_fieldBox;
    field = m_annotation.layOut(width, height, dpi);
    if (m_camera.direction().straight) {
        const auto [left, bottom] = Axes::roomForFrame(m_fonts);
        field.left += left;
        field.width = std::max(field.width - left, 1.0);
        field.bottom += bottom;
        field.height = std::max(field.height - bottom, 1.0);
    }
    m_stage.renderer().SetViewport(field.left / width, field.bottom / height,
                                   (field.left + field.width) / width,
                                   (field.bottom + field.height) / height);
    if (field.width != before.width || field.height != before.height)
        m_camera.follow(); // the legend may need more room than before, or less
    if (!m_camera.isPlaced() && m_field) {
        const double above = m_picture ? m_picture->height(m_view) : 0;
        auto seen = m_field->shapeSeen().box(above);
        if (const auto &box = m_field->warpedBox(); box.IsValid())
            seen.AddBox(box);
        m_camera.place(seen, field.width / field.height);
    }
    if (!isStill())
        return std::nullopt;
    vtkCamera &camera = m_camera.camera();
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
bool Scene::isStill() const
{
    return m_picture && m_picture->parts().isStill && !marksLowConfidence();
}

PieceBudget::Sort Scene::sort() const
{
    return {m_view.kind, m_picture->opacity(m_view) < 1};
}

void Scene::prepare(int width, int height, int dpi)
{
    layOut(width, height, dpi);
    m_stage.setPixelsOfPoint(dpi / 72.0);
    m_stage.prepare(m_picture.get());
    if (m_picture)
        m_picture->setPace(m_pace, pixels(), openGl());
    const auto began = std::chrono::steady_clock::now();
    if (m_picture)
        m_picture->showEach(m_budget.thin(sort(), m_picture->pieces(), m_pace));
    m_stage.renderer().ResetCameraClippingRange(); // needs the geometry, and has it made
    m_budget.setPreparation(std::chrono::steady_clock::now() - began);
    if (!m_camera.direction().straight)
        m_axes.drawMarker(m_camera.camera(), m_fieldBox, m_fonts);
    else
        m_axes.drawFrame(m_field ? m_field->shapeNow() : shape(), m_camera.camera(), m_fieldBox,
                         m_fonts);
}

OpenGl Scene::openGl()
{
    if (!m_openGl)
        m_openGl = openGlOf(*m_stage.renderer().GetRenderWindow());
    return *m_openGl;
}

bool Scene::isCoarse() const
{
    return m_budget.isThinned() || (m_picture && m_picture->isCoarse());
}

bool Scene::wouldBeFiner(Pace pace) const
{
    if (!m_picture)
        return false;
    if (m_budget.isThinned())
        return m_budget.wouldDrawMore(sort(), m_picture->pieces(), pace);
    return m_picture->wouldBeFiner(pace, pixels());
}

double Scene::secondsWhenFull() const
{
    if (!m_picture)
        return 0;
    const auto pieces = m_picture->pieces();
    return pieces.all > 0 ? m_budget.secondsWhenFull(sort(), pieces)
                          : m_picture->secondsWhenFull(pixels());
}

void Scene::setFaces(Faces faces)
{
    m_annotation.showCaption(faces == Faces::byValue);
    m_stage.setFaces(faces, *m_picture, m_colours);
}

Scene::Surface Scene::surface() const
{
    const auto &parts = m_picture->parts();
    parts.faces->Update();
    Surface surface;
    surface.data = vtkPolyData::SafeDownCast(parts.faces->GetOutputDataObject(0));
    surface.isLit = parts.isLit;
    surface.isPerCell = parts.association == data::Association::cell;
    if (surface.data)
        surface.sources = m_picture->sourcesOf(*surface.data);
    return surface;
}

std::shared_ptr<const std::vector<std::uint32_t>> Scene::visible()
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
    if (!entities.empty() && 2 * entities.size() < shown().size()) // else it is not worth it
        m_visible = std::make_shared<const std::vector<std::uint32_t>>(std::move(entities));
    return m_visible;
}

void Scene::setVisibleValues(std::span<const float> values)
{
    const auto entities = visible();
    const auto components =
        m_field ? static_cast<std::size_t>(m_field->field().components) : std::size_t{1};
    if (!entities || values.size() != components * entities->size())
        throw Error("the values of what is visible of the field "
                    + (m_field ? m_field->field().name : std::string())
                    + " have another length than that");
    auto field = m_field->field();
    field.entities = entities->size();
    std::vector<float> numbers(entities->size());
    showComponent(field, m_view.component, values, numbers);
    const auto range = united(rangeInBody(numbers, {}, m_view.scale), m_range);
    const auto colours = coloursFor(m_view, shape(), range);
    m_field->takeSome(*entities, values, numbers);
    showField();
    applyColours(colours);
}

std::vector<std::uint32_t> Scene::inSight() const
{
    if (!m_field || !m_field->hasValues())
        return {};
    auto places = m_field->places();
    const auto normal = static_cast<std::size_t>(shape().normal);
    for (std::size_t i = 0; i < shown().size() && heightOf(range().high) != 0; ++i) // a relief
        places[3 * i + normal] += std::isfinite(shown()[i]) ? heightOf(shown()[i]) : 0;
    return placesInSight(m_camera.camera(), m_fieldBox.width / m_fieldBox.height, places);
}

void Scene::addTo(vtkRenderWindow &window)
{
    window.SetNumberOfLayers(3);
    window.AddRenderer(m_annotation.renderer());
    window.AddRenderer(fieldRenderer());
    window.AddRenderer(m_axes.renderer());
    m_budget.watch(&window);
}

void Scene::removeFrom(vtkRenderWindow &window)
{
    m_budget.watch(nullptr);
    for (auto *renderer : {m_annotation.renderer(), fieldRenderer(), m_axes.renderer()}) {
        renderer->ReleaseGraphicsResources(&window);
        window.RemoveRenderer(renderer);
    }
}

void Scene::setBackground(const std::optional<Colour> &colour)
{
    m_background = colour;
    ++m_geometryNumber;
    m_annotation.setDark(m_view.dark);
    if (colour)
        m_annotation.renderer()->SetBackground((*colour)[0] / 255.0, (*colour)[1] / 255.0,
                                               (*colour)[2] / 255.0);
}

} // namespace gridhelm::ui
