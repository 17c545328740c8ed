import { Labelled } from './Labelled.js'

type SelectProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onValue(value: string): void
}

/** Renders a `<select>` under its label. */
export const Select = ({ label, value, options, onValue }: SelectProps) => (
  <Labelled label={label}>
    {(control) => (
      <select {...control} value={value} onChange={({ target }) => onValue(target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
