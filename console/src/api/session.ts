import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { ConsoleError, send } from './console.js'
import type { Session } from './requests.js'

/** The session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () =>
    send('GET /account/session').catch((error: unknown) => {
      if (error instanceof ConsoleError && error.status === 401) return null
      throw error
    }),
  staleTime: 60_000,
  // The link of an e-mail signs in by another tab.
  refetchOnWindowFocus: ({ state }) => (state.data ? true : 'always'),
})

type SignedOut = {
  /** Whether the session has ended while the page is kept. */
  isSignedOut: boolean
  /** Keeps the page when its session ends, because it holds text, until the returned function is called. */
  keepPage(): () => void
}

/** How a page outlives its session. */
export const SignedOutContext = createContext<SignedOut>({ isSignedOut: false, keepPage: () => () => {} })

/** The session of the pages behind the sign-in. */
export const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the session of the page. Only pages behind the sign-in use it. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('this part of the page needs a session')
  return session
}

/** Returns whether the role of the session has a scope. The service decides; this is what the page offers. */
export const useMay = (scope: string): boolean => useSession().scopes.includes(scope)

export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: () => send('GET /auth/methods'),
})

export const signInByLink = (token: string) => send('POST /auth/links', { body: { token } })

export const requestLink = (email: string) => send('POST /auth/emails', { body: { email } })

export const signInByPasskey = async (): Promise<void> => {
  const optionsJSON = await send('POST /auth/challenges')
  await send('POST /auth/assertions', { body: await startAuthentication({ optionsJSON }) })
}

export const signOut = () => send('DELETE /account/session')

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => send('GET /account/passkeys'),
})

export const addPasskey = async (): Promise<void> => {
  const optionsJSON = await send('POST /account/passkeys/registration')
  await send('POST /account/passkeys', { body: await startRegistration({ optionsJSON }) })
}

export const removePasskey = (passkeyId: string) => send('DELETE /account/passkeys/:passkeyId', { passkeyId })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => send('GET /account/sessions'),
})

export const endSession = (sessionId: string) => send('DELETE /account/sessions/:sessionId', { sessionId })

export const endOtherSessions = () => send('DELETE /account/sessions')

/** One thing that the service needs: what was found, and what to do. */
export type Check = { name: string; status: 'ok' | 'warning' | 'failed'; text: string }

/** The last checks of the service. An answer says so also where the service is not well. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: async (): Promise<{ checks?: Check[] }> => (await fetch('/health')).json(),
})
