import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Role, roles } from '../api/session.js'
import { invitationsQuery, inviteMember } from '../api/team.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field } from '../components/Field.js'
import { Shown } from '../components/Shown.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'

const s = t.team

type FormProps = { onMade(link: string): void; onCancel(): void }

const InviteForm = ({ onMade, onCancel }: FormProps) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('support')
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: inviteMember,
    onSuccess: ({ link }) => {
      void queries.invalidateQueries(invitationsQuery)
      onMade(link)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const address = email.trim()
    if (!invite.isPending) invite.mutate({ role, ...(address && { email: address }) })
  }
  return (
    <form noValidate onSubmit={submit}>
      <Field
        label={s.email}
        hint={s.emailText}
        type="email"
        value={email}
        aria-invalid={invite.error ? true : undefined}
        aria-describedby="invite-problem"
        onValue={setEmail}
      />
      <fieldset className="choices">
        <legend className="label">{s.role}</legend>
        {roles.map((each) => (
          <label className="choice" key={each}>
            <input type="radio" name="invite-role" checked={role === each} onChange={() => setRole(each)} />
            <span>
              {t.roles[each]} <span className="soft hint-line">{t.roleMay[each]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p id="invite-problem" className="problem" role="alert">
        {invite.error && describeError(invite.error)}
      </p>
      <div className="actions">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button type="submit" kind="primary" isBusy={invite.isPending}>
          {s.create}
        </Button>
      </div>
    </form>
  )
}

/** Renders a `<button>` that makes the link by which a person comes to the team. */
export const InviteDialog = () => {
  const [isOpen, setOpen] = useState(false)
  const [link, setLink] = useState<string>()
  const close = () => setOpen(false)
  const open = () => {
    setLink(undefined)
    setOpen(true)
  }
  return (
    <>
      <Button kind="primary" onClick={open}>
        {s.invite}
      </Button>
      <Dialog title={link ? s.created : s.inviteTitle} isOpen={isOpen} onClose={close}>
        {link ? (
          <Shown value={link} label={s.link} text={s.createdText} onDone={close} />
        ) : (
          <InviteForm onMade={setLink} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
