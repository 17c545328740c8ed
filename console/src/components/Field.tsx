import { type ComponentProps, useId } from 'react'
import { Labelled } from './Labelled.js'

type TextProps<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, 'id' | 'onChange' | 'value'> & {
  label: string
  /** The name under which its form says what cannot be read. */
  name: string
  hint?: string | undefined
  value: string
  onValue(value: string): void
}

/** Renders an `<input>` under its label, and over its hint. */
export const Field = ({
  label,
  hint,
  name,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: TextProps<'input'>) => (
  <Labelled label={label} hint={hint} name={name} describedBy={describedBy}>
    {(control) => (
      <input autoComplete="off" {...control} {...props} onChange={({ target }) => onValue(target.value)} />
    )}
  </Labelled>
)

/** Renders a `<textarea>` under its label, and over its hint. */
export const TextArea = ({
  label,
  hint,
  name,
  onValue,
  'aria-describedby': describedBy,
  ...props
}: TextProps<'textarea'>) => (
  <Labelled label={label} hint={hint} name={name} describedBy={describedBy}>
    {(control) => <textarea {...control} {...props} onChange={({ target }) => onValue(target.value)} />}
  </Labelled>
)

type OptionalFieldProps = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string
  name: string
  /** The label of the switch that says that there is none, such as "No limit". */
  none: string
  /** What was typed; null for none. An empty text is neither, and its form asks. */
  value: string | null
  onValue(value: string | null): void
}

/** Renders an `<input>` beside a switch: only the switch says that there is none. */
export const OptionalField = ({ label, hint, name, none, value, onValue, ...props }: OptionalFieldProps) => {
  const id = useId()
  return (
    <Labelled
      label={label}
      hint={hint}
      name={name}
      mark={
        <label className="none" data-name={name}>
          <input
            type="checkbox"
            aria-describedby={id}
            checked={value === null}
            onChange={({ target }) => onValue(target.checked ? null : '')}
          />
          {none}
          <span id={id} hidden>
            {label}
          </span>
        </label>
      }
    >
      {(control) => (
        <input
          autoComplete="off"
          {...control}
          {...props}
          value={value ?? ''}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Labelled>
  )
}
