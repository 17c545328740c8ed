import { type Address, type Hex, hexToBigInt, numberToHex, type PublicClient, size } from 'viem'
import type { WalletExecution } from '../../engine/evm/execution.js'
import type { Transaction, UserOperation } from '../../schema/index.js'

/** The terms an app agrees to for the fees of its users' smart wallets. */
export type FeeTerms = {
  /** Contracts that may pay an operation's fee instead of the wallet. By default none. */
  paymasters?: readonly string[] | undefined
  /** Contracts that may deploy a wallet as part of an operation. By default none. */
  factories?: readonly string[] | undefined
  /**
   * The highest fee that a wallet may pay for one operation. By default computed from the app's own node.
   *
   * @units Base units of the chain's native currency.
   */
  maxFeeWei?: bigint | undefined
}

/**
 * Returns the highest fee an operation may cost its wallet: all the gas it requests at the highest price it
 * offers.
 */
const getFeeWei = (operation: UserOperation): bigint => {
  if (operation.paymaster !== undefined) return 0n
  const gas =
    BigInt(operation.callGasLimit) +
    BigInt(operation.verificationGasLimit) +
    BigInt(operation.preVerificationGas)
  return gas * BigInt(operation.maxFeePerGas)
}

/**
 * Returns the highest fee a transaction may cost its wallet, which its signer agrees to by signing. It is 0
 * if the service or a paymaster pays.
 *
 * @returns Undefined for a transaction that is not a user operation, or an unreadable one.
 * @units Base units of the chain's native currency.
 */
export const getMaxFeeWei = (transaction: Transaction): bigint | undefined => {
  if (transaction.walletType !== 'evm-smart-wallet') return undefined
  try {
    return getFeeWei(transaction.onChain.userOperation)
  } catch {
    return undefined
  }
}

/** Verifying a passkey's signature, deploying the wallet, and the surrounding bundle take less than this. */
const overheadGas = 1_000_000n
/** The most gas per byte of an operation: stored on the chain and passed between contracts. */
const gasPerByte = 100n
/** The plausible multiple of the node's current values. The base fee doubles within six full blocks. */
const margin = 4n

/** The contract that returns the data fee of chains that post their data to another chain (OP Stack). */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const getL1Fee: Hex = '0x49948e0e'
/** The size of an operation without its calls, signed by a passkey. */
const operationBytes = 2_048

const toWord = (value: bigint): string => numberToHex(value, { size: 32 }).slice(2)

/** Reads a chain's fee for an operation's data beside its gas; 0 for a chain without one. */
const readDataFee = async (client: PublicClient, callData: Hex): Promise<bigint> => {
  const length = size(callData) + operationBytes
  const bytes = 'ff'.repeat(Math.ceil(length / 32) * 32)
  const data: Hex = `${getL1Fee}${toWord(32n)}${toWord(BigInt(length))}${bytes}`
  const answer = await client.call({ to: gasPriceOracle, data }).catch(() => undefined)
  return answer?.data && size(answer.data) === 32 ? hexToBigInt(answer.data) : 0n
}

/**
 * Returns the highest plausible fee of an operation: a multiple of the cost of its calls and gas according to
 * the app's own node.
 */
export const readFeeBound = async (
  client: PublicClient,
  { sender, callData, calls }: { sender: Address; callData: Hex; calls: readonly WalletExecution[] },
): Promise<bigint> => {
  // Estimates each call separately, because the wallet may not be deployed yet to call through.
  const estimates = calls.map((call) => client.estimateGas({ account: sender, ...call }))
  const [price, dataFee, ...gas] = await Promise.all([
    client.getGasPrice(),
    readDataFee(client, callData),
    ...estimates,
  ])
  const callGas = gas.reduce((sum, each) => sum + each, 0n)
  const maxGas = callGas * 2n + overheadGas + BigInt(size(callData)) * gasPerByte
  return margin * (maxGas * price + dataFee)
}
