/** The profile button's style sheet, in addition to the surface's. */
export const profileCss = /* css */ `
:host { display: inline-block; min-width: 0; max-width: 100%; font: 400 var(--lk-text-m)/1.4 var(--lk-font); color: var(--lk-text); -webkit-font-smoothing: antialiased; }
.profile { position: relative; display: flex; align-items: center; gap: 2px; max-width: 100%; }
.trigger {
  display: flex; align-items: center; gap: 9px; min-width: 78px; min-height: 44px; padding-block: 4px; padding-inline: 6px 12px;
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  border: 1px solid var(--lk-line-strong); border-radius: 999px; cursor: pointer;
}
.trigger:hover, .trigger[data-popup-open] { background: var(--lk-sunken); }
.avatar {
  flex: none; display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%;
  color: var(--lk-on-primary); background: var(--lk-primary); font-size: var(--lk-text-s);
}
.name { overflow: hidden; max-width: 18ch; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; }
.arrow { flex: none; width: 7px; height: 7px; margin: -3px 2px 0; border: solid var(--lk-muted); border-width: 0 2px 2px 0; rotate: 45deg; }
.address {
  flex: none; display: grid; place-items: center; width: 44px; height: 44px; color: var(--lk-muted); border-radius: 50%;
}
.where { display: none; }
@media (min-width: 721px) {
  .address { display: flex; gap: 7px; width: auto; padding: 0 12px; border-radius: 999px; font: 550 var(--lk-text-s)/1.2 var(--lk-font); text-decoration: none; }
  .where { display: inline; }
}
.address:hover { color: var(--lk-text); background: var(--lk-sunken); }
.trigger:focus-visible, .address:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }

.positioner { z-index: 2147483645; outline: none; }
.menu {
  width: min(300px, calc(100vw - 16px)); max-height: var(--available-height); padding: 6px; overflow-y: auto; outline: none;
  color: var(--lk-text); background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m);
  box-shadow: var(--lk-shadow-3); transform-origin: var(--transform-origin); transition: opacity 120ms, transform 120ms var(--lk-ease);
}
.menu[data-starting-style], .menu[data-ending-style] { opacity: 0; transform: translateY(-4px); }
.item {
  display: flex; gap: 12px; align-items: center; min-height: 52px; padding: 6px 10px; border-radius: var(--lk-radius-s);
  cursor: pointer; outline: none; user-select: none;
}
.item[data-highlighted] { background: var(--lk-sunken); box-shadow: inset 0 0 0 2px var(--lk-accent); }
.item[data-disabled] { cursor: default; opacity: 0.55; }
.item .icon { flex: none; width: 20px; height: 20px; color: var(--lk-muted); }
.words { display: grid; min-width: 0; line-height: 1.35; }
.words small { color: var(--lk-muted); font-size: var(--lk-text-s); }

.alerts { position: absolute; inset-block: calc(100% + 8px) auto; inset-inline: auto 0; z-index: 2147483644; width: max-content; max-width: min(320px, calc(100vw - 32px)); }
.alerts .error { align-items: start; background: var(--lk-surface); box-shadow: var(--lk-shadow-2); }
.alerts .good { color: var(--lk-good); border-color: var(--lk-good-line); }
.alerts .close { flex: none; width: 32px; height: 32px; margin-block: -6px; margin-inline: 0 -6px; }

@media (forced-colors: active) {
  .item[data-highlighted] { outline: 2px solid Highlight; outline-offset: -2px; }
  .item[data-disabled] { color: GrayText; opacity: 1; }
}
`;
