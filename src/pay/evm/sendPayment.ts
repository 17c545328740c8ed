import { numberToHex } from 'viem'
import type { Config } from 'wagmi'
import { getConnectorClient } from 'wagmi/actions'
import { readProperty } from '../../chain/evm/causes.js'
import { isUnsupported } from '../../chain/evm/walletError.js'
import type { CheckedPayment } from '../../chain/index.js'
import type { Answer } from '../family.js'
import { checkWallet, type Wallet } from './wallet.js'

// Asked by their methods: wagmi's and viem's functions for bundles bring what prepares, prices and signs transactions,
// which is a third of what a page loads for a payment.
const hasCalls = (client: WalletClient, { account }: Wallet): Promise<boolean> =>
  client.request({ method: 'wallet_getCapabilities', params: [account] }).then(
    (answer: unknown) => typeof answer === 'object' && answer !== null,
    () => false,
  )

/**
 * Asks for a bundle of one call, once.
 *
 * @source EIP-5792
 */
const sendBundle = async (
  client: WalletClient,
  { account }: Wallet,
  { chainId, to, valueWei, data }: CheckedPayment,
): Promise<string> => {
  const answer: unknown = await client.request(
    {
      method: 'wallet_sendCalls',
      params: [
        {
          version: '2.0.0',
          from: account,
          chainId: numberToHex(chainId),
          atomicRequired: false,
          calls: [{ to, value: numberToHex(valueWei), data }],
        },
      ],
    },
    { retryCount: 0 },
  )
  // Wallets of the method's first version return the id alone.
  const id = typeof answer === 'string' ? answer : readProperty(answer, 'id')
  if (typeof id !== 'string' || !id) throw new Error('the wallet answered without an id')
  return id
}

/** A payment, and the limit of its gas; undefined leaves that to the wallet. */
type PaymentToSend = CheckedPayment & { gas: bigint | undefined }

/**
 * Sends through the wallet's own method, once. viem's `sendTransaction` retries with another method when the
 * first answer is an unexpected error, which may come after the payment was sent.
 */
const sendPlain = async (
  client: WalletClient,
  { account }: Wallet,
  { chainId, to, valueWei, data, gas }: PaymentToSend,
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
 */
export const sendPayment = async (
  client: WalletClient,
  wallet: Wallet,
  payment: PaymentToSend,
): Promise<Answer> => {
  try {
    return { txId: await sendPlain(client, wallet, payment) }
  } catch (error) {
    if (!isUnsupported(error) || !(await hasCalls(client, wallet))) throw error
    const id = await sendBundle(client, wallet, payment)
    return { txId: id, callsId: id }
  }
}
