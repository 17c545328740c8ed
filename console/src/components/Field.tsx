import type { ComponentProps } from 'react'
import { Labelled } from './Labelled.js'

type TextProps<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string
  value: string
  onValue(value: string): void
}

/** Renders an `<input>` under its label, and over its hint. */
export const Field = ({
  label,
  hint,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: TextProps<'input'>) => (
  <Labelled label={label} hint={hint} describedBy={describedBy}>
    {(control) => (
      <input autoComplete="off" {...control} {...props} onChange={({ target }) => onValue(target.value)} />
    )}
  </Labelled>
)

/** Renders a `<textarea>` under its label, and over its hint. */
export const TextArea = ({
  label,
  hint,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: TextProps<'textarea'>) => (
  <Labelled label={label} hint={hint} describedBy={describedBy}>
    {(control) => <textarea {...control} {...props} onChange={({ target }) => onValue(target.value)} />}
  </Labelled>
)
