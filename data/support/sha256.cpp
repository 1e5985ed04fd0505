// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/sha256.h"

#include "core/support/error.h"

#include <openssl/evp.h>

#include <array>

namespace gridhelm::data {

namespace {

void require(int result)
{
    if (result != 1)
        throw Error("OpenSSL computes no SHA-256 digests, without which nothing can be trusted; "
                    "install its library (libssl) anew");
}

} // namespace

struct Sha256::State
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    State() = default;
    ~State() { EVP_MD_CTX_free(context); }
    State(const State &) = delete;
    State &operator=(const State &) = delete;
};

Sha256::Sha256()
    : m_state(std::make_unique<State>())
{
    require(m_state->context ? 1 : 0);
    require(EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256 &&) noexcept = default;
Sha256 &Sha256::operator=(Sha256 &&) noexcept = default;

Sha256 &Sha256::add(std::string_view bytes)
{
    require(EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()));
    return *this;
}

Sha256 &Sha256::addItem(std::string_view bytes)
{
    return addNumber(bytes.size()).add(bytes);
}

Sha256 &Sha256::addNumber(std::uint64_t number)
{
    std::array<char, 8> bytes{};
    for (auto &byte : bytes) {
        byte = static_cast<char>(number & 0xFF);
        number >>= 8;
    }
    return add({bytes.data(), bytes.size()});
}

std::string Sha256::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    require(EVP_DigestFinal_ex(m_state->context, digest.data(), &size));
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 15];
    }
    return text;
}

std::string sha256Of(std::string_view bytes)
{
    return Sha256().add(bytes).hex();
}

} // namespace gridhelm::data
