import { type ComponentProps, useId } from 'react'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string
  value: string
  onValue(value: string): void
}

/** Renders an `<input>` under its label, and over its hint. */
export const Field = ({ label, hint, value, onValue, ...props }: FieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        {...props}
        id={id}
        className="input"
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => onValue(target.value)}
      />
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
