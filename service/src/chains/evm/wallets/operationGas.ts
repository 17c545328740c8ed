import type { UserOperation } from 'kassa/schema'
import { encodeFunctionData, type Hex, type PublicClient, size } from 'viem'
import type { WalletSigner } from '../../walletPort.js'
import { walletDeployments } from '../addresses.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { readDataFee } from '../dataFee.js'
import { type Fees, priceOf } from '../fees.js'
import { packOperation } from './userOperation.js'

/** How much gas an operation asks for. */
export type OperationGas = Record<'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas', bigint>

/** All of it. */
export const sumGas = (gas: OperationGas): bigint =>
  gas.callGasLimit + gas.verificationGasLimit + gas.preVerificationGas

/**
 * What checking a signature takes at most. A chain without a precompile for P-256 (RIP-7212) computes it in the
 * contract.
 */
const verificationGas: Record<WalletSigner['kind'], bigint> = { account: 100_000n, passkey: 500_000n }
/** What it takes to carry a byte of the calls from contract to contract before anything is called. */
const verificationGasPerByte = 2n
/** How long signatures are: what is written to the chain is paid for by the byte. */
const signatureBytes: Record<WalletSigner['kind'], number> = { account: 65, passkey: 700 }

const creationGas = 230_000n
/** What a bundle costs by itself, and what the EntryPoint does for one operation beside what is measured. */
const bundleGas = 45_000n
/** The most that a byte of calldata costs. */
const gasPerByte = 40n

/** How much gas the calls are given: more than they need now, for they may meet another state. */
const withMargin = (needed: bigint): bigint => (needed * 3n) / 2n + 20_000n

/**
 * Limits an operation's gas.
 *
 * @param needed - How much its calls used when they were tried out.
 * @param isInPlace - Whether its wallet stands there already; else putting it there is part of it.
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
 * What the data of an operation costs whoever bundles it beside gas, in gas: an operation has no other way to pay for
 * it.
 *
 * @param asked - What the chain asks for its gas now.
 */
export const readDataGas = async (
  client: PublicClient,
  chainId: number,
  { operation, signer, gas }: { operation: UserOperation; signer: WalletSigner['kind']; gas: bigint },
  asked: Fees,
): Promise<bigint> => {
  const signature = `0x${'ff'.repeat(signatureBytes[signer])}`
  const { address } = walletDeployments.entryPoint
  const args = [[packOperation({ ...operation, signature })], address] as const
  const data = encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args })
  const fee = await readDataFee(client, chainId, { to: address, data, gas, fees: asked })
  const price = priceOf(asked)
  return price ? (fee + price - 1n) / price : 0n
}
