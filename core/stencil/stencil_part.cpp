// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil_part.h"

#include <cmath>

namespace gridhelm::stencil {

template <typename T>
double StencilPart<T>::residual(T factor)
{
    return std::sqrt(nextChange(allLayers(), factor).squared);
}

template <typename T>
void StencilPart<T>::copyTo(std::vector<T> &values) const
{
    values.resize(stencil().count());
    read(allLayers(), values.data());
}

template class StencilPart<float>;
template class StencilPart<double>;

} // namespace gridhelm::stencil
