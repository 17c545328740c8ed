import { type Client, parseAbi } from 'viem'
import { getBlock, readContract } from 'viem/actions'
import type { AttemptedAuthorization, EvmPaymentAttempt } from '../../../chain/index.js'
import { permit2Address, toNonce } from '../../../engine/evm/authorization.js'
import type { KassaError } from '../../../errors/KassaError.js'
import { payError } from '../../../errors/payError.js'
import type { Finding, FollowListener } from '../../family.js'
import { keepLooking } from '../../keepLooking.js'
import { sleepUntilReturn } from '../../page.js'
import type { AuthorizationAccess } from '../../payContext.js'
import { uncertain } from '../../uncertain.js'
import type { Wait } from '../../wait.js'
import { findInBlocks } from '../findPayment.js'
import type { SentEvmAttempt } from '../followTransaction.js'
import { getNode } from '../node.js'
import { postAuthorization } from './postAuthorization.js'

const nonceAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
])

/** Whether the nonce of an authorization was used or cancelled by the time of a block. */
const isUsed = async (
  client: Client,
  { to, payerAddress }: EvmPaymentAttempt,
  { kind, nonce, blockNumber }: AttemptedAuthorization & { blockNumber: bigint },
): Promise<boolean> => {
  const number = BigInt(nonce)
  if (kind === 'erc3009') {
    return readContract(client, {
      address: to,
      abi: nonceAbi,
      functionName: 'authorizationState',
      args: [payerAddress, toNonce(number)],
      blockNumber,
    })
  }
  // Permit2 keeps 256 nonces in a word.
  const word = await readContract(client, {
    address: permit2Address,
    abi: nonceAbi,
    functionName: 'nonceBitmap',
    args: [payerAddress, number >> 8n],
    blockNumber,
  })
  return ((word >> (number & 255n)) & 1n) === 1n
}

/**
 * Whether an authorization can never make its payment: in a final block after its time, its nonce is unused. A node that
 * lags does not know that block, so it cannot say so.
 */
const isOver = async (
  { config, now }: Pick<AuthorizationAccess, 'config' | 'now'>,
  attempt: EvmPaymentAttempt,
): Promise<boolean> => {
  const { chainId, authorization } = attempt
  if (!authorization) return false
  const validBefore = BigInt(authorization.validBefore)
  if (BigInt(Math.floor(now() / 1000)) <= validBefore) return false
  const client = getNode(config, chainId)
  const { number: blockNumber, timestamp } = await getBlock(client, { blockTag: 'finalized' })
  return timestamp > validBefore && !(await isUsed(client, attempt, { ...authorization, blockNumber }))
}

/**
 * Searches the payment of an authorization by the token's log, whoever sent it.
 *
 * @throws the node's error when it is unavailable.
 */
export const findAuthorization = async (
  access: Pick<AuthorizationAccess, 'config' | 'now'>,
  attempt: EvmPaymentAttempt,
): Promise<Finding> => {
  // Not every node names a final block. Without one, the authorization may still make its payment.
  const isLate = await isOver(access, attempt).catch(() => false)
  const txId = await findInBlocks(access.config, attempt)
  return { txId, hasOpenTransaction: false, isOver: isLate && txId === undefined }
}

const firstPauseMs = 1_000
const longestPauseMs = 15_000
// The shop sends within seconds. After this long and as many requests without a word of it, the buyer is offered a choice.
const patienceMs = 10 * 60_000
const patientRequests = 3

/**
 * Follows a payment that was signed: posts the signature until the service has answered, and looks for the payment on the
 * chain, which alone decides. A lost answer is answered again, and the money moves once, however often it is posted.
 *
 * @returns The payment's transaction. Rejects with `pay.signature-refused`, `pay.order-changed`, `pay.expired` or
 * `pay.uncertain`.
 */
export const followAuthorization = (
  access: AuthorizationAccess,
  sent: SentEvmAttempt,
  { onMoved, onKnown }: FollowListener,
): Wait<string> => {
  const { config, now } = access
  let attempt = sent
  let isStopped = false
  let lastWordMs = now()
  let unanswered = 0
  let isPosting = true

  const move = (fields: Partial<SentEvmAttempt>): void => {
    attempt = { ...attempt, ...fields }
    if (!isStopped) onMoved(attempt, false)
  }

  const learn = (txId: string | undefined): void => {
    if (txId !== undefined && txId !== attempt.txId) move({ txId })
  }

  const look = async (): Promise<string | undefined> => {
    const { txId, isOver: isExpired } = await findAuthorization(access, attempt)
    learn(txId)
    if (isExpired) throw payError('pay.expired', {})
    // The page may have been asleep, and then the next request may be answered.
    const mayHear = isPosting && unanswered < patientRequests
    if (txId === undefined && !mayHear && now() - lastWordMs > patienceMs) throw uncertain(attempt)
    return txId
  }

  /** Ends with a failure, unless the chain has the payment all the same. */
  const fail = async (error: KassaError): Promise<string> => {
    const txId = await findInBlocks(config, attempt).catch(() => undefined)
    if (txId === undefined) throw error
    learn(txId)
    return txId
  }

  const settle = async (): Promise<string> => {
    const { authorization } = sent
    let isPerhapsTaken = authorization?.isPosted === true
    // Stored first: a page that is closed now leaves a signature that the service may have.
    if (authorization?.signed) move({ authorization: { ...authorization, isPosted: true } })
    for (let pauseMs = firstPauseMs; !isStopped; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const posted = await postAuthorization(access, attempt, isPerhapsTaken)
      if (posted?.status === 'failed') return fail(posted.error)
      if (posted?.status === 'taken') {
        lastWordMs = now()
        learn(posted.txId)
        if (!isStopped) onKnown()
      }
      if (!posted || (posted.status === 'taken' && posted.isSettled)) break
      const isSilent = posted.status === 'unknown'
      unanswered = isSilent ? unanswered + 1 : 0
      isPerhapsTaken = isSilent ? posted.isPerhapsTaken : true
      await sleepUntilReturn(isSilent ? Math.max(pauseMs, posted.retryAfterMs) : pauseMs)
    }
    isPosting = false
    return new Promise(() => undefined)
  }

  const follow = async (): Promise<string> => {
    const { pollingInterval: pauseMs } = getNode(config, sent.chainId)
    return (await keepLooking(look, { pauseMs, isStopped: () => isStopped })) ?? attempt.txId
  }

  return {
    promise: Promise.race([follow(), settle()]),
    stop: () => {
      isStopped = true
    },
  }
}
