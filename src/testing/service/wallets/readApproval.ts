import {
  type Address,
  concatHex,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  isHex,
  numberToHex,
  recoverMessageAddress,
  size,
  slice,
} from 'viem'
import type { Approval } from '../../../schema/transactionInput.js'
import { standInAccount } from '../../standInAccount.js'
import { readAddress } from './readAddress.js'
import { readPasskeyApproval } from './readPasskeyApproval.js'
import type { TestSigner } from './testUserWallet.js'

/** A signature as a wallet's contract takes it, or why it is none of the signer's over the message. */
export type ReadApproval = { signature: Hex } | { fault: string }

/** Half the order of secp256k1. Of the two `s` that make a signature of one message, wallets take the smaller. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const isOf = (signer: Address, address: Address): boolean =>
  isAddressEqual(signer, address) || isAddressEqual(signer, standInAccount(address).address)

const readAccountApproval = async (
  address: Address,
  message: Hex,
  signature: string,
): Promise<ReadApproval> => {
  if (!isHex(signature) || size(signature) !== 65) return { fault: 'expected 65 bytes in hex' }
  const last = hexToNumber(slice(signature, 64))
  const parity = last >= 27 ? last - 27 : last
  if (parity > 1) return { fault: 'its last byte is neither 27 nor 28' }
  if (hexToBigInt(slice(signature, 32, 64)) > halfOrder)
    return { fault: 's is not the smaller one of the two that are possible' }
  const written = concatHex([slice(signature, 0, 64), numberToHex(27 + parity)])
  const signer = await recoverMessageAddress({ message: { raw: message }, signature: written }).catch(
    () => undefined,
  )
  return signer && isOf(signer, address)
    ? { signature: written }
    : { fault: 'it is not the signature of this signer over this message' }
}

/**
 * Checks what a signer has signed, as the service does: an account's signature, or a passkey's. That a test's wallet
 * has no key of its address is looked over: its stand-in signs.
 */
export const readApproval = async (
  { address, publicKey }: TestSigner,
  message: Hex,
  approval: Approval,
): Promise<ReadApproval> => {
  if (!publicKey)
    return typeof approval.signature === 'string'
      ? readAccountApproval(readAddress('signer', address ?? ''), message, approval.signature)
      : { fault: 'expected the signature of an account, 65 bytes in hex' }
  return 'metadata' in approval && typeof approval.signature !== 'string'
    ? readPasskeyApproval(publicKey, message, { ...approval, signature: approval.signature })
    : { fault: 'expected {r, s} of a passkey, with its metadata' }
}
