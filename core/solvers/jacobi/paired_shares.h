// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi on two kinds of devices, as GPUs and a CPU ([Venkatasubramanian2009], section 4.1).
#pragma once

#include "core/execution/messages.h"
#include "core/solvers/jacobi/divided_iterations.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gridhelm::solvers::jacobi {

/// Makes one side's shares, which send to, and receive from, this party of these messages.
template <typename T>
using PartMaker =
    std::function<std::unique_ptr<Shares<T>>(const std::shared_ptr<Messages> &messages, int other)>;

/// Two parts of a grid, the lower one first, each made and moved by a thread of its own; they are
/// never more than one update apart. Both make `depth` iterations between two exchanges of halos.
/// If one fails, so do both, with its exception.
template <typename T>
std::unique_ptr<Shares<T>> makePairedShares(const std::array<PartMaker<T>, 2> &makers, int depth);

} // namespace gridhelm::solvers::jacobi
