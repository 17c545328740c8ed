import { createWebhookEndpoint, updateWebhookEndpoint } from 'kassa/api'
import { members, type WebhookEndpoint, type WebhookEventType } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Button } from '../components/Button.js'
import { CheckList } from '../components/CheckList.js'
import { Dialog } from '../components/Dialog.js'
import { Field } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Shown } from '../components/Shown.js'
import { useToast } from '../components/Toast.js'
import { t } from '../messages/index.js'

const s = t.webhooks
const every: readonly string[] = members.webhookEventTypes

type FormProps = {
  /** The endpoint to change; without it, a new one. */
  endpoint?: WebhookEndpoint | undefined
  onSaved(secret: string | undefined): void
  onCancel(): void
}

const EndpointForm = ({ endpoint, onSaved, onCancel }: FormProps) => {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [chosen, setChosen] = useState<string[]>(endpoint?.eventTypes ?? [...every])
  const once = useOnce()
  const readAgain = useReadAgain()
  const store = async () => {
    const body = { url: url.trim(), eventTypes: chosen as WebhookEventType[] }
    if (endpoint) {
      await updateWebhookEndpoint(client, { endpointId: endpoint.endpointId, body })
      return undefined
    }
    const made = await once(body, (idempotencyKey) => createWebhookEndpoint(client, { body, idempotencyKey }))
    return made.secret
  }
  const save = async () => {
    onSaved(await store())
    await Promise.all([readAgain('endpoints'), endpoint && readAgain('endpoint', endpoint.endpointId)])
  }
  const pick = (
    <>
      <Button size="small" onClick={() => setChosen([...every])}>
        {s.all}
      </Button>
      <Button size="small" onClick={() => setChosen([])}>
        {s.none}
      </Button>
    </>
  )
  return (
    <Form action={endpoint ? s.save : s.create} run={save} onCancel={onCancel}>
      <Field
        label={s.url}
        name="url"
        type="url"
        spellCheck={false}
        placeholder={s.placeholder}
        value={url}
        onValue={setUrl}
      />
      <CheckList legend={s.events} actions={pick} options={every} chosen={chosen} onChange={setChosen} />
    </Form>
  )
}

/** Renders a `<button>` that creates a webhook endpoint and shows its secret once, or changes one. */
export const EndpointDialog = ({ endpoint }: { endpoint?: WebhookEndpoint }) => {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const say = useToast()
  const close = () => setOpen(false)
  const open = () => {
    setSecret(undefined)
    setOpen(true)
  }
  const saved = (made: string | undefined) => {
    if (made) return setSecret(made)
    close()
    say(s.saved)
  }
  return (
    <>
      <Button kind={endpoint ? undefined : 'primary'} onClick={open}>
        {endpoint ? s.edit : s.create}
      </Button>
      <Dialog
        title={secret ? s.created : endpoint ? s.editTitle : s.createTitle}
        isOpen={isOpen}
        isStored={secret !== undefined}
        onClose={close}
      >
        {secret ? (
          <Shown value={secret} label={s.secret} text={s.secretText} onDone={close} />
        ) : (
          <EndpointForm endpoint={endpoint} onSaved={saved} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
