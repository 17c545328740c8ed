import { writeAuthorization } from 'kassa/engine'
import type { TypedData } from 'kassa/schema'
import { type Address, type LocalAccount, zeroAddress } from 'viem'
import { writeHeader } from '#sale/x402/protocol.js'
import type { Asked, Offer } from './readOffers.js'

/** The longest time for which a payment is signed, whatever the seller asks for. @units seconds */
const longestSeconds = 600
/** How much the clock of a chain may be behind. @units seconds */
const clockSeconds = 60

/** What is signed to take an offer. */
export type Proposal = { typedData: TypedData; validUntilMs: number }

/** Writes what the payer of an offer signs. It moves the offered amount to the offered address once, and within its time. */
export const proposePayment = (
  { chainId, token, domain, payTo, units, seconds }: Offer,
  { payer, nonce, nowMs }: { payer: Address; nonce: `0x${string}`; nowMs: number },
): Proposal => {
  const nowSeconds = Math.floor(nowMs / 1000)
  const validBefore = nowSeconds + Math.min(seconds, longestSeconds)
  const { typedData } = writeAuthorization({
    kind: 'erc3009',
    chainId,
    token: token.address,
    domain,
    // A transfer by ERC-3009 needs no contract beside the token.
    spender: zeroAddress,
    payer,
    recipient: payTo,
    units,
    validAfter: BigInt(nowSeconds - clockSeconds),
    validBefore: BigInt(validBefore),
    nonce,
  })
  return { typedData, validUntilMs: validBefore * 1000 }
}

/** Signs a payment, and writes the header that brings it. */
export const signPayment = async (
  account: LocalAccount,
  { typedData }: Proposal,
  { offer, resource }: { offer: Offer; resource: Asked['resource'] },
): Promise<string> => {
  // The cast is deliberate: viem derives the type of a message from types that are literals.
  const signature = await account.signTypedData(typedData as never)
  const payload = { signature, authorization: typedData.message }
  return writeHeader({ x402Version: 2, ...(resource && { resource }), accepted: offer.accepted, payload })
}
