// Standard output may be full, closed or a pipe that nobody reads any more: whoever prints is told, and decides whether
// that matters.
#pragma once
#include <string>
#include <string_view>

namespace granary {

// All of the text, at once; else why not ("No space left on device").
std::string print_out(std::string_view text);

// A program that was started without standard streams (`>&-`) would get a file of its own in their place, and print
// into it. They are opened to nowhere. Before anything else is opened.
void open_missing_streams();

// Writing to a pipe that nobody reads any more is an error to be told, no longer the end of the process.
void survive_broken_pipes();

}  // namespace granary
