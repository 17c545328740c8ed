import { isAddress, isAddressEqual, isHex } from 'viem'
import type { Config } from 'wagmi'
import { getAccount, signMessage } from 'wagmi/actions'
import { isRejection } from '../../chain/evm/isRejection.js'
import { isKassaError } from '../../errors/KassaError.js'
import { passkeyError } from '../../errors/passkeyError.js'
import { transactionError } from '../../errors/transactionError.js'
import type { Approval, PendingApproval } from '../../schema/index.js'
import { checkPasskeys, getPasskeyReason, isDeclined } from '../passkeyAvailability.js'
import type { FeeTerms } from './operationFee.js'

/** What signing needs: the app's wallets and nodes, the domain of its passkeys, and its terms for fees. */
export type SigningMeans = {
  /** The app's wagmi config; undefined if it connects no wallets. */
  config?: Config | undefined
  /** The domain of the passkeys. By default the page's own. */
  rpId?: string | undefined
  /** The fees the app agrees to. */
  terms?: FeeTerms | undefined
}

const passkeyPrefix = 'evm-passkey:'

const signByPasskey = async ({ signer, message }: PendingApproval, rpId?: string): Promise<Approval> => {
  if (!isHex(message)) throw transactionError('transaction.wallet-failed', { reason: 'no bytes to sign' })
  checkPasskeys()
  try {
    const { signWithCredential } = await import('./webAuthn.js')
    return { signer, ...(await signWithCredential(signer.slice(passkeyPrefix.length), message, rpId)) }
  } catch (cause) {
    if (isDeclined(cause)) throw transactionError('transaction.rejected', { signer }, { cause })
    throw passkeyError('passkey.failed', { reason: getPasskeyReason(cause) }, { cause })
  }
}

const signByWallet = async ({ signer, message }: PendingApproval, config?: Config): Promise<Approval> => {
  if (!isHex(message)) throw transactionError('transaction.wallet-failed', { reason: 'no bytes to sign' })
  const connection = config && getAccount(config)
  if (!config || connection?.status !== 'connected')
    throw transactionError('transaction.not-connected', { signer })
  const { connector } = connection
  try {
    // Asks the wallet itself, because the app's copy may be outdated.
    const [account] = await connector.getAccounts()
    if (!account) throw transactionError('transaction.not-connected', { signer })
    if (!isAddress(signer, { strict: false }) || !isAddressEqual(account, signer))
      throw transactionError('transaction.wrong-signer', { expected: signer, connected: account })
    const signature = await signMessage(config, { account, connector, message: { raw: message } })
    return { signer, signature }
  } catch (cause) {
    if (isKassaError(cause)) throw cause
    if (isRejection(cause)) throw transactionError('transaction.rejected', { signer }, { cause })
    const reason = cause instanceof Error ? cause.name : 'unknown error'
    throw transactionError('transaction.wallet-failed', { reason }, { cause })
  }
}

const isPasskey = (signer: string): boolean => signer.startsWith(passkeyPrefix)
const isAccount = (signer: string): boolean => isAddress(signer, { strict: false })

/** Finds a pending approval that can be given here: by a passkey or by an account. */
export const findApproval = (pending: readonly PendingApproval[]): PendingApproval | undefined =>
  pending.find(({ signer }) => isPasskey(signer) || isAccount(signer))

/**
 * Signs an approval: an account through its connected wallet, a passkey through the browser.
 *
 * @throws {@link KassaError} `transaction.not-connected`, `transaction.wrong-signer`, `transaction.rejected`,
 * `transaction.wallet-failed`, `passkey.unavailable`, `passkey.failed`
 */
export const signApproval = (pending: PendingApproval, { config, rpId }: SigningMeans): Promise<Approval> =>
  isPasskey(pending.signer) ? signByPasskey(pending, rpId) : signByWallet(pending, config)
