import type { ComponentProps } from 'react'
import { Labelled } from './Labelled.js'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string
  value: string
  onValue(value: string): void
}

/** Renders a `<textarea>` under its label, and over its hint. */
export const TextArea = ({
  label,
  hint,
  value,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: TextAreaProps) => (
  <Labelled label={label} hint={hint} describedBy={describedBy}>
    {(control) => (
      <textarea {...control} {...props} value={value} onChange={({ target }) => onValue(target.value)} />
    )}
  </Labelled>
)
