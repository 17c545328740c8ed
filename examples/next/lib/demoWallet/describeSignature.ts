import { formatUnits, type TypedDataDefinition } from 'viem'
import type { EvmNetwork } from '../networks'
import { isRecord } from '../read'

/** Reads typed data as `eth_signTypedData_v4` gets it; undefined if it is none. */
export const readTypedData = (text: unknown): TypedDataDefinition | undefined => {
  try {
    const data: unknown = JSON.parse(String(text))
    // The cast is deliberate: viem checks the rest when it hashes it.
    return isRecord(data) && isRecord(data.domain) && isRecord(data.message)
      ? (data as unknown as TypedDataDefinition)
      : undefined
  } catch {
    return undefined
  }
}

/** Finds the token, the recipient and the amount in a payment that the shop sends, or in a permit for one. */
const readPayment = ({ primaryType, domain, message }: TypedDataDefinition) => {
  const token: unknown = domain?.verifyingContract
  switch (primaryType) {
    case 'TransferWithAuthorization':
      return { token, to: message.to, units: message.value }
    case 'Permit':
      return { token, to: message.spender, units: message.value }
    case 'PermitWitnessTransferFrom': {
      const { permitted, witness } = message
      if (!isRecord(permitted) || !isRecord(witness)) return undefined
      return { token: permitted.token, to: witness.to, units: permitted.amount }
    }
    default:
      return undefined
  }
}

/**
 * Describes what a signature pays and to whom, so that the owner can decide; undefined if it is no payment in a token of
 * the network.
 */
export const describeSignature = (
  typedData: TypedDataDefinition,
  network: EvmNetwork,
): { amount: string; currency: string; to: string } | undefined => {
  const { token, to, units } = readPayment(typedData) ?? {}
  const known = Object.entries(network.tokens).find(
    ([, { address }]) => address.toLowerCase() === String(token).toLowerCase(),
  )
  if (!known || typeof to !== 'string' || !/^\d+$/.test(String(units))) return undefined
  const [currency, { decimals }] = known
  return { amount: formatUnits(BigInt(String(units)), decimals), currency, to }
}
