// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>
#include <span>
#include <utility>

namespace gridhelm::sparse {

/// A back end that hierarchizes, and back, as another one does.
class TransformsOfAnother : public Backend
{
public:
    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const final
    {
        return m_other->hierarchize(grid, values);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const final
    {
        return m_other->hierarchize(grid, values);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const final
    {
        return m_other->dehierarchize(grid, coefficients);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const final
    {
        return m_other->dehierarchize(grid, coefficients);
    }
    ComputedOn transformPart(const SparseGrid &grid, const TransformPart &part,
                             std::span<double> values) const final
    {
        return m_other->transformPart(grid, part, values);
    }
    ComputedOn transformPart(const SparseGrid &grid, const TransformPart &part,
                             std::span<float> values) const final
    {
        return m_other->transformPart(grid, part, values);
    }

protected:
    /// Null only if the constructor that calls this one throws.
    explicit TransformsOfAnother(std::shared_ptr<const Backend> other)
        : m_other(std::move(other))
    {
    }
    const Backend &other() const { return *m_other; }

private:
    std::shared_ptr<const Backend> m_other;
};

} // namespace gridhelm::sparse
