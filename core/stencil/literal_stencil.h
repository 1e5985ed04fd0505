// SPDX-License-Identifier: GPL-3.0-or-later
//
// The definition, word for word: what generated code is compared with, and what computes where
// there is no compiler.
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil.h"

#include <span>
#include <vector>

namespace gridhelm::stencil {

/// The lists of a stencil, x fastest, rounded to T.
template <typename T>
struct LiteralFields
{
    std::vector<std::vector<T>> coefficients;
    std::vector<T> source; ///< f; empty: none, or a spike
};

template <typename T>
LiteralFields<T> literalFields(const Stencil &stencil, const CpuDevice &cpu = CpuDevice{});

/// One iteration, from a list to another one, neighbours added one by one in their order, then
/// `factor` f.
template <typename T>
void literalIteration(const Stencil &stencil, const LiteralFields<T> &fields, T factor,
                      std::span<const T> from, std::span<T> to, const CpuDevice &cpu = CpuDevice{});

} // namespace gridhelm::stencil
