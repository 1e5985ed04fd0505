// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bands of colour between isolines on a flat mesh, isosurfaces in a solid one.
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gridhelm::ui {
namespace {

void setLevels(vtkContourFilter &contour, const std::vector<double> &levels, std::size_t each)
{
    contour.SetNumberOfContours(static_cast<int>((levels.size() + each - 1) / each));
    for (std::size_t i = 0; i < levels.size(); i += each)
        contour.SetValue(static_cast<int>(i / each), levels[i]);
}

class Bands : public FieldPicture
{
public:
    Bands(const PictureSource &source, data::Association association)
    {
        const auto atPoints = pointValuesOf(*source.surface.polyData(), association);
        m_contour = contourOf(*atPoints);
        m_parts.faces = atPoints;
        m_parts.lines = m_contour;
        cutHoles(m_parts, source.body);
        addWalls(m_parts, source);
    }

    void show(const PictureValues &values) override
    {
        setLevels(*m_contour, values.colours.steps, 1);
    }

private:
    vtkSmartPointer<vtkContourFilter> m_contour;
};

class Isosurfaces : public FieldPicture
{
public:
    Isosurfaces(const PictureSource &source, data::Association association)
        : m_contour(contourOf(*pointValuesOf(source.mesh, association)))
    {
        m_parts.faces = m_contour;
        m_parts.isLit = true;
        cutHoles(m_parts, source.body);
    }

    void show(const PictureValues &values) override
    {
        const auto &settings = values.settings;
        m_levels = settings.levels.empty()
                       ? evenLevels(values.colours.range, settings.scale, settings.levelCount)
                       : settings.levels;
    }
    double opacity(const ViewSettings &settings) const override { return settings.opacity; }
    Pieces pieces() const override { return {.all = static_cast<int>(m_levels.size())}; }
    void showEach(int number) override
    {
        setLevels(*m_contour, m_levels, static_cast<std::size_t>(number));
    }

private:
    vtkSmartPointer<vtkContourFilter> m_contour;
    std::vector<double> m_levels;
};

constinit const PictureOption levelCountOption{
    .key = "levels",
    .help = "Of a contour view: at most so many, at round values",
    .placeholder = "N",
    .type = PictureOption::Type::whole,
    .isLive = true,
    .least = 1,
    .most = maxLevels,
    .refusal = "a contour view has {0} to {1} levels; choose a number between them",
    .get = [](const ViewSettings &settings) { return static_cast<double>(settings.levelCount); },
    .set = [](ViewSettings &settings,
              double value) { settings.levelCount = static_cast<int>(value); },
    .defaultText = "9",
};

void parseLevels(std::string_view text, std::string_view what, ViewSettings &settings)
{
    parseReals(text, what, settings.levels);
}

constinit const PictureOption levelsOption{
    .key = "isovalues",
    .help = "Of a contour view: these values instead",
    .placeholder = "V,...",
    .type = PictureOption::Type::text,
    .isLive = true,
    .parse = parseLevels,
};
constexpr std::array options{&levelCountOption, &levelsOption, &opacityOption};

void requireSensible(const ViewSettings &settings, const MeshShape *)
{
    if (settings.levels.size() > static_cast<std::size_t>(maxLevels))
        throw Error(fmt::format("a contour view has 1 to {} levels; choose a number between them",
                                maxLevels));
}

std::vector<double> stepsOf(const MeshShape &shape, const ViewSettings &settings,
                            const ValueRange &range)
{
    if (!shape.flat)
        return {};
    auto steps = settings.levels.empty() ? evenLevels(range, settings.scale, settings.levelCount)
                                         : settings.levels;
    std::ranges::sort(steps);
    std::erase_if(steps, [&](double level) { return !(level > range.low && level < range.high); });
    if (steps.empty())
        throw Error(fmt::format("none of the levels is in the range of the colours ({} .. {}); "
                                "choose others",
                                range.low, range.high));
    return steps;
}

std::unique_ptr<FieldPicture> makeContour(const PictureSource &source, const data::Field &field,
                                          const ViewSettings &)
{
    if (source.shape.flat)
        return std::make_unique<Bands>(source, field.association);
    return std::make_unique<Isosurfaces>(source, field.association);
}

} // namespace

constinit const PictureKind contourKind{
    .id = "contour",
    .name = "contour",
    .summary = "flat meshes: bands between isolines; others: isosurfaces (--levels, --isovalues)",
    .options = options,
    .canMarkLowConfidence = [](const MeshShape &shape) { return shape.flat; },
    .requireSensible = requireSensible,
    .colourSteps = stepsOf,
    .make = makeContour,
};

} // namespace gridhelm::ui
