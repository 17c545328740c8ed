import type { WalletType } from '../schema/members.js'
import type { AdminSignerInput } from '../schema/walletInput.js'
import { callShop, findNo } from './callShop.js'
import { HttpError } from './HttpError.js'

/** A wallet that a signed-in user wants to create. */
export type WalletToCreate = {
  type: WalletType
  /** The requested signer; undefined if the browser names none, in which case the service keeps the key. */
  adminSigner: AdminSignerInput | undefined
  /** The user's locator from the shop's own session. */
  user: string
  /** The browser's request, for its cookies and headers. Its body has already been read. */
  request: Request
}

/** A shop's own check of a new wallet. False or a sentence for the user stops it. */
export type CheckCreation = (wallet: WalletToCreate) => boolean | string | Promise<boolean | string>

/**
 * The default check. It allows wallet types that the service always keeps, and smart wallets with a passkey.
 * Only the shop knows whether an account belongs to the user, and whether a smart wallet may send without
 * asking.
 */
const isUsual: CheckCreation = ({ type, adminSigner }) =>
  type.endsWith('-mpc-wallet') || adminSigner?.type === 'evm-passkey'

/**
 * Asks the shop whether a wallet may be created.
 *
 * @throws {@link HttpError} 403; {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const checkCreation = async (
  canCreate: CheckCreation = isUsual,
  wallet: WalletToCreate,
  timeoutMs: number,
): Promise<void> => {
  const verdict = await callShop('canCreate', () => canCreate(wallet), timeoutMs)
  const message = findNo(verdict, 'The shop does not create wallets with this signer')
  if (message !== undefined) throw new HttpError(403, message)
}
