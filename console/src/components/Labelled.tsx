import { createContext, type ReactNode, useContext, useId } from 'react'

/** What cannot be read of a form, by the names of its fields. */
export const ProblemsContext = createContext<Readonly<Record<string, string>>>({})

/** What a control needs from its label, its hint and its problem. */
export type ControlProps = {
  id: string
  className: string
  name: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type LabelledProps = {
  label: string
  hint?: string | undefined
  /** The name under which its form says what cannot be read. */
  name?: string | undefined
  /** Beside the label. */
  mark?: ReactNode
  /** The id of a message that also describes the control, such as the form's error. */
  describedBy?: string | undefined
  children(control: ControlProps): ReactNode
}

/** Renders a control under its label, and over its problem and its hint. */
export const Labelled = ({ label, hint, name, mark, describedBy, children }: LabelledProps) => {
  const id = useId()
  const problems = useContext(ProblemsContext)
  const problem = name === undefined ? undefined : problems[name]
  const described = [problem && `${id}-problem`, hint && `${id}-hint`, describedBy].filter(Boolean).join(' ')
  return (
    <div className="field">
      <div className="label-line">
        <label htmlFor={id}>{label}</label>
        {mark}
      </div>
      {children({
        id,
        className: 'input',
        name,
        'aria-describedby': described || undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {problem && (
        <p id={`${id}-problem`} className="problem">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Renders what is wrong with a group of controls, below it. The group names it as its description. */
export const Problem = ({ name }: { name: string }) => (
  <p id={`${name}-problem`} className="problem" role="alert">
    {useContext(ProblemsContext)[name]}
  </p>
)
