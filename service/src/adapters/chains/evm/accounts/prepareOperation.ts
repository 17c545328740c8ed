import { describeRevert, encodeExecution, explainWalletLack, hashOperation } from 'kassa/engine'
import type { UserOperation } from 'kassa/schema'
import { type Address, type Hex, numberToHex, type PublicClient } from 'viem'
import type { EncodedCall } from '#base/ports/calls.js'
import type { PreparedOperation, SmartWalletRef } from '#base/ports/operations.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { getCloneCode, walletDeployments } from '../connection/addresses.js'
import { offerFees, priceOf, readBlockTerms } from '../connection/fees.js'
import { decodeRevert, readCallData, readRevertData } from '../connection/readRevert.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { explainLength, explainMisfit, maxSponsoredGas } from '../outbox/signCall.js'
import { limitGas, type OperationGas, readDataGas, sumGas } from './operationGas.js'
import { getSmartWalletAddress } from './smartWalletAddress.js'

type Input = {
  wallet: SmartWalletRef
  calls: readonly EncodedCall[]
  nonce: bigint
  isSponsored: boolean
}

type Trial = { gas: bigint } | { reason: string; data: Hex | undefined }

const entryPoint = walletDeployments.entryPoint.address

/**
 * The size limit of the calls. It leaves room for the rest of the operation and for the wallet's deployment.
 */
const maxCallBytes = 80_000

const refuse = (reason: string, data?: Hex): PreparedOperation => ({
  status: 'reverted',
  ...describeRevert('contract_call', reason, data),
})

const refuseGas = (reason: string): PreparedOperation => ({
  status: 'reverted',
  ...describeRevert('wallet_authorization', reason),
})

type TrialInput = {
  sender: Address
  callData: Hex
  /** Whether the wallet is deployed. */
  isInPlace: boolean
  errors: readonly unknown[]
}

const tryOut = async (
  client: PublicClient,
  { sender, callData, isInPlace, errors }: TrialInput,
): Promise<Trial> => {
  const code = getCloneCode(walletDeployments.smartWallet.address)
  const call = {
    account: entryPoint,
    to: sender,
    data: callData,
    ...(!isInPlace && { stateOverride: [{ address: sender, code }] }),
  }
  try {
    return { gas: await client.estimateGas(call) }
  } catch (error) {
    const revert = readRevertData(error)
    if (!revert) throw error
    // Some nodes omit the contract's answer from an estimate.
    const data = revert.data ?? (await readCallData(client, call))
    return { reason: decodeRevert(data, errors), data }
  }
}

/** Reads what a wallet can spend: its coins and its deposit at the EntryPoint. */
const readSpare = async (client: PublicClient, sender: Address, balance: bigint): Promise<bigint> => {
  const functionName = 'balanceOf' as const
  return (
    balance +
    (await client.readContract({ address: entryPoint, ...EntryPoint, functionName, args: [sender] }))
  )
}

/** Simulates calls as the wallet would make them, and builds an operation whose hash is the EntryPoint's. */
export const prepareOperation = async (
  client: PublicClient,
  { chain, chainId, maxFeePerGas: ceiling }: EvmChainOptions,
  { wallet, calls, nonce, isSponsored }: Input,
): Promise<PreparedOperation> => {
  const sender = getSmartWalletAddress(wallet)
  const callData = encodeExecution(calls)
  const excess = explainLength(callData, maxCallBytes)
  if (excess !== undefined) return refuse(excess)
  const [code, balance, { gasLimit, asked }] = await Promise.all([
    client.getCode({ address: sender }),
    client.getBalance({ address: sender }),
    readBlockTerms(client),
  ])
  const errors = calls.flatMap((call) => call.errors ?? [])
  const isInPlace = code !== undefined
  const trial = await tryOut(client, { sender, callData, isInPlace, errors })
  const valueWei = calls.reduce((sum, { value }) => sum + value, 0n)
  if ('reason' in trial) {
    const isShort = decodeRevert(undefined) === trial.reason && balance < valueWei
    return refuse(
      isShort ? explainWalletLack({ heldWei: balance, sentWei: valueWei }) : trial.reason,
      trial.data,
    )
  }
  const { kind: signer } = wallet.signer
  const limits = limitGas(callData, { signer, needed: trial.gas, isInPlace })
  const fees = isSponsored ? undefined : offerFees(chain, asked, ceiling)
  const price = fees ? priceOf(fees) : 0n
  const make = (gas: OperationGas): UserOperation => ({
    sender,
    nonce: numberToHex(nonce),
    callData,
    callGasLimit: numberToHex(gas.callGasLimit),
    verificationGasLimit: numberToHex(gas.verificationGasLimit),
    preVerificationGas: numberToHex(gas.preVerificationGas),
    maxFeePerGas: numberToHex(price),
    maxPriorityFeePerGas: numberToHex(fees?.type === 'eip1559' ? fees.maxPriorityFeePerGas : price),
    signature: '0x',
  })
  const gas = sumGas(limits)
  const misfit = explainMisfit(gas, gasLimit)
  if (misfit !== undefined) return refuse(misfit)
  if (isSponsored && gas > maxSponsoredGas) {
    return refuseGas(`it needs ${gas} gas, more than the ${maxSponsoredGas} that the service pays for`)
  }
  const dataGas = fees
    ? await readDataGas(client, { chainId, asked }, { operation: make(limits), signer, gas })
    : 0n
  const spareWei = fees ? await readSpare(client, sender, balance) : balance
  const maxCost = (gas + dataGas) * price
  if (spareWei < maxCost) {
    return refuseGas(`the wallet holds ${spareWei} wei, but its gas may cost ${maxCost}`)
  }
  const operation = make({ ...limits, preVerificationGas: limits.preVerificationGas + dataGas })
  return { status: 'ready', operation, hash: hashOperation(operation, chainId), spareWei }
}
