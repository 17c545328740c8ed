import type { ReactElement } from 'react'
import type { Order } from '../../../schema/index.js'

/** A balance of the connected wallet. */
export type Held = {
  currency: string
  /** Undefined until the chain has answered, and without a wallet. @units base units */
  units: bigint | undefined
  decimals: number
}

/** Props of what reads the balance of a wallet. */
export type BalanceProps = {
  payment: Order['payment']
  /** Whether to read the currency that pays the network's fees, instead of the order's. */
  isFee?: boolean
  children(held: Held): ReactElement
}

/** How often a balance is read, in milliseconds: money that arrives is noticed soon, and the node is spared. */
export const balanceRefetchInterval = 10_000
