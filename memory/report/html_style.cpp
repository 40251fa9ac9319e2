// SPDX-License-Identifier: Apache-2.0
//
// The page's style: an 8 px grid, one column, quiet rules instead of boxes. Colours are the palette's custom properties.
#include "memory/report/html_parts.h"

namespace peakscope::report::html {

std::string styleSheet() {
  return R"css(*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);font:14px/1.5 "DejaVu Sans",Verdana,system-ui,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1056px;margin:0 auto;padding:32px 24px 64px}
header h1{font-size:26px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
header p{margin:0;color:var(--muted-text);overflow-wrap:anywhere}
section{background:var(--panel);border:1px solid var(--border);margin:16px 0 0;padding:16px 20px 20px}
h2{font-size:16px;margin:0 0 2px}
.note{margin:0 0 12px;color:var(--muted-text);font-size:13px;max-width:120ch}
.note:last-child{margin-bottom:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));overflow:hidden;background:var(--panel);border:1px solid var(--border);margin-top:24px}
.figures div{padding:14px 20px 16px;box-shadow:1px 0 0 var(--border),0 1px 0 var(--border)}
.figures dt{color:var(--muted-text);font-size:13px}
.figures dd{margin:0}
.figures b{display:block;font-size:22px;line-height:1.3;font-variant-numeric:tabular-nums}
.figures small{color:var(--muted-text);font-size:12px;line-height:1.4;display:block;overflow-wrap:anywhere}
.figures,dl{margin-bottom:0}
.good{color:var(--good)}.bad{color:var(--budget)}
svg{display:block;width:calc(100% + 24px);height:auto;margin:0 -12px}
svg+svg{margin-top:8px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(400px,1fr));gap:16px}
.pair svg{margin:0;width:100%}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th{color:var(--muted-text);font-weight:normal;text-align:left;border-bottom:1px solid var(--border);padding:4px 16px 4px 0;vertical-align:bottom}
td{border-bottom:1px solid var(--grid);padding:4px 16px 4px 0;vertical-align:top;overflow-wrap:anywhere}
th:last-child,td:last-child{padding-right:0}
table.narrow{width:auto;min-width:50%}
.n{text-align:right;white-space:nowrap;overflow-wrap:normal}
tr.total td{font-weight:bold;border-bottom-color:var(--border)}
td small{color:var(--muted-text)}
.sw{display:inline-block;width:10px;height:10px;margin-right:8px;background:var(--c)}
.sw.dots{background-image:radial-gradient(var(--dots) 0.8px,transparent 1px);background-size:4px 4px}
.bar{display:inline-block;height:8px;background:var(--activations);vertical-align:middle;min-width:1px}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:8px 0 0;font-size:13px}
dl.facts dt{color:var(--muted-text)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
pre{margin:8px 0 0;padding:10px 12px;background:var(--alternate-row);border:1px solid var(--grid);font:12px/1.5 "DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.warn{border-left:4px solid var(--budget)}
.warn ul{margin:4px 0 0;padding-left:20px}
summary{cursor:pointer;font-weight:bold;font-size:16px}
summary span{font-weight:normal;font-size:13px;color:var(--muted-text);margin-left:8px}

.gap{height:16px}
details .scroll{margin-top:12px}
footer{color:var(--muted-text);font-size:12px;margin-top:16px}
@media print{*{-webkit-print-color-adjust:exact;print-color-adjust:exact}.figures{grid-template-columns:repeat(4,1fr)}body{background:none;font-size:10pt}main{max-width:none;padding:0}section,.figures{break-inside:avoid;border-color:#bbb}
section.long{break-inside:auto}summary{list-style:none}tr{break-inside:avoid}thead{display:table-header-group}}
@media(max-width:600px){main{padding:16px 8px}section{padding:12px}.pair{grid-template-columns:1fr}}
)css";
}

}  // namespace peakscope::report::html
