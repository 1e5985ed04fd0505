// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/answers/pareto_front.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace gridhelm::cli {
namespace {

struct OptimizeOptions
{
    std::string study;
    std::string minimized, maximized, target;
    std::vector<std::string> constraints;
    std::vector<std::string> ranges;
    std::string fixed;
    std::string against;
    std::string places;
    std::string csv;
    std::string starts;
    std::string seed = "1";
};

/// "LOW:HIGH" with either end left out.
std::pair<std::optional<double>, std::optional<double>> ends(const std::string &text,
                                                             std::string_view what)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos)
        throw Error(fmt::format("{} {}: write low:high, and leave out the end that does not matter",
                                what, text));
    const auto end = [&](std::string_view part) -> std::optional<double> {
        if (trimmed(part).empty())
            return std::nullopt;
        return parseReal(part, what);
    };
    const auto low = end(std::string_view(text).substr(0, colon));
    const auto high = end(std::string_view(text).substr(colon + 1));
    if (!low && !high)
        throw Error(fmt::format("{} {}: give one end at least", what, text));
    if (low && high && *low > *high)
        throw Error(fmt::format("{} {}: the lower end has to be below the upper one", what, text));
    return {low, high};
}

/// Where to look, in the unit cube.
void setBox(answers::Goal &goal, const ParameterSpace &space, const OptimizeOptions &options)
{
    std::vector<double> low, high;
    for (const auto &parameter : space.parameters()) {
        low.push_back(parameter.low);
        high.push_back(parameter.high);
    }
    for (const auto &typed : options.ranges) {
        const auto [name, text] = assignment(typed, "--range");
        const auto t = space.indexOf(name);
        const auto [from, to] = ends(text, "--range");
        low[t] = from.value_or(low[t]);
        high[t] = to.value_or(high[t]);
    }
    for (std::string_view rest = options.fixed; !rest.empty();) {
        const auto comma = rest.find(',');
        const auto [name, text] = assignment(std::string(rest.substr(0, comma)), "--fix");
        const auto t = space.indexOf(name);
        low[t] = high[t] = parseReal(text, "--fix");
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    for (std::size_t t = 0; t < low.size(); ++t)
        if (low[t] > high[t])
            throw Error(fmt::format("{} is to be from {} to {}: the lower end has to be below the "
                                    "upper one",
                                    space[t].name, low[t], high[t]));
    space.requireInside(low);
    space.requireInside(high);
    goal.low = space.toUnit(low);
    goal.high = space.toUnit(high);
    for (auto *corner : {&goal.low, &goal.high})
        for (auto &x : *corner)
            x = std::clamp(x, 0.0, 1.0);
}

/// The responses that are asked for, and no others, which would take time and might be refused.
std::vector<std::string> responsesOf(const OptimizeOptions &options)
{
    const int aims = (options.minimized.empty() ? 0 : 1) + (options.maximized.empty() ? 0 : 1)
                     + (options.target.empty() ? 0 : 1);
    if (aims != 1)
        throw Error("say what is wanted, once: --minimize NAME, --maximize NAME or --target "
                    "NAME=VALUE");
    std::vector<std::string> names;
    const auto add = [&](std::string name) {
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    };
    add(options.minimized);
    add(options.maximized);
    if (!options.target.empty())
        add(assignment(options.target, "--target").first);
    for (const auto &typed : options.constraints)
        add(assignment(typed, "--subject-to").first);
    if (!options.against.empty()) {
        if (!options.against.starts_with("min:") && !options.against.starts_with("max:"))
            throw Error(fmt::format("--against {}: write min:NAME or max:NAME", options.against));
        add(options.against.substr(4));
    }
    return names;
}

answers::Goal goalOf(const AnswerStudy &opened, const OptimizeOptions &options)
{
    answers::Goal goal;
    if (!options.minimized.empty()) {
        goal.response = opened.indexOf(options.minimized);
    } else if (!options.maximized.empty()) {
        goal.aim = answers::Aim::maximum;
        goal.response = opened.indexOf(options.maximized);
    } else {
        const auto [name, text] = assignment(options.target, "--target");
        goal.aim = answers::Aim::target;
        goal.response = opened.indexOf(name);
        goal.target = parseReal(text, "--target");
    }
    for (const auto &typed : options.constraints) {
        const auto [name, text] = assignment(typed, "--subject-to");
        const auto [low, high] = ends(text, "--subject-to");
        goal.constraints.push_back({opened.indexOf(name), low, high});
    }
    setBox(goal, opened.space(), options);
    return goal;
}

/// The trade-off that --against asks for.
struct Front
{
    std::size_t first = 0, second = 0; ///< responses
    std::vector<answers::TradeOff> places;
};

std::size_t placesOf(const OptimizeOptions &options, bool isSlow)
{
    if (options.places.empty())
        return isSlow ? 9 : answers::FrontOptions().places;
    const auto places = parseIndex(options.places, "--points");
    if (places < 2 || places > 1000)
        throw Error(fmt::format("a trade-off of {} is not possible: take 2 to 1000 for --points",
                                countText(places, "place")));
    return places;
}

Front frontOf(const AnswerStudy &opened, const answers::Goal &goal, const OptimizeOptions &options,
              const answers::OptimumOptions &how)
{
    auto other = goal;
    other.aim = options.against.starts_with("max:") ? answers::Aim::maximum : answers::Aim::minimum;
    other.response = opened.indexOf(options.against.substr(4));
    return {goal.response, other.response,
            answers::paretoFront(*opened.model, goal, other,
                                 {how, placesOf(options, opened.isSlow())})};
}

nlohmann::json frontJson(const AnswerStudy &opened, const Front &front)
{
    auto document = nlohmann::json::array();
    for (const auto &place : front.places)
        document.push_back({{"at", placeJson(opened.space(), opened.space().fromUnit(place.x))},
                            {"values",
                             {{opened.responses[front.first].definition.name, place.first},
                              {opened.responses[front.second].definition.name, place.second}}}});
    return document;
}

std::string frontText(const AnswerStudy &opened, const Front &front)
{
    const auto &ofFirst = opened.responses[front.first], &ofSecond = opened.responses[front.second];
    const auto &first = ofFirst.definition, &second = ofSecond.definition;
    auto text = fmt::format("{} against {}, the Pareto front:\n", first.name, second.name);
    for (const auto &place : front.places)
        text += fmt::format("  {}, {}  at {}\n", withUnit(place.first, first.unit, ofFirst.digits),
                            withUnit(place.second, second.unit, ofSecond.digits),
                            opened.space().toText(opened.space().fromUnit(place.x)));
    return text;
}

void writeFront(const AnswerStudy &opened, const Front &front, const std::string &path)
{
    std::vector<double> places;
    std::vector<std::vector<double>> values(opened.responses.size());
    for (const auto &place : front.places) {
        places.insert(places.end(), place.x.begin(), place.x.end());
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k].push_back(place.values[k]);
    }
    writePlaces(opened, places, values, path);
}

std::string optimumText(const AnswerStudy &opened, const answers::Goal &goal,
                        const answers::Optimum &optimum, const OptimizeOptions &options)
{
    const auto place = opened.space().fromUnit(optimum.x);
    std::string text;
    if (!optimum.isFeasible)
        text += fmt::format(
            "nothing in these ranges fulfils all constraints: the nearest point misses one by "
            "{:.3g} % of its response's range; loosen a constraint, or widen the ranges\n",
            100 * optimum.violation);
    text += fmt::format("at {}\n", opened.space().toText(place));
    for (std::size_t k = 0; k < optimum.values.size(); ++k) {
        const auto &response = opened.responses[k];
        text += fmt::format("{} {}: {}\n  {}\n", k == goal.response ? "*" : " ",
                            response.definition.name,
                            withUnit(optimum.values[k], response.definition.unit, response.digits),
                            errorText(response, opened.study));
    }
    text += fmt::format("{} of {} starts ended there, after {} evaluations\n",
                        optimum.startsThatAgree, optimum.starts, optimum.evaluations);
    return text
           + fmt::format(
               "to be surer of it, with real runs around it: gridhelm-cli refine {} --at {} "
               "--runs 4\n",
               shellText(options.study), opened.space().toText(place));
}

void runOptimize(const GlobalOptions &global, const OptimizeOptions &options)
{
    const auto names = responsesOf(options);
    if (options.against.empty() && !(options.places.empty() && options.csv.empty()))
        throw Error("--points and --csv are of a trade-off: say of which, with --against min:NAME");
    placesOf(options, false); // whether that is possible, before anything takes time
    if (!options.csv.empty()) {
        requireOtherFile(options.csv, {options.study});
        requireWritable(options.csv);
    }
    const auto opened = openAnswers(global, options.study, names);
    const auto goal = goalOf(opened, options);
    answers::OptimumOptions how;
    if (opened.isSlow()) {
        how.places = 1024;
        how.starts = 8;
    }
    if (!options.starts.empty())
        how.starts = parseIndex(options.starts, "--starts");
    if (how.starts < 1 || how.starts > 10'000)
        throw Error("--starts: take 1 to 10000");
    how.seed = parseIndex(options.seed, "--seed");
    how.cpu = answersContext(global).cpu();
    const auto optimum = answers::optimize(*opened.model, goal, how);
    Front front;
    if (!options.against.empty() && optimum.isFeasible)
        front = frontOf(opened, goal, options, how);
    if (!options.csv.empty())
        writeFront(opened, front, options.csv);
    if (!global.json) {
        auto text = optimumText(opened, goal, optimum, options);
        if (!front.places.empty())
            text += frontText(opened, front);
        printText(text);
    } else {
        nlohmann::json document{
            {"at", placeJson(opened.space(), opened.space().fromUnit(optimum.x))},
            {"is_feasible", optimum.isFeasible},
            {"violation", optimum.violation},
            {"starts", optimum.starts},
            {"starts_that_agree", optimum.startsThatAgree},
            {"evaluations", optimum.evaluations},
            {"responses", nlohmann::json::array()},
            {"execution", executionJson(global, ComputedOn::cpu())}};
        for (std::size_t k = 0; k < optimum.values.size(); ++k) {
            auto entry = responseJson(opened.responses[k]);
            entry["value"] = optimum.values[k];
            document["responses"].push_back(entry);
        }
        if (!options.against.empty())
            document["front"] = frontJson(opened, front);
        printJson(document);
    }
    if (!optimum.isFeasible)
        throw EarlyEnd{3};
}

} // namespace

void addOptimizeCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "optimize", "Which is best: where a response is smallest, largest, or at a value");
    const auto options = std::make_shared<OptimizeOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("--minimize", options->minimized, "This response")->type_name("NAME");
    command.add_option("--maximize", options->maximized, "This response")->type_name("NAME");
    command.add_option("--target", options->target, "This response is to be near this value")
        ->type_name("NAME=VALUE");
    command
        .add_option("--subject-to", options->constraints,
                    "Where another response (or the same) stays between these; either end may be "
                    "left out (may be repeated)")
        ->type_name("NAME=LOW:HIGH")
        ->expected(1)
        ->take_all();
    command.add_option("--range", options->ranges, "Only look here (may be repeated)")
        ->type_name("PARAMETER=LOW:HIGH")
        ->expected(1)
        ->take_all();
    command.add_option("--fix", options->fixed, "Parameters that are fixed at a value")
        ->type_name("t=2.5");
    command
        .add_option("--against", options->against,
                    "Also the trade-off with this response, as small (min:) or as large (max:) as "
                    "possible: the Pareto front")
        ->type_name("min:NAME");
    command
        .add_option("--points", options->places,
                    "Points of the trade-off at most, its ends among them; 25, or 9 where a field "
                    "has to be evaluated for each number")
        ->type_name("N");
    command.add_option("--csv", options->csv, "Write the points of the trade-off")
        ->type_name("FILE.csv");
    command
        .add_option(
            "--starts", options->starts,
            "From so many starts; 24, or 8 where a field has to be evaluated for each number")
        ->type_name("N");
    command.add_option("--seed", options->seed, "Of the points that are tried")
        ->type_name("N")
        ->capture_default_str();
    command.footer(R"(
On the surrogate, from the best of 4096 points, by optimizers that need no derivatives (those of
piecewise polynomials have jumps). If nothing fulfils the constraints, the nearest point is printed,
and the exit code is 3. A trade-off has the best points of both responses, and what lies between,
wherever the widest gap is left.

Examples, after "gridhelm-cli sample plate", with the responses peak (maximum) and average (mean) of
temperature:
  gridhelm-cli optimize plate.gridhelm --minimize peak --subject-to average=15:
  gridhelm-cli optimize plate.gridhelm --maximize average --against min:peak --csv front.csv)");
    command.callback([&global, options] { runOptimize(global, *options); });
}

} // namespace gridhelm::cli
