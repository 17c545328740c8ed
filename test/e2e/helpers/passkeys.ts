import type { Page } from 'playwright'

/** A device's passkeys, which a browser uses without a prompt. */
export type Passkeys = {
  /** Has the user turn away from what is asked, or turn back to it. */
  setUserVerified(isVerified: boolean): Promise<void>
  /** How many times each passkey was used, and how many there are. */
  count(): Promise<{ passkeys: number; uses: number }>
}

/**
 * Gives a page a virtual authenticator like those of phones and laptops: it keeps passkeys and verifies its
 * user.
 */
export const addPasskeys = async (page: Page): Promise<Passkeys> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setUserVerified: async (isUserVerified) =>
      void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    count: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return {
        passkeys: credentials.length,
        uses: credentials.reduce((sum, { signCount }) => sum + signCount, 0),
      }
    },
  }
}
