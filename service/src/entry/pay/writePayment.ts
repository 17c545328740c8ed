import { randomBytes } from 'node:crypto'
import { writeAuthorization } from 'kassa/engine'
import type { TypedData } from 'kassa/schema'
import { type LocalAccount, toHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { writeHeader } from '#sale/x402/protocol.js'
import type { Asked, Offer } from './readOffers.js'

/** The longest time for which a payment is signed, whatever the seller asks for. @units seconds */
const longestSeconds = 600
/** How much the clock of a chain may be behind. @units seconds */
const clockSeconds = 60

/** The account that pays. */
export type Payer = LocalAccount

/** Reads the private key of the account that pays; undefined if it is none. */
export const readPayer = (key: string): Payer | undefined => {
  try {
    return privateKeyToAccount(key as `0x${string}`)
  } catch {
    // The message of viem has the key in it.
    return undefined
  }
}

/** What is signed to take an offer. `nonce` tells it from any other payment. */
export type Proposal = { typedData: TypedData; nonce: string; validUntilMs: number }

/** Writes what the payer of an offer signs; without a payer, to show its form. It moves the offered amount to the offered address once, and within its time. */
export const proposePayment = (
  { chainId, token, domain, payTo, units, seconds }: Offer,
  { payer, nowMs }: { payer: Payer | undefined; nowMs: number },
): Proposal => {
  const nonce = toHex(randomBytes(32))
  const nowSeconds = Math.floor(nowMs / 1000)
  const validBefore = nowSeconds + Math.min(seconds, longestSeconds)
  const { typedData } = writeAuthorization({
    kind: 'erc3009',
    chainId,
    token: token.address,
    domain,
    // A transfer by ERC-3009 needs no contract beside the token.
    spender: zeroAddress,
    payer: payer?.address ?? zeroAddress,
    recipient: payTo,
    units,
    validAfter: BigInt(nowSeconds - clockSeconds),
    validBefore: BigInt(validBefore),
    nonce,
  })
  return { typedData, nonce, validUntilMs: validBefore * 1000 }
}

/** Signs a payment, and writes the header that brings it. */
export const signPayment = async (
  payer: Payer,
  { typedData }: Proposal,
  { offer, resource }: { offer: Offer; resource: Asked['resource'] },
): Promise<string> => {
  // The cast is deliberate: viem derives the type of a message from types that are literals.
  const signature = await payer.signTypedData(typedData as never)
  const payload = { signature, authorization: typedData.message }
  return writeHeader({ x402Version: 2, ...(resource && { resource }), accepted: offer.accepted, payload })
}
