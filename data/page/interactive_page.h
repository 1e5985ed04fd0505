// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study as one page in HTML that anybody can open, without this program and without a network:
// sliders, the fields that follow them, curves, responses, and what was measured of their errors.
//
// How the parts go together:
//
//     page_mesh.h       what is drawn of the mesh (data/mesh makes it)
//     page_rows.h       a field as a few rows over the drawn points, and what gives their weights
//     page_codes.h      these rows in few bits
//     surrogate_json.h  what gives the weights, as the page computes it
//     packed_arrays.h   all numbers, packed
//     viewer/           what runs in the browser
#pragma once

#include "core/execution/execution_context.h"
#include "data/answers/study_report.h"
#include "data/evaluate/study_fields.h"
#include "data/page/page_mesh.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct InteractivePageOptions
{
    std::vector<FieldIndex> fields = {}; ///< that are shown; empty: all
    /// That few bits may add to a field anywhere, relative L2, above 0; none: half of the field's
    /// measured error (Accuracy), or where there is none 0.1 %.
    std::optional<double> error = {};
    /// Of the whole page: bits are taken away until it is no larger, then points of the mesh.
    std::optional<std::size_t> mostBytes = {};
    std::size_t mostPoints = 1000000; ///< that are drawn
    ExecutionContext context = {};
    std::stop_token stop = {};
};

struct InteractivePage
{
    struct OfField
    {
        std::string name;
        std::size_t modes = 0;
        /// What the page's numbers are off beside those of the study, the largest at runs and other
        /// places, some 500 in all, rounded up to two digits: relative L2, and of a single value,
        /// in the field's unit.
        double relativeL2 = 0, largest = 0;
    };
    std::string html;
    std::vector<OfField> fields;
    std::size_t points = 0;         ///< of the mesh
    std::string reduction;          ///< see PageMesh
    std::vector<std::string> notes; ///< what the page lacks, as sentences
};

/// What pages say that they were made by (isPageOf()).
inline constexpr std::string_view interactivePageGenerator = "gridhelm-cli export --html";

/// What a page runs, as a Content-Security-Policy names it: "'sha256-...'".
std::string pageScriptSource();

/// All texts, which may be a stranger's, are data in the page: none becomes an element or a script.
/// `fields` and `mesh` are not needed, and null, for a study of numbers without a mesh. Throws
/// gridhelm::Error where no page is small enough, soon after a stop was requested, and if memory
/// does not suffice.
InteractivePage interactivePage(const Study &study, StudyFields *fields, const PageMeshMaker &mesh,
                                const StudyReport &report, const InteractivePageOptions &options);

/// Several of them below each other, in one file.
std::string galleryPage(const std::vector<std::string> &pages);

} // namespace gridhelm::data
