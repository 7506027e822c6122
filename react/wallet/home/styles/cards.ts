/** Cards, lists, and what a screen shows while it has nothing. */
export const cardsCss = /* css */ `
.card { box-sizing: border-box; background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-l); box-shadow: var(--lk-shadow-1); padding: 22px; }
section.card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
.part { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
.days { display: grid; grid-template-columns: minmax(0, 1fr); gap: 22px; }
.days h2 { padding: 0 4px; }
.part-head { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; padding: 0 4px; }
.part-head a { font-size: var(--lk-text-s); font-weight: 600; }
.centred { justify-items: center; text-align: center; padding: 30px 22px; }

.balance-head { display: flex; align-items: center; justify-content: space-between; }
.balance-head .icon-button { margin-block: -8px; margin-inline: 0 -10px; }
.balance .eyebrow { font-size: var(--lk-text-s); }
.balance .amount { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; line-height: 1.1; color: var(--lk-muted); font-size: 18px; font-weight: 600; }
.balance .amount strong { color: var(--lk-text); font-size: clamp(32px, 8vw, 44px); font-weight: 680; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.balance .amount .faint { font-size: 40px; }
.address { display: flex; align-items: center; gap: 6px; font-size: 14px; color: var(--lk-muted); }
.balance .address { padding-block: 6px; padding-inline: 14px 6px; border-radius: var(--lk-radius-m); background: var(--lk-sunken); color: var(--lk-text); justify-content: space-between; }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 132px), 1fr)); gap: 10px; }
.copy { display: inline-flex; align-items: center; }
.copy .said { max-width: 26ch; font-size: var(--lk-text-xs); line-height: 1.35; color: var(--lk-danger); text-align: start; }

.paper {
  display: grid; place-items: center; width: min(276px, 100%); box-sizing: border-box; aspect-ratio: 1; padding: 10px; border-radius: var(--lk-radius-m);
  background: #ffffff; border: 1px solid var(--lk-line);
}
.paper img { display: block; width: 100%; height: auto; image-rendering: pixelated; }
.paper .spinner { width: 30px; height: 30px; border-color: #ded6c7; border-top-color: #7a5200; }
.address-block { display: grid; justify-items: center; gap: 4px; max-width: 100%; }
.address-block .address { font-size: var(--lk-text-m); color: var(--lk-text); }

.card.list { padding: 4px 22px; }
.entry { display: grid; grid-template-columns: minmax(0, 1fr); gap: 3px; padding: 16px 0; border-top: 1px solid var(--lk-line); }
.entry:first-child { border-top: 0; }
.entry-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 12px; }
.entry-head > :first-child { flex: 1 1 14ch; }
.entry-foot { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; margin-top: 3px; }
.explorer, .link-out { display: inline-flex; align-items: center; gap: 5px; }
.explorer .icon, .link-out .icon { width: 13px; height: 13px; }
.link-out { font-size: var(--lk-text-s); font-weight: 600; }
.untrusted mark { padding: 0 3px; border-radius: 4px; color: var(--lk-danger); background: var(--lk-danger-soft); }
.quiet { margin: 0; padding: 2px 4px; border: 0; background: none; font: inherit; color: var(--lk-accent); text-decoration: underline; cursor: pointer; border-radius: 4px; }
.chip {
  flex: none; padding: 1px 9px; border-radius: 99px; font-size: var(--lk-text-xs); line-height: 20px; font-weight: 600; white-space: nowrap;
  color: var(--lk-muted); background: var(--lk-sunken); border: 1px solid var(--lk-line);
}
.chip[data-tone='good'] { color: var(--lk-good); background: var(--lk-good-soft); border-color: var(--lk-good-line); }
.chip[data-tone='bad'] { color: var(--lk-danger); background: var(--lk-danger-soft); border-color: var(--lk-danger-line); }

.group .list { margin: 0; }
.group .entry:first-child { padding-top: 4px; }
.group .entry:last-child { padding-bottom: 0; }
.key { font: 400 var(--lk-text-xs)/1.5 var(--lk-mono); }
.entry .danger-quiet { justify-self: start; margin-top: 8px; }
.facts { display: grid; grid-template-columns: minmax(84px, auto) minmax(0, 1fr); gap: 8px 16px; font-size: 14px; }
.facts dt { color: var(--lk-muted); }
.fact-line { display: block; }
.state-line { display: flex; gap: 8px; align-items: baseline; color: var(--lk-good); }
.state-line::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
.state-line.stopped { color: var(--lk-danger); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }

.rows { display: grid; gap: 8px; }
.row.pick {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 12px; align-items: center; width: 100%; min-height: 60px; padding-block: 8px; padding-inline: 10px 14px;
  font: inherit; color: inherit; text-align: start; background: var(--lk-raised); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); cursor: pointer;
}
.row.pick:hover { border-color: var(--lk-line-strong); }
.row.pick:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.row.pick .icon { color: var(--lk-muted); }
.avatar { flex: none; display: grid; place-items: center; width: 38px; height: 38px; border-radius: 50%; color: var(--lk-on-primary); background: var(--lk-primary); font-weight: 650; }
.about { display: grid; gap: 1px; min-width: 0; justify-items: start; }
.entry.account { grid-template-columns: auto minmax(0, 1fr) auto; gap: 12px; align-items: center; }

.card.lines { padding: 4px 22px; }
.line { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 10px 20px; margin: 0; padding: 16px 0; border: 0; border-top: 1px solid var(--lk-line); min-width: 0; }
.line:first-child { border-top: 0; }
.line > div:first-of-type { flex: 1 1 24ch; min-width: 0; }

.empty-state { display: grid; justify-items: center; gap: 6px; padding: 36px 22px; text-align: center; overflow-wrap: anywhere; }
.empty-state .faint { max-width: 46ch; text-wrap: pretty; font-size: 14px; }
.empty-state .button { margin-top: 10px; }
.badge { display: grid; place-items: center; width: 48px; height: 48px; margin-bottom: 6px; border-radius: 50%; color: var(--lk-muted); background: var(--lk-sunken); }
.badge .icon { width: 22px; height: 22px; }
.badge.bad, .badge[data-tone='bad'] { color: var(--lk-danger); background: var(--lk-danger-soft); }
.badge[data-tone='good'] { color: var(--lk-good); background: var(--lk-good-soft); }
.badge.big { width: 60px; height: 60px; }
.badge.big .icon { width: 28px; height: 28px; }
.receipt h2 { font-size: 21px; }
.receipt .faint { max-width: 48ch; text-wrap: pretty; }
.receipt-what { display: grid; justify-items: center; gap: 2px; max-width: 100%; }
.receipt-what strong { font-size: 19px; overflow-wrap: anywhere; }
.receipt-id { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 2px 8px; max-width: 100%; }
.receipt .error { text-align: start; }
.quiet-state { justify-content: center; padding: 40px 22px; }
.opening { justify-content: center; padding: 60px 0; font-size: var(--lk-text-m); }

@media (max-width: 560px) {
  .card { padding: 18px 16px; }
  .card.list, .card.lines { padding: 2px 16px; }
  .centred { padding: 24px 16px; }
  .entry.account { grid-template-columns: auto minmax(0, 1fr); }
  .entry.account .actions { grid-column: 1 / -1; }
  .line .button, .line .switch, .line select { flex: 1 1 auto; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 2px; }
  .facts dd + dt { margin-top: 8px; }
}
@media (forced-colors: active) {
  .card, .chip, .row.pick, .avatar, .badge { border: 1px solid; }
  .state-line::before { forced-color-adjust: none; background: CanvasText; }
}
`;
