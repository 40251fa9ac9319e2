// SPDX-License-Identifier: Apache-2.0
#include "memory/report/cairo_figure.h"

#include <cairo.h>
#include <cairo-pdf.h>
#include <cmath>
#include <memory>
#include <numbers>

#include "memory/report/text.h"

namespace peakscope::report {
namespace {

struct DestroySurface { void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); } };
struct DestroyContext { void operator()(cairo_t* c) const { cairo_destroy(c); } };
using SurfacePtr = std::unique_ptr<cairo_surface_t, DestroySurface>;
using ContextPtr = std::unique_ptr<cairo_t, DestroyContext>;

class Painter {
 public:
  Painter(cairo_t* context, const Palette& theme) : m_c(context), m_theme(theme) {}
  void draw(const DisplayList& figure) {
    for (const Primitive& item : figure.items) std::visit([this](const auto& i) { draw(i); }, item);
  }

 private:
  void setColour(Colour colour, double opacity = 1) {
    const std::uint32_t rgb = m_theme[colour];
    cairo_set_source_rgba(m_c, ((rgb >> 16) & 255u) / 255.0, ((rgb >> 8) & 255u) / 255.0, (rgb & 255u) / 255.0, opacity);
  }
  void trace(const std::vector<Point>& points) {
    cairo_new_path(m_c);
    for (const Point& p : points) cairo_line_to(m_c, p.x, p.y);
  }
  void trace(const Area& a, double radius = 0) {
    cairo_new_path(m_c);
    if (radius <= 0) return cairo_rectangle(m_c, a.x, a.y, std::max(0.0, a.width), std::max(0.0, a.height));
    constexpr double quarter = std::numbers::pi / 2;
    const double r = std::min({radius, a.width / 2, a.height / 2});
    cairo_arc(m_c, a.x + a.width - r, a.y + r, r, -quarter, 0);
    cairo_arc(m_c, a.x + a.width - r, a.y + a.height - r, r, 0, quarter);
    cairo_arc(m_c, a.x + r, a.y + a.height - r, r, quarter, 2 * quarter);
    cairo_arc(m_c, a.x + r, a.y + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(m_c);
  }
  void fillPath(const Fill& fill) {
    const double opacity = fill.cover == Cover::Floor ? m_theme.floorOpacity : fill.cover == Cover::Ghost ? m_theme.ghostOpacity : 1;
    setColour(fill.colour, opacity);
    if (fill.pattern == Pattern::Solid) return cairo_fill(m_c);
    cairo_fill_preserve(m_c);
    cairo_save(m_c);
    cairo_clip(m_c);
    drawPattern(fill.pattern);
    cairo_restore(m_c);
  }
  /// Patterns are anchored to the figure: only the tiles that the clip touches are drawn, as vectors.
  void drawPattern(Pattern pattern) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    cairo_clip_extents(m_c, &x0, &y0, &x1, &y1);
    cairo_new_path(m_c);
    if (pattern == Pattern::Dots) {
      setColour(Colour::Dots);
      for (double y = std::floor(y0 / 4) * 4; y < y1; y += 4)
        for (double x = std::floor(x0 / 4) * 4; x < x1; x += 4)
          for (const double d : {1.0, 3.0}) {
            cairo_new_sub_path(m_c);
            cairo_arc(m_c, x + d, y + d, 0.8, 0, 2 * std::numbers::pi);
          }
      return cairo_fill(m_c);
    }
    // One line per 6 px of x + y (or x - y): the tiles' diagonals joined.
    const bool isOut = pattern == Pattern::StripesOut;
    const double low = isOut ? x0 + y0 : x0 - y1;
    const double high = isOut ? x1 + y1 : x1 - y0;
    for (double at = std::floor(low / 6) * 6; at <= high; at += 6) {
      cairo_move_to(m_c, isOut ? at - y0 : at + y0, y0);
      cairo_line_to(m_c, isOut ? at - y1 : at + y1, y1);
    }
    setColour(Colour::Stripes, 0.75);
    cairo_set_line_width(m_c, 1.5);
    cairo_set_dash(m_c, nullptr, 0, 0);
    cairo_stroke(m_c);
  }
  void strokePath(const Stroke& stroke) {
    setColour(stroke.colour);
    cairo_set_line_width(m_c, stroke.width);
    cairo_set_dash(m_c, stroke.dash.data(), static_cast<int>(stroke.dash.size()), 0);
    cairo_stroke(m_c);
  }

  void draw(const RectItem& r) { trace(r.area, r.radius); fillPath(r.fill); }
  void draw(const FrameItem& f) { trace(f.area); strokePath(f.stroke); }
  void draw(const PolygonItem& p) {
    trace(p.points);
    cairo_close_path(m_c);
    fillPath(p.fill);
  }
  void draw(const PolylineItem& p) { trace(p.points); strokePath(p.stroke); }
  void draw(const CircleItem& c) {
    cairo_new_path(m_c);
    cairo_arc(m_c, c.centre.x, c.centre.y, c.radius, 0, 2 * std::numbers::pi);
    fillPath(c.fill);
    cairo_arc(m_c, c.centre.x, c.centre.y, c.radius, 0, 2 * std::numbers::pi);
    strokePath(c.stroke);
  }
  void draw(const TextItem& t) {
    const std::string text = cleanText(t.text);
    cairo_select_font_face(m_c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, t.font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(m_c, t.font.size);
    cairo_text_extents_t extents;
    cairo_text_extents(m_c, text.c_str(), &extents);
    const double shift = t.font.anchor == Anchor::End ? extents.x_advance : t.font.anchor == Anchor::Middle ? extents.x_advance / 2 : 0;
    setColour(t.font.colour);
    cairo_move_to(m_c, t.baseline.x - shift, t.baseline.y);
    cairo_show_text(m_c, text.c_str());
  }
  void draw(const HintItem&) {}
  void draw(const ClipBegin& c) {
    cairo_save(m_c);
    trace(c.area);
    cairo_clip(m_c);
  }
  void draw(const ClipEnd&) { cairo_restore(m_c); }

  cairo_t* m_c;
  const Palette& m_theme;
};

cairo_status_t appendTo(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

Result<std::string> finished(cairo_status_t status, std::string bytes, const char* what) {
  if (status != CAIRO_STATUS_SUCCESS)
    return deviceFailed(std::string{"cannot draw the "} + what + ": " + cairo_status_to_string(status));
  return bytes;
}

}  // namespace

Result<std::string> pdfDocument(const DisplayList& figure, const PdfOptions& options) {
  const double pointsPerPx = options.widthMillimetres > 0 ? options.widthMillimetres / 25.4 * 72 / figure.width : 0.75;
  std::string bytes;
  const SurfacePtr surface{
      cairo_pdf_surface_create_for_stream(appendTo, &bytes, figure.width * pointsPerPx, figure.height * pointsPerPx)};
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, cleanText(options.title).c_str());
  const std::string date = isoDate(options.createdUnixNs).empty() ? "1970-01-01T00:00:00Z" : isoDate(options.createdUnixNs);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, date.c_str());
  {
    const ContextPtr context{cairo_create(surface.get())};
    cairo_scale(context.get(), pointsPerPx, pointsPerPx);
    Painter{context.get(), palette(options.theme)}.draw(figure);
    if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS) return finished(status, {}, "PDF");
  }
  cairo_surface_finish(surface.get());
  return finished(cairo_surface_status(surface.get()), std::move(bytes), "PDF");
}

Result<std::string> pngImage(const DisplayList& figure, const PngOptions& options) {
  const auto pixels = [&](double length) { return static_cast<int>(std::lround(length * options.scale)); };
  const SurfacePtr surface{cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(figure.width), pixels(figure.height))};
  const ContextPtr context{cairo_create(surface.get())};
  cairo_scale(context.get(), options.scale, options.scale);
  Painter{context.get(), palette(options.theme)}.draw(figure);
  if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS) return finished(status, {}, "PNG");
  std::string bytes;
  const auto status = cairo_surface_write_to_png_stream(surface.get(), appendTo, &bytes);
  return finished(status, std::move(bytes), "PNG");
}

}  // namespace peakscope::report
