import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { createIdempotencyKey } from '../api/console.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { Button } from './Button.js'
import { Dialog } from './Dialog.js'

type FormProps = {
  action: string
  children: ReactNode
  /** Sends what the reader has entered. A repeated request under the same key happens once. */
  run(idempotencyKey: string): Promise<unknown>
  onDone(): void
}

const Form = ({ action, children, run, onDone }: FormProps) => {
  const [idempotencyKey, setIdempotencyKey] = useState(createIdempotencyKey)
  const save = useMutation({
    mutationFn: () => run(idempotencyKey),
    onSuccess: onDone,
    onError: () => setIdempotencyKey(createIdempotencyKey()),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form noValidate onSubmit={submit}>
      {children}
      <p className="problem" role="alert">
        {save.error && describeError(save.error)}
      </p>
      <div className="actions">
        <Button onClick={onDone}>{t.cancel}</Button>
        <Button type="submit" kind="primary" isBusy={save.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}

type FormDialogProps = Omit<FormProps, 'onDone' | 'children'> & {
  label: string
  kind?: 'primary'
  size?: 'small'
  title: string
  text?: string
  /** Sets the fields to what they start with. */
  onOpen(): void
  children: ReactNode
}

/** Renders a `<button>` that opens a form. */
export const FormDialog = ({ label, kind, size, title, text, onOpen, ...form }: FormDialogProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const open = () => {
    onOpen()
    setOpen(true)
  }
  return (
    <>
      <Button kind={kind} size={size} onClick={open}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {text && <p className="soft">{text}</p>}
        <Form {...form} onDone={close} />
      </Dialog>
    </>
  )
}
