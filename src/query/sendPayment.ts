import type { Config } from 'wagmi'
import { getCapabilities, sendCalls, sendTransaction } from 'wagmi/actions'
import { type CheckedPayment, isUnsupported } from '../chain/index.js'
import type { Wallet } from './wallet.js'

/** What a wallet answers when it has sent: a transaction's hash, or the identifier of a bundle of calls. */
export type Answer = { txId: string } | { callsId: string }

const hasCalls = (config: Config, { account, connector }: Wallet): Promise<boolean> =>
  getCapabilities(config, { account, connector }).then(
    () => true,
    () => false,
  )

/**
 * Asks the wallet to sign and send: as a plain transaction, or, where the wallet has no such thing and says so,
 * as a bundle of one call (EIP-5792). The buyer sees one request in either case.
 *
 * @param gas - The limit; undefined leaves it to the wallet.
 */
export const sendPayment = async (
  config: Config,
  wallet: Wallet,
  { chainId, to, valueWei, data }: CheckedPayment,
  gas: bigint | undefined,
): Promise<Answer> => {
  const { account, connector } = wallet
  try {
    const txId = await sendTransaction(config, {
      account,
      connector,
      chainId,
      to,
      value: valueWei,
      data,
      // Null stops wagmi from asking the wallet for an estimate of its own.
      gas: gas ?? null,
    })
    return { txId }
  } catch (error) {
    if (!isUnsupported(error) || !(await hasCalls(config, wallet))) throw error
    const { id } = await sendCalls(config, {
      account,
      connector,
      chainId,
      calls: [{ to, value: valueWei, data }],
    })
    return { callsId: id }
  }
}
