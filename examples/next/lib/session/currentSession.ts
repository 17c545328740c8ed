import { cookies, headers } from 'next/headers'
import { readSession, type Session } from './session'

/** Who is signed in, by the request that is being answered. */
export const getCurrentSession = async (): Promise<Session | undefined> => {
  const [jar, visit] = await Promise.all([cookies(), headers()])
  return readSession(jar, visit)
}
