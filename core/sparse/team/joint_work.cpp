// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/joint_work.h"

#include <algorithm>

namespace gridhelm::sparse {

ComputedOn JointWork::run(std::span<const std::size_t> members,
                          const std::function<ComputedOn(std::size_t)> &body)
{
    if (members.size() == 1)
        return body(members.front());
    ComputedOn where;
    std::mutex ofWhere;
    const std::lock_guard lock(m_mutex);
    m_crew.run([&](std::size_t member) {
        if (std::ranges::find(members, member) == members.end())
            return;
        const auto here = body(member);
        const std::lock_guard guard(ofWhere);
        where |= here;
    });
    return where;
}

} // namespace gridhelm::sparse
