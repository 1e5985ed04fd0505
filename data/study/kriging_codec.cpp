// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/kriging_codec.h"

#include "core/support/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::int64_t smoothnesses = 4;

class Writer
{
public:
    void add(std::uint64_t value) { append(&value, sizeof value); }
    template <typename Number>
    void add(const std::vector<Number> &numbers)
    {
        static_assert(sizeof(Number) == 8);
        append(numbers.data(), numbers.size() * sizeof(Number));
    }
    void add(double value) { append(&value, sizeof value); }

    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    void append(const void *from, std::size_t size)
    {
        const auto before = m_bytes.size();
        m_bytes.resize(before + size);
        if (size > 0)
            std::memcpy(m_bytes.data() + before, from, size);
    }

    std::vector<std::byte> m_bytes;
};

/// Throws for what cannot be; decodeKriging() makes it what it returns.
class KrigingReader
{
public:
    explicit KrigingReader(std::span<const std::byte> bytes)
        : m_rest(bytes)
    {
    }

    /// From `least` to `most`.
    std::uint64_t number(std::uint64_t least, std::uint64_t most)
    {
        std::vector<std::uint64_t> one;
        numbers(one, 1);
        if (one[0] < least || one[0] > most)
            throw Error("one of its numbers cannot be");
        return one[0];
    }

    double real()
    {
        std::vector<double> one;
        numbers(one, 1);
        return one[0];
    }

    /// No memory is taken for more than there is.
    template <typename Number>
    void numbers(std::vector<Number> &into, std::uint64_t count)
    {
        static_assert(sizeof(Number) == 8);
        if (count > m_rest.size() / sizeof(Number))
            throw Error("it ends too early");
        into.resize(count);
        if (count > 0)
            std::memcpy(into.data(), m_rest.data(), count * sizeof(Number));
        m_rest = m_rest.subspan(count * sizeof(Number));
    }

    void requireEnd() const
    {
        if (!m_rest.empty())
            throw Error("there is more of it than there should be");
    }

private:
    std::span<const std::byte> m_rest;
};

/// What the bytes begin with; those of before, which had one form for all groups, with its
/// smoothness.
constexpr std::uint64_t layout = 100;
constexpr std::uint64_t mostGroupsOfMode = 2;

void writeForm(Writer &writer, const kriging::Form &form)
{
    writer.add(static_cast<std::uint64_t>(form.smoothness));
    writer.add(std::uint64_t{form.isWarped});
    writer.add(static_cast<std::uint64_t>(form.linear.size()));
    for (const int t : form.linear)
        writer.add(static_cast<std::uint64_t>(t));
}

void writeGroup(Writer &writer, const kriging::OutputGroup &group)
{
    writeForm(writer, group.form);
    writer.add(static_cast<std::uint64_t>(group.first));
    writer.add(static_cast<std::uint64_t>(group.outputs));
    writer.add(group.share);
    writer.add(group.hyperparameters.lengths);
    writer.add(group.hyperparameters.nugget);
    writer.add(group.hyperparameters.warpA);
    writer.add(group.hyperparameters.warpB);
    writer.add(group.trend);
    writer.add(group.weights);
    writer.add(group.variances);
}

kriging::Form readForm(KrigingReader &reader, std::uint64_t smoothness, std::uint64_t dimension)
{
    if (smoothness >= smoothnesses)
        throw Error("one of its numbers cannot be");
    kriging::Form form;
    form.smoothness = static_cast<kriging::Smoothness>(smoothness);
    form.isWarped = reader.number(0, 1) == 1;
    const auto linear = reader.number(0, dimension);
    for (std::uint64_t i = 0; i < linear; ++i)
        form.linear.push_back(static_cast<int>(reader.number(0, dimension - 1)));
    return form;
}

/// What follows the form and the numbers of outputs.
void readNumbers(KrigingReader &reader, const kriging::Model &model, kriging::OutputGroup &group)
{
    const auto dimension = static_cast<std::uint64_t>(model.dimension);
    const std::uint64_t warps = group.form.isWarped ? dimension : 0;
    auto &of = group.hyperparameters;
    reader.numbers(of.lengths, dimension);
    of.nugget = reader.real();
    reader.numbers(of.warpA, warps);
    reader.numbers(of.warpB, warps);
    reader.numbers(group.trend, group.outputs * (1 + group.form.linear.size()));
    reader.numbers(group.weights, group.outputs * model.runs);
    reader.numbers(group.variances, group.outputs);
}

void readGroups(KrigingReader &reader, std::uint64_t groups, std::uint64_t modes,
                const std::optional<kriging::Form> &ofAll, kriging::Model &model)
{
    const auto dimension = static_cast<std::uint64_t>(model.dimension);
    std::uint64_t end = 0;
    for (std::uint64_t k = 0; k < groups; ++k) {
        auto &group = model.groups.emplace_back();
        group.form =
            ofAll ? *ofAll : readForm(reader, reader.number(0, smoothnesses - 1), dimension);
        group.first = ofAll ? end : reader.number(0, end);
        group.outputs = reader.number(1, modes - std::min<std::uint64_t>(group.first, modes - 1));
        if (!ofAll)
            group.share = reader.real();
        readNumbers(reader, model, group);
        end = std::max<std::uint64_t>(end, group.first + group.outputs);
    }
    if (end != modes)
        throw Error("it is of fewer POD modes than there are");
}

FieldKriging readKriging(KrigingReader &reader, std::uint64_t dimension, std::uint64_t runs,
                         std::uint64_t modes)
{
    FieldKriging kriging;
    auto &model = kriging.model;
    std::optional<kriging::Form> ofAll;
    if (const auto first = reader.number(0, layout); first != layout)
        ofAll = readForm(reader, first, dimension);
    model.dimension = static_cast<int>(reader.number(dimension, dimension));
    model.runs = reader.number(runs, runs);
    const auto points = reader.number(0, runs);
    const auto groups = reader.number(1, mostGroupsOfMode * modes);
    reader.numbers(model.places, runs * dimension);
    for (const double coordinate : model.places) {
        if (!(coordinate >= 0 && coordinate <= 1))
            throw Error("one of its runs is outside of the ranges");
    }
    reader.numbers(kriging.points, points);
    reader.numbers(kriging.trainingRuns, runs - points);
    readGroups(reader, groups, modes, ofAll, model);
    reader.numbers(kriging.leaveOneOut, runs * modes);
    reader.requireEnd();
    for (const double error : kriging.leaveOneOut) {
        if (!std::isfinite(error))
            throw Error("an error left out is no finite number");
    }
    kriging::requireSound(model);
    return kriging;
}

} // namespace

std::vector<std::byte> encodeKriging(const FieldKriging &kriging)
{
    const auto &model = kriging.model;
    Writer writer;
    writer.add(layout);
    writer.add(static_cast<std::uint64_t>(model.dimension));
    writer.add(static_cast<std::uint64_t>(model.runs));
    writer.add(static_cast<std::uint64_t>(kriging.points.size()));
    writer.add(static_cast<std::uint64_t>(model.groups.size()));
    writer.add(model.places);
    writer.add(kriging.points);
    writer.add(kriging.trainingRuns);
    for (const auto &group : model.groups)
        writeGroup(writer, group);
    writer.add(kriging.leaveOneOut);
    return writer.take();
}

std::uint64_t mostKrigingBytes(std::uint64_t dimension, std::uint64_t runs, std::uint64_t modes)
{
    const auto head = 8 + dimension + runs * (dimension + 1);
    const auto group = 8 + 4 * dimension; // of one mode each, at most
    const auto mode = 2 + dimension + runs;
    return sizeof(double) * (head + modes * (mostGroupsOfMode * (group + mode) + runs));
}

std::string decodeKriging(std::span<const std::byte> bytes, std::uint64_t dimension,
                          std::uint64_t runs, std::uint64_t modes, FieldKriging &kriging)
{
    try {
        KrigingReader reader(bytes);
        kriging = readKriging(reader, dimension, runs, modes);
        return {};
    } catch (const Error &error) {
        return error.what();
    }
}

} // namespace gridhelm::data
