import { type ReactNode, useId } from 'react'

/** What a control needs from its label and its hint. */
export type ControlProps = { id: string; className: string; 'aria-describedby': string | undefined }

type LabelledProps = {
  label: string
  hint?: string | undefined
  /** The id of a message that also describes the control, such as the form's error. */
  describedBy?: string | undefined
  children(control: ControlProps): ReactNode
}

/** Renders a control under its label, and over its hint. */
export const Labelled = ({ label, hint, describedBy, children }: LabelledProps) => {
  const id = useId()
  const described = [hint && `${id}-hint`, describedBy].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, className: 'input', 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
