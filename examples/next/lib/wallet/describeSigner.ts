import type { Wallet } from 'kassa/schema'

/** Describes to the owner who signs for a wallet. */
export type SignerDescription = { title: string; about: string; isPasskey: boolean }

/**
 * Describes who can move the tokens in a smart wallet. Only for a passkey it says that the owner alone can.
 */
export const describeSigner = ({ config }: Pick<Wallet, 'config'>): SignerDescription => {
  const { type, address } = config?.adminSigner ?? {}
  if (type === 'evm-passkey')
    return {
      title: 'With your passkey',
      about: 'Only your passkey moves what is in here: this shop and its service cannot.',
      isPasskey: true,
    }
  if (type === 'evm-kassa-custodial')
    return {
      title: 'Also kept for you',
      about:
        'The shop’s service keeps the key of this wallet too; it signs what you ask for while you are signed in.',
      isPasskey: false,
    }
  const signer =
    type === 'evm-keypair' && address ? `The account ${address}` : 'A signer this shop does not know'
  return {
    title: 'With another signer',
    about: `${signer} signs for this wallet. If that is not you, send nothing here, and tell the shop.`,
    isPasskey: false,
  }
}
