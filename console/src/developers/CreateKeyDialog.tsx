import { useMutation } from '@tanstack/react-query'
import { createApiKey } from 'kassa/api'
import type { CreatedApiKey } from 'kassa/schema'
import { type FormEvent, useState } from 'react'
import { client, createIdempotencyKey } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { useSession } from '../api/session.js'
import { Button } from '../components/Button.js'
import { CheckList } from '../components/CheckList.js'
import { Dialog } from '../components/Dialog.js'
import { Field, TextArea } from '../components/Field.js'
import { Shown } from '../components/Shown.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'

const s = t.keys

type FormProps = { onMade(key: CreatedApiKey): void; onCancel(): void }

const kinds = ['server', 'client'] as const

const readLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const KeyForm = ({ onMade, onCancel }: FormProps) => {
  // A key can have what its creator may do, except what only people may do.
  const scopes = useSession().scopes.filter((scope) => !scope.startsWith('console.'))
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number]>('server')
  const [chosen, setChosen] = useState<string[]>(['orders.create', 'orders.read'])
  const [origins, setOrigins] = useState('')
  const [idempotencyKey, setIdempotencyKey] = useState(createIdempotencyKey)
  const readAgain = useReadAgain()
  const create = useMutation({
    mutationFn: () => {
      const own = kind === 'server' ? { scopes: chosen } : { origins: readLines(origins) }
      return createApiKey(client, { body: { name: name.trim(), kind, ...own }, idempotencyKey })
    },
    onSuccess: async (key) => {
      onMade(key)
      await readAgain('keys')
    },
    onError: () => setIdempotencyKey(createIdempotencyKey()),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <form noValidate onSubmit={submit}>
      <Field label={s.name} hint={s.nameText} value={name} aria-describedby="key-problem" onValue={setName} />
      <fieldset className="choices">
        <legend className="label">{s.kind}</legend>
        {kinds.map((each) => (
          <label className="choice" key={each}>
            <input type="radio" name="key-kind" checked={kind === each} onChange={() => setKind(each)} />
            <span>
              {s.kinds[each]} <span className="soft hint-line">{s.kindText[each]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'server' ? (
        <CheckList legend={s.scopes} options={scopes} chosen={chosen} onChange={setChosen} />
      ) : (
        <TextArea
          label={s.origins}
          hint={s.originsText}
          className="input mono"
          spellCheck={false}
          value={origins}
          aria-describedby="key-problem"
          onValue={setOrigins}
        />
      )}
      <p id="key-problem" className="problem" role="alert">
        {create.error && describeError(create.error)}
      </p>
      <div className="actions">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {s.create}
        </Button>
      </div>
    </form>
  )
}

/** Renders a `<button>` that creates an API key, and shows it once. */
export const CreateKeyDialog = () => {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<CreatedApiKey>()
  const close = () => setOpen(false)
  const open = () => {
    setMade(undefined)
    setOpen(true)
  }
  return (
    <>
      <Button kind="primary" onClick={open}>
        {s.create}
      </Button>
      <Dialog title={made ? s.created : s.createTitle} isOpen={isOpen} onClose={close}>
        {made ? (
          <Shown value={made.key} label={s.key} text={s.createdText} onDone={close} />
        ) : (
          <KeyForm onMade={setMade} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
