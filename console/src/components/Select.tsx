import { useId } from 'react'

type SelectProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onValue(value: string): void
}

/** Renders a `<select>` under its label. */
export const Select = ({ label, value, options, onValue }: SelectProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={({ target }) => onValue(target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
