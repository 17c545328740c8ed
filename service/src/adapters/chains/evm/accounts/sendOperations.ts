import { type Address, encodeFunctionData, getAddress, isAddressEqual, keccak256, stringToBytes } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { BundleResult, SmartWalletRef } from '#base/ports/operations.js'
import type { WalletResult } from '#base/ports/write.js'
import { attemptKey, type WriteResult } from '#base/ports/write.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { WalletFactory } from '../artifacts/WalletFactory.js'
import { walletDeployments } from '../connection/addresses.js'
import type { Connection } from '../connection/connect.js'
import { readCallData, showKnownError } from '../connection/readRevert.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { toHex } from '../outbox/signed.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import {
  findOperation,
  type OperationSight,
  readOperationResult,
  type SignedOperation,
} from './operationResult.js'
import { readFailedOperation } from './readFailedOperation.js'
import { getCreation, getSmartWalletAddress } from './smartWalletAddress.js'
import { packOperation } from './userOperation.js'

type Parts = {
  opened: Connection
  chain: { chain: string; confirmations: number }
  /** The bundler, which receives what operations pay for their gas. */
  operator: Address
  wallet: SmartWalletRef
  onSent: (() => void) | undefined
}

/** How many times to send a bundle that fails for a reason of the bundle. */
const maxAttempts = 3

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

const mayBeTakenBack = ({ chain: { chain } }: Parts): ServiceError =>
  later(`${chain} may still take back an operation of the bundle`)

const makeCall = async (
  { opened, operator, wallet }: Parts,
  signed: readonly SignedOperation[],
): Promise<OutboxCall> => {
  const ops = signed.map(({ operation }) => packOperation(operation))
  const code = await opened.client.getCode({ address: getSmartWalletAddress(wallet) })
  if (code) {
    const args = [ops, operator] as const
    const data = encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args })
    return { to: walletDeployments.entryPoint.address, data }
  }
  const args = [...getCreation(wallet), ops, operator] as const
  const data = encodeFunctionData({ ...WalletFactory, functionName: 'createAndHandle', args })
  return { to: walletDeployments.walletFactory.address, data }
}

/** An operation that offers less than the chain's current base fee. The operator would pay the difference. */
type Underpriced = { lacking: SignedOperation; baseFeePerGas: bigint }

const findUnderpriced = async (
  { opened }: Parts,
  signed: readonly SignedOperation[],
): Promise<Underpriced | undefined> => {
  const paying = signed.filter(({ operation }) => BigInt(operation.maxFeePerGas) > 0n)
  if (!paying.length) return undefined
  const { baseFeePerGas } = await opened.client.getBlock()
  if (baseFeePerGas === null) return undefined
  const lacking = paying.find(({ operation }) => BigInt(operation.maxFeePerGas) < baseFeePerGas)
  return lacking && { lacking, baseFeePerGas }
}

/** Derives a bundle's key from its operations, so that the outcome of one set never counts for another. */
const keyOf = (key: string, sent: readonly SignedOperation[]): string => {
  const content = keccak256(stringToBytes(sent.map(({ hash }) => hash).join()))
  return `${key}:${content.slice(2, 18)}`
}

type SentBundle = { key: string; result: WriteResult; isNew: boolean }

/**
 * Whether a transaction was replaced by one that does nothing. The chain never accepts such a transaction, so
 * it is not sent again.
 */
const wasGivenUp = async ({ opened, operator }: Parts, txId: string): Promise<boolean> => {
  const receipt = await opened.client.getTransactionReceipt({ hash: toHex(txId) }).catch(() => undefined)
  return receipt?.to ? isAddressEqual(receipt.to, operator) : false
}

/** Sends a bundle, and sends it again if it failed through no fault of an operation. */
const sendBundle = async (
  parts: Parts,
  key: string,
  { signed, sights }: { signed: readonly SignedOperation[]; sights: readonly OperationSight[] },
): Promise<SentBundle | Underpriced> => {
  let isNew = false
  for (let attempt = 1; ; attempt++) {
    const itsKey = attemptKey(key, attempt)
    let underpriced: Underpriced | undefined
    const makeBundle = async () => {
      isNew = true
      if (sights.includes('shallow')) throw mayBeTakenBack(parts)
      // An operation whose nonce is used fails the bundle, whatever the others offer.
      if (!sights.includes('replaced')) underpriced = await findUnderpriced(parts, signed)
      return underpriced ? refuse('its gas price is too low', undefined) : makeCall(parts, signed)
    }
    const { onSent } = parts
    const result = await parts.opened.outbox.send(itsKey, makeBundle, { onSent })
    if (underpriced) return underpriced
    const sent = { key: itsKey, result, isNew }
    if (result.status === 'succeeded' || !result.txId || attempt >= maxAttempts) return sent
    if (!readFailedOperation(result).isPassing || (await wasGivenUp(parts, result.txId))) return sent
  }
}

const look = ({ opened, chain }: Parts, signed: readonly SignedOperation[]): Promise<OperationSight[]> =>
  Promise.all(signed.map((each) => findOperation(opened.client, chain, each)))

const isResult = (sight: OperationSight | undefined): sight is WalletResult => typeof sight === 'object'

/**
 * Finds the operation that the EntryPoint refused by making the call, because some nodes omit it from an
 * estimate.
 */
const withReason = async (
  parts: Parts,
  missing: readonly SignedOperation[],
  refusal: Refusal,
): Promise<Refusal> => {
  if (!readFailedOperation(refusal).isPassing) return refusal
  const call = { account: parts.operator, ...(await makeCall(parts, missing)) }
  const data = await readCallData(parts.opened.client, call)
  const reason = data && showKnownError(data)
  return { ...refusal, ...(reason && { reason }) }
}

const readIncluded = async (
  { opened, chain }: Parts,
  txId: string,
  missing: readonly SignedOperation[],
): Promise<WalletResult[]> => {
  const receipt = await opened.client.getTransactionReceipt({ hash: toHex(txId) }).catch(() => undefined)
  const results = receipt ? missing.map((each) => readOperationResult(receipt, each)) : []
  const found = results.filter((result) => result !== undefined)
  if (found.length === missing.length) return found
  throw later(`${chain.chain} does not show what became of operations that it took`)
}

/**
 * Sends signed operations of one wallet in one transaction, each once. It leaves out operations that are on
 * chain already, from any sender.
 */
export const sendOperations = async (
  parts: Parts,
  key: string,
  signed: readonly SignedOperation[],
): Promise<BundleResult> => {
  const address = getSmartWalletAddress(parts.wallet)
  if (!signed.every(({ operation }) => isAddressEqual(getAddress(operation.sender), address))) {
    throw new TypeError('a bundle has operations of one wallet')
  }
  const sights = await look(parts, signed)
  const missing = signed.filter((_, at) => !isResult(sights[at]))
  const merge = (others: readonly WalletResult[]): BundleResult => {
    const rest = [...others]
    return {
      status: 'included',
      results: sights.flatMap((sight) => (isResult(sight) ? [sight] : rest.splice(0, 1))),
    }
  }
  if (!missing.length) return merge([])
  const missed = sights.filter((sight) => !isResult(sight))
  const sent = await sendBundle(parts, keyOf(key, missing), { signed: missing, sights: missed })
  if ('lacking' in sent) {
    const { operation } = sent.lacking
    const explanation = `${parts.chain.chain} takes ${sent.baseFeePerGas} wei per unit of gas, but the operation offers ${BigInt(operation.maxFeePerGas)}`
    return { status: 'underpriced', index: signed.indexOf(sent.lacking), explanation }
  }
  if (sent.result.status === 'succeeded') return merge(await readIncluded(parts, sent.result.txId, missing))
  const seen = await look(parts, missing)
  if (seen.includes('shallow')) throw mayBeTakenBack(parts)
  // Another sender has included some of them; the rest are sent without those.
  if (seen.some(isResult)) return sendOperations(parts, key, signed)
  const told = sent.result.txId ? sent.result : await withReason(parts, missing, sent.result)
  const said = readFailedOperation(told)
  if (sent.isNew && said.isOutOfTurn && seen[said.index] === 'due') {
    throw later(`${parts.chain.chain} says both that a nonce is the next one and that it is not`)
  }
  const kept = told.txId ? told : await parts.opened.outbox.keepRefusal(sent.key, told)
  // Another process has sent the bundle under this key and may have continued from there.
  if (kept.status === 'succeeded' || (kept.txId && !told.txId)) return sendOperations(parts, key, signed)
  const { index, error } = readFailedOperation(kept)
  const [refused = missing[0]] = missing.slice(index)
  return { status: 'refused', index: refused ? signed.indexOf(refused) : 0, error }
}
