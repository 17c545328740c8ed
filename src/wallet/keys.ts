import type { Client } from '../api/index.js'

type Kind = 'wallet' | 'wallet-tokens' | 'balances' | 'transactions' | 'transaction' | 'credential'

/** Names what is known of wallets in the query cache. It holds no key and no signature. */
export const walletKey = <Facts extends object>(
  kind: Kind,
  client: Pick<Client, 'baseUrl' | 'publicBaseUrl'>,
  facts: Facts,
) => ['kassa', kind, { baseUrl: client.publicBaseUrl ?? client.baseUrl, ...facts }] as const

/** Key of something of a wallet in the query cache. */
export type WalletKey = readonly ['kassa', Kind, { baseUrl: string }]
