#include <fmt/format.h>
#include <algorithm>
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

constexpr std::size_t line_length = 120;

constexpr const char* head =
    "# All keys of a case file, with the values each one accepts. Quantities are in SI units.\n"
    "# Written by the program from the table that checks cases; do not edit.\n"
    "#\n"
    "# This file is a valid case. A line that begins with \"#\" and no blank holds a key that may be left out, with "
    "its\n"
    "# default, or a key to be used instead of another one: take the \"#\" away, and out the other one.\n";

// Keys of a section before this one that exclude it.
std::string earlier_rivals(const KeyRow& key) {
    std::vector<std::string> earlier;
    for (const std::string& rival : split_list(key.extra.rivals))
        if (find_key(key.section, rival) < &key) earlier.push_back(rival);
    return listed(earlier);
}

std::string sentence(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + (text.ends_with('.') ? "" : ".");
}

// word: value of the section's selector in this block, or "". fits: the key goes with the defaults of other selectors.
std::string key_lines(const SectionRow& section, const KeyRow& key, const std::string& word, const KeyFit& fits) {
    const std::string rivals = earlier_rivals(key);
    const bool has_default = key.preset.kind == KeyDefault::Kind::value;
    std::string value = has_default ? key.preset.toml : key.example;
    // Blocks of one section need different names, so each is named after its kind.
    const std::string name = key.name;
    if (!word.empty() && name == section.selector) value = "\"" + word + "\"";
    if (!word.empty() && name == "name") value = "\"" + word + "-1\"";

    std::string remark;
    if (key.preset.kind == KeyDefault::Kind::required) remark = " Required.";
    if (has_default) remark = fmt::format(" Default: {}.", key.preset.toml);
    if (!rivals.empty()) remark += fmt::format(" Instead of {}.", rivals);
    if (*key.extra.unless) remark += fmt::format(" Not beside {}.", header(*find_section(key.extra.unless)));
    if (fits.no())
        remark += fmt::format(" Only with {} = {}.", selector_of(*fits.culprit)->name,
                              listed_or(split_list(fits.culprit->extra.only)));
    const std::string doc = sentence(key.doc);
    std::string accepted = sentence(describe_expected(key));
    if (accepted.size() + remark.size() + 2 > line_length) accepted += "\n#";
    accepted += remark;
    const bool one_line = doc.size() + accepted.size() + 3 <= line_length;
    return fmt::format("# {}{}{}\n{}{} = {}\n", doc, one_line ? " " : "\n# ", accepted,
                       has_default || !rivals.empty() || *key.extra.unless || fits.no() ? "#" : "", key.name, value);
}

std::string block(const SectionRow& section, const std::string& word) {
    std::string text;
    Selected selected = default_selection(section);
    if (!word.empty()) selected[section.selector] = word;
    if (*section.name) text = header(section) + "\n";
    for (const KeyRow& key : case_keys()) {
        if (std::string(key.section) != section.name) continue;
        const KeyFit fits = fit(key, selected);
        const bool of_other_block = fits.no() && std::string(selector_of(*fits.culprit)->name) == section.selector;
        if (!of_other_block) text += key_lines(section, key, word, fits);
    }
    return text;
}

// Lines of a comment.
std::string commented(const std::string& text) {
    std::string s = "# ";
    for (const char c : text) s += c == '\n' ? "\n# " : std::string(1, c);
    return s + "\n";
}

}  // namespace

std::string case_reference() {
    std::string text = head;
    for (const SectionRow& section : case_sections()) {
        text += *section.name ? fmt::format("\n# ---- {} {:-<{}}\n{}", section.name, "",
                                            line_length - 8 - std::string(section.name).size(), commented(section.doc))
                              : "\n";
        if (*section.name == '\0' || *section.selector == '\0') {
            text += block(section, "");
            continue;
        }
        const KeyRow* selector = find_key(section.name, section.selector);
        bool first = true;
        for (const std::string& word : split_list(selector->extra.choices)) {
            if (!first) text += '\n';
            text += block(section, word);
            first = false;
        }
    }
    return text;
}

}  // namespace granary
