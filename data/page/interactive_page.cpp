// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/interactive_page.h"

#include "core/answers/sample_points.h"
#include "core/support/base64.h"
#include "core/support/bytes_text.h"
#include "core/support/colour_map.h"
#include "core/support/error.h"
#include "core/support/html_page.h"
#include "core/support/html_text.h"
#include "core/support/version.h"
#include "data/answers/stoppable_model.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/study_surrogate.h"
#include "data/page/packed_arrays.h"
#include "data/page/page_codes.h"
#include "data/page/page_rows.h"
#include "data/page/page_viewer.h"
#include "data/page/plan_authorship.h"
#include "data/page/surrogate_json.h"
#include "data/support/count_text.h"
#include "data/support/sha256.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

namespace gridhelm::data {

namespace {

using nlohmann::json;

constexpr double usualError = 1e-3;

/// Where numbers of points (or, one less along each axis, of cells) are alike.
std::vector<PackedArrays::Backs> neighboursOf(const PageMesh &mesh, std::size_t less = 0)
{
    std::vector<PackedArrays::Backs> all{{1}};
    if (!mesh.rowLength)
        return all;
    const auto row = mesh.rowLength - less;
    all.insert(all.end(), {{row}, {1, row}});
    if (mesh.grid)
        all.push_back({1, row, row * ((*mesh.grid)[1] - less)});
    return all;
}

/// Numbers that are held of a field at all points of its grid, or of all of its modes: 1.2 GB.
constexpr std::size_t mostNumbers = 300'000'000;

/// Places at which a page is measured, as many as memory allows: two fifths of them runs.
std::vector<std::vector<double>> measuredPlaces(const ParameterSpace &space,
                                                const std::vector<std::vector<double>> &runs,
                                                std::size_t columns)
{
    constexpr std::size_t most = 500, fewest = 30;
    const auto wanted =
        std::clamp(mostNumbers / 3 / std::max<std::size_t>(columns, 1), fewest, most);
    std::vector<std::vector<double>> places;
    const auto ofRuns = std::max<std::size_t>(1, 2 * wanted / 5);
    const auto step = std::max<std::size_t>(1, (runs.size() + ofRuns - 1) / ofRuns);
    for (std::size_t i = 0; i < runs.size(); i += step)
        places.push_back(runs[i]);
    const auto d = static_cast<std::size_t>(space.dimension());
    const auto others = answers::scrambledPoints(wanted - ofRuns, space.dimension(), 1);
    for (std::size_t i = 0; i < others.size(); i += d)
        places.emplace_back(others.begin() + static_cast<std::ptrdiff_t>(i),
                            others.begin() + static_cast<std::ptrdiff_t>(i + d));
    return places;
}

/// How many numbers are held for each value of a field: at all points of its grid, or of all modes.
std::size_t numbersPerValue(const StudyFields &fields, FieldIndex index)
{
    const auto &study = fields.study();
    const bool hasModes =
        study.description().kind == StudyKind::vector && fields.modes(index).has_value();
    return static_cast<std::size_t>(hasModes ? fields.modes(index)->modes()
                                             : study.grid()->points());
}

/// Of all runs, in the unit cube of `space`.
std::vector<std::vector<double>> runsOf(const Study &study, const ParameterSpace &space)
{
    std::set<std::vector<double>> runs;
    const auto &whole = study.description().space;
    if (study.description().design == StudyDesign::grid) {
        std::vector<double> x(static_cast<std::size_t>(whole.dimension()));
        const auto spatial = whole.spatial();
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            study.grid()->coordinates(point, x);
            std::vector<double> here;
            for (std::size_t t = 0; t < x.size(); ++t)
                if (std::ranges::find(spatial, t) == spatial.end())
                    here.push_back(x[t]);
            runs.insert(here);
        }
    }
    for (const auto &run : study.trainingRuns())
        runs.insert(space.toUnit(run.parameters));
    return {runs.begin(), runs.end()};
}

json parametersJson(const ParameterSpace &space, const std::vector<std::vector<double>> &runs)
{
    constexpr std::size_t mostMarks = 200;
    json parameters = json::array();
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        const auto &parameter = space[t];
        std::set<double> marks;
        for (const auto &run : runs)
            marks.insert(std::clamp(run[t], 0.0, 1.0));
        parameters.push_back({{"name", parameter.name},
                              {"unit", parameter.unit},
                              {"low", parameter.low},
                              {"high", parameter.high},
                              {"logarithmic", parameter.scale == ParameterScale::logarithmic},
                              {"time", parameter.kind == ParameterKind::timeLike},
                              {"marks", marks.size() > mostMarks ? std::set<double>() : marks}});
    }
    return parameters;
}

json meshJson(const PageMesh &mesh, bool hasCells, const Study &study, PackedArrays &arrays)
{
    const auto numbers = [&](const std::vector<std::uint32_t> &of, std::size_t corners) {
        const std::vector<PackedArrays::Backs> choices{{1}, {corners}, {2 * corners}, {corners, 1}};
        return arrays.add(std::vector<std::int32_t>(of.begin(), of.end()), choices);
    };
    json places = json::array();
    std::array<double, 3> middle{};
    double half = 0; // of the longest side
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = mesh.places[axis], high = low;
        for (std::size_t i = axis; i < mesh.places.size(); i += 3) {
            low = std::min(low, mesh.places[i]);
            high = std::max(high, mesh.places[i]);
        }
        middle[axis] = low + (high - low) / 2;
        half = std::max(half, (high - low) / 2);
    }
    // As fine along all axes.
    constexpr double codesOfHalf = 32000;
    const double step = std::max(half, 1e-300) / codesOfHalf;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::int32_t> codes;
        for (std::size_t i = axis; i < mesh.places.size(); i += 3)
            codes.push_back(
                static_cast<std::int32_t>(std::lround((mesh.places[i] - middle[axis]) / step)));
        places.push_back(arrays.add(codes, neighboursOf(mesh)));
    }
    const std::vector<std::uint32_t> none;
    std::array<std::string, 3> axes{"x", "y", "z"};
    const auto &space = study.description().space;
    const auto spatial = space.spatial();
    for (std::size_t k = 0; k < std::min<std::size_t>(3, spatial.size()); ++k)
        axes[k] = space[spatial[k]].name;
    return {{"count", mesh.points.size()},
            {"places", places},
            {"middle", middle},
            {"step", step},
            {"axes", axes},
            {"triangles", numbers(mesh.image ? none : mesh.triangles, 3)}, // which follow from it
            {"lines", numbers(mesh.lines, 2)},
            {"tetrahedra", numbers(mesh.tetrahedra, 4)},
            {"triangleCells", numbers(hasCells && !mesh.image ? mesh.triangleCells : none, 1)},
            {"lineCells", numbers(hasCells ? mesh.lineCells : none, 1)},
            {"tetrahedronCells", numbers(hasCells ? mesh.tetrahedronCells : none, 1)},
            {"grid", mesh.grid ? json(*mesh.grid) : json()},
            {"image", mesh.image ? json(*mesh.image) : json()},
            {"flat", mesh.isFlat}};
}

/// Of one field, read once; how few its bits are may be chosen again.
struct FieldSource
{
    FieldIndex index;
    PageRows rows;
    double error; ///< that may be added, as long as the page is not too large
};

/// To two digits, not below.
double roundedUp(double value)
{
    if (!(value > 0))
        return 0;
    const double digit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::ceil(value / digit) * digit;
}

json fieldJson(const Study &study, const PageMesh &mesh, const Field &field,
               const FieldSource &source, const PageCodes &codes, std::size_t places,
               PackedArrays &arrays)
{
    const auto components = static_cast<std::size_t>(field.components);
    const auto entities = source.rows.columns / components;
    const auto neighbours = neighboursOf(mesh, field.association == Association::cell ? 1 : 0);
    json coded = json::array();
    for (const auto &row : codes.codes) {
        json ofRow = json::array();
        for (std::size_t c = 0; c < components; ++c) {
            std::vector<std::int32_t> of(entities);
            for (std::size_t i = 0; i < entities; ++i)
                of[i] = row[i * components + c];
            ofRow.push_back(arrays.add(of, neighbours));
        }
        coded.push_back(ofRow);
    }
    std::vector<double> shares(source.rows.rows * codes.rows.size());
    for (std::size_t k = 0; k < codes.rows.size(); ++k)
        shares[codes.rows[k] * codes.rows.size() + k] = 1;
    // Norms of the page are over all points, those of bands over the body.
    const bool isJudged = !geometryFieldsOf(study.fields()).leaveOutside(source.index, field);
    json band;
    if (const auto found = bandOf(study, source.index); found && isJudged)
        band = {{"factor", found->band.factor},
                {"offset", found->band.offset},
                {"coverage", coverageText(found->band)}};
    const auto accuracy = accuracyOf(study, source.index);
    return {
        {"name", field.name},
        {"unit", field.unit},
        {"components", field.components},
        {"cells", field.association == Association::cell},
        {"offset", field.offset},
        {"scale", field.scale},
        {"entities", entities},
        {"ranges", codes.ranges},
        {"accuracy", accuracy ? accuracyText(*accuracy, field) + "."
                              : field.name + ": how far it may be off was not measured."},
        {"added", fmt::format("This page adds at most {:.2g} % to that (relative L2; {:.2g}{}{} "
                              "at a single {}), measured at {} places.",
                              roundedUp(100 * codes.relativeL2),
                              roundedUp(field.scale * codes.largest), field.unit.empty() ? "" : " ",
                              field.unit, toString(field.association), places)},
        {"band", band},
        {"judged", isJudged},
        {"rounding", codes.rounding},
        {"addedShare", codes.relativeL2},
        {"steps", codes.steps},
        {"codes", coded},
        {"gram", arrays.add(codes.gram)},
        {"surrogate", surrogateJson(*codes.surrogate, {shares, codes.rows.size()}, arrays,
                                    {source.rows.complete, codes.coefficientStep})}};
}

/// Of each map 64 colours, in hexadecimal digits.
json coloursJson()
{
    constexpr int count = 64;
    json maps = json::array();
    for (const auto map :
         {ColourMap::viridis, ColourMap::cividis, ColourMap::inferno, ColourMap::batlow,
          ColourMap::turbo, ColourMap::grey, ColourMap::coolWarm, ColourMap::vik}) {
        std::string colours;
        for (int i = 0; i < count; ++i)
            for (const auto part : colourOf(map, i / (count - 1.0)))
                colours += fmt::format("{:02x}", part);
        maps.push_back({{"name", std::string(toString(map))}, {"colours", colours}});
    }
    return maps;
}

std::string errorOf(const StudyResponse &response)
{
    const auto &unit = response.definition.unit;
    const auto number = [&](double value) {
        return fmt::format("{:.{}g}{}{}", value, StudyResponse::errorDigits,
                           unit.empty() ? "" : " ", unit);
    };
    if (const auto &band = response.band)
        return fmt::format("{} error bound {} (calibrated at {})", coverageText(*band),
                           number(band->offset), countText(band->holdOuts, "validation point"));
    if (const auto &leftOut = response.leftOut)
        return fmt::format("leave-one-out error {} (90th percentile of {})", number(leftOut->error),
                           countText(leftOut->residuals.size(), "run"));
    return "error not measured";
}

json responsesJson(const StudyReport &report, std::vector<std::string> &notes, PackedArrays &arrays)
{
    json responses = json::array();
    for (const auto &answer : report.responses) {
        const auto &response = answer.response;
        const auto &definition = response.definition;
        json parts = json::array();
        for (const auto &part : response.model->parts())
            parts.push_back(surrogateJson(*part.surrogate, {part.rows, 1}, arrays));
        const bool isConstant = answer.influence.isConstant;
        responses.push_back(
            {{"name", definition.name},
             {"words", definitionInWords(definition)},
             {"unit", definition.unit},
             {"digits", response.digits},
             {"error", errorOf(response)},
             {"constant", response.model->constants().front()},
             {"parts", parts},
             {"first", isConstant ? std::vector<double>() : answer.influence.first},
             {"total", isConstant ? std::vector<double>() : answer.influence.total}});
    }
    for (const auto &problem : report.refused)
        notes.push_back("Not in the page: " + problem);
    return responses;
}

/// What the page rests on, in rows of two cells.
json factsOf(const StudyReport &report, const Study &study)
{
    json facts = json::array();
    const auto add = [&](const std::string &name, const std::string &text) {
        facts.push_back({name, text});
    };
    const auto &info = report.info;
    const auto authorship = authorshipOf(report.description.simulation);
    if (!authorship.author.empty())
        add("author", authorship.author);
    if (!authorship.licence.empty())
        add("licence", authorship.licence);
    add("study", report.fileName);
    add("planned", study.created() + " (UTC)");
    if (report.description.design == StudyDesign::scattered)
        add("runs", fmt::format("{}", study.trainingRuns().size()));
    else
        add("runs",
            fmt::format("{} of {}, {} failed; {} points of a sparse grid of level {}",
                        info.jobsDone,
                        info.jobsDone + info.jobsWaiting + info.jobsRunning + info.jobsFailed,
                        info.jobsFailed, info.gridPoints, report.description.level));
    add("validation", countText(info.holdOuts, "point"));
    for (const auto &error : report.errors) {
        const auto &field = report.fields.at(error.field);
        add(field.name,
            fmt::format("{} at {}: relative L2 {:.3g} %, the largest {:.3g} %; maximum {:.4g}{}{}",
                        shownName(error.kind), countText(error.places, "point"),
                        100 * error.meanRelativeL2, 100 * error.largestRelativeL2, error.maximum,
                        field.unit.empty() ? "" : " ", field.unit));
    }
    add("made by", fmt::format("Gridhelm {}", versionString()));
    return facts;
}

std::string base64OfHex(std::string_view hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return base64(bytes);
}

std::string sourceOf(std::string_view text)
{
    return "'sha256-" + base64OfHex(sha256Of(text)) + "'";
}

/// Nothing but the named script and style counts: what somebody smuggles in does not.
std::string htmlOf(std::string_view title, const std::string &data)
{
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"generator\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "script-src {}; style-src {}; img-src data: blob:\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
        "<noscript>This page computes what it shows: allow scripts for it. It loads nothing and "
        "sends nothing.</noscript>\n"
        "<script type=\"application/octet-stream\" id=\"data\">{}</script>\n"
        "<script>{}</script>\n</body>\n</html>\n",
        interactivePageGenerator, sourceOf(pageScript), sourceOf(pageStyle), htmlText(title),
        pageStyle, data, pageScript);
}

/// One try of a page: how large it becomes is known then.
class PageMaker
{
public:
    PageMaker(const Study &study, StudyFields *fields, const PageMeshMaker &mesh,
              const StudyReport &report, const InteractivePageOptions &options)
        : m_study(study)
        , m_fields(fields)
        , m_makeMesh(mesh)
        , m_report(report)
        , m_options(options)
        , m_space(answerSpace(study))
        , m_runs(runsOf(study, m_space))
    {
    }

    /// Takes the mesh with so many points, and reads the fields there.
    void read(std::size_t mostPoints)
    {
        m_sources.clear();
        m_notes.clear();
        if (!m_fields)
            return;
        auto wanted = m_options.fields;
        if (wanted.empty())
            for (FieldIndex index = 0; index < m_fields->fields().size(); ++index)
                wanted.push_back(index);
        for (const auto index : m_fields->geometryFields().all())
            if (std::ranges::find(wanted, index) == wanted.end())
                wanted.push_back(index);
        std::size_t perPoint = 1, components = 1;
        for (const auto index : wanted) {
            const auto ofField = static_cast<std::size_t>(m_fields->fields().at(index).components);
            components = std::max(components, ofField);
            perPoint = std::max(perPoint, ofField * numbersPerValue(*m_fields, index));
        }
        mostPoints = std::min(mostPoints, mostNumbers / perPoint);
        m_mesh = m_makeMesh(mostPoints);
        constexpr std::size_t few = 1000; // cells may be several times as many as points
        for (; m_mesh.points.size() > few && m_mesh.cells.size() > mostNumbers / perPoint;
             mostPoints = m_mesh.points.size() / 2)
            m_mesh = m_makeMesh(mostPoints);
        m_places = measuredPlaces(m_space, m_runs,
                                  components * std::max(m_mesh.points.size(), m_mesh.cells.size()));
        for (const auto index : wanted) {
            requireGoingOn(m_options.stop);
            const auto &field = m_fields->fields().at(index);
            if (field.association == Association::cell && m_mesh.cells.empty()) {
                m_notes.push_back(fmt::format("Not in the page: {} is in cells that are points, "
                                              "which the page does not draw",
                                              field.name));
                continue;
            }
            const auto accuracy = accuracyOf(m_study, index);
            FieldSource source;
            source.index = index;
            source.error = m_options.error.value_or(
                accuracy && accuracy->relativeL2 > 0 ? accuracy->relativeL2 / 2 : usualError);
            PageRowsOptions how;
            how.error = source.error;
            how.places = m_places;
            how.context = m_options.context;
            how.stop = m_options.stop;
            source.rows = pageRows(
                *m_fields, index,
                field.association == Association::cell ? m_mesh.cells : m_mesh.points, how);
            m_sources.push_back(std::move(source));
        }
    }

    std::size_t points() const { return m_mesh.points.size(); }

    /// With errors larger by this factor.
    InteractivePage make(double factor) const
    {
        InteractivePage page;
        page.points = points();
        page.reduction = m_mesh.reduction;
        page.notes = m_notes;
        const auto &geometry = m_fields ? m_fields->geometryFields() : GeometryFields();
        std::vector<float> outside; // distances
        for (const auto &source : m_sources)
            if (geometry.distance == source.index)
                outside = valuesAt(source.rows, m_places, m_options.context.cpu());
        PackedArrays arrays;
        json fields = json::array();
        int displacement = -1, distance = -1;
        bool hasCells = false;
        for (const auto &source : m_sources) {
            const auto &field = m_fields->fields()[source.index];
            CodesMeasure beside{m_places, {}, m_options.context.cpu(), m_options.stop};
            if (geometry.leaveOutside(source.index, field))
                beside.distance = outside;
            const auto codes =
                pageCodes(source.rows, field, std::min(factor * source.error, 0.5), beside);
            const auto number = static_cast<int>(fields.size());
            if (geometry.displacement == source.index)
                displacement = number;
            if (geometry.distance == source.index)
                distance = number;
            hasCells = hasCells || field.association == Association::cell;
            fields.push_back(
                fieldJson(m_study, m_mesh, field, source, codes, m_places.size(), arrays));
            page.fields.push_back({field.name, codes.rows.size(), roundedUp(codes.relativeL2),
                                   roundedUp(field.scale * codes.largest)});
        }
        const auto responses = responsesJson(m_report, page.notes, arrays);
        auto notes = page.notes;
        notes.insert(notes.end(), m_report.notes.begin(), m_report.notes.end());
        if (!page.reduction.empty())
            notes.push_back(page.reduction);
        const auto &title =
            m_report.description.title.empty() ? m_report.fileName : m_report.description.title;
        const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
        const json header{
            {"title", title},
            {"subtitle",
             fmt::format("{}, exported {:%Y-%m-%d} by Gridhelm {}", m_report.fileName,
                         fmt::gmtime(std::chrono::system_clock::to_time_t(now)), versionString())},
            {"parameters", parametersJson(m_space, m_runs)},
            {"place", m_report.place},
            {"fields", fields},
            {"displacement", displacement},
            {"distance", distance},
            {"mesh", m_fields ? meshJson(m_mesh, hasCells, m_study, arrays) : json()},
            {"colours", coloursJson()},
            {"responses", responses},
            {"facts", factsOf(m_report, m_study)},
            {"notes", notes},
            {"plan", m_report.description.simulation}};
        page.html = htmlOf(title, arrays.packed(header));
        return page;
    }

private:
    const Study &m_study;
    StudyFields *m_fields;
    const PageMeshMaker &m_makeMesh;
    const StudyReport &m_report;
    const InteractivePageOptions &m_options;
    ParameterSpace m_space;
    std::vector<std::vector<double>> m_runs, m_places;
    PageMesh m_mesh;
    std::vector<FieldSource> m_sources;
    std::vector<std::string> m_notes;
};

} // namespace

std::string pageScriptSource()
{
    return sourceOf(pageScript);
}

InteractivePage interactivePage(const Study &study, StudyFields *fields, const PageMeshMaker &mesh,
                                const StudyReport &report, const InteractivePageOptions &options)
{
    PageMaker maker(study, fields, mesh, report, options);
    maker.read(options.mostPoints);
    auto page = maker.make(1);
    if (!options.mostBytes)
        return page;
    const auto isSmall = [&] { return page.html.size() <= *options.mostBytes; };
    // Bits first: eight times the error, then half of the points, again and again.
    constexpr double mostFactor = 8;
    constexpr std::size_t fewestPoints = 200;
    while (!isSmall()) {
        for (double factor = 2; factor <= mostFactor && !isSmall(); factor *= 2)
            page = maker.make(factor);
        if (isSmall())
            break;
        const auto points = maker.points() / 2;
        if (points < fewestPoints || points == 0)
            throw Error(
                fmt::format("the smallest page of study {} has {}: allow as much, or choose "
                            "fewer fields",
                            report.fileName, bytesText(static_cast<double>(page.html.size()))));
        maker.read(points);
        page = maker.make(1);
    }
    return page;
}

std::string galleryPage(const std::vector<std::string> &pages)
{
    constexpr int height = 860;
    auto html = htmlPageHead("Studies", interactivePageGenerator, pageScriptSource());
    for (const auto &page : pages)
        html += framedPage(page, "A study, with sliders", height);
    html += htmlPageEnd;
    return html;
}

} // namespace gridhelm::data
