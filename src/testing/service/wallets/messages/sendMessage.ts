import { decodeBase58 } from '../../../../engine/solana/base58.js'
import { explainProgramError } from '../../../../engine/solana/explainFailure.js'
import { approvedTooLate } from '../../../../engine/wallet/askedMessage.js'
import { toSigner } from '../../../../engine/wallet/messageSigners.js'
import { finalAfter } from '../../../solana/createTestSolana.js'
import { signBytes, writeTransaction } from '../../../solana/signBytes.js'
import type { MessageTransaction, TestWorld } from '../../testWorld.js'

const bytesOf = (text: string): Uint8Array => decodeBase58(text) ?? new Uint8Array()

/** Signs a transaction with the wallet's key, and sends it with the approvals of the others. */
export const sendMessage = ({ solana }: TestWorld, transaction: MessageTransaction): void => {
  const message = bytesOf(transaction.message)
  const given = transaction.signers.map((address) => {
    const approval = transaction.submitted.find(({ signer }) => signer === toSigner(address))
    return bytesOf(String(approval?.signature ?? ''))
  })
  transaction.status = 'pending'
  transaction.sentAs = solana.send(writeTransaction([signBytes(message), ...given], message), {
    failsWith: transaction.failsWith,
  })
}

/** Applies what is due by now: its block is confirmed, or its blockhash has expired. */
export const progressMessage = (
  { solana, timings, now }: TestWorld,
  transaction: MessageTransaction,
): void => {
  solana.mine()
  const { status, sentAs, lastBlockHeight } = transaction
  if (status !== 'awaiting-approval' && status !== 'pending') return
  const landed = solana.transactions().find(({ signature }) => signature === sentAs)?.landed
  if (landed) {
    if (landed.atMs + timings.confirmedMs > now()) return
    transaction.status = landed.err === null ? 'success' : 'failed'
    transaction.completedAtMs = landed.atMs + timings.confirmedMs
    if (landed.err === null) return
    const message = explainProgramError(landed.err, landed.logs)
    transaction.error = { reason: 'program_error', message, logs: [...landed.logs] }
    return
  }
  // The last block that could include it is final.
  if (solana.heightAt(now()) - finalAfter <= lastBlockHeight) return
  transaction.status = 'failed'
  transaction.completedAtMs = now()
  transaction.error =
    status === 'pending' ? { ...approvedTooLate, message: 'its blockhash expired' } : approvedTooLate
}
