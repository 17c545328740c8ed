import { decodeBase58 } from '../../../../engine/solana/base58.js'
import { readMessageApprovals } from '../../../../engine/wallet/readApprovals.js'
import { isSameSigner } from '../../../../engine/wallet/signer.js'
import type { SubmittedApproval } from '../../../../schema/transaction.js'
import { badInput, HttpError } from '../../http.js'
import type { MessageTransaction, TestWorld } from '../../testWorld.js'
import { toSigner } from './createMessage.js'
import { sendMessage } from './sendMessage.js'

type Given = { address: string; signature: string }

/** Copies the bytes into a new buffer, because WebCrypto takes no shared ones. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(decodeBase58(text) ?? [])

/** Whether a signature of a message is by the key of an address (ed25519). */
const isSignature = async ({ address, signature }: Given, message: string): Promise<boolean> => {
  const { subtle } = globalThis.crypto
  try {
    const key = await subtle.importKey('raw', bytesOf(address), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, bytesOf(signature), bytesOf(message))
  } catch {
    return false
  }
}

const readGiven = async ({ message, signers }: MessageTransaction, body: unknown): Promise<Given[]> => {
  const given: Given[] = []
  for (const [at, { signer, signature }] of readMessageApprovals(body).approvals.entries()) {
    const address = signers.find((each) => isSameSigner(toSigner(each), signer) || each === signer)
    const field = `approvals[${at}]`
    if (address === undefined || given.some((before) => before.address === address)) {
      const named = signers.map(toSigner).join(', ')
      const fault =
        address === undefined ? `not a signer of this transaction (${named})` : 'can approve only once'
      throw badInput(`${field}.signer: ${fault}`)
    }
    if (!(await isSignature({ address, signature }, message)))
      throw badInput(`${field}.signature: not a signature of the message by ${address}`)
    given.push({ address, signature })
  }
  return given
}

const assertAwaited = ({ status }: MessageTransaction): void => {
  if (status === 'awaiting-approval') return
  const message = `The transaction no longer awaits approval (${status})`
  throw new HttpError(422, message)
}

/** Takes approvals of a transaction by the others who sign it, and sends it with the last one. */
export const approveMessage = async (
  world: TestWorld,
  transaction: MessageTransaction,
  { body, metadata }: { body: unknown; metadata: SubmittedApproval['metadata'] },
): Promise<void> => {
  assertAwaited(transaction)
  const given = await readGiven(transaction, body)
  // Another may have come meanwhile.
  assertAwaited(transaction)
  const submittedAt = new Date(world.now()).toISOString()
  const { message, submitted, signers } = transaction
  const added = given.map(({ address, signature }, at): SubmittedApproval => {
    const signer = toSigner(address)
    if (submitted.some((before) => before.signer === signer))
      throw new HttpError(409, `approvals[${at}].signer: has already submitted its approval`)
    return { signer, message, signature, submittedAt, ...(metadata && { metadata }) }
  })
  transaction.submitted = [...submitted, ...added]
  if (transaction.submitted.length === signers.length) sendMessage(world, transaction)
}
