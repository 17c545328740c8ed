import type { Rpc, Signature, SolanaRpcApi, TransactionError } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import { isGuardUnpaid } from './guard.js'
import { isPassing } from './simulationErrors.js'

/** A failed program says why in its logs, in its own words or in those of Anchor. */
const reasons = [
  /^Program log: Error: (.{1,300})/,
  /Error Message: (.{1,300})/,
  /^Program log: (.{1,300}insufficient.{0,300})/i,
  /^Transfer: (insufficient .{1,300})/,
  /^Program \w{32,44} failed: (.{1,300})/,
]

const findReason = (logs: readonly string[]): string | undefined => {
  for (const pattern of reasons) {
    for (const line of logs) {
      const reason = pattern.exec(line)?.[1]
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

/** Writes the error of a transaction as nodes do, in JSON. */
export const toText = (error: unknown): string =>
  typeof error === 'string'
    ? error
    : JSON.stringify(error, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))

const describe = (error: unknown, logs: readonly string[] | null | undefined): string => {
  const reason = findReason(logs ?? [])
  return reason === undefined ? toText(error) : `${reason} (${toText(error)})`
}

/** Reads what the programs of a transaction in a block logged. The node may not show it yet. */
export const readLogs = async (
  rpc: Rpc<SolanaRpcApi>,
  signature: string,
): Promise<readonly string[] | undefined> => {
  const found = await rpc
    .getTransaction(signature as Signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  return found?.meta?.logMessages ?? undefined
}

/** Reads why a transaction in a block failed: from its logs, and its error. */
export const explainFailure = async (
  rpc: Rpc<SolanaRpcApi>,
  signature: string,
  error: TransactionError,
): Promise<string> => describe(error, await readLogs(rpc, signature))

type Simulated = { value: { err: TransactionError | null; logs: readonly string[] | null } }

/**
 * Reads why a simulation failed, or returns `undefined` if it succeeded.
 *
 * @throws {ServiceError} `chain-unavailable` if the write may succeed later: the node is behind, blocks are full, or the
 * fee payer lacks lamports.
 */
export const readPreflight = (
  chain: string,
  { value: { err, logs } }: Simulated,
  isGuarded: boolean,
): string | undefined => {
  if (err === null) return undefined
  if (!isPassing(err) && !(isGuarded && isGuardUnpaid(err))) return describe(err, logs)
  const message = `The chain ${chain} does not accept transactions from the service now: ${toText(err)}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 15 })
}
