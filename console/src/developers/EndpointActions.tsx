import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { removeWebhookEndpoint, rotateWebhookSecret, sendTestEvent, updateWebhookEndpoint } from 'kassa/api'
import type { WebhookEndpoint } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Button } from '../components/Button.js'
import { Confirm } from '../components/Confirm.js'
import { Dialog } from '../components/Dialog.js'
import { Shown } from '../components/Shown.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { EndpointDialog } from './EndpointDialog.js'

const s = t.webhooks

type EndpointProps = { endpoint: WebhookEndpoint }

const SendTest = ({ endpoint: { endpointId } }: EndpointProps) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const once = useOnce()
  const test = useMutation({
    mutationFn: () => once({}, (idempotencyKey) => sendTestEvent(client, { endpointId, idempotencyKey })),
    onSuccess: async () => {
      say(s.testSent)
      await readAgain('endpoint', endpointId)
    },
    onError: (error) => say(describeError(error)),
  })
  return (
    <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
      {s.test}
    </Button>
  )
}

const Rotate = ({ endpoint: { endpointId } }: EndpointProps) => {
  const [secret, setSecret] = useState<string>()
  const once = useOnce()
  const close = () => setSecret(undefined)
  const rotate = async () => {
    const made = await once({}, (idempotencyKey) =>
      rotateWebhookSecret(client, { endpointId, idempotencyKey }),
    )
    setSecret(made.secret)
  }
  return (
    <>
      <Confirm
        label={s.rotate}
        title={s.rotateTitle}
        text={s.rotateText}
        action={s.rotate}
        kind="primary"
        isQuiet
        run={rotate}
      />
      <Dialog title={s.created} isOpen={secret !== undefined} onClose={close}>
        {secret && <Shown value={secret} label={s.secret} text={s.rotatedText} onDone={close} />}
      </Dialog>
    </>
  )
}

const Switch = ({ endpoint: { endpointId, status } }: EndpointProps) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const change = async (next: 'enabled' | 'disabled') => {
    await updateWebhookEndpoint(client, { endpointId, body: { status: next } })
    say(next === 'enabled' ? s.nowEnabled : s.nowDisabled)
    await Promise.all([readAgain('endpoint', endpointId), readAgain('endpoints')])
  }
  const enable = useMutation({
    mutationFn: () => change('enabled'),
    onError: (error) => say(describeError(error)),
  })
  if (status === 'disabled') {
    return (
      <Button isBusy={enable.isPending} onClick={() => enable.mutate()}>
        {s.enable}
      </Button>
    )
  }
  return (
    <Confirm
      label={s.disable}
      title={s.disableTitle}
      text={s.disableText}
      action={s.disable}
      run={() => change('disabled')}
    />
  )
}

const Remove = ({ endpoint: { endpointId } }: EndpointProps) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const navigate = useNavigate()
  const remove = async () => {
    await removeWebhookEndpoint(client, { endpointId })
    say(s.removed)
    await navigate({ to: '/developers' })
    await readAgain('endpoints')
  }
  return (
    <Confirm
      label={s.remove}
      title={s.removeTitle}
      text={s.removeText}
      action={s.removeConfirm}
      run={remove}
    />
  )
}

/** What may be done to a webhook endpoint. */
export const EndpointActions = ({ endpoint }: EndpointProps) => (
  <>
    {endpoint.status === 'enabled' && <SendTest endpoint={endpoint} />}
    <EndpointDialog endpoint={endpoint} />
    <Rotate endpoint={endpoint} />
    <Switch endpoint={endpoint} />
    <Remove endpoint={endpoint} />
  </>
)
