// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/response_model.h"

#include "core/answers/grid_of_surrogate.h"
#include "core/support/error.h"

#include <algorithm>
#include <utility>

namespace gridhelm::answers {

namespace {

/// out[k * stride] += the weighted sum of column k of the rows.
void addWeighted(const SparseWeights &weights, const std::vector<double> &rows,
                 std::size_t responses, double *out, std::size_t stride)
{
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        const double *row = rows.data() + weights.rows[i] * responses;
        for (std::size_t k = 0; k < responses; ++k)
            out[k * stride] += weights.weights[i] * row[k];
    }
}

} // namespace

ResponseModel::ResponseModel(int dimension, std::vector<Part> parts, std::vector<double> constants,
                             std::vector<Function> functions)
    : m_dimension(dimension)
    , m_parts(std::move(parts))
    , m_constants(std::move(constants))
    , m_functions(std::move(functions))
{
    if ((m_parts.empty() && m_functions.empty()) || m_constants.empty())
        throw Error("a response needs at least one surrogate; this is a fault of the program");
    for (const auto &part : m_parts)
        if (part.surrogate->dimension() != m_dimension
            || part.rows.size() != part.surrogate->rows() * m_constants.size())
            throw Error("the rows of a response do not fit its surrogate; this is a fault of the "
                        "program");
    for (const auto &function : m_functions)
        if (function.response >= m_constants.size())
            throw Error("a function is of a response that is not there; this is a fault of the "
                        "program");
}

ResponseModel::ResponseModel(std::vector<Part> parts, std::vector<double> constants)
    : ResponseModel(parts.empty() ? 0 : parts.front().surrogate->dimension(), parts,
                    std::move(constants))
{
}

void ResponseModel::values(std::span<const double> x, std::span<double> out) const
{
    std::ranges::copy(m_constants, out.begin());
    for (const auto &part : m_parts)
        addWeighted(part.surrogate->weights(x, part.surrogate->groups()), part.rows, responses(),
                    out.data(), 1);
    for (const auto &function : m_functions)
        out[function.response] += function.value(x);
}

void ResponseModel::gradients(std::span<const double> x, std::span<double> out) const
{
    std::ranges::fill(out, 0.0);
    const auto d = static_cast<std::size_t>(dimension());
    for (const auto &part : m_parts)
        for (std::size_t t = 0; t < d; ++t)
            addWeighted(
                part.surrogate->derivativeWeights(x, static_cast<int>(t), part.surrogate->groups()),
                part.rows, responses(), out.data() + t, d);
    for (const auto &function : m_functions)
        for (std::size_t t = 0; t < d; ++t) {
            std::vector<double> before(x.begin(), x.end()), after = before;
            before[t] = std::max(0.0, x[t] - function.step);
            after[t] = std::min(1.0, x[t] + function.step);
            out[function.response * d + t] +=
                (function.value(after) - function.value(before)) / (after[t] - before[t]);
        }
}

double ResponseModel::value(std::span<const double> x) const
{
    std::vector<double> out(responses());
    values(x, out);
    return out.front();
}

ResponseModel ResponseModel::only(std::size_t response) const
{
    std::vector<Part> parts;
    for (const auto &part : m_parts) {
        std::vector<double> rows;
        for (std::size_t at = response; at < part.rows.size(); at += responses())
            rows.push_back(part.rows[at]);
        parts.push_back({part.surrogate, std::move(rows)});
    }
    std::vector<Function> functions;
    for (const auto &function : m_functions)
        if (function.response == response)
            functions.push_back({0, function.value, function.step});
    if (functions.empty() && parts.empty()) // a constant beside others
        functions.push_back({0, [](std::span<const double>) { return 0.0; }});
    return {m_dimension, std::move(parts), {m_constants[response]}, std::move(functions)};
}

bool ResponseModel::hasKinks() const
{
    return !m_functions.empty() || std::ranges::any_of(m_parts, [](const Part &part) {
        return gridOf(*part.surrogate) != nullptr;
    });
}

bool ResponseModel::isInSingle() const
{
    return std::ranges::any_of(m_functions,
                               [](const Function &function) { return function.step >= inSingle; });
}

std::optional<GridCoefficients> gridCoefficients(const Surrogate &surrogate,
                                                 std::span<const double> rows, std::size_t columns)
{
    const auto *grid = gridOf(surrogate);
    if (!grid)
        return std::nullopt;
    const auto *modal = dynamic_cast<const modes::ModalSurrogate *>(&surrogate);
    GridCoefficients result{grid->grid(), columns, {}};
    if (!modal) {
        result.coefficients.assign(rows.begin(), rows.end());
        return result;
    }
    const auto &ofModes = modal->modal();
    const auto points = static_cast<std::size_t>(result.grid->points());
    result.coefficients.assign(points * columns, 0.0);
    for (std::size_t b = 0; b < std::min(points, ofModes.rows()); ++b)
        for (std::size_t m = 0; m < ofModes.modes; ++m) {
            const auto share = static_cast<double>(ofModes.coefficients[b * ofModes.modes + m]);
            for (std::size_t k = 0; k < columns; ++k)
                result.coefficients[b * columns + k] += share * rows[m * columns + k];
        }
    return result;
}

std::optional<GridCoefficients> gridCoefficients(const ResponseModel &model)
{
    std::optional<GridCoefficients> all;
    if (!model.functions().empty())
        return std::nullopt;
    for (const auto &part : model.parts()) {
        auto found = gridCoefficients(*part.surrogate, part.rows, model.responses());
        if (!found)
            return std::nullopt;
        if (!all) {
            all = std::move(found);
            continue;
        }
        if (all->grid != found->grid
            && (all->coefficients.size() != found->coefficients.size()
                || !std::ranges::equal(all->grid->levelVectors(), found->grid->levelVectors())
                || all->grid->treatments() != found->grid->treatments()
                || all->grid->degrees() != found->grid->degrees()))
            return std::nullopt;
        for (std::size_t i = 0; i < all->coefficients.size(); ++i)
            all->coefficients[i] += found->coefficients[i];
    }
    return all;
}

} // namespace gridhelm::answers
