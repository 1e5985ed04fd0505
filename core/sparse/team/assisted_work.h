// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"
#include "core/sparse/share.h"
#include "core/sparse/team/faster_way.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/team/learnt_split.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace gridhelm::sparse {

/// What a device and its helper do together, on two threads, in shares that are learnt for each
/// kind of work (LearntSplit). Thread-safe: one after the other, as the devices are taken.
class AssistedWork
{
public:
    /// `joint` has two threads; it may be shared.
    explicit AssistedWork(std::shared_ptr<JointWork> joint)
        : m_joint(std::move(joint))
    {
    }

    /// What takes equally long for each item.
    enum class Operation { shared, cartesian, gradient, combination, columns };
    using Kind = std::pair<Operation, std::size_t>;
    using Part = std::function<ComputedOn(Share)>;

    /// Items of the kind: the first ones by `first`, the others, if any, by `helper`, at the same
    /// time; the helper's begin at `origin` + a multiple of `granule`.
    ComputedOn divide(Kind kind, std::size_t items, const Part &first, const Part &helper,
                      std::size_t granule = 1, std::size_t origin = 0);

    /// Items of one kind by `alone`, or by `both`, in which both work at the same time.
    ComputedOn byFasterWay(std::size_t items, std::size_t few, const Part &alone, const Part &both);

    /// Both at the same time.
    ComputedOn together(const std::function<ComputedOn()> &first,
                        const std::function<ComputedOn()> &helper);

private:
    std::mutex m_mutex;
    std::map<Kind, LearntSplit> m_splits;
    FasterWay m_fasterWay;
    std::shared_ptr<JointWork> m_joint;
};

} // namespace gridhelm::sparse
