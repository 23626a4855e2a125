// Small pieces of HTML: text made harmless, pictures put into the page itself.
#pragma once
#include <string>
#include <string_view>

namespace granary {

// Text between tags or inside a quoted attribute: & < > " ' are written as entities, control characters other than line
// end and tab become spaces, bytes that are not UTF-8 become U+FFFD.
std::string html(std::string_view text);

std::string base64(std::string_view bytes);

}  // namespace granary
