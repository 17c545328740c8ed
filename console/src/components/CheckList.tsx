import type { ReactNode } from 'react'

type CheckListProps = {
  legend: string
  actions?: ReactNode
  options: readonly string[]
  /** What an option is called; by default, itself. */
  label?(option: string): ReactNode
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

/** Renders a `<fieldset>` of checkboxes, one for each option. */
export const CheckList = ({
  legend,
  actions,
  options,
  label = (option) => <code>{option}</code>,
  chosen,
  onChange,
}: CheckListProps) => (
  <fieldset>
    <legend className="label">{legend}</legend>
    {actions && <div className="actions">{actions}</div>}
    <div className="checks">
      {options.map((option) => (
        <label className="choice" key={option}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, option] : chosen.filter((one) => one !== option))
            }
          />
          {label(option)}
        </label>
      ))}
    </div>
  </fieldset>
)
