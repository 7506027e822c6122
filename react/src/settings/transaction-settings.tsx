import type { ConfirmationBehavior, ConfirmationConfig, Theme, UiMode } from 'latchkey';
import { useId } from 'react';

const STEP_MS = 500;
const MAX_STEPS = 6;

const MODES: readonly (readonly [UiMode, string])[] = [
  ['modal', 'Modal: in the middle of the screen'],
  ['drawer', 'Drawer: from the lower edge'],
  ['skip', 'Skip: no confirmation where that is safe'],
];
const BEHAVIORS: readonly (readonly [ConfirmationBehavior, string])[] = [
  ['requireClick', 'Require click'],
  ['autoProceed', 'Auto proceed'],
];
const THEMES: readonly (readonly [Theme, string])[] = [
  ['dark', 'Dark'],
  ['light', 'Light'],
];

const NOT_CHOSEN = 'Not chosen: as the app asks';

export interface TransactionSettingsProps {
  /** The user's choices. */
  chosen: Partial<ConfirmationConfig>;
  /** Apply to the settings that the user did not choose. */
  defaults: ConfirmationConfig;
  /** Locks every setting. */
  disabled: boolean;
  /** Called with the one setting that changed. */
  onChange: (change: Partial<ConfirmationConfig>) => void;
}

/** Edits how this user confirms requests. Render it inside a surface of this package. */
export function TransactionSettings({ chosen, defaults, disabled, onChange }: TransactionSettingsProps) {
  const { uiMode, behavior, autoProceedDelayMs, theme } = { ...defaults, ...chosen };
  const isSkipped = uiMode === 'skip';
  const hasDelay = !isSkipped && behavior === 'autoProceed';
  const delay = useId();
  return (
    <fieldset className="settings" disabled={disabled}>
      <Choice
        label="Confirmation Options"
        options={MODES}
        value={chosen.uiMode}
        onChange={(value) => onChange({ uiMode: value })}
      />
      <Choice
        label="When a request comes"
        options={BEHAVIORS}
        value={chosen.behavior}
        disabled={isSkipped}
        onChange={(value) => onChange({ behavior: value })}
      />
      <div className="setting">
        <label htmlFor={delay}>Delay before it proceeds</label>
        <div className="slider">
          <input
            id={delay}
            type="range"
            min={0}
            max={MAX_STEPS}
            step={1}
            disabled={!hasDelay}
            value={Math.min(MAX_STEPS, Math.round(autoProceedDelayMs / STEP_MS))}
            aria-valuetext={seconds(autoProceedDelayMs)}
            onChange={(event) => onChange({ autoProceedDelayMs: Number(event.target.value) * STEP_MS })}
          />
          <output htmlFor={delay}>{seconds(autoProceedDelayMs)}</output>
        </div>
      </div>
      <Choice label="Theme" options={THEMES} value={theme} onChange={(value) => onChange({ theme: value })} />
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly (readonly [Value, string])[];
  value: Value | undefined;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({
  label,
  options,
  value,
  disabled = false,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => {
          const picked = options.find(([option]) => option === event.target.value);
          if (picked) onChange(picked[0]);
        }}
      >
        {value === undefined && <option value="">{NOT_CHOSEN}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function seconds(ms: number): string {
  return `${ms / 1000}s`;
}

/** The settings' style sheet, in addition to the modal's. */
export const settingsCss = /* css */ `
.settings { display: grid; gap: 18px; margin: 0; padding: 0; border: 0; min-width: 0; }
.setting { display: grid; gap: 6px; }
.setting label { font-weight: 600; font-size: var(--lk-text-s); }
.setting:has(:disabled) label { color: var(--lk-muted); }
.setting select {
  appearance: none; font: 400 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-text);
  background:
    linear-gradient(45deg, transparent 50%, currentColor 50%) calc(100% - 17px) 50% / 6px 6px no-repeat,
    linear-gradient(-45deg, transparent 50%, currentColor 50%) calc(100% - 11px) 50% / 6px 6px no-repeat, var(--lk-raised);
  min-height: 44px; width: 100%; padding: 0 28px 0 10px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.settings:enabled .setting :disabled { opacity: 0.5; }
.slider { display: grid; grid-template-columns: 1fr 4ch; gap: 12px; align-items: center; min-height: 32px; }
.slider input { width: 100%; margin: 0; accent-color: var(--lk-accent); }
.slider input:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); border-radius: 4px; }
.slider output { font-variant-numeric: tabular-nums; text-align: end; }
.whose { overflow-wrap: anywhere; }
.saved { min-height: 1.5em; color: var(--lk-good); font-size: var(--lk-text-s); }
.saved.bad { color: var(--lk-danger); }
`;
