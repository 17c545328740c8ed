import { createApiKey } from 'kassa/api'
import type { CreatedApiKey } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { useSession } from '../api/session.js'
import { Button } from '../components/Button.js'
import { CheckList } from '../components/CheckList.js'
import { Dialog } from '../components/Dialog.js'
import { Field, TextArea } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Shown } from '../components/Shown.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'

const s = t.keys

type FormProps = { onMade(key: CreatedApiKey): void; onCancel(): void }

const kinds = ['server', 'client'] as const

const isOrigin = (entry: string): boolean =>
  URL.canParse(entry) && new URL(entry).origin === entry.replace(/\/$/, '').toLowerCase()

const KeyForm = ({ onMade, onCancel }: FormProps) => {
  // A key can have what its creator may do, except what only people may do.
  const scopes = useSession().scopes.filter((scope) => !scope.startsWith('console.'))
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number]>('server')
  const [chosen, setChosen] = useState<string[]>(['orders.create', 'orders.read'])
  const [origins, setOrigins] = useState('')
  const readAgain = useReadAgain()
  const once = useOnce()
  const create = async () => {
    const rule = { isEntry: isOrigin, problem: s.notOrigin, empty: s.noOrigins }
    const own = readFields((read) =>
      kind === 'server' ? { scopes: chosen } : { origins: read.list('origins', origins, rule) },
    )
    const body = { name: name.trim(), kind, ...own }
    const key = await once(body, (idempotencyKey) => createApiKey(client, { body, idempotencyKey }))
    onMade(key)
    await readAgain('keys')
  }
  return (
    <Form action={s.create} run={create} onCancel={onCancel}>
      <Field label={s.name} hint={s.nameText} name="name" value={name} onValue={setName} />
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
          name="origins"
          hint={s.originsText}
          className="input mono"
          spellCheck={false}
          value={origins}
          onValue={setOrigins}
        />
      )}
    </Form>
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
      <Dialog
        title={made ? s.created : s.createTitle}
        isOpen={isOpen}
        isStored={made !== undefined}
        onClose={close}
      >
        {made ? (
          <Shown value={made.key} label={s.key} text={s.createdText} onDone={close} />
        ) : (
          <KeyForm onMade={setMade} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
