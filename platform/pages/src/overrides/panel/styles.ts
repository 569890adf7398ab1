/** A sheet of the panel's own root: nothing of the page reaches it, and the document's policy need not allow an inline style. */
export const styles = `
:host { all: initial; }
* { box-sizing: border-box; font: inherit; }
.launch {
  position: fixed; z-index: 4000; inset: auto auto 124px 12px;
  min-width: 44px; height: 44px; padding: 0 16px; border: 0; border-radius: 22px;
  background: #16132b; color: #fff; box-shadow: 0 0 0 2px #fff;
  font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif; cursor: pointer;
}
dialog {
  --paper: #fff; --ink: #16132b; --soft: #5b5872; --line: #8a8799; --rule: #e7e5f0; --accent: #5a3df0; --on-accent: #fff; --mark: #fdf1d8;
  width: min(560px, 100%); max-width: 100%; max-height: 85vh; margin: auto auto 0; padding: 0; border: 0; border-radius: 16px 16px 0 0;
  background: var(--paper); color: var(--ink); overflow-y: auto; overscroll-behavior: contain;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif;
}
dialog[data-theme="dark"] {
  --paper: #191726; --ink: #f4f2fc; --soft: #b4b0c8; --line: #8481a0; --rule: #2a273d; --accent: #b3a5ff; --on-accent: #16132b; --mark: #40351a;
  color-scheme: dark;
}
dialog::backdrop { background: rgb(0 0 0 / 50%); }
@media (min-width: 960px) { dialog { margin: auto; border-radius: 16px; } }
.head { position: sticky; top: 0; display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 8px 8px 8px 20px; background: var(--paper); border-bottom: 1px solid var(--rule); }
h2, h3 { margin: 0; font-weight: 600; }
h2 { font-size: 17px; }
section { display: grid; gap: 8px; padding: 16px 20px; border-bottom: 1px solid var(--rule); }
p { margin: 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: 13px; }
.mark { padding: 12px 16px; border-radius: 12px; background: var(--mark); display: grid; gap: 8px; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.line:has(> label) { align-items: end; }
section > button { justify-self: start; }
.head > button { border-color: transparent; }
.tag { padding: 0 8px; border: 1px solid var(--line); border-radius: 999px; font-size: 13px; }
.grow { flex: 1 1 180px; min-width: 0; }
label { display: grid; gap: 4px; font-size: 13px; }
input, select { width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink); font-size: 16px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-width: 44px; min-height: 44px; padding: 0 16px;
  border: 1px solid var(--line); border-radius: 22px; background: none; color: var(--ink); text-decoration: none; cursor: pointer;
}
.first { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.steps { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 8px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td:nth-child(3) { overflow-wrap: anywhere; min-width: 160px; }
td:first-child, td:last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
`;
