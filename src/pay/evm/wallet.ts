import { type Address, getAddress, numberToHex } from 'viem'
import type { Config, Connector } from 'wagmi'
import { getAccount, switchChain, watchAccount } from 'wagmi/actions'
import { withTimeout } from '../../api/withTimeout.js'
import { classifyWalletError, isUnknownChain } from '../../chain/evm/walletError.js'
import type { CheckedPayment } from '../../chain/index.js'
import { payError } from '../../errors/payError.js'
import { hasNode } from './node.js'

type Provider = { request(call: { method: string; params: unknown[] }): Promise<unknown> }

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/**
 * Adds a chain that a wallet does not know, as the app's wagmi configuration describes it.
 *
 * @source EIP-3085
 */
const addChain = async (config: Config, connector: Connector, chainId: number): Promise<void> => {
  const chain = config.chains.find(({ id }) => id === chainId)
  const provider = await connector.getProvider()
  if (!chain || !isProvider(provider)) return
  const explorerUrl = chain.blockExplorers?.default.url
  await provider.request({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: numberToHex(chainId),
        chainName: chain.name,
        nativeCurrency: chain.nativeCurrency,
        rpcUrls: chain.rpcUrls.default.http,
        ...(explorerUrl && { blockExplorerUrls: [explorerUrl] }),
      },
    ],
  })
}

/** The wallet that will be asked, with its current account and chain. */
export type Wallet = { connector: Connector; account: Address; chainId: number }

// After a reload the app reconnects its wallet, which takes a moment.
const reconnectMs = 5_000
// A wallet returns its account and chain without asking its owner.
const answerMs = 15_000
// A buyer who has not agreed to the network switch by then has overlooked it, or the wallet is gone.
const switchMs = 120_000

const waitForConnection = (config: Config): Promise<void> => {
  const isSettling = (status: string): boolean => status === 'connecting' || status === 'reconnecting'
  if (!isSettling(getAccount(config).status)) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, reconnectMs)
    const stop = watchAccount(config, {
      onChange: ({ status }) => {
        if (!isSettling(status)) finish()
      },
    })
  })
}

/**
 * Asks the connected wallet for its account and chain, because the app's copy may be outdated.
 *
 * @throws {@link KassaError} `pay.not-connected`.
 */
export const getWallet = async (config: Config): Promise<Wallet> => {
  await waitForConnection(config)
  const { connector, status } = getAccount(config)
  if (status !== 'connected') throw payError('pay.not-connected', {})
  const [accounts, chainId] = await withTimeout(
    answerMs,
    Promise.all([connector.getAccounts(), connector.getChainId()]),
    () => payError('pay.not-connected', {}),
  )
  const account = accounts[0]
  if (!account) throw payError('pay.not-connected', {})
  return { connector, account: getAddress(account), chainId }
}

/**
 * Checks the wallet against the payment it will be asked to sign.
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
 * Switches the wallet to the payment's chain, and adds the chain if the wallet does not know it.
 *
 * @returns The wallet after the switch, asked again, because its answer to the switch may be wrong.
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
    await withTimeout(switchMs, switchOrAdd(config, wallet, chainId), wrongChain)
  } catch (cause) {
    const error = classifyWalletError(cause, chain)
    // The buyer declined the switch, not the payment, and can still switch in the wallet.
    throw error.code === 'pay.rejected' ? wrongChain(cause) : error
  }
  return getWallet(config)
}
