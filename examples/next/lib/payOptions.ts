import type { Order } from 'kassa'
import { getFamily, type Network } from './networks'

/** The chain on which an order is paid, by the service's name. */
export type PayMethod = NonNullable<Order['payment']['method']>

/** What is paid for. */
export type Goods = {
  /** The chain of the goods. */
  chain: string
  /** The currency of their price. It comes first, because a payment in it needs no conversion. */
  currency?: string | undefined
  /** The only currencies to pay in; undefined for all that the networks have. */
  currencies?: readonly string[] | undefined
}

/** A currency a buyer can pay in, and the chain on which they pay. */
export type PayOption = {
  method: PayMethod
  currency: string
  /** The chain's display name. */
  network: string
}

/** Names an option in a form. */
export const getOptionValue = ({ method, currency }: { method: string; currency: string }): string =>
  `${method}:${currency.toLowerCase()}`

/**
 * Lists the networks on which an edition can be paid for: its own, and the first one that takes the other kind of
 * wallet.
 */
const getPayNetworks = (networks: readonly Network[], chain: string | undefined): Network[] => {
  const own = networks.find(({ name }) => name === chain)
  const other = networks.find(({ family }) => family !== getFamily(chain))
  return [own, other].filter((network) => network !== undefined)
}

/**
 * Lists the currencies to offer on a network: its native currency, then the tokens known on it. Beside the goods' own
 * network, the usual ones are enough.
 */
const getNetworkOptions = (network: Network, goods: Goods): PayOption[] => {
  const isOwn = network.name === goods.chain
  const isFirst = (currency: string): number => Number(isOwn && currency === goods.currency?.toLowerCase())
  // USDXM stands in for USDC on test networks that lack it.
  const isExtra = (currency: string): boolean =>
    currency === 'usdxm' ? 'usdc' in network.tokens : !isOwn && currency !== 'usdc'
  return (
    [network.nativeCurrency, ...Object.keys(network.tokens).filter((currency) => !isExtra(currency))]
      .filter((currency) => goods.currencies?.includes(currency) ?? true)
      .toSorted((one, other) => isFirst(other) - isFirst(one))
      // The service takes payments on each chain that it lists.
      .map((currency) => ({ method: network.name as PayMethod, currency, network: network.label }))
  )
}

/** Lists how goods can be paid for: currencies on their own chain first. */
export const getPayOptions = (networks: readonly Network[], goods: Goods): PayOption[] =>
  getPayNetworks(networks, goods.chain).flatMap((network) => getNetworkOptions(network, goods))
