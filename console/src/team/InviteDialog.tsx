import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Role, roles } from '../api/requests.js'
import { invitationsQuery, inviteMember } from '../api/team.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Shown } from '../components/Shown.js'
import { t } from '../messages/index.js'

const s = t.team

type FormProps = { onMade(link: string): void; onCancel(): void }

const InviteForm = ({ onMade, onCancel }: FormProps) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('support')
  const queries = useQueryClient()
  const invite = async () => {
    const address = email.trim()
    const { link } = await inviteMember({ role, ...(address && { email: address }) })
    void queries.invalidateQueries(invitationsQuery)
    onMade(link)
  }
  return (
    <Form action={s.create} run={invite} onCancel={onCancel}>
      <Field name="email" label={s.email} hint={s.emailText} type="email" value={email} onValue={setEmail} />
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
    </Form>
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
      <Dialog
        title={link ? s.created : s.inviteTitle}
        isOpen={isOpen}
        isStored={link !== undefined}
        onClose={close}
      >
        {link ? (
          <Shown value={link} label={s.link} text={s.createdText} onDone={close} />
        ) : (
          <InviteForm onMade={setLink} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
