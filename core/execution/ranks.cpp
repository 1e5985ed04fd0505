// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/ranks.h"

#include "core/support/error.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

namespace gridhelm {
namespace {

/// Its text on all ranks.
std::string textOf(Ranks &ranks, std::string text, int rank)
{
    auto size = text.size();
    ranks.broadcast(writableBytesOf(&size, 1), rank);
    text.resize(size);
    if (size > 0)
        ranks.broadcast(writableBytesOf(text.data(), size), rank);
    return text;
}

/// What went wrong, if anything.
std::optional<std::string> outcomeOf(const std::function<void()> &work)
{
    try {
        work();
    } catch (const std::bad_alloc &) {
        return "memory ran out: ask for a smaller grid, or close other programs";
    } catch (const std::exception &error) {
        return error.what();
    }
    return std::nullopt;
}

} // namespace

double largestOfAll(Ranks &ranks, double mine)
{
    double largest = 0;
    for (double each : ranks.numbersOfAll(mine))
        largest = std::max(largest, each);
    return largest;
}

std::vector<std::string> textsOfAll(Ranks &ranks, const std::string &mine)
{
    std::vector<std::string> texts;
    for (int rank = 0; rank < ranks.count(); ++rank)
        texts.push_back(textOf(ranks, mine, rank));
    return texts;
}

void doneByFirst(Ranks *ranks, const std::function<void()> &work)
{
    doneByAll(ranks, [&] {
        if (ranks == nullptr || ranks->isFirst())
            work();
    });
}

void doneByAll(Ranks *ranks, const std::function<void()> &work)
{
    if (ranks == nullptr) {
        work();
        return;
    }
    const auto outcome = outcomeOf(work);
    const auto failures = ranks->numbersOfAll(outcome ? 1 : 0);
    const auto first = std::ranges::find(failures, 1.0);
    if (first != failures.end())
        throw Error(
            textOf(*ranks, outcome.value_or(""), static_cast<int>(first - failures.begin())));
}

} // namespace gridhelm
