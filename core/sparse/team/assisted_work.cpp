// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/assisted_work.h"

#include <array>
#include <chrono>

namespace gridhelm::sparse {
namespace {

template <typename Work>
double secondsOf(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

ComputedOn AssistedWork::divide(Kind kind, std::size_t items, const Part &first, const Part &helper,
                                std::size_t granule, std::size_t origin)
{
    const std::lock_guard lock(m_mutex);
    ComputedOn where;
    const auto beginOfHelper = [&](std::size_t itsItems) {
        const auto begin = (origin + items - itsItems) / granule * granule;
        return begin > origin ? begin - origin : 0;
    };
    const auto byFirst = [&](std::size_t some) {
        return secondsOf([&] { where = first({0, some}); });
    };
    const auto byHelper = [&](std::size_t some) {
        return secondsOf([&] { helper({items - some, items}); });
    };
    const auto byBoth = [&](std::size_t itsItems) {
        const auto border = beginOfHelper(itsItems);
        LearntSplit::Both seconds{0, 0, items - border};
        const auto timed = [](double &time, const Part &part, Share share) {
            ComputedOn here;
            time = secondsOf([&] { here = part(share); });
            return here;
        };
        where = together(
            [&] {
                return timed(seconds.first, first, {0, border});
            },
            [&] {
                return timed(seconds.helper, helper, {border, items});
            });
        return seconds;
    };
    m_splits[kind].run(items, byFirst, byHelper, byBoth);
    return where;
}

ComputedOn AssistedWork::byFasterWay(std::size_t items, std::size_t few, const Part &alone,
                                     const Part &both)
{
    const std::lock_guard lock(m_mutex);
    ComputedOn where;
    const auto timed = [&where](const Part &part) {
        return [&where, &part](Share share) { return secondsOf([&] { where |= part(share); }); };
    };
    m_fasterWay.run(items, few, timed(alone), timed(both));
    return where;
}

ComputedOn AssistedWork::together(const std::function<ComputedOn()> &first,
                                  const std::function<ComputedOn()> &helper)
{
    constexpr std::array<std::size_t, 2> both{0, 1};
    return m_joint->run(both, [&](std::size_t i) { return i == 0 ? first() : helper(); });
}

} // namespace gridhelm::sparse
