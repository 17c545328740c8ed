import { numberToHex } from 'viem'
import type { Config } from 'wagmi'
import { getCapabilities, getConnectorClient, sendCalls } from 'wagmi/actions'
import { isUnsupported } from '../../chain/evm/walletError.js'
import type { CheckedPayment } from '../../chain/index.js'
import type { Answer } from '../family.js'
import { checkWallet, type Wallet } from './wallet.js'

const hasCalls = (config: Config, { account, connector }: Wallet): Promise<boolean> =>
  getCapabilities(config, { account, connector }).then(
    () => true,
    () => false,
  )

/**
 * Sends through the wallet's own method, once. viem's `sendTransaction` retries with another method when the
 * first answer is an unexpected error, which may come after the payment was sent.
 */
const sendPlain = async (
  client: WalletClient,
  { account }: Wallet,
  { chainId, to, valueWei, data }: CheckedPayment,
  gas: bigint | undefined,
): Promise<string> => {
  const answer: unknown = await client.request(
    {
      method: 'eth_sendTransaction',
      params: [
        {
          from: account,
          to,
          value: numberToHex(valueWei),
          data,
          // A wallet that has changed its chain meanwhile refuses.
          chainId: numberToHex(chainId),
          ...(gas !== undefined && { gas: numberToHex(gas) }),
        },
      ],
    },
    { retryCount: 0 },
  )
  // Some wallets return nothing although they have sent.
  if (typeof answer !== 'string' || !answer) throw new Error('the wallet answered without a hash')
  return answer
}

/** A client of the wallet, ready to ask. */
export type WalletClient = Awaited<ReturnType<typeof getConnectorClient>>

/**
 * Opens a client of the wallet without asking its owner anything yet.
 *
 * @throws {@link KassaError} `pay.wrong-chain` when the wallet has left the chain.
 * @throws wagmi's error when the wallet has left the chain or disconnected.
 */
export const openWallet = async (
  config: Config,
  wallet: Wallet,
  payment: CheckedPayment,
): Promise<WalletClient> => {
  const { account, connector } = wallet
  const client = await getConnectorClient(config, { account, connector, chainId: payment.chainId })
  // wagmi 2.16 compares the wallet's chain with the last one that it has seen, not with the payment's.
  checkWallet({ ...wallet, chainId: await connector.getChainId() }, payment)
  return client
}

/**
 * Asks the wallet to sign and send a plain transaction, or, if the wallet does not support that, a bundle of
 * one call (EIP-5792). The buyer sees one request in either case.
 *
 * @param gas - The limit; undefined leaves it to the wallet.
 */
export const sendPayment = async (
  config: Config,
  client: WalletClient,
  wallet: Wallet,
  payment: CheckedPayment,
  gas: bigint | undefined,
): Promise<Answer> => {
  try {
    return { txId: await sendPlain(client, wallet, payment, gas) }
  } catch (error) {
    if (!isUnsupported(error) || !(await hasCalls(config, wallet))) throw error
    const { account, connector } = wallet
    const { chainId, to, valueWei, data } = payment
    const { id } = await sendCalls(config, {
      account,
      connector,
      chainId,
      calls: [{ to, value: valueWei, data }],
    })
    return { txId: id, callsId: id }
  }
}
