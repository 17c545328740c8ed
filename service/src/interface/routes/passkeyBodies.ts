import * as z from 'zod/mini'

const base64url = z.string().check(z.regex(/^[\w-]+$/, 'expected base64url'), z.maxLength(10_000))
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
}

/** A new passkey, as a browser describes it. */
export const RegistrationBody = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z._default(
      z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .check(z.maxLength(10)),
      [],
    ),
  }),
})

/** The answer of a passkey to a challenge, as a browser describes it. */
export const PasskeyBody = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})
