import { type Client, type Hex, parseAbi } from 'viem'
import { getGasPrice, readContract } from 'viem/actions'
import type { EvmChainName, Order } from '../../schema/index.js'
import { readPreparation } from './preparation.js'

/** The rollups of the OP Stack, whose fee has a part for publishing the transaction on Ethereum. */
const opStack: ReadonlySet<EvmChainName> = new Set([
  'base',
  'base-sepolia',
  'mode',
  'mode-sepolia',
  'optimism',
  'optimism-sepolia',
  'shape',
  'shape-sepolia',
  'soneium-minato-testnet',
  'zora',
  'zora-sepolia',
])

/** The contract that every chain of the OP Stack has at this address. */
const gasPriceOracle = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)'])

const estimateDataFee = (client: Client, transaction: Hex): Promise<bigint> =>
  readContract(client, {
    address: gasPriceOracle,
    abi: oracleAbi,
    functionName: 'getL1Fee',
    args: [transaction],
    // A chain on a developer's machine lacks the contract, and charges no such fee.
  }).catch(() => 0n)

/**
 * Estimates the network fee of an order's prepared payment: its gas at the current price, and on a rollup of the OP
 * Stack the fee for publishing it.
 *
 * @returns Wei of the chain's native currency; undefined if nothing is prepared, or it names no gas.
 * @throws {@link KassaError} as `readPreparation` does, and viem's errors if the node does not answer.
 */
export const estimateFee = async (client: Client, payment: Order['payment']): Promise<bigint | undefined> => {
  const transaction = payment.preparation?.serializedTransaction
  const prepared = readPreparation({ payment })
  if (prepared?.gas === undefined || transaction === undefined) return undefined
  const [gasPrice, dataFee] = await Promise.all([
    getGasPrice(client),
    // `readPreparation` has decoded it, so it is hex.
    opStack.has(prepared.chain) ? estimateDataFee(client, transaction as Hex) : 0n,
  ])
  return prepared.gas * gasPrice + dataFee
}
