import { type Address, getAddress } from 'viem'
import type { Config, Connector } from 'wagmi'
import { getConnection, switchChain, watchConnection } from 'wagmi/actions'
import { within } from '../api/within.js'
import type { CheckedPayment } from '../chain/index.js'
import { classifyWalletError, isUnknownChain } from '../chain/walletError.js'
import { payError } from '../errors/payError.js'
import { addChain } from './addChain.js'
import { hasNode } from './node.js'

/** The wallet that will be asked, and what it says of itself right now. */
export type Wallet = { connector: Connector; account: Address; chainId: number }

// After a reload the app finds its wallet again by itself, which takes a moment.
const reconnectMs = 5_000
// A wallet tells its account and chain without asking anybody.
const answerMs = 15_000
// A buyer who has not agreed to another network by then has overlooked the wallet, or it has gone.
const switchMs = 120_000

const waitForConnection = (config: Config): Promise<void> => {
  const isSettling = (status: string): boolean => status === 'connecting' || status === 'reconnecting'
  if (!isSettling(getConnection(config).status)) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, reconnectMs)
    const stop = watchConnection(config, {
      onChange: ({ status }) => {
        if (!isSettling(status)) finish()
      },
    })
  })
}

/**
 * Asks the connected wallet itself for its account and chain: what an app remembers of them may be old.
 *
 * @throws {@link KassaError} `pay.not-connected`.
 */
export const getWallet = async (config: Config): Promise<Wallet> => {
  await waitForConnection(config)
  const { connector, status } = getConnection(config)
  if (status !== 'connected') throw payError('pay.not-connected', {})
  const [accounts, chainId] = await within(
    answerMs,
    Promise.all([connector.getAccounts(), connector.getChainId()]),
    () => payError('pay.not-connected', {}),
  )
  const account = accounts[0]
  if (!account) throw payError('pay.not-connected', {})
  return { connector, account: getAddress(account), chainId }
}

/**
 * Holds the wallet against the payment it will be asked to sign.
 *
 * @throws {@link KassaError} `pay.wrong-account`, `pay.wrong-chain`.
 */
export const checkWallet = (wallet: Wallet, { payerAddress, chain, chainId }: CheckedPayment): void => {
  if (payerAddress !== wallet.account) {
    throw payError('pay.wrong-account', { expected: payerAddress, connected: wallet.account })
  }
  if (wallet.chainId !== chainId) throw payError('pay.wrong-chain', { expected: chain })
}

const switchOrAdd = async (config: Config, { connector }: Wallet, chainId: number): Promise<void> => {
  try {
    await switchChain(config, { chainId, connector })
  } catch (error) {
    if (!isUnknownChain(error)) throw error
    await addChain(config, connector, chainId)
    await switchChain(config, { chainId, connector })
  }
}

/**
 * Brings the wallet to the chain of the payment, adding the chain to the wallet if it does not know it.
 *
 * @returns The wallet as it is after the switch, asked again: what it answered to the switch may not be true.
 * @throws {@link KassaError} `pay.chain-not-configured`, `pay.wrong-chain`, `pay.wallet-failed`.
 */
export const switchWallet = async (
  config: Config,
  wallet: Wallet,
  { chain, chainId }: CheckedPayment,
): Promise<Wallet> => {
  if (!hasNode(config, chainId)) throw payError('pay.chain-not-configured', { chain })
  if (wallet.chainId === chainId) return wallet
  const wrongChain = (cause?: unknown) => payError('pay.wrong-chain', { expected: chain }, { cause })
  try {
    await within(switchMs, switchOrAdd(config, wallet, chainId), wrongChain)
  } catch (cause) {
    const error = classifyWalletError(cause, chain)
    // Declined is the switch, not the payment: the buyer can still switch in the wallet.
    throw error.code === 'pay.rejected' ? wrongChain(cause) : error
  }
  return getWallet(config)
}
