#include "io/report/svg_plot.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <regex>
#include "io/report/html.hpp"

namespace granary::report_svg_test {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

Plot ramp() {
    Plot p;
    p.id = "p7", p.title = "Mass", p.about = "What is inside.", p.y_unit = "kg";
    Curve c;
    c.name = "inside", c.x = {0, 1, 2}, c.y = {0, 5, 10};
    p.curves.push_back(c);
    return p;
}

// The points of the first curve, as they stand in the picture.
std::vector<std::pair<double, double>> points_of(const std::string& svg) {
    std::smatch path;
    std::vector<std::pair<double, double>> points;
    if (!std::regex_search(svg, path, std::regex("class=\"curve k0[a-z0-9 ]*\" d=\"([^\"]*)\""))) return points;
    const std::string d = path[1];
    const std::regex point("[ML]([0-9.-]+) ([0-9.-]+)");
    for (std::sregex_iterator it(d.begin(), d.end(), point), end; it != end; ++it)
        points.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
    return points;
}

TEST(ReportHtml, TextIsHarmless) {
    EXPECT_EQ(html("<script>alert('a & \"b\"')</script>"),
              "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;");
    EXPECT_EQ(html("Grüße, 米 🌾"), "Grüße, 米 🌾");
    EXPECT_EQ(html(std::string("a\0b\x1b[1mc\x7f", 9)), "a b [1mc ");
    EXPECT_EQ(html("a\nb\tc"), "a\nb\tc");
    const std::string bad = "\uFFFD";
    EXPECT_EQ(html("\xff"), bad);
    EXPECT_EQ(html("a\xc3"), "a" + bad);               // half a letter at the end
    EXPECT_EQ(html("\xc0\xbc"), bad + bad);            // '<' in a form that is too long
    EXPECT_EQ(html("\xed\xa0\x80"), bad + bad + bad);  // half of a surrogate pair
}

TEST(ReportHtml, Base64) {  // the examples of RFC 4648
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foob"), "Zm9vYg==");
    EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(ReportSvg, ACurveWhereItBelongs) {
    const std::string svg = svg_plot(ramp());
    const auto points = points_of(svg);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_LT(points[0].first, points[1].first);
    EXPECT_NEAR(points[1].first, (points[0].first + points[2].first) / 2, 0.11);
    EXPECT_NEAR(points[1].second, (points[0].second + points[2].second) / 2, 0.11);
    EXPECT_GT(points[0].second, points[2].second);  // y grows downwards in a picture
    EXPECT_EQ(points[2].second, 24);                // 10 kg is the upper end of the axis
    for (const char* text : {"role=\"img\"", "aria-labelledby=\"p7t p7d\"", "<title id=\"p7t\">Mass</title>",
                             "<desc id=\"p7d\">What is inside.</desc>", ">time, s</text>", ">kg</text>", ">10</text>"})
        EXPECT_EQ(count(svg, text), 1u) << text;
}

TEST(ReportSvg, GapsDotsAndNothing) {
    Plot p = ramp();
    p.curves[0].x = {0, 1, 2, 3, 4, 5, 6}, p.curves[0].y = {1, 2, std::nan(""), 3, std::nan(""), 1, 2};
    const std::string svg = svg_plot(p);
    EXPECT_EQ(points_of(svg).size(), 5u);
    std::smatch path;
    ASSERT_TRUE(std::regex_search(svg, path, std::regex("class=\"curve k0[a-z0-9 ]*\" d=\"([^\"]*)\"")));
    EXPECT_EQ(count(path[1], "M"), 3u);    // three pieces
    EXPECT_EQ(count(svg, "<circle"), 1u);  // the one between two gaps would not be seen without
    EXPECT_EQ(count(svg, "nan"), 0u);
    p.curves[0].y.assign(7, std::nan(""));
    EXPECT_EQ(count(svg_plot(p), "no numbers yet"), 1u);
    p.curves.clear();
    EXPECT_EQ(count(svg_plot(p), "no numbers yet"), 1u);
}

TEST(ReportSvg, PowersOfTenLeaveOutWhatHasNone) {
    Plot p = ramp();
    p.log_y = true;
    p.curves[0].x = {0, 1, 2, 3}, p.curves[0].y = {0, 1e-4, 1, 100};
    const auto points = points_of(svg_plot(p));
    ASSERT_EQ(points.size(), 3u);
    EXPECT_NEAR((points[0].second - points[1].second) / (points[1].second - points[2].second), 2, 0.02);
}

TEST(ReportSvg, NamesOfUsersAreHarmless) {
    Plot p = ramp();
    const std::string evil = "</title><script>&\"'";
    p.title = p.about = p.y_name = p.y_unit = p.x_name = p.curves[0].name = evil;
    p.curves.push_back(p.curves[0]);
    p.marks = {{1, evil}};
    const std::string figure = plot_figure(p);
    EXPECT_EQ(count(figure, "<script"), 0u);
    EXPECT_EQ(count(figure, "\"'"), 0u);
    EXPECT_GE(count(figure, html(evil)), 7u);
}

TEST(ReportSvg, MarksThatFit) {
    Plot p = ramp();
    p.marks = {{-1, "before"}, {1, "filled"}, {1.02, "settled"}, {2, "empty"}, {3, "after"}};
    const std::string svg = svg_plot(p);
    EXPECT_EQ(count(svg, "class=\"mark\""), 3u);
    EXPECT_EQ(count(svg, ">filled<"), 1u);
    EXPECT_EQ(count(svg, "text-anchor=\"start\">settled<"), 1u);  // "filled" stands to the left
    EXPECT_EQ(count(svg, ">empty<"), 1u);
    EXPECT_EQ(count(svg, ">before<") + count(svg, ">after<"), 0u);
}

TEST(ReportSvg, LegendAndNumbers) {
    Plot p = ramp();
    EXPECT_EQ(count(plot_figure(p), "class=\"legend\""), 0u);
    Curve out = p.curves[0];
    out.name = "out", out.y = {0, 0, 1e-16}, out.colour = 1;
    p.curves.push_back(out);
    const std::string figure = plot_figure(p);
    EXPECT_EQ(count(figure, "class=\"legend\""), 1u);
    EXPECT_EQ(count(figure, "<th scope=\"col\">out, kg</th>"), 1u);
    EXPECT_EQ(count(figure, "<tr><th scope=\"row\">1</th><td>5</td><td>0</td></tr>"), 1u);
    EXPECT_EQ(count(figure, "<tr><th scope=\"row\">2</th><td>10</td>"), 1u);
}

// What was measured stands out from laws; one law has one colour, and its parts their dashes.
TEST(ReportSvg, BoldAndDashed) {
    Plot p = ramp();
    p.curves[0].bold = true;
    p.curves.push_back(p.curves[0]);
    p.curves[1].bold = false, p.curves[1].colour = 3, p.curves[1].dash = 2;
    const std::string figure = plot_figure(p);
    EXPECT_EQ(count(figure, "class=\"curve k0 bold\""), 2u);  // in the picture and in the legend
    EXPECT_EQ(count(figure, "class=\"curve k3 d2\""), 2u);
    EXPECT_LT(figure.rfind("curve k3 d2"), figure.rfind("curve k0 bold"));  // bold ones in front
}

// Areas end at the sums: the axis reaches the sum, and the second area begins where the first ends.
TEST(ReportSvg, Stacked) {
    Plot p = ramp();
    p.stacked = true;
    p.curves.push_back(p.curves[0]);
    p.curves[1].name = "<b>", p.curves[1].y = {10, 10, 10};
    const std::string svg = svg_plot(p);
    EXPECT_EQ(count(svg, "class=\"area\""), 2u);
    EXPECT_EQ(count(svg, "<title>&lt;b&gt;</title>"), 1u);
    EXPECT_EQ(count(svg, ">20</text>"), 1u);  // 10 + 10
    std::smatch d;
    ASSERT_TRUE(std::regex_search(
        svg, d,
        std::regex(
            "class=\"area\" fill=\"(#[0-9a-f]{6})\" d=\"M([0-9.]+ [0-9.]+)L([0-9.]+ [0-9.]+)L([0-9.]+ [0-9.]+)L")));
    const std::string first_top = d[4];  // of the lower area, at its end
    EXPECT_GE(count(svg, first_top), 2u);
    EXPECT_EQ(count(plot_figure(p), "<li>"), 2u);
}

TEST(ReportSvg, OneOfSeveralAtATime) {
    std::vector<Plot> plots(3, ramp());
    for (std::size_t k = 0; k < 3; ++k) plots[k].id = "p" + std::to_string(k);
    plots[0].tab = "a<", plots[1].tab = "b";  // the third has the same title, but stands alone
    const std::string page = plot_figures(plots);
    EXPECT_EQ(count(page, "<figure"), 2u);
    EXPECT_EQ(count(page, "class=\"pane\""), 2u);
    EXPECT_EQ(count(page, "type=\"radio\" name=\"p0r\""), 2u);
    EXPECT_EQ(count(page, " checked>"), 1u);
    EXPECT_EQ(count(page, "<label for=\"p0r\">a&lt;</label>"), 1u);
}

TEST(ReportSvg, ThinningKeepsPeaksAndGaps) {
    Curve c;
    for (int k = 0; k < 100000; ++k) c.x.push_back(k), c.y.push_back(std::sin(0.37 * k));
    c.y[54321] = 9, c.y[77777] = -7, c.y[31000] = std::nan("");
    const Curve few = thinned(c, 300);
    EXPECT_LE(few.x.size(), 1210u);
    EXPECT_EQ(*std::max_element(few.y.begin(), few.y.end()), 9);
    EXPECT_NE(std::find(few.y.begin(), few.y.end(), -7), few.y.end());
    EXPECT_EQ(std::count_if(few.y.begin(), few.y.end(), [](double v) { return std::isnan(v); }), 1);
    EXPECT_EQ(few.x.front(), 0);
    EXPECT_EQ(few.x.back(), 99999);
    EXPECT_TRUE(std::is_sorted(few.x.begin(), few.x.end()));
    c.x.resize(1000), c.y.resize(1000);
    EXPECT_EQ(thinned(c, 300).x.size(), 1000u);  // few enough as they are
}

}  // namespace
}  // namespace granary::report_svg_test
