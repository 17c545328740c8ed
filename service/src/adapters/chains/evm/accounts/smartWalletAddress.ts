import { type Address, concatHex, encodeAbiParameters, getAddress, type Hex, keccak256, padHex } from 'viem'
import type { SmartWalletRef, WalletSigner } from '#base/ports/operations.js'
import { getCollectionAddress, toReference, walletDeployments } from '../connection/addresses.js'

/** Encodes a number, given in decimal or hex digits, as 32 bytes. */
const toWord = (number: string): Hex => padHex(`0x${BigInt(number).toString(16)}`, { size: 32 })

/**
 * Encodes a signer for the wallet's contract (ERC-7913): an account's address, or the passkey verifier with a
 * public key.
 */
const encodeSigner = (signer: WalletSigner): Hex => {
  if (signer.kind === 'account') return getAddress(signer.address)
  const { x, y } = signer.publicKey
  return concatHex([walletDeployments.passkeyVerifier.address, toWord(x), toWord(y)])
}

/** Returns the arguments that a wallet is created with. */
export const getCreation = ({ signer, salt }: SmartWalletRef): [signer: Hex, salt: Hex] => [
  encodeSigner(signer),
  toReference(salt),
]

/** Returns the address of a smart wallet, deployed or not, as its factory computes it. */
export const getSmartWalletAddress = (wallet: SmartWalletRef): Address => {
  const salt = keccak256(encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes32' }], getCreation(wallet)))
  const { walletFactory, smartWallet } = walletDeployments
  return getCollectionAddress(walletFactory.address, smartWallet.address, salt)
}
