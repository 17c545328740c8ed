import { useMutation } from '@tanstack/react-query'
import { rollApiKey } from 'kassa/api'
import type { ApiKey, CreatedApiKey } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Select } from '../components/Select.js'
import { Shown } from '../components/Shown.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { nameKey } from './nameKey.js'

const s = t.keys
const hours = [0, 1, 24, 168] as const

type FormProps = { apiKey: ApiKey; onMade(key: CreatedApiKey): void; onCancel(): void }

const RollForm = ({ apiKey, onMade, onCancel }: FormProps) => {
  const [keepHours, setKeepHours] = useState<number>(24)
  const once = useOnce()
  const readAgain = useReadAgain()
  const roll = useMutation({
    mutationFn: () =>
      once({ keepHours }, (idempotencyKey) =>
        rollApiKey(client, { keyId: apiKey.keyId, body: { keepHours }, idempotencyKey }),
      ),
    onSuccess: async (key) => {
      onMade(key)
      await readAgain('keys')
    },
  })
  return (
    <>
      <p>{s.rollText}</p>
      <Select
        label={s.keep}
        value={`${keepHours}`}
        options={hours.map((each) => [`${each}`, s.keepHours[each]])}
        onValue={(chosen) => setKeepHours(Number(chosen))}
      />
      <p className="problem" role="alert">
        {roll.error && describeError(roll.error)}
      </p>
      <div className="actions">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button kind="primary" isBusy={roll.isPending} onClick={() => roll.mutate()}>
          {s.rollConfirm}
        </Button>
      </div>
    </>
  )
}

/** Renders a `<button>` that replaces a key by a new one, and shows that once. */
export const RollKeyDialog = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<CreatedApiKey>()
  const close = () => setOpen(false)
  const open = () => {
    setMade(undefined)
    setOpen(true)
  }
  const name = nameKey(apiKey)
  return (
    <>
      <Button size="small" aria-label={s.rollOf(name)} onClick={open}>
        {s.roll}
      </Button>
      <Dialog
        title={made ? s.created : s.rollTitle(name)}
        isOpen={isOpen}
        isStored={made !== undefined}
        onClose={close}
      >
        {made ? (
          <Shown value={made.key} label={s.key} text={s.createdText} onDone={close} />
        ) : (
          <RollForm apiKey={apiKey} onMade={setMade} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
