import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeDeployData,
  erc20Abi,
  getAddress,
  hexToBigInt,
  type PublicClient,
  size,
  slice,
  zeroAddress,
} from 'viem'
import type { Statement, StatementInput } from '#base/ports/chain.js'
import { Balances } from '../artifacts/Balances.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import { isNodeFailure } from '../connection/rpc.js'
import type { PaymentContracts } from './orderPayments.js'

/**
 * Reads the coin balances of addresses in one request. Nodes limit the answer to the size of a contract: 768
 * addresses.
 */
const readBalances = async (
  client: PublicClient,
  owners: readonly Address[],
  blockNumber: bigint,
): Promise<bigint[]> => {
  const { data = '0x' } = await client.call({
    data: encodeDeployData({ ...Balances, args: [owners] }),
    blockNumber,
  })
  if (size(data) !== owners.length * 32) throw new Error('the node did not tell the balance of each address')
  return owners.map((_, at) => hexToBigInt(slice(data, at * 32, at * 32 + 32)))
}

type Holding = Statement['held'][number]

/**
 * Reads what reached deposit addresses outside every payment method: coins, which leave no log, and foreign
 * tokens.
 */
export const readUnattributedFunds = async (
  { client, blockNumber }: { client: PublicClient; blockNumber: bigint },
  { depositFactory, currencies }: PaymentContracts,
  input: StatementInput,
): Promise<Holding[]> => {
  const native = currencies.find(({ address }) => !address)?.currency ?? ''
  const deposits = input.map(({ orderId }) => getCloneAddress(depositFactory, toReference(orderId)))
  const coins = await readBalances(client, deposits, blockNumber)
  const unattributedFunds: Holding[] = []
  for (const [at, { orderId, foreignTokens = [] }] of input.entries()) {
    const deposit = deposits[at] ?? zeroAddress
    unattributedFunds.push({ orderId, currency: native, units: coins[at] ?? 0n })
    const tokens = foreignTokens.map(async (token) => {
      const question = { abi: erc20Abi, functionName: 'balanceOf', args: [deposit], blockNumber } as const
      const units = await client.readContract({ address: getAddress(token), ...question }).catch((error) => {
        // A contract that claims to be a token may return anything or nothing, or make the node's EVM fail.
        const isItsOwn =
          error instanceof BaseError &&
          error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null
        if (isNodeFailure(error) && !isItsOwn) throw error
        return 0n
      })
      return { orderId, currency: token, units }
    })
    unattributedFunds.push(...(await Promise.all(tokens)))
  }
  return unattributedFunds
}
