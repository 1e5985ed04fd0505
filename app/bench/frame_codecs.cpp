// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/frame_codecs.h"

#include "core/execution/parallel_for.h"
#include "core/support/error.h"
#include "data/study/blob_codec.h"

#ifdef GRIDHELM_HAS_ZFP
#include <zfp.h>
#endif

#include <span>
#include <utility>
#include <vector>

namespace gridhelm::bench {

namespace {

class ZstdRows final : public PackedRows
{
public:
    explicit ZstdRows(linalg::MatrixView<const float> rows)
    {
        for (std::size_t r = 0; r < rows.rows; ++r) {
            const std::span values(rows.row(r), rows.columns);
            auto packed = data::packValues(values, data::BlobEncoding::automatic);
            if (packed.bytes.empty()) { // raw
                const auto bytes = std::as_bytes(values);
                packed.bytes.assign(bytes.begin(), bytes.end());
            }
            m_rows.push_back(std::move(packed));
        }
    }

    std::size_t bytes() const override
    {
        std::size_t sum = 0;
        for (const auto &row : m_rows)
            sum += row.bytes.size();
        return sum;
    }
    void unpack(linalg::MatrixView<float> into, const CpuDevice &cpu) const override
    {
        parallelFor(m_rows.size(), cpu, 1, [&](std::size_t r) {
            data::BlobDecoder decoder;
            if (!decoder.decode(static_cast<std::int64_t>(m_rows[r].encoding), m_rows[r].bytes,
                                {into.row(r), into.columns}))
                throw Error("zstd cannot read what it has written: check the machine's memory");
        });
    }

private:
    std::vector<data::PackedValues> m_rows;
};

} // namespace

std::unique_ptr<PackedRows> packByZstd(linalg::MatrixView<const float> rows)
{
    return std::make_unique<ZstdRows>(rows);
}

#ifdef GRIDHELM_HAS_ZFP

namespace {

/// A component of a row, from value `component` on.
class ZfpField
{
public:
    ZfpField(float *row, const RowLattice &lattice, std::size_t component)
        : m_field(zfp_field_3d(row + component, zfp_type_float, lattice.nodes[0], lattice.nodes[1],
                               lattice.nodes[2]))
    {
        // zfp takes flat fields for what they are only if they say so.
        if (lattice.nodes[2] == 1)
            m_field->nz = 0;
        if (lattice.nodes[2] == 1 && lattice.nodes[1] == 1)
            m_field->ny = 0;
        const auto x = static_cast<ptrdiff_t>(lattice.components);
        const auto y = x * static_cast<ptrdiff_t>(lattice.nodes[0]);
        zfp_field_set_stride_3d(m_field, x, y, y * static_cast<ptrdiff_t>(lattice.nodes[1]));
    }
    ~ZfpField() { zfp_field_free(m_field); }
    ZfpField(const ZfpField &) = delete;
    ZfpField &operator=(const ZfpField &) = delete;

    zfp_field *get() const { return m_field; }

private:
    zfp_field *m_field;
};

class ZfpRows final : public PackedRows
{
public:
    ZfpRows(linalg::MatrixView<const float> rows, const RowLattice &lattice, double tolerance)
        : m_lattice(lattice)
        , m_tolerance(tolerance)
    {
        for (std::size_t r = 0; r < rows.rows; ++r) {
            std::vector<float> row(rows.row(r), rows.row(r) + rows.columns); // zfp wants them so
            for (std::size_t c = 0; c < lattice.components; ++c)
                m_streams.push_back(pack(ZfpField(row.data(), lattice, c)));
        }
    }

    std::size_t bytes() const override
    {
        std::size_t sum = 0;
        for (const auto &stream : m_streams)
            sum += stream.size();
        return sum;
    }
    void unpack(linalg::MatrixView<float> into, const CpuDevice &cpu) const override
    {
        parallelFor(m_streams.size(), cpu, 1, [&](std::size_t i) {
            const auto row = i / m_lattice.components, component = i % m_lattice.components;
            const ZfpField field(into.row(row), m_lattice, component);
            auto bytes = m_streams[i];
            if (run(bytes, [&](zfp_stream *stream) { return zfp_decompress(stream, field.get()); })
                == 0)
                throw Error("zfp cannot read what it has written: check the machine's memory");
        });
    }

private:
    /// action(stream) over these bytes.
    template <typename Action>
    std::size_t run(std::vector<std::byte> &bytes, Action action) const
    {
        zfp_stream *const stream = zfp_stream_open(nullptr);
        zfp_stream_set_accuracy(stream, m_tolerance);
        bitstream *const bits = stream_open(bytes.data(), bytes.size());
        zfp_stream_set_bit_stream(stream, bits);
        zfp_stream_rewind(stream);
        const std::size_t result = action(stream);
        stream_close(bits);
        zfp_stream_close(stream);
        return result;
    }
    std::vector<std::byte> pack(const ZfpField &field) const
    {
        zfp_stream *const sizes = zfp_stream_open(nullptr);
        zfp_stream_set_accuracy(sizes, m_tolerance);
        std::vector<std::byte> bytes(zfp_stream_maximum_size(sizes, field.get()));
        zfp_stream_close(sizes);
        bytes.resize(
            run(bytes, [&](zfp_stream *stream) { return zfp_compress(stream, field.get()); }));
        if (bytes.empty())
            throw Error("zfp could not pack a row: leave it out of the comparison");
        return bytes;
    }

    RowLattice m_lattice;
    double m_tolerance;
    std::vector<std::vector<std::byte>> m_streams;
};

} // namespace

std::unique_ptr<PackedRows> packByZfp(linalg::MatrixView<const float> rows,
                                      const RowLattice &lattice, double tolerance)
{
    return std::make_unique<ZfpRows>(rows, lattice, tolerance);
}

#else

std::unique_ptr<PackedRows> packByZfp(linalg::MatrixView<const float>, const RowLattice &, double)
{
    return nullptr;
}

#endif

} // namespace gridhelm::bench
