import type { Rpc, Signature, SolanaRpcApi, TransactionError } from '@solana/kit'
import { explainProgramError, toErrorText } from 'kassa/engine'
import { ServiceError } from '#base/errors.js'
import { isGuardUnpaid } from './guard.js'
import { isPassing } from './simulationErrors.js'

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
): Promise<string> => explainProgramError(error, (await readLogs(rpc, signature)) ?? [])

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
  if (!isPassing(err) && !(isGuarded && isGuardUnpaid(err))) return explainProgramError(err, logs ?? [])
  const message = `The chain ${chain} does not accept transactions from the service now: ${toErrorText(err)}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 15 })
}
