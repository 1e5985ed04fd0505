// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/accuracy_peers.h"
#include "app/bench/accuracy_summary.h"
#include "app/bench/scratch_folder.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

using bench::AccuracyCase;
using bench::AccuracyField;
using bench::AccuracyRow;
using bench::contenderNames;
using nlohmann::json;

struct BenchAccuracyOptions
{
    std::vector<std::string> fields;
    std::vector<std::size_t> runs = {31, 49, 81, 111, 225, 351};
    std::string peers;
    std::string folder = ".";
};

/// What errors are compared with.
struct Peer
{
    const char *name;
    const char *title;
    std::optional<double> (*error)(const bench::PeerErrors &errors);
};
constexpr std::array<Peer, 4> peers = {{
    {"all_modes", "POD + Gaussian process of twenty modes, RBF of all others",
     [](const bench::PeerErrors &errors) { return std::optional(errors.allModes); }},
    {"gaussian_process", "POD + Gaussian process of twenty modes",
     [](const bench::PeerErrors &errors) { return std::optional(errors.gaussianProcess); }},
    {"gaussian_process_not_limited", "the same where twenty POD modes are not what limits it",
     [](const bench::PeerErrors &errors) {
         return errors.isLimitedByModes() ? std::nullopt : std::optional(errors.gaussianProcess);
     }},
    {"rbf", "POD + RBF", [](const bench::PeerErrors &errors) { return std::optional(errors.rbf); }},
}};

std::vector<AccuracyField> fieldsOf(const BenchAccuracyOptions &options)
{
    const auto all = bench::accuracyFields();
    std::vector<AccuracyField> wanted;
    for (const auto &name : options.fields) {
        const auto found = std::ranges::find(all, name, &AccuracyField::name);
        if (found == all.end()) {
            std::vector<std::string> names;
            for (const auto &field : all)
                names.emplace_back(field.name);
            throw Error(fmt::format("there is no field '{}'; choose some of {}", name,
                                    fmt::join(names, ", ")));
        }
        wanted.push_back(*found);
    }
    return wanted.empty() ? std::vector(all.begin(), all.end()) : wanted;
}

std::optional<double> peerOf(const bench::PeerTable &table, const Peer &peer,
                             const AccuracyField &field, const AccuracyRow &row)
{
    const auto found = table.find({field.name, row.wished});
    return found == table.end() ? std::nullopt : peer.error(found->second);
}

bench::RatioOfRow ratioTo(const bench::PeerTable &table, const Peer &peer, std::size_t contender)
{
    return [&table, &peer, contender](const AccuracyField &field, const AccuracyRow &row) {
        auto error = peerOf(table, peer, field, row);
        if (error)
            error = row.errors[contender] / *error;
        return error;
    };
}

bench::RatioOfRow ratioToBest(std::size_t contender)
{
    return [contender](const AccuracyField &, const AccuracyRow &row) {
        return row.errors[contender] / *std::ranges::min_element(row.errors);
    };
}

bench::RatioOfRow ratioPicked()
{
    return [](const AccuracyField &, const AccuracyRow &row) { return bench::pickedToBest(row); };
}

json jsonOf(const AccuracyCase &measured, const bench::PeerTable &table)
{
    json rows = json::array();
    for (const auto &row : measured.rows) {
        json one = {{"runs", row.wished}};
        for (std::size_t i = 0; i < contenderNames.size(); ++i)
            one["errors"][contenderNames[i]] = {{"runs", row.runs[i]}, {"error", row.errors[i]}};
        const auto adaptive = static_cast<std::size_t>(bench::Contender::adaptive);
        one["errors"][contenderNames[adaptive]]["other_kind"] = row.otherKind;
        for (const auto &peer : peers)
            if (const auto error = peerOf(table, peer, measured.field, row))
                one["peers"][peer.name] = *error;
        rows.push_back(one);
    }
    return {{"field", measured.field.name},
            {"family", measured.field.family},
            {"parameters", measured.field.parameters},
            {"rows", rows}};
}

std::string textOf(const AccuracyCase &measured, const bench::PeerTable &table)
{
    auto text = fmt::format("{} ({})\n  runs", measured.field.name, measured.field.family);
    for (const char *name : contenderNames)
        text += fmt::format(" {:>15}", name);
    for (const auto &peer : peers)
        text += table.empty() ? "" : fmt::format(" {:>30}", peer.name);
    text += '\n';
    for (const auto &row : measured.rows) {
        text += fmt::format("{:6}", row.wished);
        for (std::size_t i = 0; i < contenderNames.size(); ++i)
            text += fmt::format(" {:14.3g}%", 100 * row.errors[i]);
        for (const auto &peer : peers)
            if (const auto error = peerOf(table, peer, measured.field, row))
                text += fmt::format(" {:29.3g}%", 100 * *error);
            else if (!table.empty())
                text += fmt::format(" {:>30}", "-");
        text += '\n';
    }
    return text;
}

json jsonOf(const bench::RatioSummary &summary)
{
    return {{"fields", summary.count},
            {"mean", summary.mean},
            {"worst", summary.worst},
            {"worst_field", summary.worstField}};
}

/// In a summary, the contender with the smallest error of each row.
constexpr const char *best = "best";

/// One group of rows: of a number of runs (0: any) and a family (empty: any).
struct RowGroup
{
    std::size_t runs;
    std::string family;
};

std::vector<RowGroup> groupsOf(const std::vector<AccuracyCase> &cases,
                               const std::vector<std::size_t> &runs)
{
    std::vector<RowGroup> groups;
    for (const auto count : runs)
        groups.push_back({count, ""});
    for (const auto &family : bench::familiesOf(cases))
        groups.push_back({0, family});
    return groups;
}

/// `[{"runs": 31 or "family": "front", "picked_to_best": {...}, "gaussian_process": {"leja":
/// ...}}]`
json summaryOf(const std::vector<AccuracyCase> &cases, const std::vector<std::size_t> &runs,
               const bench::PeerTable &table)
{
    json result = json::array();
    for (const auto &[count, family] : groupsOf(cases, runs)) {
        json one = family.empty() ? json{{"runs", count}} : json{{"family", family}};
        one["picked_to_best"] = jsonOf(bench::summarizeRatios(cases, count, family, ratioPicked()));
        for (std::size_t i = 0; i < contenderNames.size(); ++i) {
            const auto add = [&](const char *to, const bench::RatioOfRow &ratio) {
                const auto summary = bench::summarizeRatios(cases, count, family, ratio);
                if (summary.count > 0)
                    one[to][contenderNames[i]] = jsonOf(summary);
            };
            for (const auto &peer : peers)
                add(peer.name, ratioTo(table, peer, i));
            add(best, ratioToBest(i));
        }
        result.push_back(one);
    }
    return result;
}

std::string cellOf(const json &summary)
{
    return fmt::format(" {:6.2f} ({:6.2f})", summary["mean"].get<double>(),
                       summary["worst"].get<double>());
}

std::string titleOf(const json &group)
{
    return group.contains("runs") ? fmt::format("{} runs", group["runs"].get<std::size_t>())
                                  : group["family"].get<std::string>();
}

/// Ratios to what has this name in the summary; empty if nothing has.
std::string ratiosText(const json &summary, const char *to, const char *title)
{
    const auto has = [to](const json &group) { return group.contains(to); };
    if (std::ranges::none_of(summary, has))
        return "";
    auto text = fmt::format("Error over that of {}: geometric mean (largest)\n{:13}", title, "");
    for (const char *name : contenderNames)
        text += fmt::format(" {:>15}", name);
    text += '\n';
    for (const auto &group : summary) {
        if (!has(group))
            continue;
        text += fmt::format("{:13}", titleOf(group));
        for (const char *name : contenderNames)
            text += cellOf(group[to][name]);
        text += '\n';
    }
    return text + '\n';
}

std::string summaryText(const json &summary)
{
    std::string text;
    for (const auto &peer : peers)
        text += ratiosText(summary, peer.name, peer.title);
    text += ratiosText(summary, best, "the best of these");
    text += "What an adaptive study picks of the two kinds, over the better one: geometric mean "
            "(largest)\n";
    for (const auto &group : summary)
        text += fmt::format("{:13}{} {}\n", titleOf(group), cellOf(group["picked_to_best"]),
                            group["picked_to_best"]["worst_field"].get<std::string>());
    return text;
}

void requireRuns(std::vector<std::size_t> &runs)
{
    constexpr std::size_t fewest = 13; // level 2 of Clenshaw-Curtis in six parameters
    constexpr std::size_t most = 2000;
    std::ranges::sort(runs);
    runs.erase(std::ranges::unique(runs).begin(), runs.end());
    if (runs.empty() || runs.front() < fewest || runs.back() > most)
        throw Error(fmt::format("--runs are to be {} to {}, for less is no design of all fields",
                                fewest, most));
}

void runBenchAccuracy(const GlobalOptions &global, BenchAccuracyOptions options)
{
    requireRuns(options.runs);
    const auto fields = fieldsOf(options);
    const auto table = options.peers.empty() ? bench::PeerTable() : bench::readPeers(options.peers);
    const Interruption interruption;
    bench::AccuracyOptions how;
    how.runs = options.runs;
    how.context = benchContext(global);
    how.checkpoint = [&] {
        if (interruption.happened())
            throw Interrupted("Interrupted: the benchmark's files have been removed");
    };
    std::vector<AccuracyCase> cases;
    for (const auto &field : fields) {
        const bench::ScratchFolder folder(options.folder, 0);
        cases.push_back({field, bench::measureAccuracy(field, folder / "", how)});
        if (global.json)
            continue;
        printText(textOf(cases.back(), table) + "\n");
        flushOutput();
    }
    const auto summary = summaryOf(cases, options.runs, table);
    if (!global.json) {
        printText(summaryText(summary));
        return;
    }
    json documents = json::array();
    for (const auto &measured : cases)
        documents.push_back(jsonOf(measured, table));
    printJson({{"benchmark", "accuracy"},
               {"environment", app::environmentJson(how.context)},
               {"cases", documents},
               {"summary", summary}});
}

} // namespace

void addBenchAccuracyCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchAccuracyOptions>();
    CLI::App &command = *parent.add_subcommand(
        "accuracy", "Error against runs of analytic fields, by design and surrogate, beside POD + "
                    "Gaussian process and POD + RBF");
    command.add_option("--field", options->fields, "Only these of the fields")
        ->type_name("NAME,...")
        ->delimiter(',');
    command.add_option("--runs", options->runs, "Training runs")
        ->type_name("N,...")
        ->delimiter(',')
        ->capture_default_str();
    command
        .add_option("--peer", options->peers,
                    "What tests/peers/accuracy_peer.py has written, to compare with")
        ->type_name("FILE");
    command
        .add_option("--folder", options->folder,
                    "Where the studies are made, and removed afterwards")
        ->type_name("DIR")
        ->capture_default_str();
    command.footer(R"(
Fields of 3 to 6 parameters on a mesh of 64 x 64: plumes that move, smooth, oscillating, 1/x-like
ones, fronts. An error is relative, in L2, the mean over 200 random points. Takes about an hour on
two cores.
clenshaw-curtis, leja: adaptive sparse grids, of degree 3 and of polynomials.
leja-kriging: kriging of the runs on Leja points.
adaptive: what a plan with design = "adaptive" gets: Leja points and others, mixed, and the surrogate
that is chosen of both kinds.
space-filling: kriging of space-filling runs.

Examples:
  gridhelm-cli bench accuracy --field plume_3,front_3 --runs 31,81
  gridhelm-cli bench accuracy --peer peers.jsonl --json > accuracy.json)");
    command.callback([&global, options] { runBenchAccuracy(global, *options); });
}

} // namespace gridhelm::cli
