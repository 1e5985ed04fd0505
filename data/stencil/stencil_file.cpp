// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/stencil_file.h"

#include "core/support/descriptor.h"
#include "data/campaign/plan_error.h"
#include "data/campaign/plan_table.h"
#include "data/stencil/field_file.h"
#include "data/stencil/stencil_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace gridhelm::data {
namespace {

using stencil::Expression;
using stencil::Grammar;
using stencil::ScalarField;
using stencil::Side;
using stencil::SideRule;
using stencil::Stencil;

constexpr std::array<const char *, 3> axes{"x", "y", "z"};

/// Reads a file into a stencil, part by part.
class Reader
{
public:
    Reader(const toml::table &document, std::string_view source,
           const std::filesystem::path &folder)
        : m_root(document, "", source,
                 {"title", "points", "spacing", "origin", "precision", "neighbours", "coefficients",
                  "start", "source", "boundary", "target"})
        , m_source(source)
        , m_folder(folder)
    {
    }

    StencilFile read()
    {
        m_root.requireKnown();
        StencilFile file;
        file.title = m_root.text("title").value_or("");
        readGrid();
        readCoefficients();
        readNeighbours();
        if (const auto *start = m_root.find("start"))
            m_stencil.start = readField(m_root, *start, "start");
        readSource();
        readBoundary();
        readTarget();
        try {
            requireStencil(m_stencil);
        } catch (const Error &error) {
            m_root.fail("neighbours", std::string("or another entry does not do: ") + error.what());
        }
        file.stencil = std::move(m_stencil);
        return file;
    }

private:
    std::size_t dimensions() const { return static_cast<std::size_t>(m_stencil.dimension); }

    void readGrid()
    {
        const auto *points = m_root.array("points", 2, 3,
                                          "is no list of 2 or 3 whole numbers; write the unknowns "
                                          "in x, y and, in 3D, z, like [512, 512]");
        if (points == nullptr)
            m_root.fail("points", "has no points; write the unknowns in each direction, like "
                                  "points = [512, 512]");
        m_stencil.dimension = static_cast<int>(points->size());
        constexpr std::int64_t most = std::int64_t{1} << 31;
        for (std::size_t axis = 0; axis < points->size(); ++axis) {
            const auto value = (*points)[axis].value_exact<std::int64_t>();
            if (!value || *value < 1 || *value > most)
                m_root.fail((*points)[axis], "points",
                            "has something else than a whole number from 1 to 2^31; write one");
            m_stencil.points[axis] = static_cast<std::size_t>(*value);
        }
        const double count = static_cast<double>(m_stencil.points[0])
                             * static_cast<double>(m_stencil.points[1])
                             * static_cast<double>(m_stencil.points[2]);
        if (count > std::ldexp(1, 40)) // before anything is read for so many
            m_root.fail("points",
                        fmt::format("are {:.3g} in all, more than a grid can have (2^40); "
                                    "choose smaller sizes",
                                    count));
        const auto longest = *std::ranges::max_element(m_stencil.points);
        m_stencil.spacing =
            m_root.number("spacing").value_or(1 / (static_cast<double>(longest) + 1));
        if (!(m_stencil.spacing > 0))
            m_root.fail("spacing", "is not above 0; choose the distance of two points");
        const auto origin = m_root.numbers("origin", dimensions());
        for (std::size_t axis = 0; axis < dimensions(); ++axis)
            m_stencil.origin[axis] = origin.empty() ? m_stencil.spacing : origin[axis];
        if (m_root.choice("precision", {"float", "double"}) == "float")
            m_stencil.precision = solvers::Precision::float32;
    }

    Expression readFormula(const StencilTable &table, const toml::node &node,
                           const std::string &what, const Grammar &grammar) const
    {
        const auto text = node.value_exact<std::string>();
        try {
            return parseExpression(*text, grammar);
        } catch (const stencil::ExpressionError &error) {
            table.fail(node, what, error.what(), 1 + error.column());
        }
    }

    ScalarField readField(const StencilTable &table, const toml::node &node,
                          const std::string &what) const
    {
        if (node.is_number()) {
            const auto value = node.value<double>();
            if (!value || !std::isfinite(*value))
                table.fail(node, what, "is not finite; write another number");
            return *value;
        }
        if (node.is_string()) {
            Grammar grammar;
            for (std::size_t axis = 0; axis < dimensions(); ++axis)
                grammar.variables.emplace_back(axes[axis]);
            const auto formula = readFormula(table, node, what, grammar);
            return formula.isNumber() ? ScalarField(formula.number()) : ScalarField(formula);
        }
        const auto *entry = node.as_table();
        if (entry == nullptr)
            table.fail(node, what,
                       "is neither a number, nor a formula in quotes, nor {file = "
                       "\"name.f64\"}; write one of them");
        const StencilTable of(*entry, what, m_source, {"file"});
        of.requireKnown();
        const auto name = of.text("file");
        if (!name)
            of.fail("file", "names no file; write {file = \"name.f64\"}");
        try {
            return readBesideStencil(m_stencil, m_folder, *name);
        } catch (const Error &error) {
            of.fail("file", error.what());
        }
    }

    void readCoefficients()
    {
        const auto *found = m_root.table("coefficients");
        if (found == nullptr)
            return;
        // In the order of the file, not in that of the alphabet, in which TOML++ has them.
        std::vector<std::pair<toml::source_position, std::string>> names;
        for (const auto &[key, node] : *found)
            names.emplace_back(key.source().begin, key.str());
        std::ranges::sort(names, [](const auto &a, const auto &b) { return a.first < b.first; });
        const StencilTable table(*found, "[coefficients]", m_source, {});
        if (names.size() > stencil::mostCoefficients)
            table.fail("", fmt::format("has {} entries, more than {}; put some together",
                                       names.size(), stencil::mostCoefficients));
        for (const auto &[place, name] : names) {
            const auto isLetter = [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            };
            const bool isName = name.size() <= 32 && !name.empty() && isLetter(name[0])
                                && std::ranges::all_of(name, [&](char c) {
                                       return isLetter(c) || (c >= '0' && c <= '9');
                                   });
            if (!isName)
                table.fail(*table.find(name), "[coefficients]",
                           "has a name that is none for a formula; write up to 32 letters, digits "
                           "and _, a letter first");
            m_coefficients.push_back(name);
            m_stencil.coefficients.push_back(
                readField(table, *table.find(name), table.title(name)));
        }
    }

    void readNeighbours()
    {
        const auto d = dimensions();
        const auto usage = fmt::format(
            "is no list of neighbours; write each as [{}, weight], like "
            "neighbours = [[{}, 0.25], ...], at least one and at most {}",
            d == 3 ? "x, y, z" : "x, y", d == 3 ? "1, 0, 0" : "1, 0", stencil::mostNeighbours);
        const auto *list = m_root.array("neighbours", 1, stencil::mostNeighbours, usage);
        if (list == nullptr)
            m_root.fail("neighbours",
                        "names no neighbours; write each as a list of its relative position and "
                        "its weight, like neighbours = [[1, 0, 0.25], ...]");
        for (const auto &entry : *list) {
            const auto *parts = entry.as_array();
            if (parts == nullptr || parts->size() != d + 1)
                m_root.fail(entry, "neighbours",
                            fmt::format("has an entry that is no list of {} whole numbers and a "
                                        "weight; write it like [{}, 0.25]",
                                        d, d == 3 ? "1, 0, 0" : "1, 0"));
            stencil::Neighbour neighbour;
            for (std::size_t axis = 0; axis < d; ++axis) {
                const auto value = (*parts)[axis].value_exact<std::int64_t>();
                if (!value || std::abs(static_cast<double>(*value)) > stencil::largestRadius)
                    m_root.fail(
                        (*parts)[axis], "neighbours",
                        fmt::format(
                            "has a position that is no whole number from -{0} to {0}; choose one",
                            stencil::largestRadius));
                neighbour.at[axis] = static_cast<int>(*value);
            }
            neighbour.weight = readWeight((*parts)[d]);
            if (std::ranges::find(m_stencil.neighbours, neighbour.at, &stencil::Neighbour::at)
                != m_stencil.neighbours.end())
                m_root.fail(entry, "neighbours", "names this position twice; add the weights up");
            m_stencil.neighbours.push_back(std::move(neighbour));
        }
    }

    Expression readWeight(const toml::node &node) const
    {
        if (node.is_string())
            return readFormula(m_root, node, "a weight", {m_coefficients, false});
        const auto value = node.value<double>();
        if (!node.is_number() || !value || !std::isfinite(*value))
            m_root.fail(node, "neighbours",
                        "has a weight that is neither a finite number nor a formula of "
                        "coefficients in quotes; write one of them");
        return Expression(*value);
    }

    void readSource()
    {
        const auto *found = m_root.table("source");
        if (found == nullptr)
            return;
        const StencilTable table(*found, "[source]", m_source, {"factor", "f", "spike"});
        table.requireKnown();
        m_stencil.source.factor = table.number("factor").value_or(1);
        const auto *field = table.find("f");
        const auto spike = table.numbers("spike", dimensions());
        if ((field != nullptr) == !spike.empty())
            table.fail("", "has neither f nor spike, or both; write one of them");
        if (field != nullptr) {
            m_stencil.source.field = readField(table, *field, "[source] f");
            return;
        }
        std::array<std::size_t, 3> at{0, 0, 0};
        for (std::size_t axis = 0; axis < dimensions(); ++axis) {
            const double index =
                std::round((spike[axis] - m_stencil.origin[axis]) / m_stencil.spacing);
            if (!(index >= 0 && index < static_cast<double>(m_stencil.points[axis])))
                table.fail(
                    "spike",
                    "is not in the grid; choose a position between its first and its last points");
            at[axis] = static_cast<std::size_t>(index);
        }
        m_stencil.source.spike = at;
    }

    Side readSide(const StencilTable &table, const toml::node &node, const std::string &key,
                  bool isPair) const
    {
        if (isPair && node.is_string() && *node.value_exact<std::string>() == "periodic")
            return {SideRule::periodic, 0};
        const auto title = table.title(key);
        if (node.is_number())
            return {SideRule::value, *table.number(key)};
        const auto *entry = node.as_table();
        if (entry == nullptr || entry->size() != 1)
            table.fail(node, title,
                       std::string("is neither a value, nor {slope = 0}")
                           + (isPair ? ", nor \"periodic\"" : "") + "; write one of them");
        const StencilTable of(*entry, title, m_source, {"value", "slope"});
        of.requireKnown();
        if (const auto value = of.number("value"))
            return {SideRule::value, *value};
        return {SideRule::slope, *of.number("slope")};
    }

    void readBoundary()
    {
        const auto *found = m_root.table("boundary");
        if (found == nullptr)
            return;
        std::vector<std::string> keys{"all"};
        for (std::size_t axis = 0; axis < dimensions(); ++axis) {
            const std::string name = axes[axis];
            keys.insert(keys.end(), {name, name + "_low", name + "_high"});
        }
        const StencilTable table(*found, "[boundary]", m_source, keys);
        table.requireKnown();
        // From the most general to the most particular one.
        const auto set = [&](const std::string &key, bool isPair, std::size_t first,
                             std::size_t last) {
            const auto *node = table.find(key);
            if (node == nullptr)
                return;
            const auto side = readSide(table, *node, key, isPair);
            for (auto s = first; s <= last; ++s) {
                if (!isPair && m_stencil.sides[s ^ 1].rule == SideRule::periodic)
                    table.fail(key, "is beside a periodic pair of sides; take one of them out");
                m_stencil.sides[s] = side;
            }
        };
        set("all", true, 0, 2 * dimensions() - 1);
        for (std::size_t axis = 0; axis < dimensions(); ++axis)
            set(axes[axis], true, 2 * axis, 2 * axis + 1);
        for (std::size_t axis = 0; axis < dimensions(); ++axis) {
            set(std::string(axes[axis]) + "_low", false, 2 * axis, 2 * axis);
            set(std::string(axes[axis]) + "_high", false, 2 * axis + 1, 2 * axis + 1);
        }
    }

    void readTarget()
    {
        const auto *found = m_root.table("target");
        if (found == nullptr)
            return;
        const StencilTable table(
            *found, "[target]", m_source,
            {"on", "partition", "threads", "iterations", "side_by_side", "block", "unknowns"});
        table.requireKnown();
        auto &target = m_stencil.target;
        using Kind = stencil::Target::Device;
        const std::vector<std::pair<std::string, Kind>> kinds{{"cpu", Kind::cpu},
                                                              {"gpu", Kind::gpu},
                                                              {"several", Kind::several},
                                                              {"both", Kind::both}};
        const auto on = table.choice("on", {"cpu", "gpu", "several", "both"});
        for (const auto &[name, kind] : kinds)
            target.device = on == name ? kind : target.device;
        if (const auto part = table.number("partition")) {
            if (target.device != Kind::both)
                table.fail("partition", "is for on = \"both\" alone; take one of the two out");
            if (!(*part > 0 && *part < 1))
                table.fail("partition", "is not between 0 and 1; write the GPUs' part of the rows "
                                        "(planes in 3D), like 0.95");
            target.partition = *part;
        }
        constexpr int mostThreads = 4096;
        target.threads = table.integer("threads", 0, mostThreads).value_or(0);
        target.iterationsPerPass =
            table.integer("iterations", 1, stencil::mostIterationsPerPass).value_or(1);
        target.sideBySide = table.integer("side_by_side", 1, 16).value_or(target.sideBySide);
        target.unknowns = table.integer("unknowns", 1, 64).value_or(target.unknowns);
        const auto block = table.numbers("block", 2);
        for (std::size_t i = 0; i < block.size(); ++i) {
            const double threads = block[i];
            if (threads != std::round(threads) || threads < 1 || block[0] * block[1] > 1024)
                table.fail("block", "is no pair of whole numbers with a product of at most 1024; "
                                    "write the threads of a block in x and y, like [64, 4]");
            target.block[i] = static_cast<int>(threads);
        }
    }

    StencilTable m_root;
    std::string_view m_source;
    const std::filesystem::path &m_folder;
    Stencil m_stencil;
    std::vector<std::string> m_coefficients;
};

toml::table parseToml(std::string_view text, std::string_view source)
{
    if (text.size() > largestStencilText)
        throw StencilFileError(fmt::format("{} is larger than a stencil file can be (256 KiB); put "
                                           "lists of values into a file beside it",
                                           source),
                               0, 0);
    try {
        return parsePlanToml(text, source);
    } catch (const PlanError &error) {
        throw StencilFileError(error.what(), error.line(), 0);
    }
}

} // namespace

StencilFile parseStencil(std::string_view toml, std::string_view source,
                         const std::filesystem::path &folder)
{
    const auto document = parseToml(toml, source);
    return Reader(document, source, folder).read();
}

StencilFile readStencil(const std::filesystem::path &path)
{
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        throw Error("There is no file " + path.string() + "; name the stencil, a TOML file");
    const auto file = openRegularFile(path.c_str());
    std::string text;
    if (!file || !readAll(file.get(), largestStencilText + 1, text))
        throw Error(path.string() + " cannot be read (" + std::strerror(errno)
                    + "); check that you may read it");
    return parseStencil(text, path.string(), path.parent_path());
}

} // namespace gridhelm::data
