import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link as RouterLink, useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { sessionQuery, signInByLink } from '../api/session.js'
import { Button } from '../components/Button.js'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { Gate } from '../shell/SignIn.js'

const subscribe = (onChange: () => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
/** The secret is read from the address itself: the router need not know it. */
const readToken = () => location.hash.slice(1)

/** The page that a link leads to. It uses up the link only when its reader presses the button. */
export const Link = () => {
  const token = useSyncExternalStore(subscribe, readToken)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: signInByLink,
    onSuccess: async () => {
      queries.removeQueries()
      await queries.fetchQuery(sessionQuery)
      // The secret leaves the address bar and the history.
      await navigate({ to: '/', replace: true })
    },
  })
  if (!token && !signIn.isSuccess) {
    return (
      <Gate title={t.link.incomplete}>
        <p>{t.link.incompleteText}</p>
        <RouterLink to="/" className="button">
          {t.link.toSignIn}
        </RouterLink>
      </Gate>
    )
  }
  return (
    <Gate title={t.signIn.title}>
      <p>{t.link.text}</p>
      <Button kind="primary" width="full" isBusy={signIn.isPending} onClick={() => signIn.mutate(token)}>
        {t.signIn.title}
      </Button>
      {signIn.error && (
        <p className="problem" role="alert">
          {describeError(signIn.error)}
        </p>
      )}
    </Gate>
  )
}
