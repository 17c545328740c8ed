import { randomUUID } from 'node:crypto'
import { readSessionSecret } from './sessionSecret'
import { type Claim, readToken, writeToken } from './token'

/** The signed-in user. */
export type Session = Pick<Claim, 'email'>

/** A cookie as Next.js's `set` takes it. */
export type SessionCookie = {
  name: string
  value: string
  path: '/'
  httpOnly: true
  sameSite: 'lax'
  secure: boolean
  maxAge: number
}

type Jar = { get(name: string): { value: string } | undefined }

const lifetimeSeconds = 7 * 24 * 60 * 60

// Over https, the `__Host-` prefix keeps other hosts of the domain from setting this cookie.
const names = { true: '__Host-recto-session', false: 'recto-session' } as const

const isSecure = (headers: Pick<Headers, 'get'>): boolean =>
  headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https'

const toCookie = (headers: Pick<Headers, 'get'>, value: string, maxAge: number): SessionCookie => {
  const secure = isSecure(headers)
  return { name: names[`${secure}`], value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }
}

/** Creates the cookie that keeps a user signed in for a week. */
export const createSessionCookie = ({ email }: Session, headers: Pick<Headers, 'get'>): SessionCookie => {
  const claim = { id: randomUUID(), email, expiresAtMs: Date.now() + lifetimeSeconds * 1_000 }
  return toCookie(headers, writeToken(readSessionSecret(process.env), 'session', claim), lifetimeSeconds)
}

/** Creates the cookie that signs out. */
export const endSessionCookie = (headers: Pick<Headers, 'get'>): SessionCookie => toCookie(headers, '', 0)

/** Reads the signed-in user from a request's cookies and headers; undefined if there is none. */
export const readSession = (jar: Jar, headers: Pick<Headers, 'get'>): Session | undefined => {
  const token = jar.get(names[`${isSecure(headers)}`])?.value
  const claim = token && readToken(readSessionSecret(process.env), 'session', token, Date.now())
  return claim ? { email: claim.email } : undefined
}
