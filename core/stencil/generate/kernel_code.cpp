// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/generate/code.h"
#include "core/stencil/generate/code_text.h"
#include "core/stencil/generate/side_rules.h"
#include "core/stencil/generate/stencil_rows.h"
#include "core/stencil/generate/wavefront_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::stencil {
namespace {

constexpr std::string_view codeBeginning = R"(#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

using Index = std::ptrdiff_t;
using stencil::Run;
using stencil::Value;
constexpr Index radius = stencil::radius;

// Numbers that are nearly 0 count as 0: each operation with one takes a hundred times as long.
class FlushDenormals
{
public:
#if defined(__SSE2__)
    FlushDenormals()
    {
        _mm_setcsr(m_before | 0x8040);
    }
    ~FlushDenormals()
    {
        _mm_setcsr(m_before);
    }

private:
    unsigned m_before = _mm_getcsr();
#else
    FlushDenormals() {}
#endif
};

struct Range
{
    Index begin;
    Index end;
};

Range part(Index size, Index index, Index parts)
{
    return {size * index / parts, size * (index + 1) / parts};
}

)";

constexpr std::string_view grids = R"(
// ---- beyond the sides --------------------------------------------------------------------------

@RULES@

// x low, x high, y low, ...
// clang-format off
constexpr Side sides[2 * stencil::dimension] = {
@SIDES@
};
// clang-format on
constexpr Side lowRows = sides[2], highRows = sides[3];
constexpr Side lowLayers = sides[2 * stencil::dimension - 2];
constexpr Side highLayers = sides[2 * stencil::dimension - 1];
// Whether ghosts change from iteration to iteration.
constexpr bool ghostsMove = @MOVE@;

Value ghost(const Side &side, Index g, Value mirrored, Value opposite)
{
    if (side.rule == Rule::value)
        return side.numbers[g];
    return side.rule == Rule::slope ? mirrored + side.numbers[g] : opposite;
}

void setRowGhosts(Value *row, Index n)
{
    for (Index g = 0; g < radius; ++g) {
        row[-1 - g] = ghost(sides[0], g, row[g], row[n - 1 - g]);
        row[n + g] = ghost(sides[1], g, row[n - 1 - g], row[g]);
    }
}

// A row of ghosts, with those at its ends.
void setGhostRow(Value *to, const Value *mirrored, const Value *opposite, const Side &side, Index g,
                 Index n)
{
    for (Index i = -radius; i < n + radius; ++i)
        to[i] = ghost(side, g, mirrored[i], opposite[i]);
}

// A grid's rows in memory: 2D grids have layers of one row.
struct Layers
{
    explicit Layers(const Run &run)
        : points(run.points[0])
        , rows(stencil::dimension == 3 ? run.points[1] : 1)
        , layers(run.points[stencil::dimension - 1])
        , rowStride(stencil::dimension == 3 ? run.rowStride : 0)
        , layerStride(stencil::dimension == 3 ? run.planeStride : run.rowStride)
    {
    }
    Index offset(Index j, Index k) const { return j * rowStride + k * layerStride; }

    Index points;
    Index rows;
    Index layers;
    Index rowStride;
    Index layerStride;
};

void setGhosts(const Run &run, Value *grid)
{
    const Layers at(run);
    constexpr Index outside = stencil::dimension == 3 ? radius : 0;
#pragma omp parallel for num_threads(run.threads)
    for (Index k = 0; k < at.layers; ++k) {
        for (Index j = 0; j < at.rows; ++j)
            setRowGhosts(grid + at.offset(j, k), at.points);
        for (Index g = 0; g < outside; ++g) {
            const Value *low = grid + at.offset(g, k);
            const Value *high = grid + at.offset(at.rows - 1 - g, k);
            setGhostRow(grid + at.offset(-1 - g, k), low, high, lowRows, g, at.points);
            setGhostRow(grid + at.offset(at.rows + g, k), high, low, highRows, g, at.points);
        }
    }
#pragma omp parallel for collapse(2) num_threads(run.threads)
    for (Index g = 0; g < radius; ++g) {
        for (Index j = -outside; j < at.rows + outside; ++j) {
            const Value *low = grid + at.offset(j, g);
            const Value *high = grid + at.offset(j, at.layers - 1 - g);
            setGhostRow(grid + at.offset(j, -1 - g), low, high, lowLayers, g, at.points);
            setGhostRow(grid + at.offset(j, at.layers + g), high, low, highLayers, g, at.points);
        }
    }
}

// ---- one iteration -----------------------------------------------------------------------------

constexpr Index piece = 2048 / sizeof(Value); // of a row
@SIDE@

void finishStreaming()
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// With the spike at value `spike` of them.
template <bool compares, bool streams>
[[gnu::noinline]] Value updateSpike(Value *to, const Rows &rows, Value factor, Index spike,
                                    Index count)
{
    updateRow<false, streams>(to, rows, factor, count);
    to[spike] += factor;
    Value largest = 0;
    for (Index i = 0; compares && i < count; ++i)
        largest = std::max(largest, std::abs(to[i] - rows.u[centreRow][i]));
    return largest;
}

// `first`: where these values are in their row; `spike`: where its point is in it, or negative.
template <bool compares, bool streams>
Value updateValues(Value *to, const Rows &rows, Value factor, Index first, Index spike, Index count)
{
    if (spike >= first && spike < first + count)
        return updateSpike<compares, streams>(to, rows, factor, spike - first, count);
    return updateRow<compares, streams>(to, rows, factor, count);
}

Index spikeIn(const Run &run, Index j, Index k)
{
    const bool isHere =
        stencil::dimension == 3 ? run.spike[1] == j && run.spike[2] == k : run.spike[1] == k;
    return isHere ? run.spike[0] : -1;
}

// A piece of a row of the result, from value `first` on.
template <bool compares>
Value writePiece(const Run &run, Value *to, const Rows &rows, Index spike, Index first, Index count)
{
    const Rows here = rows.from(first);
    if (run.streams != 0)
        return updateValues<compares, true>(to + first, here, run.sourceFactor, first, spike,
                                            count);
    return updateValues<compares, false>(to + first, here, run.sourceFactor, first, spike, count);
}

// So many rows of all layers that an update reads stay in a cache of that size.
Index rowsOfTile(const Run &run, Index cacheBytes, Index layers, Index halo, Index rows)
{
    const Index bytes = layers * run.rowStride * static_cast<Index>(sizeof(Value));
    return std::clamp(cacheBytes / 2 / bytes - 2 * halo, std::min(4 * halo, rows), rows);
}

template <bool compares>
Value writeRows(const Run &run, const Layers &at, Index j, Range layers)
{
    Rows rows[sideBySide];
    for (Index k = layers.begin; k < layers.end; ++k) {
        Rows &own = rows[k - layers.begin];
        for (int i = 0; i < rowCount; ++i)
            own.u[i] = run.present + at.offset(j + rowsAway[i][0], k + rowsAway[i][1]);
        for (int i = 0; i < stencil::coefficientCount; ++i)
            own.c[i] = run.coefficients[i] + at.offset(j, k);
        own.f = run.source != nullptr ? run.source + at.offset(j, k) : nullptr;
    }
    bool hasSpike = false;
    for (Index k = layers.begin; k < layers.end; ++k)
        hasSpike = hasSpike || spikeIn(run, j, k) >= 0;
    if (run.streams != 0 && layers.end - layers.begin == sideBySide && !hasSpike)
        return updateRow<compares, true, sideBySide>(run.next + at.offset(j, layers.begin), rows[0],
                                                     run.sourceFactor, at.points, at.layerStride,
                                                     at.rowStride);
    Value largest = 0;
    for (Index first = 0; first < at.points; first += piece) {
        const Index count = std::min(piece, at.points - first);
        for (Index k = layers.begin; k < layers.end; ++k)
            largest = std::max(largest, writePiece<compares>(run, run.next + at.offset(j, k),
                                                             rows[k - layers.begin],
                                                             spikeIn(run, j, k), first, count));
    }
    return largest;
}

template <bool compares>
Value iterateLayers(const Run &run, Range mine)
{
    const FlushDenormals flush;
    const Layers at(run);
    // The cache that is shared is some times as large as a core's own.
    const Index cacheBytes = 4 * run.cacheBytes;
    const Index tile = rowsOfTile(run, cacheBytes, 2 * radius + sideBySide, radius, at.rows);
    Value largest = 0;
    for (Index first = 0; first < at.rows; first += tile) {
        for (Index k = mine.begin; k < mine.end; k += sideBySide) {
            const Range layers{k, std::min(k + sideBySide, mine.end)};
            for (Index j = first; j < std::min(first + tile, at.rows); ++j)
                largest = std::max(largest, writeRows<compares>(run, at, j, layers));
        }
    }
    finishStreaming();
    return largest;
}
)";

constexpr std::string_view ending = R"(
// ---- all of them -------------------------------------------------------------------------------

template <bool compares>
Value pass(const Run &run, [[maybe_unused]] Index depth, [[maybe_unused]] Value *memory)
{
    const Index layers = run.points[stencil::dimension - 1];
    const auto threads = static_cast<int>(std::min<Index>(run.threads, layers));
    Value largest = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(max : largest)
    for (int thread = 0; thread < threads; ++thread) {
        const Range mine = part(layers, thread, threads);
@PASS@
    }
    return largest;
}

} // namespace

double gridhelm_stencil_advance_1(Run *run, std::ptrdiff_t iterations)
{
@MEMORY@
    setGhosts(*run, run->present);
    if (!ghostsMove)
        setGhosts(*run, run->next);
    Value largest = 0;
    while (iterations > 0) {
        const Index depth = std::min(iterations, deepest);
        iterations -= depth;
        if (run->compares != 0 && iterations == 0)
            largest = pass<true>(*run, depth, memory);
        else
            pass<false>(*run, depth, memory);
        std::swap(run->present, run->next);
        if (ghostsMove && iterations > 0)
            setGhosts(*run, run->present);
    }
@FREE@
    return largest;
}
)";

} // namespace

bool ghostsMove(std::span<const Side> sides)
{
    return std::ranges::any_of(sides,
                               [](const Side &side) { return side.rule != SideRule::value; });
}

std::string sideTable(const Stencil &stencil)
{
    const int radius = ghostsOf(stencil);
    std::string text;
    for (std::size_t s = 0; s < 2 * static_cast<std::size_t>(stencil.dimension); ++s) {
        const auto &side = stencil.sides[s];
        std::string numbers;
        for (int g = 0; g < radius; ++g) {
            const double number = side.rule == SideRule::slope ? ghostRise<double>(stencil, side, g)
                                  : side.rule == SideRule::value ? side.number
                                                                 : 0.0;
            numbers += (g > 0 ? ", " : "") + numberText(number, stencil.precision);
        }
        text += fmt::format("    {{Rule::{}, {{{}}}}},\n",
                            side.rule == SideRule::value   ? "value"
                            : side.rule == SideRule::slope ? "slope"
                                                           : "periodic",
                            numbers);
    }
    return text;
}

namespace {

/// How many layers are computed at once depends on whether there are registers for what they share
/// (row_code.cpp).
std::string sideBySideCode(const Stencil &stencil)
{
    const int wide = sideBySideOf(stencil, true), narrow = sideBySideOf(stencil, false);
    const auto line = [](int layers, const char *space) {
        return fmt::format("constexpr Index sideBySide = {};{}// layers\n", layers, space);
    };
    if (wide == narrow)
        return line(wide, "               "); // as the comment of the line above
    return "#if defined(__AVX512F__)\n" + line(wide, " ") + "#else\n" + line(narrow, " ")
           + "#endif\n";
}

/// Of a file whose first lines are those of the one that it becomes a part of.
std::string withoutHead(const std::string &code)
{
    return code.substr(code.find("#include"));
}

} // namespace

std::string kernelCode(const Stencil &stencil, CodeForm form)
{
    const bool isTemporal = stencil.target.iterationsPerPass > 1;
    std::string text = "// Generated by Gridhelm.\n";
    if (form == CodeForm::folder)
        text += "#include \"stencil.h\"\n\n";
    else
        text += withoutHead(headerCode(stencil));
    text += codeBeginning;
    text += rowCode(stencil);
    text += filled(grids, {{"RULES", std::string(sideRules)},
                           {"SIDES", sideTable(stencil)},
                           {"MOVE", fmt::format("{}", ghostsMove(stencil.sides))},
                           {"SIDE", sideBySideCode(stencil)}});
    if (isTemporal)
        text += wavefrontText;
    constexpr std::string_view temporalPass = R"(        const Value largestOfPart =
            depth > 1 ? Wavefront(run, mine, depth, memory, thread).advance<compares>()
                      : iterateLayers<compares>(run, mine);
        largest = std::max(largest, largestOfPart);
)";
    constexpr std::string_view plainPass =
        "        largest = std::max(largest, iterateLayers<compares>(run, mine));\n";
    constexpr std::string_view temporalMemory =
        R"(    const Index threads = std::min<Index>(run->threads, run->points[stencil::dimension - 1]);
    const auto ringBytes = Wavefront::valuesOf(*run) * static_cast<Index>(sizeof(Value));
    // Rings that are much larger than the cache gain nothing.
    const bool isWorthIt = ringBytes <= 16 * std::max<Index>(run->cacheBytes, 1 << 20);
    auto *memory = isWorthIt
                       ? static_cast<Value *>(std::aligned_alloc(64, threads * ringBytes))
                       : nullptr;
    const Index deepest = memory != nullptr ? stencil::iterationsPerPass : 1;
)";
    text +=
        filled(ending, {{"PASS", std::string(isTemporal ? temporalPass : plainPass)},
                        {"MEMORY", std::string(isTemporal ? temporalMemory
                                                          : "    Value *const memory = nullptr;\n"
                                                            "    constexpr Index deepest = 1;\n")},
                        {"FREE", isTemporal ? "    std::free(memory);\n" : ""}});
    return text;
}

} // namespace gridhelm::stencil
