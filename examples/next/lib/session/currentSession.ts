import { cookies, headers } from 'next/headers'
import { readSession, type Session } from './session'

/** Returns the session of the current request. */
export const getCurrentSession = async (): Promise<Session | undefined> => {
  const [jar, visit] = await Promise.all([cookies(), headers()])
  return readSession(jar, visit)
}
