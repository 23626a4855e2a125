// JSON written piece by piece, for results that scripts read. Numbers read back to the same bits; JSON knows no
// infinity and no NaN, they become null.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace granary {

std::string json_text(std::string_view text);  // with its quotes; bytes that are not UTF-8 become U+FFFD
std::string json_number(double value);

//   JsonWriter json;
//   json.begin_object().member("ranks", 4).key("rows").begin_array();
//   ...
//   json.end().end();
// A value, a key or an end where none can stand is a mistake of the program: std::logic_error.
class JsonWriter {
  public:
    enum class Layout { lines, one_line };  // members of an object or array below each other, or side by side

    JsonWriter& begin_object(Layout layout = Layout::lines) { return begin('{', '}', layout); }
    JsonWriter& begin_array(Layout layout = Layout::lines) { return begin('[', ']', layout); }
    JsonWriter& end();  // of the innermost object or array
    JsonWriter& key(std::string_view name);
    JsonWriter& value(double v) { return raw(json_number(v)); }
    JsonWriter& value(bool v) { return raw(v ? "true" : "false"); }
    JsonWriter& value(std::string_view v) { return raw(json_text(v)); }
    JsonWriter& value(const char* v) { return raw(json_text(v)); }
    JsonWriter& null() { return raw("null"); }
    template <std::integral T>
    requires(!std::is_same_v<T, bool>) JsonWriter& value(T v) { return raw(std::to_string(v)); }
    template <class T> JsonWriter& member(std::string_view name, const T& v) { return key(name).value(v); }

    std::string text() const;  // with a line end; everything begun must have been ended

  private:
    struct Level {
        char close;
        bool one_line, empty = true, has_key = false;
    };
    JsonWriter& begin(char open, char close, Layout layout);
    JsonWriter& raw(std::string_view text);
    void start_value();
    void separate();
    void new_line(std::size_t depth);

    std::string text_;
    std::vector<Level> levels_;
};

}  // namespace granary
