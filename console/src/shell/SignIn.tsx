import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConsoleError } from '../api/console.js'
import { methodsQuery, requestLink, signInByPasskey } from '../api/session.js'
import { Button } from '../components/Button.js'
import { Field } from '../components/Field.js'
import { Icon } from '../components/Icon.js'
import { useTitle } from '../components/Page.js'
import icon from '../icon.svg'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'

/** Renders the page around a sign-in. */
export const Gate = ({ title, children }: { title: string; children: ReactNode }) => {
  const heading = useTitle(title)
  return (
    <main className="gate">
      <div className="gate-card">
        <p className="brand">
          <img src={icon} alt="" />
          <span>{t.app}</span>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  )
}

/** The browser does not say why no passkey was used. */
const describePasskey = (error: unknown): string =>
  error instanceof ConsoleError ? error.message : t.signIn.notConfirmed

const EmailForm = ({ onSent }: { onSent(email: string): void }) => {
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: requestLink, onSuccess: (_, sentTo) => onSent(sentTo) })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.isPending) send.mutate(email.trim())
      }}
    >
      <Field
        label={t.signIn.email}
        type="email"
        autoComplete="email"
        value={email}
        aria-invalid={send.error ? true : undefined}
        aria-describedby="email-problem"
        onValue={setEmail}
      />
      <p id="email-problem" className="problem" role="alert">
        {send.error && describeError(send.error)}
      </p>
      <Button type="submit" width="full" isBusy={send.isPending}>
        {t.signIn.send}
      </Button>
    </form>
  )
}

/** Renders the ways to sign in. */
export const SignIn = () => {
  const queries = useQueryClient()
  const methods = useQuery(methodsQuery)
  const [sentTo, setSentTo] = useState<string>()
  const passkey = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: () => queries.invalidateQueries(),
  })
  if (sentTo) {
    return (
      <Gate key="sent" title={t.signIn.sent}>
        <p>{t.signIn.sentText(sentTo)}</p>
        <Button onClick={() => setSentTo(undefined)}>{t.signIn.otherEmail}</Button>
      </Gate>
    )
  }
  return (
    <Gate key="ask" title={t.signIn.title}>
      <p>{t.signIn.text}</p>
      <Button kind="primary" width="full" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
        <Icon name="key" />
        {t.signIn.passkey}
      </Button>
      {passkey.error && (
        <p className="problem" role="alert">
          {describePasskey(passkey.error)}
        </p>
      )}
      {methods.data?.email === true && (
        <>
          <p className="or">{t.signIn.or}</p>
          <EmailForm onSent={setSentTo} />
        </>
      )}
      {methods.data?.email === false && <p className="hint">{t.signIn.noEmail}</p>}
    </Gate>
  )
}
