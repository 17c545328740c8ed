import type { Address, Hex } from 'viem'
import type { PaymentRules } from '../../../src/chain/index.js'
import type { Order } from '../../../src/schema/index.js'
import {
  contracts,
  nativeOrder,
  nativeTransaction,
  tokenOrder,
  tokenTransaction,
} from '../../chain/evm/payable.js'

/** A valid order, the transaction that pays for it, and what the app knows independently of the service. */
export type Scenario = {
  name: string
  isToken: boolean
  rules: PaymentRules
  order: Order
  /** The same order with its transaction changed, or with other bytes in its place. */
  make(change?: Parameters<typeof nativeOrder>[0]): Order
  transaction: {
    type: 'eip1559'
    chainId: number
    gas: bigint
    maxFeePerGas: bigint
    maxPriorityFeePerGas: bigint
    to: Address
    value: bigint
    data: Hex
  }
}

const native = { isToken: false, order: nativeOrder(), make: nativeOrder, transaction: nativeTransaction }
const token = {
  isToken: true,
  order: tokenOrder(),
  make: tokenOrder,
  transaction: { value: 0n, ...tokenTransaction },
}

/** What an honest service would answer, in the ways that differ for the checks. */
export const scenarios: Scenario[] = [
  { name: 'native', rules: { contracts }, ...native },
  { name: 'token', rules: { contracts }, ...token },
  { name: 'native, no contracts named', rules: {}, ...native },
  { name: 'token, no contracts named', rules: {}, ...token },
]
