import { useId } from 'react';

interface NearFieldProps {
  label: string;
  /** NEAR, as a person writes it. */
  value: string;
  onChange: (near: string) => void;
}

/** A field for an amount in NEAR, in steps of 0.001. */
export function NearField({ label, value, onChange }: NearFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input amount"
        type="number"
        inputMode="decimal"
        min={0}
        step={0.001}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
