// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/operation_class.h"

namespace gridhelm::bench {

std::string_view nameOf(OperationClass operation)
{
    switch (operation) {
    case OperationClass::hierarchization:
        return "hierarchization";
    case OperationClass::interpolation:
        return "interpolation";
    case OperationClass::shared:
        return "shared";
    case OperationClass::cartesian:
        return "cartesian";
    case OperationClass::combination:
        return "combination";
    }
    return "";
}

std::optional<OperationClass> operationClassNamed(std::string_view name)
{
    for (const auto operation : operationClasses) {
        if (nameOf(operation) == name)
            return operation;
    }
    return std::nullopt;
}

std::string_view unitOf(OperationClass operation)
{
    const bool isOfValues =
        operation == OperationClass::cartesian || operation == OperationClass::combination;
    return isOfValues ? "values" : "points";
}

} // namespace gridhelm::bench
