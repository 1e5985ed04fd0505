// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrays as numpy.load(path, allow_pickle=False) reads them: .npz, a ZIP archive of .npy files
// (format version 1.0 of numpy.lib.format).
#pragma once

#include "data/support/stored_zip.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace gridhelm::data {

/// What an array holds, before it does.
struct NumpyArray
{
    std::string name;
    std::string type; ///< as NumPy writes it: "<f4", "<f8", "<i8", "<U12"
    std::uint64_t itemBytes = 0;
    std::vector<std::uint64_t> shape; ///< row-major, the last one fastest

    std::uint64_t values() const;
};

NumpyArray float32Array(std::string name, std::vector<std::uint64_t> shape);
NumpyArray float64Array(std::string name, std::vector<std::uint64_t> shape);
NumpyArray int64Array(std::string name, std::vector<std::uint64_t> shape);

/// Texts as NumPy keeps them: UTF-32, all as long as the longest.
struct NumpyTexts
{
    NumpyTexts(std::string name, const std::vector<std::string> &texts);

    NumpyArray array;
    std::vector<char32_t> characters;
};

/// Arrays that are filled side by side, each from its beginning to its end; see StoredZip.
class NumpyArchive
{
public:
    /// A name that stands in an archive as it is: no folders in it, valid UTF-8.
    static std::string nameFor(std::string_view name);

    /// Throws gridhelm::Error if two arrays have one name, or the file cannot be written, as all
    /// below.
    NumpyArchive(const OutputFile &file, const std::vector<NumpyArray> &arrays);

    /// The next values of an array, of its type.
    template <typename Value, std::size_t extent>
    void append(std::size_t array, std::span<Value, extent> values)
    {
        static_assert(std::is_arithmetic_v<Value>);
        m_zip.append(array, std::as_bytes(values));
    }

    /// To be called when all arrays are full.
    void close() { m_zip.close(); }

    /// Of the whole archive.
    std::uint64_t bytes() const { return m_zip.bytes(); }

private:
    StoredZip m_zip;
};

} // namespace gridhelm::data
