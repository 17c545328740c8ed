import { createHmac } from 'node:crypto'

/**
 * The secret that sign-in links and sessions are signed with: `KASSA_SESSION_SECRET`, or else one that follows from
 * the server key, which no browser knows either. Changing it signs everybody out.
 *
 * @throws Error when there is neither, or it is too short to be one.
 */
export const readSessionSecret = (env: Record<string, string | undefined>): string => {
  const { KASSA_SESSION_SECRET: own, KASSA_SERVER_KEY: serverKey } = env
  if (own) {
    if (own.length < 32) throw new Error('KASSA_SESSION_SECRET: expected 32 characters or more')
    return own
  }
  if (!serverKey) throw new Error('KASSA_SESSION_SECRET: nobody can sign in without it, or KASSA_SERVER_KEY')
  return createHmac('sha256', serverKey).update('session secret of the storefront').digest('base64url')
}
