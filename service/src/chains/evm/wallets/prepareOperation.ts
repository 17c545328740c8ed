import { type Address, type Hex, numberToHex, type PublicClient, size } from 'viem'
import type { EncodedCall, PreparedOperation, SmartWalletRef, WalletSigner } from '../../walletPort.js'
import { getCloneCode, walletDeployments } from '../addresses.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { offerFees, readBlockTerms } from '../fees.js'
import { readCallData, readRevertData } from '../readRevert.js'
import { explainLength, explainMisfit } from '../signCall.js'
import { decodeRevert, describeRevert } from './decodeRevert.js'
import { encodeExecution } from './encodeExecution.js'
import { getSmartWalletAddress } from './smartWalletAddress.js'
import { hashOperation } from './userOperation.js'

type Input = {
  wallet: SmartWalletRef
  calls: readonly EncodedCall[]
  nonce: bigint
  isSponsored: boolean
}

type Trial = { gas: bigint } | { reason: string; data: Hex | undefined }

const entryPoint = walletDeployments.entryPoint.address

/**
 * What checking a signature takes at most. A chain without a precompile for P-256 (RIP-7212) computes it in the
 * contract.
 */
const verificationGas: Record<WalletSigner['kind'], bigint> = { account: 100_000n, passkey: 500_000n }
/** What it takes to carry a byte of the calls from contract to contract before anything is called. */
const verificationGasPerByte = 2n
/** How long signatures are: what is written to the chain is paid for by the byte. */
const signatureBytes: Record<WalletSigner['kind'], bigint> = { account: 65n, passkey: 700n }

const creationGas = 230_000n
/** What a bundle costs by itself, and what the EntryPoint does for one operation beside what is measured. */
const bundleGas = 45_000n
/** The most bytes of calls: there is room for the rest of their operation, and what puts their wallet in place. */
const mostCallBytes = 110_000
/** The most that a byte of calldata costs. */
const gasPerByte = 40n

/** How much gas the calls are given: more than they need now, for they may meet another state. */
const withMargin = (needed: bigint): bigint => (needed * 3n) / 2n + 20_000n

const refuse = (reason: string, data?: Hex): PreparedOperation => ({
  status: 'reverted',
  ...describeRevert('contract_call', reason, data),
})

const tryOut = async (
  client: PublicClient,
  sender: Address,
  callData: Hex,
  isInPlace: boolean,
  errors: readonly unknown[],
): Promise<Trial> => {
  const code = getCloneCode(walletDeployments.smartWallet.address)
  const call = {
    ...{ account: entryPoint, to: sender, data: callData },
    ...(!isInPlace && { stateOverride: [{ address: sender, code }] }),
  }
  try {
    return { gas: await client.estimateGas(call) }
  } catch (error) {
    const revert = readRevertData(error)
    if (!revert) throw error
    // Nodes that estimate may keep to themselves what the contract said.
    const data = revert.data ?? (await readCallData(client, call))
    return { reason: decodeRevert(data, errors), data }
  }
}

/** What a wallet has to have for an operation that pays for its own gas, and has not. */
const explainLack = async (
  client: PublicClient,
  sender: Address,
  balance: bigint,
  mostCost: bigint,
): Promise<string | undefined> => {
  const deposit = await client.readContract({
    address: entryPoint,
    ...EntryPoint,
    functionName: 'balanceOf',
    args: [sender],
  })
  return balance + deposit < mostCost
    ? `the wallet holds ${balance + deposit} wei, and its gas may cost ${mostCost}`
    : undefined
}

/** Tries calls out as the wallet would make them, and makes an operation of them whose hash is the EntryPoint's. */
export const prepareOperation = async (
  client: PublicClient,
  { chain, chainId, maxFeePerGas: ceiling }: EvmChainOptions,
  { wallet, calls, nonce, isSponsored }: Input,
): Promise<PreparedOperation> => {
  const sender = getSmartWalletAddress(wallet)
  const callData = encodeExecution(calls)
  const excess = explainLength(callData, mostCallBytes)
  if (excess !== undefined) return refuse(excess)
  const [code, balance, { gasLimit, asked }] = await Promise.all([
    client.getCode({ address: sender }),
    client.getBalance({ address: sender }),
    readBlockTerms(client),
  ])
  const errors = calls.flatMap((call) => call.errors ?? [])
  const trial = await tryOut(client, sender, callData, code !== undefined, errors)
  const valueWei = calls.reduce((sum, { value }) => sum + value, 0n)
  if ('reason' in trial) {
    const isShort = decodeRevert(undefined) === trial.reason && balance < valueWei
    return refuse(
      isShort ? `the wallet holds ${balance} wei, and the calls send ${valueWei}` : trial.reason,
      trial.data,
    )
  }
  const { kind } = wallet.signer
  const callGasLimit = withMargin(trial.gas)
  const callBytes = BigInt(size(callData))
  const verificationGasLimit = verificationGas[kind] + callBytes * verificationGasPerByte
  const written = (callBytes + signatureBytes[kind]) * gasPerByte
  const preVerificationGas = bundleGas + written + (code === undefined ? creationGas : 0n)
  const gas = callGasLimit + verificationGasLimit + preVerificationGas
  const misfit = explainMisfit(gas, gasLimit)
  if (misfit !== undefined) return refuse(misfit)
  const fees = isSponsored ? undefined : offerFees(chain, asked, ceiling)
  const price = fees?.type === 'legacy' ? fees.gasPrice : (fees?.maxFeePerGas ?? 0n)
  const lack = fees && (await explainLack(client, sender, balance, gas * price))
  if (lack !== undefined) {
    return { status: 'reverted', ...describeRevert('wallet_authorization', lack) }
  }
  const operation = {
    sender,
    nonce: numberToHex(nonce),
    callData,
    callGasLimit: numberToHex(callGasLimit),
    verificationGasLimit: numberToHex(verificationGasLimit),
    preVerificationGas: numberToHex(preVerificationGas),
    maxFeePerGas: numberToHex(price),
    maxPriorityFeePerGas: numberToHex(fees?.type === 'eip1559' ? fees.maxPriorityFeePerGas : price),
    signature: '0x',
  }
  return { status: 'ready', operation, hash: hashOperation(operation, chainId) }
}
