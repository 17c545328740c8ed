import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { Button } from './Button.js'
import { Dialog } from './Dialog.js'

type ConfirmProps = {
  /** The button that asks. */
  label: string
  /** Names the button where several have the same label. */
  name?: string | undefined
  title: string
  /** What happens. */
  text: ReactNode
  action: string
  kind?: 'primary' | 'danger'
  /** Whether the button that asks is one of several, and not the main one. */
  isQuiet?: boolean
  size?: 'small' | undefined
  run(): Promise<unknown>
}

/** Renders a `<button>` whose action happens once the reader has confirmed what it does. */
export const Confirm = ({
  label,
  name,
  title,
  text,
  action,
  kind = 'danger',
  isQuiet = false,
  size,
  run,
}: ConfirmProps) => {
  const [isOpen, setOpen] = useState(false)
  const act = useMutation({ mutationFn: run, onSuccess: () => setOpen(false) })
  const open = () => {
    act.reset()
    setOpen(true)
  }
  return (
    <>
      <Button
        size={size}
        kind={kind === 'primary' && !isQuiet ? kind : undefined}
        aria-label={name}
        onClick={open}
      >
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{text}</p>
        {act.error && (
          <p className="problem" role="alert">
            {describeError(act.error)}
          </p>
        )}
        <div className="actions">
          <Button onClick={() => setOpen(false)}>{t.cancel}</Button>
          <Button kind={kind} isBusy={act.isPending} onClick={() => act.mutate()}>
            {action}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
