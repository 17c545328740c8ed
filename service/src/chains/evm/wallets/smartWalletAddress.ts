import { type Address, concatHex, encodeAbiParameters, getAddress, type Hex, keccak256, padHex } from 'viem'
import type { SmartWalletRef, WalletSigner } from '../../walletPort.js'
import { getCollectionAddress, toReference, walletDeployments } from '../addresses.js'

/** A number of 32 bytes, from decimal or hex digits. */
export const toWord = (number: string): Hex => padHex(`0x${BigInt(number).toString(16)}`, { size: 32 })

/** A signer as the wallet's contract knows it (ERC-7913): an account, or the contract that checks passkeys and a key. */
const encodeSigner = (signer: WalletSigner): Hex => {
  if (signer.kind === 'account') return getAddress(signer.address)
  const { x, y } = signer.publicKey
  return concatHex([walletDeployments.passkeyVerifier.address, toWord(x), toWord(y)])
}

/** What a wallet is put in place with. */
export const getCreation = ({ signer, salt }: SmartWalletRef): [signer: Hex, salt: Hex] => [
  encodeSigner(signer),
  toReference(salt),
]

/** Where a smart wallet stands or will stand, as its factory computes it. */
export const getSmartWalletAddress = (wallet: SmartWalletRef): Address => {
  const salt = keccak256(encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes32' }], getCreation(wallet)))
  const { walletFactory, smartWallet } = walletDeployments
  return getCollectionAddress(walletFactory.address, smartWallet.address, salt)
}
