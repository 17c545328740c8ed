import type { Client } from '../api/index.js'

type Kind = 'wallet' | 'wallet-tokens' | 'balances' | 'transactions' | 'transaction' | 'credential'

/** Returns a key for wallet data in the query cache. It contains no secret key and no signature. */
export const walletKey = <Facts extends object>(
  kind: Kind,
  client: Pick<Client, 'baseUrl' | 'publicBaseUrl'>,
  facts: Facts,
) => ['kassa', kind, { baseUrl: client.publicBaseUrl ?? client.baseUrl, ...facts }] as const

/** A key of wallet data in the query cache. */
export type WalletKey = readonly ['kassa', Kind, { baseUrl: string }]
