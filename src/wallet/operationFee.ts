import { type Address, type Hex, hexToBigInt, numberToHex, type PublicClient, size } from 'viem'
import type { Transaction, UserOperation } from '../schema/index.js'

/** What an app agrees to for the fees of its users' smart wallets. */
export type FeeTerms = {
  /** Contracts that may pay an operation's fee in the wallet's place. None by default. */
  paymasters?: readonly string[] | undefined
  /** Contracts that may put a wallet in place as part of an operation. None by default. */
  factories?: readonly string[] | undefined
  /**
   * The most that a wallet may pay for one operation. By default it is worked out by what the app's own node says.
   *
   * @units Base units of the chain's native currency.
   */
  maxFeeWei?: bigint | undefined
}

/**
 * Returns the most that an operation may take out of its wallet for its fee: all the gas it asks for, at the highest
 * price it offers.
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
 * Returns the most that a transaction may take out of its wallet for its fee, which its signer agrees to by signing. It
 * is 0 where the service or a paymaster pays.
 *
 * @returns Undefined for what is no user operation, or one that cannot be read.
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

/** A call of a wallet, as its operation makes it. */
export type WalletExecution = { target: Address; value: bigint; data: Hex }

/** Checking a passkey's signature, putting the wallet in place, and the bundle around it take less than this. */
const overheadGas = 1_000_000n
/** What a byte of an operation takes at most: written to the chain, and carried from contract to contract. */
const gasPerByte = 100n
/** How many times what the node says now is still believable: the base fee doubles within six full blocks. */
const margin = 4n

/** Where chains that write their data to another chain (OP Stack) tell what that costs. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const getL1Fee: Hex = '0x49948e0e'
/** An operation without its calls, signed by a passkey. */
const operationBytes = 2_048

const toWord = (value: bigint): string => numberToHex(value, { size: 32 }).slice(2)

/** Reads what a chain takes for an operation's data beside its gas; 0 on a chain that takes nothing. */
const readDataFee = async (client: PublicClient, callData: Hex): Promise<bigint> => {
  const length = size(callData) + operationBytes
  const bytes = 'ff'.repeat(Math.ceil(length / 32) * 32)
  const data: Hex = `${getL1Fee}${toWord(32n)}${toWord(BigInt(length))}${bytes}`
  const answer = await client.call({ to: gasPriceOracle, data }).catch(() => undefined)
  return answer?.data && size(answer.data) === 32 ? hexToBigInt(answer.data) : 0n
}

/**
 * Reads the highest fee that is believable for an operation: several times what the calls and the gas cost by what the
 * app's own node says now.
 */
export const readFeeBound = async (
  client: PublicClient,
  { sender, callData, calls }: { sender: Address; callData: Hex; calls: readonly WalletExecution[] },
): Promise<bigint> => {
  // Each call on its own: the wallet may not be in place yet, and is called through nothing.
  const estimates = calls.map(({ target, value, data }) =>
    client.estimateGas({ account: sender, to: target, value, data }),
  )
  const [price, dataFee, ...gas] = await Promise.all([
    client.getGasPrice(),
    readDataFee(client, callData),
    ...estimates,
  ])
  const callGas = gas.reduce((sum, each) => sum + each, 0n)
  const mostGas = callGas * 2n + overheadGas + BigInt(size(callData)) * gasPerByte
  return margin * (mostGas * price + dataFee)
}
