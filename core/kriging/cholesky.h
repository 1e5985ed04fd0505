// SPDX-License-Identifier: GPL-3.0-or-later
//
// Factoring and inverting symmetric positive definite matrices, recursively, so that nearly all of
// the work is in addProduct(). Lower triangles; what is above is not read, and may be overwritten.
#pragma once

#include "core/kriging/product_kernel.h"

#include <cstddef>

namespace gridhelm::kriging {

/// a = L L^T in place. False if a pivot (the square of a diagonal entry of L) is not above
/// `smallestPivot`; then `a` is of no use.
bool factor(Block a, std::size_t size, double smallestPivot);

/// x <- x L^-T, where x is rows x size.
void solveRight(ConstBlock lower, Block x, std::size_t rows, std::size_t size);

/// The lower triangle of (L L^T)^-1 into `inverse`. Of it and of `work`, size x size, everything is
/// overwritten.
void invertFactored(ConstBlock lower, Block work, Block inverse, std::size_t size);

} // namespace gridhelm::kriging
