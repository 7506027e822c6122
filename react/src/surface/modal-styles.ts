/** Styles the modals, in addition to the surface's sheet. */
export const modalCss = /* css */ `
.popup.sheet { width: min(440px, calc(100% - 24px)); }
.sheet header { align-items: center; padding: 18px 14px 14px 22px; }
.sheet .heading { flex: 1; min-width: 0; }
.icon { width: 18px; height: 18px; flex: none; }
.close {
  flex: none; display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border: 0; border-radius: 50%;
  background: none; color: var(--lk-muted); cursor: pointer;
}
.close:hover { color: var(--lk-text); background: color-mix(in srgb, var(--lk-text) 7%, transparent); }
:is(.close, .link, select):focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.problem { display: grid; justify-items: center; gap: 14px; text-align: center; padding: 26px 6px 10px; }
.problem .badge {
  display: grid; place-items: center; width: 52px; height: 52px; border-radius: 50%;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.problem .badge .icon, .problem .badge .sign { width: 24px; height: 24px; margin: 0; }
.problem p { overflow-wrap: anywhere; max-width: 38ch; }
@media (max-width: 420px) { .sheet header { padding: 14px 8px 10px 16px; } }
@media (forced-colors: active) { .close { border: 1px solid; } }
`;
