import type { SmartWalletRef, WalletSigner } from '#base/ports/operations.js'
import type { ProgramWalletRef } from '#base/ports/programWallets.js'
import type { WalletRow } from './findWallet.js'

const toSigner = ({ address, publicKey }: WalletRow['adminSigner']): WalletSigner => {
  if (publicKey) return { kind: 'passkey', publicKey: { x: publicKey.x, y: publicKey.y } }
  if (address === undefined) throw new Error('the signer has neither an address nor a public key')
  return { kind: 'account', address }
}

/** Converts a wallet to the reference that its chain uses. */
export const toSmartWalletRef = ({
  id,
  adminSigner,
}: Pick<WalletRow, 'id' | 'adminSigner'>): SmartWalletRef => ({
  signer: toSigner(adminSigner),
  salt: id,
})

/** Converts a wallet to the reference that its program on Solana uses. */
export const toProgramRef = ({
  id,
  adminSigner,
}: Pick<WalletRow, 'id' | 'adminSigner'>): ProgramWalletRef => {
  if (adminSigner.address === undefined) throw new Error('a smart wallet on Solana without a signer')
  return { salt: id, signer: adminSigner.address }
}
