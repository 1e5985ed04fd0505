// SPDX-License-Identifier: GPL-3.0-or-later
//
// One small study of each kind, with something in each of its tables.
#pragma once

#include "data/compress/quantise_rows.h"
#include "tests/data/full_studies.h"
#include "tests/data/hostile_files.h"
#include "tests/data/scattered_cases.h"
#include "tests/data/unlike_studies.h"

#include <array>
#include <filesystem>
#include <limits>
#include <string_view>

namespace gridhelm::test {

inline constexpr std::array kindsOfStudies{"grid", "scalar", "scattered", "few bits"};

inline void makeStudyOfKind(const std::filesystem::path &path, std::string_view kind)
{
    if (kind == "grid") {
        makeFullStudy(path);
        growAndSubmit(path);
    } else if (kind == "scalar") {
        makeFullScalarStudy(path);
    } else if (kind == "scattered") {
        const Folder folder;
        writeText(folder / "t.csv", tableOf(12, {wave}));
        data::scatteredStep(stepOf(folder), {});
        std::filesystem::copy_file(folder / "s", path);
    } else {
        makeUnlike(path);
        auto writer = data::StudyWriter::open(path);
        data::storeModes(writer, data::ModesOptions{});
        data::QuantiseOptions options;
        options.allowed = 0.01;
        data::quantiseRows(writer, 0, options, std::numeric_limits<double>::infinity());
        writer.close();
    }
}

} // namespace gridhelm::test
