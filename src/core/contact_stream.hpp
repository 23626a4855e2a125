// Records of contacts that are made a slice at a time, for whoever writes them or sums them up: nobody holds them all.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include "core/contact_record.hpp"

namespace granary {

struct ContactStream {
    using Use = std::function<void(std::span<const ContactRecord>)>;
    std::uint64_t n = 0;                         // in all slices
    std::function<void(const Use&)> for_slices;  // the same slices whenever it is called

    static ContactStream of(std::span<const ContactRecord> contacts) {
        return {contacts.size(), [contacts](const Use& use) { use(contacts); }};
    }
};

}  // namespace granary
