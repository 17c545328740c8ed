import { dockedFrom, maxShares } from './layout.js'

/** The panel's style. It is inside a shadow root, which isolates it from the app. */
export const styles = `
:host { display: contents !important; }
.devtools {
  --page: light-dark(#ffffff, #16181c);
  --raised: light-dark(#f5f6f8, #1f2228);
  --line: light-dark(#dfe3e9, #333842);
  --ink: light-dark(#191c22, #eceef2);
  --quiet: light-dark(#59606d, #a4acba);
  --accent: light-dark(#0b6a4c, #7fdcb4);
  --on-accent: light-dark(#ffffff, #08241a);
  --info: light-dark(#1c58a6, #93bdff);
  --warn: light-dark(#7d4b00, #f4c26d);
  --warn-soft: light-dark(#fdf1da, #362a12);
  --bad: light-dark(#a3231a, #ffb1a6);
  --shadow: light-dark(0 4px 24px rgb(20 26 38 / 18%), 0 4px 24px rgb(0 0 0 / 60%));
  color-scheme: light dark;
  position: fixed;
  z-index: 2147483000;
  color: var(--ink);
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  text-align: start;
}
.devtools[data-theme='light'] { color-scheme: light; }
.devtools[data-theme='dark'] { color-scheme: dark; }
.devtools[data-corner^='bottom'] { bottom: max(12px, env(safe-area-inset-bottom)); }
.devtools[data-corner^='top'] { top: max(12px, env(safe-area-inset-top)); }
.devtools[data-corner$='right'] { right: 12px; }
.devtools[data-corner$='left'] { left: 12px; }
.devtools.open[data-side='bottom'] {
  inset: auto 0 0;
  height: min(var(--size), ${maxShares.bottom * 100}vh);
  border-top: 1px solid var(--line);
}
.devtools.open[data-side='right'] {
  inset: 0 0 0 auto;
  width: min(var(--size), ${maxShares.right * 100}vw);
  border-left: 1px solid var(--line);
}
*, *::before { box-sizing: border-box; }
button, select { font: inherit; color: inherit; cursor: pointer; }
button:focus-visible, select:focus-visible, [tabindex]:focus-visible {
  outline: 2px solid var(--info);
  outline-offset: 1px;
}
[role='tabpanel']:focus-visible { outline-offset: -2px; }
h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0; }
h3 { font-size: 12px; font-weight: 600; color: var(--quiet); }
ol, ul { list-style: none; }
code, time, td, dd, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 12px; }
.quiet { color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.toggle {
  display: flex;
  align-items: center;
  gap: 7px;
  min-height: 36px;
  padding: 0 13px 0 10px;
  border: 1px solid var(--line);
  border-radius: 18px;
  background: var(--page);
  box-shadow: var(--shadow);
  font-weight: 600;
}
.toggle:hover { background: var(--raised); }
.mark { flex: none; color: var(--accent); }
.toggle[data-forced] { border-color: var(--warn); color: var(--warn); }
.toggle[data-forced] .mark { color: inherit; }

.panel { display: flex; flex-direction: column; height: 100%; background: var(--page); overflow: hidden; }
.resizer { position: absolute; z-index: 1; touch-action: none; user-select: none; }
[data-side='bottom'] .resizer { inset: -6px 0 auto; height: 12px; cursor: ns-resize; }
[data-side='right'] .resizer { inset: 0 auto 0 -6px; width: 12px; cursor: ew-resize; }
.resizer::before {
  content: '';
  position: absolute;
  inset: 0;
  margin: auto;
  border-radius: 2px;
  background: var(--quiet);
  opacity: 0.5;
}
[data-side='bottom'] .resizer::before { width: 40px; height: 4px; }
[data-side='right'] .resizer::before { width: 4px; height: 40px; }
.resizer:hover::before, .resizer:focus-visible::before { background: var(--info); opacity: 1; }
.head { display: flex; align-items: center; gap: 8px; padding: 8px 8px 8px 14px; }
.head h2 { font-size: 13px; font-weight: 650; white-space: nowrap; }
.head .order { flex: 1; min-width: 0; text-align: end; }
select {
  max-width: 100%;
  min-height: 28px;
  padding: 0 6px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--page);
}
.icon {
  display: grid;
  place-items: center;
  flex: none;
  width: 32px;
  height: 32px;
  padding: 0;
  border: 0;
  border-radius: 6px;
  background: none;
}
.icon:hover { background: var(--raised); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 0 14px 10px; }
.facts div { display: flex; gap: 6px; align-items: baseline; }
.facts dt { color: var(--quiet); }
.forced {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  padding: 6px 8px 6px 14px;
  background: var(--warn-soft);
  color: var(--warn);
}
[role='tablist'] { display: flex; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--line); }
[role='tab'] {
  position: relative;
  min-height: 36px;
  padding: 0 10px;
  border: 0;
  border-radius: 6px 6px 0 0;
  background: none;
  color: var(--quiet);
  font-weight: 550;
}
[role='tab']:hover { color: var(--ink); }
[role='tab'][aria-selected='true'] { color: var(--ink); }
[role='tab'][aria-selected='true']::before {
  content: '';
  position: absolute;
  inset: auto 8px -1px;
  border-bottom: 2px solid var(--accent);
}
[role='tabpanel'] { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; padding: 12px 14px; }
.empty { padding: 28px 0; color: var(--quiet); text-align: center; text-wrap: balance; }

.timeline li {
  display: grid;
  grid-template-columns: auto 1fr auto;
  gap: 1px 12px;
  padding: 7px 0;
  border-bottom: 1px solid var(--line);
}
.timeline li:last-child { border: 0; }
.kind { font-weight: 600; }
.kind[data-kind='step'], .kind[data-kind='payment'] { color: var(--info); }
.kind[data-kind='checked'] { color: var(--accent); }
.kind[data-kind='forced'], .kind[data-kind='released'] { color: var(--warn); }
.bad { color: var(--bad); }
.changes { grid-column: 2 / -1; display: flex; flex-wrap: wrap; gap: 0 14px; min-width: 0; }
.changes li { display: block; padding: 0; border: 0; overflow-wrap: anywhere; }
.changes code:not(.long) { white-space: nowrap; }
.gap { color: var(--quiet); font-variant-numeric: tabular-nums; }

.summary { display: flex; flex-wrap: wrap; gap: 2px 18px; padding-bottom: 10px; }
.summary b { font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 5px 0 5px 10px; border-bottom: 1px solid var(--line); text-align: end; white-space: nowrap; }
th { color: var(--quiet); font-size: 12px; font-weight: 500; }
th:first-child, td:first-child { padding-left: 0; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: start; }
td:nth-child(2) { width: 100%; max-width: 0; overflow: hidden; text-overflow: ellipsis; }
tbody tr:last-child td { border: 0; }
.unchanged { color: var(--quiet); }
.fine { color: var(--accent); }

.section { margin-top: 18px; }
.section:first-child { margin-top: 0; }
.section h3 { padding-bottom: 4px; }
.rows { border-top: 1px solid var(--line); }
.rows > div { display: grid; grid-template-columns: 104px 1fr; gap: 0 12px; padding: 5px 0; border-bottom: 1px solid var(--line); }
.rows dt { color: var(--quiet); }
.rows dd { overflow-wrap: anywhere; }
.rows dd p { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-size: 13px; }

.states { display: flex; flex-wrap: wrap; gap: 6px; padding: 2px 0 0; }
.button {
  min-height: 28px;
  padding: 2px 9px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--page);
}
.button:hover { background: var(--raised); }
.button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button[aria-disabled='true'] { color: var(--quiet); cursor: not-allowed; }
.forced .button { border-color: currentColor; }
.line { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; padding-top: 4px; }

/* A narrow page has no room beside it: the panel stands at its end, where it covers nothing. */
@media (width < ${dockedFrom}) {
  :host { display: block !important; }
  .devtools, .devtools.open[data-side] {
    position: static;
    width: auto;
    height: auto;
    border: 0;
    border-top: 1px solid var(--line);
  }
  .toggle { width: 100%; justify-content: center; min-height: 44px; border: 0; border-radius: 0; box-shadow: none; }
  .toggle[data-forced] { background: var(--warn-soft); }
  .resizer { display: none; }
  .panel { height: min(560px, 82vh); }
}
@media (width < 480px) {
  .head h2 span, .rest { display: none; }
  [role='tab'] { flex: 1; padding: 0 4px; }
  .rows > div { grid-template-columns: 1fr; }
  th, td { padding-left: 8px; }
  .timeline li { column-gap: 9px; }
}
@media (forced-colors: active) {
  [role='tab'][aria-selected='true']::before { border-color: Highlight; }
  .button[aria-pressed='true'] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
@media print { .devtools { display: none; } }
`
