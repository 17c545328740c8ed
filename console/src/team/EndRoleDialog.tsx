import { useMutation, useQuery } from '@tanstack/react-query'
import type { ApiKey } from 'kassa/schema'
import { useState } from 'react'
import type { Member } from '../api/requests.js'
import { memberKeysQuery } from '../api/team.js'
import { Button } from '../components/Button.js'
import { CheckList } from '../components/CheckList.js'
import { Dialog } from '../components/Dialog.js'
import { Loaded } from '../components/Loaded.js'
import { nameKey } from '../developers/nameKey.js'
import { describeError } from '../lib/describeError.js'
import { formatTime } from '../lib/format.js'
import { t } from '../messages/index.js'

type FormProps = {
  member: Member
  text: string
  /** Names the list of the member's keys. */
  legend: string
  action: string
  onClose(): void
  /** Takes the role away. The keys that are kept become the reader's. */
  run(keepKeys: string[]): Promise<unknown>
}

const describeKey = (key: ApiKey): string =>
  `${nameKey(key)} · ${key.lastUsedAt ? t.keys.lastUsed(formatTime(key.lastUsedAt)) : t.keys.unused}`

const Form = ({ keys, member, text, legend, action, onClose, run }: FormProps & { keys: ApiKey[] }) => {
  const [kept, setKept] = useState<string[]>([])
  const act = useMutation({ mutationFn: run, onSuccess: onClose })
  const ids = keys.map(({ keyId }) => keyId)
  const list = (
    <CheckList
      legend={legend}
      options={ids}
      label={(id) => keys.filter(({ keyId }) => keyId === id).map(describeKey)}
      chosen={ids.filter((id) => !kept.includes(id))}
      onChange={(chosen) => setKept(ids.filter((id) => !chosen.includes(id)))}
    />
  )
  return (
    <>
      <p>{text}</p>
      {ids.length > 0 && (
        // Readers cannot take over keys from themselves.
        <fieldset disabled={member.isCurrent}>
          {list}
          {!member.isCurrent && <p className="soft">{t.team.keysText}</p>}
        </fieldset>
      )}
      {act.error && (
        <p className="problem" role="alert">
          {describeError(act.error)}
        </p>
      )}
      <div className="actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="danger" isBusy={act.isPending} onClick={() => act.mutate(kept)}>
          {action}
        </Button>
      </div>
    </>
  )
}

const Asked = (props: FormProps) => {
  const query = useQuery({ ...memberKeysQuery(props.member.accountId), gcTime: 0 })
  return <Loaded query={query}>{({ data }) => <Form {...props} keys={data} />}</Loaded>
}

/** Renders a modal dialog that shows what ends with a member's role, and offers to keep keys. */
export const EndRoleDialog = ({
  title,
  isOpen,
  ...props
}: FormProps & { title: string; isOpen: boolean }) => (
  <Dialog title={title} isOpen={isOpen} onClose={props.onClose}>
    {isOpen && <Asked {...props} />}
  </Dialog>
)
