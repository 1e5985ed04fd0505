// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

namespace gridhelm::cli {

/// The user pressed Ctrl-C, and everything has been put in order: exit code 130.
class Interrupted : public Error
{
public:
    using Error::Error;
};

} // namespace gridhelm::cli
