import {
  BaseError,
  ContractFunctionRevertedError,
  erc20Abi,
  getAddress,
  type PublicClient,
  zeroAddress,
} from 'viem'
import type { Statement, StatementInput } from '../../port.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import { isAway } from '../connection/rpc.js'
import type { PaymentContracts } from './orderPayments.js'
import { readBalances } from './readBalances.js'

type Holding = Statement['held'][number]

/**
 * Reads what reached deposit addresses outside every payment method: coins, which leave no log, and foreign
 * tokens.
 */
export const readStrays = async (
  client: PublicClient,
  { depositFactory, currencies }: PaymentContracts,
  input: StatementInput,
  blockNumber: bigint,
): Promise<Holding[]> => {
  const native = currencies.find(({ address }) => !address)?.currency ?? ''
  const deposits = input.map(({ orderId }) => getCloneAddress(depositFactory, toReference(orderId)))
  const coins = await readBalances(client, deposits, blockNumber)
  const strays: Holding[] = []
  for (const [at, { orderId, foreignTokens = [] }] of input.entries()) {
    const deposit = deposits[at] ?? zeroAddress
    strays.push({ orderId, currency: native, units: coins[at] ?? 0n })
    const tokens = foreignTokens.map(async (token) => {
      const question = { abi: erc20Abi, functionName: 'balanceOf', args: [deposit], blockNumber } as const
      const units = await client.readContract({ address: getAddress(token), ...question }).catch((error) => {
        // A contract that claims to be a token may return anything or nothing, or make the node's EVM fail.
        const isItsOwn =
          error instanceof BaseError &&
          error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null
        if (isAway(error) && !isItsOwn) throw error
        return 0n
      })
      return { orderId, currency: token, units }
    })
    strays.push(...(await Promise.all(tokens)))
  }
  return strays
}
