import { acceptsPayment, dueUnits, type OrderState } from 'kassa/engine'
import type { CreateAuthorizationBody } from 'kassa/schema'
import { type AuthorizationRow, authorizations } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { hashRequest } from '#base/lib/hashRequest.js'
import { createUuid } from '#base/lib/uuid.js'
import { withTimeout } from '#base/lib/withTimeout.js'
import type {
  AuthorizationRefusal,
  AuthorizedPayment,
  StoredAuthorization,
} from '#base/ports/authorizations.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import { isSponsored } from '../orders/offerAuthorization.js'
import { lockOrder } from '../orders/store.js'
import { assertNoneAlive, assertUnderCaps, findByContent, isAlive } from './authorizationRows.js'
import { settleAuthorization } from './settleAuthorization.js'

/** How long after it was stored the job takes over, if no process has settled it by then. */
const takeOverMs = 15_000

/** Throws why an authorization is refused, in the words of x402. */
export const refuseAuthorization = ({ reason, message }: AuthorizationRefusal): never => {
  throw new ServiceError('unprocessable', message, { detail: { reason, message } })
}

/** Identifies what was signed, however its numbers and addresses are written. */
const contentOf = ({ kind, payerAddress, domain, message, permit }: CreateAuthorizationBody): string => {
  const signed = { kind, payerAddress, domain, message, permit: permit && { ...permit, signature: '' } }
  const plain: unknown = JSON.parse(JSON.stringify(signed), (_, value) =>
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.toLowerCase() : value,
  )
  return hashRequest(plain)
}

/** Returns the payment that an order waits for, or refuses. Software that chooses the nonce pays for any account. */
const readPayment = (order: OrderState, isChosen: boolean): AuthorizedPayment => {
  const { payment, quote, orderId } = order
  const units = dueUnits(order)
  const { expiresAtMs: deadlineMs } = quote
  if (order.phase !== 'payment' || units === undefined || units <= 0n || deadlineMs === undefined) {
    throw new ServiceError(
      'conflict',
      'The order waits for no payment: quote it again, or look at what was paid',
    )
  }
  const { currency, payerAddress: payer, authorization: prepared } = payment
  if (isChosen) return { orderId, currency, units, deadlineMs, isChosen }
  return { orderId, currency, units, deadlineMs, payer, prepared }
}

/** A checked authorization, and the order that it pays for. */
type Draft = {
  order: OrderState
  payment: AuthorizedPayment
  content: string
  signed: StoredAuthorization
}

/**
 * Stores an authorization and the job that settles it, unless the order takes it no more. One that was refused before
 * begins its next attempt.
 *
 * @returns The stored one: of two that say the same at once, the first.
 */
const store = (deps: Deps, { order: read, payment, content, signed }: Draft): Promise<AuthorizationRow> =>
  deps.db.transaction(async (tx) => {
    const { orderId, projectId } = read
    const stored = await lockOrder(tx, orderId)
    if (!stored) throw new ServiceError('not-found', 'Not found')
    const known = await findByContent(tx, { orderId, content })
    if (known && known.status !== 'refused') return known
    const nowMs = deps.now()
    const { chain } = read.payment
    const { currency, units } = payment
    await assertNoneAlive(tx, stored.order, nowMs)
    if (!acceptsPayment(stored.order, { chain, currency, units: `${units}`, minedAtMs: nowMs })) {
      throw new ServiceError('conflict', 'The order takes no such payment now: read it again')
    }
    const { payer } = signed
    await assertUnderCaps(deps, tx, { orderId, projectId, chain, payer })
    const started = {
      signed,
      status: 'stored' as const,
      startedAt: new Date(nowMs),
      reason: null,
      failure: null,
    }
    const row = {
      id: createUuid(deps.randomBytes),
      orderId,
      projectId,
      chain,
      currency,
      units: `${units}`,
      payer,
      content,
      validBefore: new Date(Number(signed.validBefore) * 1000),
      createdAt: new Date(nowMs),
      ...started,
    }
    const [written] = await tx
      .insert(authorizations)
      .values(row)
      .onConflictDoUpdate({
        target: [authorizations.orderId, authorizations.content],
        set: { ...started, attempt: (known?.attempt ?? 0) + 1 },
      })
      .returning()
    if (!written) throw new Error('the database returned no row')
    const startAfter = new Date(nowMs + takeOverMs)
    await deps.jobs.enqueue(tx, 'authorizations.settle', { authorizationId: written.id }, { startAfter })
    return written
  })

/**
 * Settles a stored authorization until it is in a block, for as long as a caller waits. Its job does the rest.
 *
 * @returns Whether it was seen in a block.
 */
const settleSoon = async (
  deps: Deps,
  { id, chain }: AuthorizationRow,
  patienceMs: number,
): Promise<boolean> => {
  // Where a block is final at once, the end follows.
  const isFinalAtOnce = (deps.chains.get(chain)?.confirmations ?? 1) <= 1
  let hasLanded = false
  const onLanded = (resolve: () => void) => (): void => {
    hasLanded = true
    if (!isFinalAtOnce) resolve()
  }
  const landed = new Promise<void>((resolve) => {
    settleAuthorization(deps, id, { onLanded: onLanded(resolve) })
      .catch((err: unknown) => deps.log.warn({ id, err }, 'a signed payment is not settled yet'))
      .finally(resolve)
  })
  await withTimeout(landed, patienceMs)
  return hasLanded
}

/** What is brought, and how long to wait for it to be in a block. */
type Bringing = {
  body: CreateAuthorizationBody
  patienceMs: number
  /** Whether the payer's software chose the nonce and the time, as clients of x402 do. Then any account may pay. */
  isChosen?: boolean
}

/** Checks an authorization against its order, field by field. */
const check = async (
  deps: Deps,
  order: OrderState,
  { body, isChosen = false }: Bringing,
): Promise<Pick<Draft, 'payment' | 'signed'>> => {
  const payment = readPayment(order, isChosen)
  const chain = deps.chains.get(order.payment.chain)
  const port = chain?.authorizations
  if (!chain || !port || !isSponsored(deps, chain, payment.currency)) {
    const place = `${payment.currency} on ${order.payment.chain}`
    const message = `This shop sends no signed payments in ${place}. Pay by a transaction`
    return refuseAuthorization({ reason: 'unsupported_scheme', message })
  }
  assertUnsanctioned(deps.config, body.payerAddress)
  await chain.ready()
  const read = await port.read(payment, body, deps.now())
  return 'refused' in read ? refuseAuthorization(read.refused) : { payment, signed: read.authorization }
}

/** What became of an authorization while its caller waited. */
export type Brought = {
  row: AuthorizationRow
  /** Whether its transaction is in a block. It may not be final. */
  hasLanded: boolean
}

/**
 * Has an authorization pay for its order. It is stored before the chain is asked, so that the same one is answered again
 * from its record, and the money moves once.
 *
 * @throws {@link ServiceError} `unprocessable` with a reason in the words of x402; `conflict` while another one may move
 * money; `rate-limited` over a cap of the operator's gas; `chain-unavailable`.
 */
export const bringAuthorization = async (
  deps: Deps,
  order: OrderState,
  bringing: Bringing,
): Promise<Brought> => {
  const content = contentOf(bringing.body)
  const key = { orderId: order.orderId, content }
  const known = await findByContent(deps.db, key)
  if (known && !isAlive(known) && known.status !== 'refused') {
    return { row: known, hasLanded: known.status === 'settled' }
  }
  const row =
    known && isAlive(known)
      ? known
      : await store(deps, { order, content, ...(await check(deps, order, bringing)) })
  const hasLanded = await settleSoon(deps, row, bringing.patienceMs)
  const ended = (await findByContent(deps.db, key)) ?? row
  return { row: ended, hasLanded: hasLanded || ended.status === 'settled' }
}
