// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies with modes in few bits.
#pragma once

#include "data/compress/quantise_modes.h"
#include "data/compress/verify_modes.h"
#include "tests/data/modes_cases.h"

#include <filesystem>

namespace gridhelm::test {

inline QuantiseReport addBits(const std::filesystem::path &path, double allowed, int threads = 1,
                              double blockBytes = 512e6)
{
    auto writer = StudyWriter::open(path);
    ModesOptions exact;
    exact.cut = cutForError(allowed);
    storeModes(writer, exact);
    QuantiseOptions options;
    options.allowed = allowed;
    options.cpu = CpuDevice{threads};
    options.blockBytes = blockBytes;
    const auto report = quantiseModes(writer, 0, options);
    writer.close();
    return report;
}

inline VerifiedModes verified(const std::filesystem::path &path)
{
    const auto all = verifyModes(Study::open(path), {}, CpuDevice{}, {});
    return all.empty() ? VerifiedModes{} : all.front();
}

} // namespace gridhelm::test
