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
        name="email"
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

/** Renders the buttons and fields that sign in. */
const Ways = ({ onSent }: { onSent(email: string): void }) => {
  const queries = useQueryClient()
  const methods = useQuery(methodsQuery)
  const passkey = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <>
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
          <EmailForm onSent={onSent} />
        </>
      )}
      {methods.data?.email === false && <p className="hint">{t.signIn.noEmail}</p>}
    </>
  )
}

/** Renders the ways to sign in, as a page. */
export const SignIn = () => {
  const [sentTo, setSentTo] = useState<string>()
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
      <Ways onSent={setSentTo} />
    </Gate>
  )
}

/** Renders the ways to sign in below a form whose session has ended. */
export const SignInAgain = () => {
  const [sentTo, setSentTo] = useState<string>()
  return (
    <section className="again">
      <h3>{t.signIn.ended}</h3>
      {sentTo ? (
        <>
          <p>{t.signIn.sentText(sentTo)}</p>
          <Button onClick={() => setSentTo(undefined)}>{t.signIn.otherEmail}</Button>
        </>
      ) : (
        <>
          <p className="soft">{t.signIn.endedText}</p>
          <Ways onSent={setSentTo} />
        </>
      )}
    </section>
  )
}
