import type { WalletType } from '../schema/members.js'
import type { AdminSignerInput } from '../schema/walletInput.js'
import { callShop, findNo } from './callShop.js'
import { Refusal } from './Refusal.js'

/** A wallet that a signed-in user asks for. */
export type WalletToCreate = {
  type: WalletType
  /** Who is to control it, in the browser's words; undefined where it names nobody: then the service keeps the key. */
  adminSigner: AdminSignerInput | undefined
  /** As the shop's own session names them. */
  user: string
  /** The browser's request, for its cookies and headers; its body has been read. */
  request: Request
}

/** A shop's own function: whether a wallet may be created; false or a sentence for the user stops it. */
export type CheckCreation = (wallet: WalletToCreate) => boolean | string | Promise<boolean | string>

/**
 * What is let through where the shop says nothing: wallets that are the service's to keep by their type, and those that
 * a passkey opens. Whether an account is the user's, and whether a smart wallet may send unasked, only the shop knows.
 */
const isUsual: CheckCreation = ({ type, adminSigner }) =>
  type.endsWith('-mpc-wallet') || adminSigner?.type === 'evm-passkey'

/**
 * Asks the shop whether a wallet may be created.
 *
 * @throws {@link Refusal} 403; {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const checkCreation = async (
  canCreate: CheckCreation = isUsual,
  wallet: WalletToCreate,
  timeoutMs: number,
): Promise<void> => {
  const verdict = await callShop('canCreate', () => canCreate(wallet), timeoutMs)
  const message = findNo(verdict, 'The shop creates no wallet with this signer')
  if (message !== undefined) throw new Refusal(403, message)
}
