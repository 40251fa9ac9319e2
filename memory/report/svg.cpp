// SPDX-License-Identifier: Apache-2.0
#include "memory/report/svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "memory/report/text.h"

namespace peakscope::report {
namespace {

constexpr std::string_view fontFamily = "DejaVu Sans, Verdana, sans-serif";

std::string hex(std::uint32_t rgb) { return fmt::format("#{:06X}", rgb); }
std::string num(double value) { return shortNumber(value, 2); }

using PatternKey = std::pair<Pattern, Colour>;

class Writer {
 public:
  /// theme: null for colours by class, as inside a page.
  Writer(const DisplayList& figure, const Palette* theme, std::string prefix)
      : m_figure(figure), m_theme(theme), m_prefix(std::move(prefix)) {}

  std::string body() {
    for (const Primitive& item : m_figure.items) std::visit([this](const auto& i) { write(i); }, item);
    return definitions() + m_out;
  }

 private:
  /// ` fill="#0B5FB0"` or ` class="f-activations"`.
  std::string paint(const char* attribute, const char* letter, Colour colour) const {
    return m_theme ? fmt::format(" {}=\"{}\"", attribute, hex((*m_theme)[colour]))
                   : fmt::format(" class=\"{}-{}\"", letter, toString(colour));
  }
  std::string fill(const Fill& f) {
    if (f.pattern != Pattern::Solid) {
      m_patterns.insert({f.pattern, f.colour});
      return fmt::format(" fill=\"url(#{})\"", patternId({f.pattern, f.colour}));
    }
    const char* cover = f.cover == Cover::Floor ? "floor" : f.cover == Cover::Ghost ? "ghost" : "";
    if (!m_theme) return fmt::format(" class=\"f-{}{}{}\"", toString(f.colour), *cover ? " " : "", cover);
    std::string text = paint("fill", "f", f.colour);
    if (f.cover != Cover::Full)
      text += fmt::format(" fill-opacity=\"{}\"", num(f.cover == Cover::Floor ? m_theme->floorOpacity : m_theme->ghostOpacity));
    return text;
  }
  std::string stroke(const Stroke& s) const {
    std::string text = paint("stroke", "s", s.colour) + fmt::format(" stroke-width=\"{}\"", num(s.width));
    if (!s.dash.empty()) {
      text += " stroke-dasharray=\"";
      for (std::size_t i = 0; i < s.dash.size(); ++i) text.append(i ? " " : "").append(num(s.dash[i]));
      text += '"';
    }
    return text;
  }
  static std::string area(const Area& a) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", num(a.x), num(a.y), num(std::max(0.0, a.width)),
                       num(std::max(0.0, a.height)));
  }
  /// Horizontal and vertical pieces are most of a step curve: H and V keep it small.
  static std::string path(const std::vector<Point>& points) {
    std::string d;
    Point last;
    for (const Point& p : points) {
      if (d.empty()) d += fmt::format("M{},{}", num(p.x), num(p.y));
      else if (num(p.y) == num(last.y)) d.append("H").append(num(p.x));
      else if (num(p.x) == num(last.x)) d.append("V").append(num(p.y));
      else d += fmt::format("L{},{}", num(p.x), num(p.y));
      last = p;
    }
    return d;
  }

  void write(const RectItem& r) {
    const std::string corner = r.radius > 0 ? fmt::format(" rx=\"{}\"", num(r.radius)) : "";
    m_out += fmt::format("<rect{}{}{}/>\n", area(r.area), corner, fill(r.fill));
  }
  void write(const FrameItem& f) { m_out += fmt::format("<rect{} fill=\"none\"{}/>\n", area(f.area), stroke(f.stroke)); }
  void write(const PolygonItem& p) {
    if (p.points.size() > 2) m_out += fmt::format("<path d=\"{}Z\"{}/>\n", path(p.points), fill(p.fill));
  }
  void write(const PolylineItem& p) {
    if (p.points.size() > 1) m_out += fmt::format("<path d=\"{}\" fill=\"none\"{}/>\n", path(p.points), stroke(p.stroke));
  }
  void write(const CircleItem& c) {
    const std::string at = fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\"", num(c.centre.x), num(c.centre.y), num(c.radius));
    // An element has one class attribute: fill below, stroke above.
    m_out += fmt::format("<circle {}{}/>\n<circle {} fill=\"none\"{}/>\n", at, fill(c.fill), at, stroke(c.stroke));
  }
  void write(const TextItem& t) {
    const char* anchor = t.font.anchor == Anchor::End      ? " text-anchor=\"end\""
                         : t.font.anchor == Anchor::Middle ? " text-anchor=\"middle\""
                                                           : "";
    m_out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}>{}</text>\n", num(t.baseline.x), num(t.baseline.y),
                         num(t.font.size), anchor, t.font.isBold ? " font-weight=\"bold\"" : "",
                         paint("fill", "f", t.font.colour), escapeMarkup(t.text));
  }
  void write(const HintItem& h) {
    m_out += fmt::format("<rect{} fill=\"none\" pointer-events=\"all\"><title>{}</title></rect>\n", area(h.area), escapeMarkup(h.text));
  }
  void write(const ClipBegin& c) {
    const std::string id = fmt::format("{}clip{}", m_prefix, ++m_clips);
    m_out += fmt::format("<clipPath id=\"{0}\"><rect{1}/></clipPath>\n<g clip-path=\"url(#{0})\">\n", id, area(c.area));
  }
  void write(const ClipEnd&) { m_out += "</g>\n"; }

  std::string patternId(PatternKey key) const {
    constexpr std::array names{"solid", "out", "in", "dots"};
    return fmt::format("{}{}-{}", m_prefix, names[static_cast<std::size_t>(key.first)], toString(key.second));
  }
  std::string definitions() const {
    if (m_patterns.empty()) return {};
    std::string defs = "<defs>\n";
    for (const PatternKey& key : m_patterns) {
      const int tile = key.first == Pattern::Dots ? 4 : 6;
      defs += fmt::format("<pattern id=\"{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\">"
                          "<rect width=\"{1}\" height=\"{1}\"{2}/>", patternId(key), tile, paint("fill", "f", key.second));
      if (key.first == Pattern::Dots) {
        const std::string ink = paint("fill", "f", Colour::Dots);
        defs += fmt::format("<circle cx=\"1\" cy=\"1\" r=\"0.8\"{0}/><circle cx=\"3\" cy=\"3\" r=\"0.8\"{0}/>", ink);
      } else {
        const char* d = key.first == Pattern::StripesOut ? "M-1,1l2,-2M0,6l6,-6M5,7l2,-2" : "M-1,5l2,2M0,0l6,6M5,-1l2,2";
        defs += fmt::format("<path d=\"{}\"{} stroke-width=\"1.5\" stroke-opacity=\"0.75\" fill=\"none\"/>", d,
                            paint("stroke", "s", Colour::Stripes));
      }
      defs += "</pattern>\n";
    }
    return defs + "</defs>\n";
  }

  const DisplayList& m_figure;
  const Palette* m_theme;
  std::string m_prefix;
  std::string m_out;
  std::set<PatternKey> m_patterns;
  int m_clips = 0;
};

std::string openTag(const DisplayList& figure, std::string_view extra) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\"{2} viewBox=\"0 0 {0} {1}\" font-family=\"{3}\" role=\"img\" aria-label=\"{4}\">\n",
                     num(figure.width), num(figure.height), extra, fontFamily, escapeMarkup(figure.title));
}

}  // namespace

std::string svgDocument(const DisplayList& figure, const SvgOptions& options) {
  const std::string size = fmt::format(" width=\"{}\" height=\"{}\"", num(figure.width), num(figure.height));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + openTag(figure, size) + Writer{figure, &palette(options.theme), ""}.body() +
         "</svg>\n";
}

std::string svgInline(const DisplayList& figure, std::string_view id) {
  return openTag(figure, "") + Writer{figure, nullptr, std::string{id} + "-"}.body() + "</svg>\n";
}

std::string svgStyle() {
  const auto properties = [](Theme theme) {
    std::string text;
    for (int i = 0; i < colourCount; ++i) {
      const auto colour = static_cast<Colour>(i);
      text += fmt::format("--{}:{};", toString(colour), hex(palette(theme)[colour]));
    }
    return text + fmt::format("--floor:{};--ghost:{}", num(palette(theme).floorOpacity), num(palette(theme).ghostOpacity));
  };
  std::string style = fmt::format(":root{{color-scheme:light dark;{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                                  properties(Theme::Light), properties(Theme::Dark));
  for (int i = 0; i < colourCount; ++i)
    style += fmt::format(".f-{0}{{fill:var(--{0})}}.s-{0}{{stroke:var(--{0})}}\n", toString(static_cast<Colour>(i)));
  return style + ".floor{fill-opacity:var(--floor)}.ghost{fill-opacity:var(--ghost)}\n";
}

}  // namespace peakscope::report
