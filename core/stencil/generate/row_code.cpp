// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/generate/code_text.h"
#include "core/stencil/generate/stencil_rows.h"

#include <fmt/format.h>

#include <vector>

namespace gridhelm::stencil {

std::string groupStatements(const Stencil &stencil, const std::vector<std::string> &values,
                            const std::vector<std::string> &coefficients, const std::string &indent)
{
    const auto type = typeName(stencil.precision);
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

// The stencil: neighbours of one weight are added up first. Of so many layers side by side, line by
// line, so that what one reads is in the first cache for the next; `to` and `rows` are of the first
// one. Returns the largest change of a value, if that is wanted.
// `ahead`: from a value to where the same will be read in some rows; what nobody has read until
// then is fetched.
template <bool compares, bool streams, Index layers = 1>
Value updateRow(Value *__restrict to, const Rows &rows, [[maybe_unused]] Value factor, Index count,
                Index layerStride = 0, [[maybe_unused]] Index ahead = 0)
{
@POINTERS@
    const auto valueAt = [=](Index i) {
@GROUPS@
@SOURCE@
        return value;
    };
    Value largest = 0;
    Index first = 0;
    if constexpr (streams) {
        alignas(64) Value changes[stencil::lineValues] = {}; // the largest ones of each place
        for (; first + stencil::lineValues <= count; first += stencil::lineValues) {
            for (Index layer = 0; layer < layers; ++layer) {
                const Index begin = layer * layerStride + first;
@FETCH@
                alignas(64) Value line[stencil::lineValues];
#pragma omp simd
                for (Index i = 0; i < stencil::lineValues; ++i) {
                    line[i] = valueAt(begin + i);
                    if constexpr (compares)
                        changes[i] = std::max(changes[i], std::abs(line[i] - u@CENTRE@[begin + i]));
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
            to[i] = valueAt(i);
            if constexpr (compares)
                largest = std::max(largest, std::abs(to[i] - u@CENTRE@[i]));
        }
    }
    return largest;
}
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

std::string rowCode(const Stencil &stencil)
{
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
        pointers += fmt::format("    const Value *const u{} = rows.u[{}];\n", i, i);
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
        pointers += fmt::format("    const Value *const c{} = rows.c[{}];\n", i, i);
    }
    if (stencil.source.field)
        pointers += "    const Value *const f = rows.f;\n";
    return filled(rows,
                  {{"COUNT", std::to_string(away.size())},
                   {"OFFSETS", offsets},
                   {"CENTRE", std::to_string(numberOf({0, 0}))},
                   {"FETCH", stencil.dimension == 3
                                 ? fmt::format("                __builtin_prefetch(u{} + begin + "
                                               "ahead);\n",
                                               away.size() - 1)
                                 : std::string()},
                   {"POINTERS", pointers},
                   {"GROUPS", groupStatements(stencil, values, coefficients, "        ")},
                   {"SOURCE", stencil.source.field ? "        value += factor * f[i];\n" : ""}});
}

} // namespace gridhelm::stencil
