#include "core/digest.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace granary {

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", a, b); }

namespace {

template <class T> T load(const std::byte* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

template <class T, class Word>
void take_numbers(std::span<RecordHash> bodies, int count, Strip<const std::byte> numbers) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
        for (int c = 0; c < count; ++c) bodies[k].take(Word{load<T>(numbers[k] + c * sizeof(T))});
}

}  // namespace

void take_field(std::span<RecordHash> bodies, const FieldRow& field, Strip<const std::byte> numbers) {
    switch (field.number()) {
        case Number::real: return take_numbers<double, double>(bodies, field.count, numbers);
        case Number::u64: return take_numbers<std::uint64_t, std::uint64_t>(bodies, field.count, numbers);
        case Number::u32: return take_numbers<std::uint32_t, std::uint64_t>(bodies, field.count, numbers);
        case Number::u16: return take_numbers<std::uint16_t, std::uint64_t>(bodies, field.count, numbers);
    }
}

void DigestSum::add_body(const RecordHash& body) {
    sum_a_ += body.a();
    sum_b_ += body.b();
    ++n_bodies_;
}

void DigestSum::add_contact(const ContactRecord& contact) {
    if (!row_of(contact.partner.kind()).digested || is_zero(contact.xi)) return;
    const ContactRecord c = canonical(contact);
    RecordHash hash(RecordHash::Kind::contact);
    hash.take(c.body);
    hash.take(marked_word(c.partner));
    for (const double xi : c.xi) hash.take(xi);
    sum_a_ += hash.a();
    sum_b_ += hash.b();
    ++n_contacts_;
}

void DigestSum::merge(const DigestSum& other) {
    sum_a_ += other.sum_a_;
    sum_b_ += other.sum_b_;
    n_bodies_ += other.n_bodies_;
    n_contacts_ += other.n_contacts_;
}

Digest DigestSum::digest() const {
    RecordHash total(RecordHash::Kind::total);
    total.take(n_bodies_);
    total.take(n_contacts_);
    return {RecordHash::mix_a(total.a() + sum_a_), RecordHash::mix_b(total.b() + sum_b_)};
}

DigestSum DigestSum::from_words(const std::array<std::uint64_t, 4>& words) {
    DigestSum sum;
    sum.sum_a_ = words[0], sum.sum_b_ = words[1], sum.n_bodies_ = words[2], sum.n_contacts_ = words[3];
    return sum;
}

DigestSum digest_sum(const Bodies& bodies, std::span<const ContactRecord> contacts, const Axes& axes) {
    constexpr std::size_t block = 1024;  // bodies hashed side by side, small enough for the cache
    DigestSum sum;
    std::vector<RecordHash> hashes;
    std::vector<std::array<double, 4>> turned;
    for (const Range& range : bodies.real)
        for (std::size_t first = range.begin; first < range.end; first += block) {
            hashes.assign(std::min(block, range.end - first), RecordHash());
            for (const FieldRow& field : fields) {
                if (!field.is(field::digested) || !bodies.has(field.column)) continue;
                Strip<const std::byte> strip = strip_of(bodies, field);
                strip.first = strip[first];
                if (field.turns() && axes.turned()) {
                    turned.resize(hashes.size());
                    for (std::size_t k = 0; k < hashes.size(); ++k) {
                        std::memcpy(turned[k].data(), strip[k], field.bytes());
                        axes.turn_out(field, turned[k].data());
                    }
                    strip = {reinterpret_cast<const std::byte*>(turned.data()), sizeof turned[0]};
                }
                take_field(hashes, field, strip);
            }
            for (const RecordHash& hash : hashes) sum.add_body(hash);
        }
    for (ContactRecord contact : contacts) {
        axes.turn_out(contact);
        sum.add_contact(contact);
    }
    return sum;
}

Digest digest_of(const Bodies& bodies, std::span<const ContactRecord> contacts, const Axes& axes) {
    return digest_sum(bodies, contacts, axes).digest();
}

}  // namespace granary
