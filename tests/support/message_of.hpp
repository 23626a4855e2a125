// The text with which something fails.
#pragma once
#include <string>

namespace granary::test {

// f() must throw an Error; another exception passes through.
template <class Error, class F> std::string message_of(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace granary::test
