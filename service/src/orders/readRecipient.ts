import type { Recipient } from 'kassa/engine'
import type { RecipientInput } from 'kassa/schema'

/** Reads the recipient of the goods, without the fields that the client left out. */
export const readRecipient = (input: RecipientInput | undefined): Recipient | undefined => {
  if (!input) return undefined
  const { email, walletAddress, physicalAddress } = input
  return {
    ...(email !== undefined && { email }),
    ...(walletAddress !== undefined && { walletAddress }),
    ...(physicalAddress && { physicalAddress }),
  }
}
