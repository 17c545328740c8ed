import { openStorage, type WebStorage } from '../chain/attemptStore.js'
import type { SolanaToken } from '../chain/solana/tokens.js'
import { createWallets } from '../pay/solana/createWallets.js'
import type { SolanaPayments } from '../pay/solanaPayments.js'

/** Parameters of {@link solana}. */
export type SolanaParameters = {
  /** The address of a node's JSON-RPC interface that allows requests from browsers. */
  rpcUrl: string
  /** The cluster that the node belongs to. By default `mainnet`. */
  cluster?: 'mainnet' | 'devnet' | 'testnet' | 'localnet' | undefined
  /**
   * The address of the service's operator, from `kassa-service contracts`. With it, payments go only to the accounts
   * of their orders, even if an attacker answers in the service's place.
   */
  operator?: string | undefined
  /** Tokens beside USDC on the main network, by currency in lower case. Checkouts pay only in known tokens. */
  tokens?: Readonly<Record<string, SolanaToken>> | undefined
  /** The address of a block explorer, whose transactions are below `/tx/`. By default Solana's own. */
  explorerUrl?: string | undefined
  /** Where the name of the connected wallet is stored. By default localStorage. */
  storage?: WebStorage | undefined
  /** Sends the requests to the node, for example with another header. By default the browser's `fetch`. */
  fetch?: typeof fetch | undefined
}

/**
 * Lets checkouts take payments on Solana, from any wallet of Wallet Standard. What checks and follows payments loads
 * when an order is paid on Solana. Create it outside components, and give it to `CheckoutProvider` as `solana`.
 *
 * @example
 * ```ts
 * import { solana } from 'kassa/solana'
 *
 * export const onSolana = solana({
 *   rpcUrl: 'https://rpc.example.com',
 *   operator: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
 * })
 * ```
 */
export const solana = ({
  rpcUrl,
  cluster = 'mainnet',
  operator,
  tokens,
  explorerUrl,
  storage = openStorage(),
  fetch,
}: SolanaParameters): SolanaPayments => {
  const chain = `solana:${cluster}`
  const rules = { operator, tokens }
  const wallets = createWallets(chain, storage)
  const open = async () => {
    const { openSolana } = await import('../pay/solana/openSolana.js')
    return openSolana({ rpcUrl, fetch, wallets, rules, chain })
  }
  const hasExplorer = explorerUrl !== undefined || cluster !== 'localnet'
  const explorer = explorerUrl ?? 'https://explorer.solana.com'
  const query = explorerUrl === undefined && cluster !== 'mainnet' ? `?cluster=${cluster}` : ''
  const known = cluster === 'mainnet' ? ['usdc'] : []
  return {
    wallets,
    isTestnet: cluster !== 'mainnet',
    currencies: [
      ...new Set(['sol', ...known, ...Object.keys(tokens ?? {}).map((name) => name.toLowerCase())]),
    ],
    getTransactionUrl: (txId) =>
      hasExplorer
        ? `${explorer.replace(/(?<!\/)\/+$/, '')}/tx/${encodeURIComponent(txId)}${query}`
        : undefined,
    getBalance: async (address, currency) => (await open()).getBalance(address, currency),
    openFamily: open,
  }
}
