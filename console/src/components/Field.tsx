import type { ComponentProps } from 'react'
import { Labelled } from './Labelled.js'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className' | 'onChange' | 'value'> & {
  label: string
  hint?: string
  value: string
  onValue(value: string): void
}

/** Renders an `<input>` under its label, and over its hint. */
export const Field = ({
  label,
  hint,
  value,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: FieldProps) => (
  <Labelled label={label} hint={hint} describedBy={describedBy}>
    {(control) => (
      <input
        autoComplete="off"
        {...props}
        {...control}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    )}
  </Labelled>
)
