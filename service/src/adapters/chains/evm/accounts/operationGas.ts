import type { UserOperation } from 'kassa/schema'
import { encodeFunctionData, type Hex, type PublicClient, size } from 'viem'
import type { WalletSigner } from '#base/ports/operations.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { walletDeployments } from '../connection/addresses.js'
import { readDataFee } from '../connection/dataFee.js'
import { type Fees, priceOf } from '../connection/fees.js'
import { packOperation } from './userOperation.js'

/** The gas limits of an operation. */
export type OperationGas = Record<'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas', bigint>

/** Returns the gas of an operation's three limits together. */
export const sumGas = (gas: OperationGas): bigint =>
  gas.callGasLimit + gas.verificationGasLimit + gas.preVerificationGas

/**
 * The most gas that verifying a signature takes. A chain without a precompile for P-256 (RIP-7212) computes
 * it in the contract.
 */
const verificationGas: Record<WalletSigner['kind'], bigint> = { account: 100_000n, passkey: 500_000n }
/** The gas for passing a byte of the calls between contracts before any call is made. */
const verificationGasPerByte = 2n
/** The lengths of signatures, because calldata is paid for by the byte. */
const signatureBytes: Record<WalletSigner['kind'], number> = { account: 65, passkey: 700 }

const creationGas = 230_000n
/** The fixed cost of a bundle, and the EntryPoint's unmetered work for an operation. */
const bundleGas = 45_000n
/** The highest price of a byte of calldata. */
const gasPerByte = 40n

/** Adds a margin to the gas of the calls, because the state may change. */
const withMargin = (needed: bigint): bigint => (needed * 3n) / 2n + 20_000n

/**
 * Sets an operation's gas limits.
 *
 * @param needed - The gas that its calls used in the estimate.
 * @param isInPlace - Whether its wallet is deployed. If not, the operation's gas covers the deployment.
 */
export const limitGas = (
  callData: Hex,
  { signer, needed, isInPlace }: { signer: WalletSigner['kind']; needed: bigint; isInPlace: boolean },
): OperationGas => {
  const callBytes = BigInt(size(callData))
  const written = (callBytes + BigInt(signatureBytes[signer])) * gasPerByte
  return {
    callGasLimit: withMargin(needed),
    verificationGasLimit: verificationGas[signer] + callBytes * verificationGasPerByte,
    preVerificationGas: bundleGas + written + (isInPlace ? 0n : creationGas),
  }
}

/**
 * Converts the fee that the chain charges the bundler for an operation's data into gas, because an operation
 * has no other way to pay for it.
 *
 * @param chain.asked - The chain's current fees.
 */
export const readDataGas = async (
  client: PublicClient,
  { chainId, asked }: { chainId: number; asked: Fees },
  { operation, signer, gas }: { operation: UserOperation; signer: WalletSigner['kind']; gas: bigint },
): Promise<bigint> => {
  const signature = `0x${'ff'.repeat(signatureBytes[signer])}`
  const { address } = walletDeployments.entryPoint
  const args = [[packOperation({ ...operation, signature })], address] as const
  const data = encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args })
  const fee = await readDataFee(client, chainId, { to: address, data, gas, fees: asked })
  const price = priceOf(asked)
  return price ? (fee + price - 1n) / price : 0n
}
