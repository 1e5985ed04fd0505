// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/steering.h"

#include "core/support/error.h"
#include "core/support/round_number.h"
#include "ui/scene/colour/custom_colours.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/steering/further_options.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace gridhelm::ui {
namespace {

template <typename T>
using Names = std::vector<std::pair<T, std::string_view>>;

/// Of what says its names itself.
template <typename Values, typename T = typename Values::value_type>
Names<T> ownNames(const Values &values)
{
    Names<T> names;
    for (const auto value : values)
        names.emplace_back(value, toString(value));
    return names;
}

const auto viewKinds = ownNames(allViewKinds);
const Names<RangeMode> rangeModes{
    {RangeMode::frame, "frame"}, {RangeMode::study, "study"}, {RangeMode::fixed, "fixed"}};
const Names<Shown> shownThings{{Shown::field, "field"}, {Shown::indicator, "indicator"}};
const Names<Comparing> comparisons{{Comparing::off, "off"},
                                   {Comparing::sideBySide, "side by side"},
                                   {Comparing::blink, "blink"},
                                   {Comparing::difference, "difference"}};
const Names<Scale> scales{{Scale::linear, "linear"}, {Scale::logarithmic, "logarithmic"}};
const Names<Axis> axes{{Axis::x, "x"}, {Axis::y, "y"}, {Axis::z, "z"}};
const auto colourMapsByName = [] {
    Names<ColourMap> names;
    for (const auto &info : colourMaps())
        names.emplace_back(info.map, info.name);
    return names;
}();
const auto seedPlaces =
    ownNames(std::array{Seeds::everywhere, Seeds::alongX, Seeds::alongY, Seeds::alongZ});
const Names<Projection> projections{{Projection::automatic, "automatic"},
                                    {Projection::straight, "straight"},
                                    {Projection::oblique, "oblique"}};

template <typename T>
QString nameIn(const Names<T> &names, T value)
{
    const auto found = std::ranges::find(names, value, &std::pair<T, std::string_view>::first);
    return QString::fromUtf8(found->second);
}

template <typename T>
void read(const QJsonObject &json, const char *key, const Names<T> &names, T &value)
{
    const auto text = json[key].toString().toStdString();
    for (const auto &[named, name] : names) {
        if (text == name)
            value = named;
    }
}

void read(const QJsonObject &json, const char *key, double low, double high, double &value)
{
    const double number = json[key].toDouble(std::nan(""));
    if (number >= low && number <= high)
        value = number;
}

void read(const QJsonObject &json, const char *key, bool &value)
{
    value = json[key].toBool(value);
}

QJsonObject parametersToJson(const std::vector<double> &parameters, const StudyFacts &study)
{
    QJsonObject json;
    for (std::size_t t = 0; t < parameters.size(); ++t)
        json[QString::fromStdString(study.parameters[t].name)] = parameters[t];
    return json;
}

void read(const QJsonObject &json, const StudyFacts &study, std::vector<double> &parameters)
{
    for (std::size_t t = 0; t < parameters.size(); ++t) {
        const auto &parameter = study.parameters[t];
        read(json, parameter.name.c_str(), parameter.low, parameter.high, parameters[t]);
    }
}

void read(const QJsonObject &json, const char *key, int low, int high, int &value)
{
    value = std::clamp(json[key].toInt(value), low, high);
}

std::optional<ValueRange> rangeIn(const QJsonValue &json)
{
    const auto ends = json.toArray();
    const ValueRange range{ends.at(0).toDouble(std::nan("")), ends.at(1).toDouble(std::nan(""))};
    return range.low < range.high ? std::optional(range) : std::nullopt;
}

/// Of ViewSettings::further.
constexpr auto furtherKey = "options";
/// The whole map: whoever opens a saved view may not have it.
constexpr auto customKey = "custom colours";

QJsonArray customToJson(const CustomColourMap &map)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(colourMapToJson(map))).array();
}

SharedColourMap customIn(const QJsonObject &json)
{
    if (!json[customKey].isArray())
        return nullptr;
    try {
        const auto text = QJsonDocument(json[customKey].toArray()).toJson().toStdString();
        return parseColourMaps(text).front();
    } catch (const Error &) {
        return nullptr; // like all that makes no sense in such a file
    }
}

QJsonObject lookToJson(const Look &look, const StudyFacts &study)
{
    const auto &view = look.view;
    QJsonArray levels;
    for (const double level : view.levels)
        levels.append(level);
    QJsonObject json{
        {"field", QString::fromStdString(study.fields.at(look.field).name)},
        {"shown", nameIn(shownThings, look.shown)},
        {"range mode", nameIn(rangeModes, look.rangeMode)},
        {"view", nameIn(viewKinds, view.kind)},
        {"component", view.component.index},
        {"colours", nameIn(colourMapsByName, view.colours.map)},
        {"colours inverted", view.colours.isInverted},
        {"colour bands", view.colours.bands},
        {"scale", nameIn(scales, view.scale)},
        {"normal", nameIn(axes, view.normal)},
        {"tilted", view.tilted},
        {"azimuth", view.tilt.azimuth},
        {"elevation", view.tilt.elevation},
        {"level count", view.levelCount},
        {"levels", levels},
        {"opacity", view.opacity},
        {"relief", view.relief},
        {"glyphs", view.glyphCount},
        {"glyph scale", view.glyphScale},
        {"streamlines", view.streamlineCount},
        {"seeds", nameIn(seedPlaces, view.seeds)},
        {"mark low confidence", view.markLowConfidence},
        {"low confidence above", view.lowConfidenceAbove},
        {"edges", view.edges},
        {"outline", view.outline},
        {"projection", nameIn(projections, view.projection)},
    };
    if (view.colours.custom)
        json[customKey] = customToJson(*view.colours.custom);
    if (view.position)
        json["position"] = *view.position;
    if (view.range)
        json["range"] = QJsonArray{view.range->low, view.range->high};
    if (!view.further.empty())
        json[furtherKey] = furtherToJson(view);
    return json;
}

/// What is unknown, missing or out of range stays; whether the field was known.
bool readLook(const QJsonObject &json, const StudyFacts &study, Look &look)
{
    const auto name = json["field"].toString().toStdString();
    const auto field = std::ranges::find(study.fields, name, &data::Field::name);
    const bool isKnown = field != study.fields.end();
    if (isKnown)
        look.field = static_cast<data::FieldIndex>(field - study.fields.begin());
    const int components = study.fields.at(look.field).components;
    read(json, "shown", shownThings, look.shown);
    read(json, "range mode", rangeModes, look.rangeMode);
    auto &view = look.view;
    read(json, "view", viewKinds, view.kind);
    view.component.index = std::clamp(json["component"].toInt(Component::magnitude),
                                      Component::magnitude, components - 1);
    read(json, "colours", colourMapsByName, view.colours.map);
    view.colours.custom = customIn(json);
    read(json, "colours inverted", view.colours.isInverted);
    int bands = view.colours.bands;
    read(json, "colour bands", 0, ColourScheme::maxBands, bands);
    view.colours.bands = bands == 1 ? 0 : bands;
    read(json, "scale", scales, view.scale);
    read(json, "normal", axes, view.normal);
    read(json, "tilted", view.tilted);
    read(json, "azimuth", -360, 360, view.tilt.azimuth);
    read(json, "elevation", -90, 90, view.tilt.elevation);
    read(json, "level count", 1, maxLevels, view.levelCount);
    view.levels.clear();
    for (const auto &level : json["levels"].toArray()) {
        if (level.isDouble() && view.levels.size() < static_cast<std::size_t>(maxLevels))
            view.levels.push_back(level.toDouble());
    }
    read(json, "opacity", 0.01, 1, view.opacity);
    read(json, "relief", -10, 10, view.relief);
    read(json, "glyphs", 1, maxGlyphs, view.glyphCount);
    read(json, "glyph scale", 0.01, maxGlyphScale, view.glyphScale);
    read(json, "streamlines", 1, maxStreamlines, view.streamlineCount);
    read(json, "seeds", seedPlaces, view.seeds);
    read(json, "mark doubtful", view.markLowConfidence); // older saved views
    read(json, "mark low confidence", view.markLowConfidence);
    read(json, "doubtful above", 1e-6, 1, view.lowConfidenceAbove);
    read(json, "low confidence above", 1e-6, 1, view.lowConfidenceAbove);
    read(json, "edges", view.edges);
    read(json, "outline", view.outline);
    read(json, "projection", projections, view.projection);
    view.position = json.contains("position") && json["position"].isDouble()
                        ? std::optional(json["position"].toDouble())
                        : std::nullopt;
    view.range = rangeIn(json["range"]);
    readFurther(json[furtherKey].toObject(), allPictureOptions(), view);
    return isKnown;
}

} // namespace

bool Steering::showsTheSame(const Steering &other) const
{
    auto like = other;
    like.parameters = parameters;
    if (pinned && like.pinned && pinnedMoves)
        like.pinned = pinned;
    return like == *this;
}

Steering initialSteering(const StudyFacts &study)
{
    Steering steering;
    const auto &space = study.parameters;
    std::vector<double> x;
    for (const auto &parameter : space.parameters())
        x.push_back(parameter.kind == ParameterKind::timeLike ? 1.0 : 0.5);
    steering.parameters = space.fromUnit(x);
    for (std::size_t t = 0; t < x.size(); ++t) { // numbers that one can read: Re = 316
        const auto &parameter = space[t];
        auto &value = steering.parameters[t];
        const bool isLogarithmic = parameter.scale == ParameterScale::logarithmic;
        const double size = isLogarithmic ? std::abs(value) : parameter.high - parameter.low;
        if (parameter.kind != ParameterKind::timeLike)
            value = std::clamp(roundedTo(value, static_cast<int>(std::floor(std::log10(size))) - 2),
                               parameter.low, parameter.high);
    }
    return steering;
}

QJsonObject toJson(const Steering &steering, const StudyFacts &study)
{
    auto json = lookToJson(steering, study);
    json["parameters"] = parametersToJson(steering.parameters, study);
    if (steering.pinned)
        json["pinned"] = parametersToJson(*steering.pinned, study);
    json["comparing"] = nameIn(comparisons, steering.comparing);
    json["pinned moves"] = steering.pinnedMoves;
    QJsonArray companions;
    for (const auto &look : steering.companions)
        companions.append(lookToJson(look, study));
    json["companions"] = companions;
    json["cameras linked"] = steering.camerasAreLinked;
    return json;
}

Steering fromJson(const QJsonObject &json, const StudyFacts &study, const Steering &otherwise)
{
    Steering steering = otherwise;
    read(json["parameters"].toObject(), study, steering.parameters);
    steering.pinned.reset();
    if (json["pinned"].isObject()) {
        steering.pinned = otherwise.parameters;
        read(json["pinned"].toObject(), study, *steering.pinned);
    }
    read(json, "comparing", comparisons, steering.comparing);
    read(json, "pinned moves", steering.pinnedMoves);
    readLook(json, study, steering);
    steering.companions.clear();
    for (const auto &companion : json["companions"].toArray()) {
        Look look;
        // What was a view of a field that is gone is no view of another one.
        if (steering.companions.size() < maxCompanions
            && readLook(companion.toObject(), study, look))
            steering.companions.push_back(look);
    }
    read(json, "cameras linked", steering.camerasAreLinked);
    return steering;
}

} // namespace gridhelm::ui
