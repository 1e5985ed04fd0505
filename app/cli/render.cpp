// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/scene_picture.h"
#include "app/cli/study_evaluation.h"
#include "core/support/clean_text.h"
#include "core/support/enumeration.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/mesh/snapshot_file.h"
#include "ui/scene/colour/custom_colours.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/pictures/picture_kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

constexpr const char *examples = R"(
Examples:
  gridhelm-cli render cavity.gridhelm --at Re=400,bottom=0,t=5 --field velocity --out cavity.png
  gridhelm-cli render plate.gridhelm --at x=0.3,y=0.6,strength=120 --view surface --out plate.png
  gridhelm-cli render folds.gridhelm --at F=1.5,psi=0.3,azimuth=60,plunge=20 \
      --view contour --opacity 0.7 --out folds.png
  gridhelm-cli render cavity.gridhelm --at Re=400,bottom=0,t=5 --field velocity --view streamlines \
      --transparent --out lines.png
  gridhelm-cli render folds.gridhelm --at F=1.5,psi=0.3,azimuth=60,plunge=20 --normal 1,1,0 \
      --from isometric --low-confidence 5 --out across.png
  gridhelm-cli render result.vtu --field p --range=-1,1 --colours coolwarm --out p.png

No window is shown and none is needed: without a reachable DISPLAY, Xvfb (Debian package xvfb) draws.)";

struct RenderOptions
{
    EvaluationOptions evaluation;
    std::string at;
    std::string component;
    std::string view = "slice";
    std::string lowConfidence;
    std::string from;
    std::string range;
    bool logarithmic = false;
    std::string colours = "viridis", bands = "0";
    bool isInverted = false;
    std::string projection = "auto";
    std::string size = "1200x900";
    std::string output;
    bool edges = false;
    bool noOutline = false;
    bool dark = false;
    bool transparent = false;

    struct PictureOptionText
    {
        const ui::PictureOption *option;
        std::string name; ///< "--glyphs"
        std::string text;
    };
    std::vector<PictureOptionText> ofPictures = textsOfPictures();

    static std::vector<PictureOptionText> textsOfPictures()
    {
        std::vector<PictureOptionText> texts;
        for (const auto *option : ui::allPictureOptions())
            texts.push_back({option, "--" + std::string(option->key), defaultTextOf(*option)});
        return texts;
    }
};

/// What is drawn, wherever it comes from.
struct Shown
{
    std::shared_ptr<const data::Mesh> mesh;
    data::Field field;
    std::vector<float> values;
    std::string caption;
    std::vector<float> indicator;  ///< of each value; empty for a file
    std::optional<ErrorBand> band; ///< of nodes, by the indicator, if it was measured
    data::GeometryValues geometry; ///< where the body is, if that is not the whole mesh
    ComputedOn computedOn{};       ///< nowhere, of a file
    ui::AxisNames axes{};
};

bool isMeshFile(const std::string &path)
{
    static constexpr std::array extensions{".vti", ".vtr", ".vts", ".vtu",  ".vtp",
                                           ".vtm", ".vtk", ".pvd", ".foam", ".series"};
    const auto extension = std::filesystem::path(path).extension();
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

Shown readFile(const RenderOptions &options)
{
    const auto &path = options.evaluation.study;
    const auto &names = options.evaluation.fields;
    if (!options.at.empty())
        throw Error(path + " is a mesh file, which has no parameters: leave out --at");
    std::optional<data::RunSnapshot> last;
    std::size_t steps = 0;
    data::readSnapshotFile(path, [&](data::RunSnapshot &&snapshot) {
        last = std::move(snapshot);
        ++steps;
    });
    if (!last || last->fields.empty())
        throw Error(path + " has no fields, so there is nothing to draw");
    std::size_t chosen = 0;
    std::string known;
    for (const auto &field : last->fields)
        known += (known.empty() ? "" : ", ") + field.name;
    if (!names.empty()) {
        while (chosen < last->fields.size() && last->fields[chosen].name != names.front())
            ++chosen;
        if (chosen == last->fields.size())
            throw Error(
                fmt::format("{} has no field '{}'; choose from {}", path, names.front(), known));
    }
    Shown shown{std::make_shared<data::Mesh>(std::move(last->mesh)),
                last->fields[chosen],
                std::move(last->values[chosen]),
                {},
                {},
                {},
                {}};
    if (const auto distance = data::geometryFieldsOf(last->fields).distance)
        shown.geometry.distance = distance == chosen ? shown.values : last->values[*distance];
    if (steps > 1)
        shown.caption = fmt::format("t = {:g}", last->time.value_or(0));
    return shown;
}

Shown evaluateStudy(const GlobalOptions &global, const RenderOptions &options)
{
    auto evaluation = options.evaluation;
    evaluation.firstFieldOnly = true; // one is drawn, so one is evaluated
    StudyEvaluation study(global, evaluation);
    const auto at = study.parse(options.at);
    study.requireRange({at});
    auto result = study.evaluate(at);
    return {result.mesh,
            result.fields.front(),
            std::move(result.values.front()),
            captionOf(study.parameters(), at),
            std::move(result.indicators.front()),
            result.bands.front() ? result.bands.front()->nodes : std::nullopt,
            std::move(result.geometry),
            result.computedOn,
            ui::axisNamesOf(study.space())};
}

/// A name, or FILE.json, or FILE.json:NAME.
ColourScheme coloursCalled(const std::string &text)
{
    constexpr std::string_view ending = ".json";
    const auto end = text.find(ending);
    if (end == std::string::npos)
        return parseColourMap(text);
    const auto behind = text.substr(end + ending.size());
    if (!behind.empty() && behind.front() != ':')
        throw Error("--colours wants a name, FILE.json or FILE.json:NAME, not '" + text + "'");
    return ui::readColourMap(text.substr(0, end + ending.size()),
                             behind.empty() ? "" : std::string_view(behind).substr(1));
}

ui::ViewSettings settingsOf(const RenderOptions &options)
{
    ui::ViewSettings settings;
    settings.kind = ui::parseViewKind(options.view);
    settings.colours = coloursCalled(options.colours);
    settings.colours.isInverted = options.isInverted;
    settings.colours.bands = parseInteger(options.bands, "--bands");
    for (const auto &[option, name, text] : options.ofPictures)
        parseOption(*option, text, name, settings);
    if (!options.lowConfidence.empty()) {
        settings.markLowConfidence = true;
        settings.lowConfidenceAbove = 0.01 * parseReal(options.lowConfidence, "--low-confidence");
    }
    settings.scale = options.logarithmic ? ui::Scale::logarithmic : ui::Scale::linear;
    if (!options.range.empty()) {
        std::vector<double> ends;
        parseReals(options.range, "--range", ends);
        if (ends.size() != 2)
            throw Error(fmt::format("--range {}: give two numbers, low,high", options.range));
        settings.range = ui::ValueRange{ends[0], ends[1]};
    }
    if (options.projection == "straight")
        settings.projection = ui::Projection::straight;
    else if (options.projection == "oblique")
        settings.projection = ui::Projection::oblique;
    else if (options.projection != "auto")
        throw Error(
            fmt::format("--projection {}: choose auto, straight (parallel projection) or oblique",
                        options.projection));
    settings.edges = options.edges;
    settings.outline = !options.noOutline;
    settings.dark = options.dark;
    return settings;
}

std::array<int, 2> parsePictureSize(const std::string &text)
{
    const auto by = text.find('x');
    if (by == text.npos)
        throw Error(fmt::format("--size {}: give width and height in pixels, e.g. 1200x900", text));
    return {parseInteger(std::string_view(text).substr(0, by), "--size"),
            parseInteger(std::string_view(text).substr(by + 1), "--size")};
}

void run(const GlobalOptions &global, const RenderOptions &options)
{
    auto settings = settingsOf(options);
    const auto from =
        options.from.empty() ? std::nullopt : std::optional(ui::parseSight(options.from));
    const auto [width, height] = parsePictureSize(options.size);
    if (options.evaluation.fields.size() > 1)
        throw Error("a picture shows one field; give --field once");
    if (std::filesystem::path(options.output).extension() != ".png")
        throw Error(options.output
                    + " is not called like a picture; give a name that ends in "
                      ".png");
    requireWritable(options.output);
    const bool isFile = isMeshFile(options.evaluation.study);
    const Shown shown = isFile ? readFile(options) : evaluateStudy(global, options);
    settings.component = ui::parseComponent(shown.field, options.component);
    if (settings.markLowConfidence && shown.indicator.empty())
        throw Error(options.evaluation.study
                    + " is a mesh file, which does not say how far its field can be trusted: leave "
                      "out --low-confidence");

    const auto begin = std::chrono::steady_clock::now();
    ui::Scene scene;
    scene.setView(settings);
    scene.setMesh(*shown.mesh);
    scene.setAxisNames(shown.axes);
    scene.setValues(
        shown.field, shown.values,
        {{}, shown.indicator, shown.geometry.displacement, shown.geometry.distance, shown.band});
    scene.setCaption(shown.caption);
    if (from)
        scene.lookFrom(*from);
    ui::OffScreenWindow window(scene, width, height);
    if (options.transparent)
        writeTransparentPng(options.output, width, height, window.drawTransparent().pixels);
    else
        pictureOf(window.draw()).writePng(options.output);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;

    const auto [low, high] = scene.range();
    if (!global.json) {
        printText(fmt::format("{}: {} from {:.6g} to {:.6g}, {} x {} pixels\n", options.output,
                              scene.title(), low, high, width, height));
        return;
    }
    nlohmann::json document{{"picture", options.output}, {"width", width},
                            {"height", height},          {"field", shown.field.name},
                            {"title", scene.title()},    {"view", ui::toString(settings.kind)},
                            {"range", {low, high}},      {"drawn_by", window.drawnBy()},
                            {"seconds", taken.count()}};
    if (!shown.indicator.empty())
        document["indicator"] = std::ranges::max(shown.indicator);
    if (!shown.computedOn.isNowhere())
        document["execution"] = executionJson(global, shown.computedOn);
    printJson(document);
}

/// The kinds of pictures, a line each.
std::string viewsText()
{
    std::string text = "\nViews:\n";
    for (const auto *kind : ui::pictureKinds)
        text += fmt::format("  {:<12} {}\n", kind->id, kind->summary);
    return text;
}

} // namespace

void addRenderCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<RenderOptions>();
    CLI::App &command = *parent.add_subcommand(
        "render", "A picture (PNG) of a study's field at any parameters, or of a mesh file's");
    command.footer(viewsText() + examples);
    addEvaluationOptions(command, options->evaluation);
    const auto add = [&command](const char *name, std::string &value, const char *help,
                                const char *type) {
        return command.add_option(name, value, help)->type_name(type);
    };
    add("--at", options->at, "Parameters: Re=400,t=2.5 (not for mesh files)", "NAME=VALUE,...");
    add("--out", options->output, "The picture to write", "FILE.png")->required();
    add("--view", options->view, ui::namesOfKinds().c_str(), "VIEW")->capture_default_str();
    add("--component", options->component,
        "Of a vector: magnitude (the default), x, y, z or a number from 0", "NAME");
    for (auto &[option, name, text] : options->ofPictures) {
        const std::string help(option->help);
        if (option->type == ui::PictureOption::Type::flag) {
            command.add_flag_function(
                name, [&text](std::int64_t count) { text = count > 0 ? "1" : "0"; }, help);
            continue;
        }
        auto *added =
            add(name.c_str(), text, help.c_str(), std::string(option->placeholder).c_str());
        if (!text.empty())
            added->capture_default_str();
    }
    add("--range", options->range, "Values at the ends of the colours (default: round numbers)",
        "LOW,HIGH");
    command.add_flag("--log", options->logarithmic, "Colours on a logarithmic scale");
    add("--colours", options->colours,
        (enumeration(colourMapNames(), "or") + "; or FILE.json of ParaView, FILE.json:NAME")
            .c_str(),
        "NAME")
        ->capture_default_str();
    command.add_flag("--invert-colours", options->isInverted, "The colours from their other end");
    add("--bands", options->bands, "Bands of one colour each; 0: colours without steps", "N")
        ->capture_default_str();
    add("--projection", options->projection, "auto, straight (parallel projection) or oblique",
        "NAME")
        ->capture_default_str();
    add("--size", options->size, "In pixels", "WIDTHxHEIGHT")->capture_default_str();
    command.add_flag("--edges", options->edges, "Draw the edges of the cells, too");
    command.add_flag("--no-outline", options->noOutline, "Do not draw the border of the mesh");
    add("--low-confidence", options->lowConfidence,
        "Darken where the indicator is above so many percent of the range", "PERCENT");
    add("--from", options->from, "Standard view: +x, -x, +y, -y, +z, -z or isometric", "SIDE");
    command.add_flag("--transparent", options->transparent, "Without a background");
    command.add_flag("--dark", options->dark, "On a dark background");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
