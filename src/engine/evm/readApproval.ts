import {
  concatHex,
  getAddress,
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
import type { Approval } from '../../schema/transactionInput.js'
import { readPasskeyApproval } from './readPasskeyApproval.js'

/** A signer of a smart wallet: an account or a passkey. */
export type ApprovalSigner =
  | { kind: 'account'; address: string }
  | { kind: 'passkey'; publicKey: { x: string; y: string } }

/**
 * A signature in the form that the wallet's contract accepts, or why it is not the signer's signature of the
 * message.
 */
export type ReadApproval = { signature: Hex } | { fault: string }

/**
 * Half the order of secp256k1. Two values of `s` are valid for a message, and wallets accept the smaller one.
 */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const readAccountApproval = async (
  address: string,
  message: Hex,
  signature: string,
): Promise<ReadApproval> => {
  if (!isHex(signature) || size(signature) !== 65) return { fault: 'expected 65 bytes in hex' }
  const last = hexToNumber(slice(signature, 64))
  const parity = last >= 27 ? last - 27 : last
  if (parity > 1) return { fault: 'its last byte is neither 27 nor 28' }
  if (hexToBigInt(slice(signature, 32, 64)) > halfOrder) {
    return { fault: 's is not the smaller one of the two that are possible' }
  }
  const written = concatHex([slice(signature, 0, 64), numberToHex(27 + parity)])
  const signer = await recoverMessageAddress({ message: { raw: message }, signature: written }).catch(
    () => undefined,
  )
  return signer && isAddressEqual(signer, getAddress(address))
    ? { signature: written }
    : { fault: 'it is not the signature of this signer over this message' }
}

/**
 * Checks a signer's signature as the wallet's contract will, and encodes it in the form that the contract
 * accepts.
 */
export const readApproval = async (
  signer: ApprovalSigner,
  message: string,
  approval: Approval,
): Promise<ReadApproval> => {
  if (!isHex(message) || size(message) !== 32) throw new TypeError('a message to sign is 32 bytes')
  if (signer.kind === 'account') {
    return typeof approval.signature === 'string'
      ? readAccountApproval(signer.address, message, approval.signature)
      : { fault: 'expected the signature of an account, 65 bytes in hex' }
  }
  return 'metadata' in approval && typeof approval.signature !== 'string'
    ? readPasskeyApproval(signer.publicKey, message, { ...approval, signature: approval.signature })
    : { fault: 'expected {r, s} of a passkey, with its metadata' }
}
