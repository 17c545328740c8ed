import type { Wallet } from 'kassa/schema'
import type { Translate } from '../language/createTranslate'

/** Describes to the owner who signs for a wallet. */
export type SignerDescription = { title: string; about: string; isPasskey: boolean }

/**
 * Describes who can move the tokens in a smart wallet. Only for a passkey it says that the owner alone can.
 */
export const describeSigner = (
  { config }: Pick<Wallet, 'config'>,
  t: Translate<'wallet'>,
): SignerDescription => {
  const { type, address } = config?.adminSigner ?? {}
  if (type === 'evm-passkey') return { title: t('passkeyTitle'), about: t('passkeyAbout'), isPasskey: true }
  if (type === 'evm-kassa-custodial')
    return { title: t('custodialTitle'), about: t('custodialAbout'), isPasskey: false }
  return {
    title: t('signerTitle'),
    about: type === 'evm-keypair' && address ? t('signerAccount', { address }) : t('signerUnknown'),
    isPasskey: false,
  }
}
