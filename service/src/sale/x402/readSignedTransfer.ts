import { CreateAuthorizationBody } from 'kassa/schema'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { refuseAuthorization } from '../authorizations/bringAuthorization.js'
import type { PaymentPayload } from './protocol.js'

/** Returns the payer that a payment names, whether or not it signed. */
export const payerIn = ({ payload: { authorization } }: PaymentPayload): string => {
  const from = (authorization as { from?: unknown } | null | undefined)?.from
  return typeof from === 'string' ? from : ''
}

/**
 * Reads the signed transfer of a payment as the authorization that it is. The domain of what was signed is what the client
 * accepted.
 *
 * @param network - The chain that is paid on, as a CAIP-2 id.
 * @throws {@link ServiceError} `unprocessable` with a reason in the words of x402.
 */
export const readSignedTransfer = (
  { accepted, payload }: PaymentPayload,
  network: string,
): CreateAuthorizationBody => {
  const { scheme, asset, extra } = accepted
  if (scheme !== 'exact') {
    return refuseAuthorization({
      reason: 'unsupported_scheme',
      message: `accepted.scheme: expected exact, got ${scheme}`,
    })
  }
  if (accepted.network !== network) {
    const message = `accepted.network: expected ${network}, got ${accepted.network}`
    return refuseAuthorization({ reason: 'invalid_network', message })
  }
  const { authorization, signature } = payload
  if (typeof authorization !== 'object' || authorization === null) {
    const message = 'payload.authorization: expected a signed transfer of ERC-3009'
    return refuseAuthorization({ reason: 'invalid_payload', message })
  }
  const { from } = authorization as Readonly<Record<string, unknown>>
  try {
    return parseInput(
      CreateAuthorizationBody,
      {
        kind: 'erc3009',
        payerAddress: from,
        domain: {
          name: extra?.name,
          version: extra?.version,
          chainId: network.slice(network.indexOf(':') + 1),
          verifyingContract: asset,
        },
        message: authorization,
        signature,
      },
      'payload',
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const message = error.message.replaceAll('payerAddress', 'authorization.from')
    return refuseAuthorization({ reason: 'invalid_payload', message: `payload: ${message}` })
  }
}
