// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_view.h"

#include <type_traits>
#include <variant>
#include <vector>

namespace gridhelm::ui {

/// A field without its solver, which takes several times as much memory.
class KeptField
{
public:
    explicit KeptField(const solvers::FieldView &of)
        : m_view(of)
    {
        std::visit(
            [this](auto values) {
                auto &kept = m_values.emplace<
                    std::vector<std::remove_const_t<typename decltype(values)::element_type>>>(
                    values.begin(), values.end());
                m_view.values = decltype(values)(kept);
            },
            of.values);
    }
    KeptField(const KeptField &) = delete;
    KeptField &operator=(const KeptField &) = delete;

    const solvers::FieldView &view() const { return m_view; }

private:
    std::variant<std::vector<float>, std::vector<double>> m_values;
    solvers::FieldView m_view;
};

} // namespace gridhelm::ui
