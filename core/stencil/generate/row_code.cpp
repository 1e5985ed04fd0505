// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/generate/code_text.h"
#include "core/stencil/generate/stencil_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace gridhelm::stencil {

std::string groupStatements(const Stencil &stencil, const std::vector<std::string> &values,
                            const std::vector<std::string> &coefficients, const std::string &indent,
                            std::string_view type)
{
    std::string text;
    bool isFirst = true;
    int number = 0;
    for (const auto &group : weightGroups(stencil)) {
        auto sum = values[group.neighbours[0]];
        if (group.neighbours.size() > 1) {
            // In pairs: they need not wait for each other.
            const auto name = fmt::format("g{}", number);
            for (std::size_t i = 0; i < group.neighbours.size(); i += 2) {
                text += fmt::format("{}{} {} {}", indent,
                                    i == 0 ? fmt::format("{} {}", type, name) : name,
                                    i == 0 ? "=" : "+=", values[group.neighbours[i]]);
                if (i + 1 < group.neighbours.size())
                    text += " + " + values[group.neighbours[i + 1]];
                text += ";\n";
            }
            sum = name;
        }
        const auto weight = computedText(group.weight, coefficients, stencil.precision,
                                         fmt::format("w{}_", number), indent);
        text += weight.statements;
        const bool isOne = group.weight.isNumber() && group.weight.number() == 1;
        const auto product = isOne ? sum : fmt::format("{} * {}", weight.result, sum);
        text +=
            fmt::format("{}{} {} {};\n", indent, isFirst ? fmt::format("{} value", type) : "value",
                        isFirst ? "=" : "+=", product);
        isFirst = false;
        ++number;
    }
    return text;
}

namespace {

constexpr std::string_view rows =
    R"(// Rows that an update of a row reads: how many rows, and how many layers, away they are. A layer is
// a plane of a 3D grid, or the one row of a 2D grid.
constexpr int rowCount = @COUNT@;
// clang-format off
constexpr Index rowsAway[rowCount][2] = {
@OFFSETS@
};
// clang-format on
constexpr int centreRow = @CENTRE@;

struct Rows
{
    const Value *u[rowCount];
    const Value *c[std::max(stencil::coefficientCount, 1)];
    const Value *f;

    Rows from(Index first) const
    {
        Rows rows = *this;
        for (auto &row : rows.u)
            row += first;
        for (int i = 0; i < stencil::coefficientCount; ++i)
            rows.c[i] += first;
        if (f != nullptr)
            rows.f += first;
        return rows;
    }
};

// Past the caches: a line that is written as a whole need not be read before. Both are aligned.
inline void streamLine(Value *to, const Value *line)
{
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to), _mm512_load_si512(line));
#elif defined(__SSE2__)
    for (int quarter = 0; quarter < 4; ++quarter)
        _mm_stream_si128(reinterpret_cast<__m128i *>(to) + quarter,
                         _mm_load_si128(reinterpret_cast<const __m128i *>(line) + quarter));
#else
    std::copy(line, line + stencil::lineValues, to);
#endif
}

// So many rows before they are read, layers are fetched, in 3D: the processor's own looking ahead
// ends with a row.
constexpr Index rowsAhead = 4;

// What a row is read by: value by value, or line by line.
template <typename Element>
struct Reader
{
    const Value *first;

    Element operator[](Index i) const
    {
        Element element; // wherever it begins: no alignment is promised
        __builtin_memcpy(&element, first + i, sizeof(Element));
        return element;
    }
};

// The stencil, of a value or of a line of them: neighbours of one weight are added up first.
template <typename Element>
[[gnu::always_inline]] inline Element valueAt(const Rows &rows, [[maybe_unused]] Value factor,
                                              Index i)
{
@POINTERS@
@GROUPS@
@SOURCE@
    return value;
}

@LINES@
// Of so many layers side by side, line by line, so that what one reads is in the first cache for
// the next; `to` and `rows` are of the first one. Returns the largest change of a value, if that is
// wanted.
template <bool compares, bool streams, Index layers = 1>
Value updateRow(Value *__restrict to, const Rows &given, Value factor, Index count,
                Index layerStride = 0, [[maybe_unused]] Index rowStride = 0)
{
    const Rows rows = given; // nothing that is written can change them
    [[maybe_unused]] const Value *const centre = rows.u[centreRow];
    Value largest = 0;
    Index first = 0;
@BLOCK@
    if constexpr (streams) {
        alignas(64) Value changes[stencil::lineValues] = {}; // the largest ones of each place
        for (; first + stencil::lineValues <= count; first += stencil::lineValues) {
            for (Index layer = 0; layer < layers; ++layer) {
                const Index begin = layer * layerStride + first;
@FETCH@
                alignas(64) Value line[stencil::lineValues];
#pragma omp simd
                for (Index i = 0; i < stencil::lineValues; ++i) {
                    line[i] = valueAt<Value>(rows, factor, begin + i);
                    if constexpr (compares)
                        changes[i] = std::max(changes[i], std::abs(line[i] - centre[begin + i]));
                }
                streamLine(to + begin, line);
            }
        }
        for (const Value change : changes)
            largest = std::max(largest, change);
    }
    for (Index layer = 0; layer < layers; ++layer) {
        const Index begin = layer * layerStride;
#pragma omp simd reduction(max : largest)
        for (Index i = begin + first; i < begin + count; ++i) {
            to[i] = valueAt<Value>(rows, factor, i);
            if constexpr (compares)
                largest = std::max(largest, std::abs(to[i] - centre[i]));
        }
    }
    return largest;
}
)";

/// What follows needs registers for many lines: other processors have half as many, half as wide.
constexpr std::string_view lines =
    R"(#if defined(__AVX512F__)
// A line as one value of the processor.
using Line = Value __attribute__((vector_size(64)));

// The rows of a layer that is so many behind the one of `rows`. All addresses begin at one, so that
// compilers see what layers have in common.
template <Index layer>
[[gnu::always_inline]] inline Rows rowsOfLayer(const Rows &rows, [[maybe_unused]] Index rowStride,
                                               Index layerStride)
{
    const Value *const centre = rows.u[centreRow];
    Rows own{};
@ADDRESSES@
@LIST@
    return own;
}

// A line of each of these layers: what several of them read is loaded once, and pairs of neighbours
// that several of them have are added once.
template <std::size_t... layer>
inline void streamLines(Value *to, const Rows &rows, Value factor, Index begin, Index rowStride,
                        Index layerStride, std::index_sequence<layer...>)
{
    const Line lines[] = {
        valueAt<Line>(rowsOfLayer<layer>(rows, rowStride, layerStride), factor, begin)...};
    (..., _mm512_stream_si512(reinterpret_cast<__m512i *>(to + begin + layer * layerStride),
                              reinterpret_cast<__m512i>(lines[layer])));
}
#endif
)";

constexpr std::string_view block = R"(#if defined(__AVX512F__)
    if constexpr (streams && !compares && layers > 1) {
        for (; first + stencil::lineValues <= count; first += stencil::lineValues) {
            for (Index layer = 0; layer < layers; ++layer)
                __builtin_prefetch(rows.u[rowCount - 1] + layer * layerStride + first
                                   + rowsAhead * rowStride);
            streamLines(to, rows, factor, first, rowStride, layerStride,
                        std::make_index_sequence<layers>());
        }
    }
#endif
)";

} // namespace

std::vector<std::array<int, 2>> stencilRows(const Stencil &stencil)
{
    std::vector<std::array<int, 2>> away{{0, 0}};
    for (const auto &neighbour : stencil.neighbours) {
        const auto row = rowOf(stencil, neighbour);
        if (std::ranges::find(away, row) == away.end())
            away.push_back(row);
    }
    std::ranges::sort(away, {}, [](const auto &row) { return std::pair(row[1], row[0]); });
    return away;
}

std::array<int, 2> rowOf(const Stencil &stencil, const Neighbour &neighbour)
{
    return stencil.dimension == 3 ? std::array{neighbour.at[1], neighbour.at[2]}
                                  : std::array{0, neighbour.at[1]};
}

namespace {

/// "+ 2 * stride", "" for none.
std::string stepsText(int steps, std::string_view stride)
{
    return steps == 0 ? std::string()
                      : fmt::format(" {} {} * {}", steps < 0 ? "-" : "+", std::abs(steps), stride);
}

/// Whether lines of layers side by side are computed together, in 3D: what the layers have in
/// common is loaded once, and also those few neighbours that are limited by memory, when it is
/// copied, wait for their loads otherwise. Functions are of single values.
bool computesLinesTogether(const Stencil &stencil)
{
    return stencil.dimension == 3 && std::ranges::all_of(stencil.neighbours, [](const auto &each) {
               return each.weight.isNumber();
           });
}

std::string linesCode(const Stencil &stencil)
{
    std::string addresses;
    const auto away = stencilRows(stencil);
    for (std::size_t i = 0; i < away.size(); ++i) {
        const int layers = away[i][1];
        const auto layer =
            layers == 0 ? std::string("layer")
                        : fmt::format("(layer {} {})", layers < 0 ? "-" : "+", std::abs(layers));
        addresses += fmt::format("    own.u[{}] = centre{} + {} * layerStride;\n", i,
                                 stepsText(away[i][0], "rowStride"), layer);
    }
    return filled(
        lines,
        {{"ADDRESSES", addresses},
         {"LIST", stencil.source.field ? "    own.f = rows.f + layer * layerStride;\n" : ""}});
}

/// The same stencil with neighbours of one weight and one row beside each other if they mirror each
/// other: their sum is the same for all results that this row is a neighbour of.
Stencil withPairs(const Stencil &stencil)
{
    Stencil sorted = stencil;
    const auto rankOf = [&](const Neighbour &neighbour) {
        const int x = neighbour.at[0];
        const bool isPaired =
            x != 0 && std::ranges::any_of(stencil.neighbours, [&](const auto &other) {
                return other.at[0] == -x && rowOf(stencil, other) == rowOf(stencil, neighbour)
                       && other.weight == neighbour.weight;
            });
        const auto row = rowOf(stencil, neighbour);
        return std::tuple(!isPaired, row[1], row[0], isPaired ? std::abs(x) : 0, x);
    };
    std::ranges::stable_sort(sorted.neighbours, {}, rankOf);
    return sorted;
}

} // namespace

std::string rowCode(const Stencil &given)
{
    const auto isTogether = computesLinesTogether(given);
    const auto stencil = isTogether ? withPairs(given) : given;
    const auto away = stencilRows(stencil);
    const auto numberOf = [&](const std::array<int, 2> &row) {
        return std::ranges::find(away, row) - away.begin();
    };
    std::string offsets = "   ", pointers;
    for (std::size_t i = 0; i < away.size(); ++i) {
        const auto entry = fmt::format(" {{{}, {}}},", away[i][0], away[i][1]);
        if (offsets.size() - (offsets.rfind('\n') + 1) + entry.size() > 100)
            offsets += "\n   ";
        offsets += entry;
        pointers += fmt::format("    const Reader<Element> u{}{{rows.u[{}]}};\n", i, i);
    }
    offsets.back() = '\n'; // for the last comma
    std::vector<std::string> values, coefficients;
    for (const auto &neighbour : stencil.neighbours) {
        const int x = neighbour.at[0];
        values.push_back(fmt::format("u{}[i{}]", numberOf(rowOf(stencil, neighbour)),
                                     x == 0  ? ""
                                     : x > 0 ? fmt::format(" + {}", x)
                                             : fmt::format(" - {}", -x)));
    }
    for (std::size_t i = 0; i < stencil.coefficients.size(); ++i) {
        coefficients.push_back(fmt::format("c{}[i]", i));
        pointers += fmt::format("    const Reader<Element> c{}{{rows.c[{}]}};\n", i, i);
    }
    if (stencil.source.field)
        pointers += "    const Reader<Element> f{rows.f};\n";
    return filled(
        rows, {{"COUNT", std::to_string(away.size())},
               {"OFFSETS", offsets},
               {"CENTRE", std::to_string(numberOf({0, 0}))},
               {"LINES", isTogether ? linesCode(stencil) : std::string()},
               {"BLOCK", isTogether ? std::string(block) : std::string()},
               {"FETCH", stencil.dimension == 3
                             ? "                __builtin_prefetch(rows.u[rowCount - 1] + begin + "
                               "rowsAhead * rowStride);\n"
                             : ""},
               {"POINTERS", pointers},
               {"GROUPS", groupStatements(stencil, values, coefficients, "    ", "Element")},
               {"SOURCE", stencil.source.field ? "    value += factor * f[i];\n" : ""}});
}

} // namespace gridhelm::stencil
