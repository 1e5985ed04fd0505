// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/held_out_run.h"

namespace gridhelm::data {

HeldOutRun heldOutRun(const Study &study, FieldIndex field, const std::vector<HoldOut> &run,
                      const EvaluateField &evaluate, const SeeHeldOut &see)
{
    HeldOutRun errors;
    const auto count = study.fields()[field].values();
    std::vector<float> exact(count), values(count);
    for (const auto &holdOut : run) {
        if (!study.readHoldOut(holdOut.id, field, exact))
            continue;
        evaluate(holdOut.parameters, values);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] -= exact[i];
        see(holdOut, values, exact);
        const auto error = normsOf(values);
        if (errors.worst.empty() || error.maximum > errors.difference.maximum)
            errors.worst = holdOut.parameters;
        errors.difference += error;
        errors.reference += normsOf(exact);
    }
    return errors;
}

} // namespace gridhelm::data
