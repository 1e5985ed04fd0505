// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/error_map.h"

#include "core/surrogate/value_bands.h"
#include "data/evaluate/hold_outs_inside.h"
#include "data/evaluate/present_body.h"

namespace gridhelm::data {

std::optional<ErrorMap> errorMapOf(const Study &study, FieldIndex field,
                                   const EvaluateField &evaluate, const ExecutionContext &context)
{
    const auto count = study.fields()[field].values();
    std::vector<float> truth(count), evaluated(count);
    auto held = holdOutsInside(study);
    // A run of before the field was there has none.
    std::erase_if(
        held, [&](const UnitHoldOut &each) { return !study.readHoldOut(each.id, field, truth); });
    if (held.empty())
        return std::nullopt;
    const PresentBody body(study, context);
    ValueBands bands(count, held.size());
    for (const auto &holdOut : held) {
        study.readHoldOut(holdOut.id, field, truth);
        evaluate(holdOut.x, evaluated);
        if (body.matters(field))
            body.keep(study.description().space.fromUnit(holdOut.x),
                      [&](FieldIndex distance, std::span<float> into) {
                          return study.readHoldOut(holdOut.id, distance, into);
                      },
                      {evaluated, truth});
        bands.add(evaluated, truth);
    }
    return ErrorMap{bands.offsets(), bands.coverage(), bands.holdOuts()};
}

} // namespace gridhelm::data
