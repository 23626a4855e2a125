// How a run may fail. An error has a kind, which it keeps from the throw, over all ranks, to the exit code that the
// manual promises. An error thrown by one rank is turned into the end of all ranks by src/app/main.cpp.
#pragma once
#include <exception>
#include <stdexcept>
#include <string>

namespace granary {

enum class ErrorKind {
    input,     // the case, the command line or a file is at fault
    run,       // the run itself went wrong: NaN, lost ball, full disk, ...
    memory,    // there is not enough memory
    internal,  // a mistake of the program
};

// The exit code of the program.
constexpr int exit_code(ErrorKind kind) { return kind == ErrorKind::input ? 2 : 3; }

class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
    ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

// What the user asked for cannot be done; the text says what, where, and what to do.
struct InputError : Error {
    explicit InputError(const std::string& text) : Error(ErrorKind::input, text) {}
};

// The run went wrong; the text names ball, place, step, rank and the likely cause.
struct RunError : Error {
    explicit RunError(const std::string& text) : Error(ErrorKind::run, text) {}
};

// Beside std::bad_alloc, which has no text.
struct OutOfMemory : Error {
    explicit OutOfMemory(const std::string& text) : Error(ErrorKind::memory, text) {}
};

struct InternalError : Error {
    explicit InternalError(const std::string& text) : Error(ErrorKind::internal, text) {}
};

// Of any exception: those of the standard library too.
ErrorKind kind_of(const std::exception& error);

// Throws the error of this kind.
[[noreturn]] void throw_error(ErrorKind kind, const std::string& text);

}  // namespace granary
