import { createHmac } from 'node:crypto'

/**
 * Returns the secret that signs sign-in links and sessions: `KASSA_SESSION_SECRET`, or one derived from the
 * server key, which browsers never see. Changing it signs every user out.
 *
 * @throws Error when neither is set, or the secret is too short.
 */
export const readSessionSecret = (env: Record<string, string | undefined>): string => {
  const { KASSA_SESSION_SECRET: own, KASSA_SERVER_KEY: serverKey } = env
  if (own) {
    if (own.length < 32) throw new Error('KASSA_SESSION_SECRET: expected 32 characters or more')
    return own
  }
  if (!serverKey) throw new Error('KASSA_SESSION_SECRET: signing in needs it, or KASSA_SERVER_KEY')
  return createHmac('sha256', serverKey).update('session secret of the storefront').digest('base64url')
}
