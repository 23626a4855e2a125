#include "core/errors.hpp"

#include <new>
#include <system_error>

namespace granary {

ErrorKind kind_of(const std::exception& error) {
    if (const auto* ours = dynamic_cast<const Error*>(&error)) return ours->kind();
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return ErrorKind::memory;
    // Of files and folders, by std::filesystem.
    if (dynamic_cast<const std::system_error*>(&error) != nullptr) return ErrorKind::input;
    return ErrorKind::internal;
}

void throw_error(ErrorKind kind, const std::string& text) {
    switch (kind) {
        case ErrorKind::input: throw InputError(text);
        case ErrorKind::run: throw RunError(text);
        case ErrorKind::memory: throw OutOfMemory(text);
        case ErrorKind::internal: break;
    }
    throw InternalError(text);
}

}  // namespace granary
