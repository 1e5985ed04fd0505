// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

namespace gridhelm::python {

/// An argument that cannot be: gridhelm.ArgumentError, which is a ValueError.
class ArgumentError : public Error
{
public:
    using Error::Error;
};

} // namespace gridhelm::python
