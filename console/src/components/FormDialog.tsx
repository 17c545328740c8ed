import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { describeError } from '../lib/describeError.js'
import { UnreadableFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'
import { Button } from './Button.js'
import { Dialog } from './Dialog.js'
import { ProblemsContext } from './Labelled.js'

type FormProps = {
  action: string
  kind?: 'primary' | 'danger'
  children: ReactNode
  /** Reads what was entered, and sends it. It throws `UnreadableFields` before it sends anything. */
  run(): Promise<unknown>
  onDone?(): void
  onCancel(): void
}

/** Lists the fields that hold a part of a date: their value is empty, as if there was none. */
const listPartial = ({ elements }: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...elements].flatMap((each) =>
      each instanceof HTMLInputElement && each.validity.badInput ? [[each.name, t.unreadable.time()]] : [],
    ),
  )

const leaveOut = (problems: Readonly<Record<string, string>>, name: string) =>
  Object.fromEntries(Object.entries(problems).filter(([each]) => each !== name))

/** Renders a `<form>` of a dialog. What cannot be read is said beside its field, and nothing is sent. */
export const Form = ({ action, kind = 'primary', children, run, onDone, onCancel }: FormProps) => {
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const save = useMutation({
    mutationFn: async () => {
      const partial = form.current ? listPartial(form.current) : {}
      if (Object.keys(partial).length) throw new UnreadableFields(partial)
      await run()
    },
    onSuccess: () => onDone?.(),
    onError: (error) => setProblems(error instanceof UnreadableFields ? error.problems : {}),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  // The first field of each answer takes the focus, so that its problem is read.
  useEffect(() => {
    if (save.error instanceof UnreadableFields) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
  }, [save.error])
  const settle = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLElement)) return
    const name = target.closest<HTMLElement>('[data-name]')?.dataset.name ?? target.getAttribute('name')
    setProblems((known) => leaveOut(known, name ?? ''))
  }
  const isSettled = save.error instanceof UnreadableFields && !Object.keys(problems).length
  return (
    <ProblemsContext value={problems}>
      <form noValidate ref={form} onSubmit={submit} onChange={settle}>
        {children}
        <p className="problem" role="alert">
          {save.error && !isSettled && describeError(save.error)}
        </p>
        <div className="actions">
          <Button onClick={onCancel}>{t.cancel}</Button>
          <Button type="submit" kind={kind} isBusy={save.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </ProblemsContext>
  )
}

type FormDialogProps = Omit<FormProps, 'onDone' | 'onCancel' | 'kind'> & {
  label: string
  kind?: 'primary'
  size?: 'small'
  title: string
  text?: string
  /** Sets the fields to what they start with. */
  onOpen(): void
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
        <Form {...form} onDone={close} onCancel={close} />
      </Dialog>
    </>
  )
}
