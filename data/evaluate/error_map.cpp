// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/error_map.h"

#include "core/surrogate/value_bands.h"
#include "data/evaluate/hold_outs_inside.h"
#include "data/evaluate/present_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

/// Errors of single states.
class StateErrors
{
public:
    StateErrors(const Study &study, FieldIndex field, const EvaluateField &evaluate,
                const ExecutionContext &context)
        : m_study(study)
        , m_field(field)
        , m_evaluate(evaluate)
        , m_body(study, context)
        , m_truth(study.fields()[field].values())
        , m_evaluated(m_truth.size())
    {
    }

    bool isThere(const UnitHoldOut &holdOut)
    {
        return m_study.readHoldOut(holdOut.id, m_field, m_truth);
    }

    /// NaN where there is no body.
    std::vector<float> at(const UnitHoldOut &holdOut)
    {
        m_study.readHoldOut(holdOut.id, m_field, m_truth);
        m_evaluate(holdOut.x, m_evaluated);
        auto errors = errorsOf(m_evaluated, m_truth);
        if (!m_body.matters(m_field))
            return errors;
        std::vector<float> isBody(errors.size(), 1);
        m_body.keep(m_study.description().space.fromUnit(holdOut.x),
                    [&](FieldIndex distance, std::span<float> into) {
                        return m_study.readHoldOut(holdOut.id, distance, into);
                    },
                    {isBody});
        for (std::size_t i = 0; i < errors.size(); ++i)
            if (isBody[i] == 0)
                errors[i] = std::numeric_limits<float>::quiet_NaN();
        return errors;
    }

private:
    const Study &m_study;
    FieldIndex m_field;
    const EvaluateField &m_evaluate;
    PresentBody m_body;
    std::vector<float> m_truth, m_evaluated;
};

} // namespace

std::optional<ErrorMap> errorMapOf(const Study &study, FieldIndex field,
                                   const EvaluateField &evaluate, const ExecutionContext &context)
{
    StateErrors errors(study, field, evaluate, context);
    auto held = holdOutsInside(study);
    // A run of before the field was there has none.
    std::erase_if(held, [&](const UnitHoldOut &each) { return !errors.isThere(each); });
    if (held.empty())
        return std::nullopt;
    std::size_t runs = 1;
    for (std::size_t i = 1; i < held.size(); ++i)
        runs += held[i].run != held[i - 1].run;
    ValueBands bands(study.fields()[field].values(), runs);
    for (std::size_t i = 0; i < held.size();) {
        const auto run = held[i].run;
        auto largest = errors.at(held[i]);
        for (++i; i < held.size() && held[i].run == run; ++i) {
            const auto also = errors.at(held[i]);
            for (std::size_t k = 0; k < largest.size(); ++k)
                largest[k] = std::fmax(largest[k], also[k]); // NaN only if both are
        }
        bands.add(largest);
    }
    auto offsets = bands.offsets();
    if (std::ranges::all_of(offsets, [](float offset) { return std::isnan(offset); }))
        return std::nullopt;
    return ErrorMap{std::move(offsets), bands.coverage(), bands.holdOuts(), bands.valuesOfFewer()};
}

} // namespace gridhelm::data
