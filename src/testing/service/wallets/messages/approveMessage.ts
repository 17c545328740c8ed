import { decodeBase58 } from '../../../../engine/solana/base58.js'
import {
  addSignatures,
  assertSignaturesAwaited,
  readSignatures,
} from '../../../../engine/wallet/messageSigners.js'
import type { SubmittedApproval } from '../../../../schema/transaction.js'
import type { MessageTransaction, TestWorld } from '../../testWorld.js'
import { sendMessage } from './sendMessage.js'

/** Copies the bytes into a new buffer, because WebCrypto takes no shared ones. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(decodeBase58(text) ?? [])

/** A signature of a message, and the address whose key is to have made it. */
type Given = { address: string; message: string; signature: string }

/** Whether a signature of a message is by the key of an address (ed25519). */
const isSignature = async ({ address, message, signature }: Given): Promise<boolean> => {
  const { subtle } = globalThis.crypto
  try {
    const key = await subtle.importKey('raw', bytesOf(address), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, bytesOf(signature), bytesOf(message))
  } catch {
    return false
  }
}

/** Takes approvals of a transaction by the others who sign it, and sends it with the last one. */
export const approveMessage = async (
  world: TestWorld,
  transaction: MessageTransaction,
  { body, metadata }: { body: unknown; metadata: SubmittedApproval['metadata'] },
): Promise<void> => {
  assertSignaturesAwaited(transaction.status)
  const given = await readSignatures(body, transaction, isSignature)
  // Another may have come meanwhile.
  assertSignaturesAwaited(transaction.status)
  const submittedAt = new Date(world.now()).toISOString()
  const added = addSignatures(transaction, given, { submittedAt, ...(metadata && { metadata }) })
  transaction.submitted = added.submitted
  if (added.isComplete) sendMessage(world, transaction)
}
