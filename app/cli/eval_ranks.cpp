// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/eval_ranks.h"

#include "app/cli/interrupted.h"
#include "core/sparse/team/shares.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gridhelm::cli {
namespace {

std::vector<sparse::Share> sharesOf(std::size_t points, const Ranks &ranks)
{
    return sparse::sharedEqually(points, static_cast<std::size_t>(ranks.count()));
}

} // namespace

std::vector<std::vector<double>> pointsOfRank(const std::vector<std::vector<double>> &points,
                                              Ranks *ranks)
{
    if (ranks == nullptr)
        return points;
    const auto mine = sharesOf(points.size(), *ranks)[static_cast<std::size_t>(ranks->number())];
    return {points.begin() + static_cast<std::ptrdiff_t>(mine.begin),
            points.begin() + static_cast<std::ptrdiff_t>(mine.end)};
}

std::vector<DeviceShare> shareOfRanks(std::size_t points, Ranks *ranks)
{
    std::vector<DeviceShare> shares;
    if (ranks == nullptr)
        return shares;
    for (const auto &share : sharesOf(points, *ranks))
        shares.push_back(
            {fmt::format("rank {}", shares.size()), share.begin, share.end, points, "points"});
    return shares;
}

void evaluatedByAll(Ranks *ranks, const std::function<void()> &work)
{
    if (ranks == nullptr) {
        work();
        return;
    }
    std::string interrupted;
    doneByAll(ranks, [&] {
        try {
            work();
        } catch (const Interrupted &end) { // by one signal for all, but not at the same moment
            interrupted = end.what();
        }
    });
    for (const auto &sentence : textsOfAll(*ranks, interrupted)) {
        if (!sentence.empty())
            throw Interrupted(sentence);
    }
}

std::string joinedCsv(Ranks *ranks, const std::string &mine)
{
    if (ranks == nullptr)
        return mine;
    std::string all;
    for (const auto &csv : textsOfAll(*ranks, mine))
        all += all.empty() ? csv : csv.substr(csv.find('\n') + 1);
    return all;
}

nlohmann::json joinedList(Ranks *ranks, const nlohmann::json &mine)
{
    if (ranks == nullptr)
        return mine;
    auto all = nlohmann::json::array();
    for (const auto &text : textsOfAll(*ranks, mine.dump())) {
        for (auto &entry : nlohmann::json::parse(text))
            all.push_back(std::move(entry));
    }
    return all;
}

} // namespace gridhelm::cli
