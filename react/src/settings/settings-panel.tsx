import type { Choices, ConfirmationConfig } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useId } from 'react';
import { useTexts } from '../texts/use-texts.js';

const STEP_MS = 500;
const MAX_STEPS = 6;

export interface SettingsPanelProps {
  /** The user's choices. */
  chosen: Partial<ConfirmationConfig>;
  /** Apply to the settings that the user did not choose. */
  defaults: ConfirmationConfig;
  /** Locks every setting. */
  disabled: boolean;
  /** Called with the one setting that changed; null where the user takes a choice back. */
  onChange: (change: Choices<ConfirmationConfig>) => void;
}

/** Edits how this user confirms requests. Render it inside a surface of this package. */
export function SettingsPanel({ chosen, defaults, disabled, onChange }: SettingsPanelProps) {
  const { uiMode, behavior, autoProceedDelayMs } = { ...defaults, ...chosen };
  const isSkipped = uiMode === 'skip';
  const hasDelay = !isSkipped && behavior === 'autoProceed';
  const delay = useId();
  const words = useTexts().settings;
  return (
    <fieldset className="settings" disabled={disabled}>
      <Choice
        label={words.options}
        options={[
          ['modal', words.modal],
          ['drawer', words.drawer],
          ['skip', words.skip],
        ]}
        value={chosen.uiMode}
        onChange={(value) => onChange({ uiMode: value })}
      />
      <Choice
        label={words.behavior}
        options={[
          ['requireClick', words.requireClick],
          ['autoProceed', words.autoProceed],
        ]}
        value={chosen.behavior}
        disabled={isSkipped}
        onChange={(value) =>
          onChange(value === null ? { behavior: null, autoProceedDelayMs: null } : { behavior: value })
        }
      />
      <div className="setting">
        <label htmlFor={delay}>{words.delay}</label>
        <div className="slider">
          <input
            id={delay}
            type="range"
            min={0}
            max={MAX_STEPS}
            step={1}
            disabled={!hasDelay}
            value={Math.min(MAX_STEPS, Math.round(autoProceedDelayMs / STEP_MS))}
            aria-valuetext={filled(words.seconds, { count: autoProceedDelayMs / 1000 })}
            onChange={(event) => onChange({ autoProceedDelayMs: Number(event.target.value) * STEP_MS })}
          />
          <output htmlFor={delay}>{filled(words.seconds, { count: autoProceedDelayMs / 1000 })}</output>
        </div>
      </div>
      <Choice
        label={words.theme}
        options={[
          ['dark', words.dark],
          ['light', words.light],
        ]}
        value={chosen.theme}
        onChange={(value) => onChange({ theme: value })}
      />
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly (readonly [Value, string])[];
  value: Value | undefined;
  disabled?: boolean | undefined;
  onChange: (value: Value | null) => void;
}

function Choice<Value extends string>({
  label,
  options,
  value,
  disabled = false,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId();
  const { notChosen } = useTexts().settings;
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => {
          const [picked = null] = options.find(([option]) => option === event.target.value) ?? [];
          onChange(picked);
        }}
      >
        <option value="">{notChosen}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
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
  min-height: 44px; width: 100%; padding-inline: 10px 28px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.setting select:dir(rtl) { background-position: 11px 50%, 17px 50%, 0 0; }
.settings:enabled .setting :disabled { opacity: 0.5; }
.slider { display: grid; grid-template-columns: 1fr 4ch; gap: 12px; align-items: center; min-height: 32px; }
.slider input { width: 100%; margin: 0; accent-color: var(--lk-accent); }
.slider input:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); border-radius: 4px; }
.slider output { font-variant-numeric: tabular-nums; text-align: end; }
.stopped { display: grid; gap: 10px; overflow-wrap: anywhere; }
.whose { overflow-wrap: anywhere; }
.saved { min-height: 1.5em; color: var(--lk-good); font-size: var(--lk-text-s); }
`;
