import { newOrder, readLineItems, readRecipient, transition, viewOrder } from 'kassa/engine'
import type { CreateOrderAnswer, ParsedCreateOrderBody } from 'kassa/schema'
import { audienceOf, requireScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { checkInput, ServiceError } from '../errors.js'
import { hashSecret, newSecret } from '../keys/secret.js'
import { createUuid } from '../lib/uuid.js'
import { emitOrderEvents } from './emitOrderEvents.js'
import { enqueueEffects } from './enqueueEffects.js'
import { holdTemplates } from './holdTemplates.js'
import { prepareQuote } from './prepareQuote.js'
import { readPaymentTerms } from './readPaymentTerms.js'
import { insertOrder } from './store.js'
import { watchTargets } from './watchTargets.js'

/**
 * Creates an order, quotes it and prepares its payment.
 *
 * @returns The order and its client secret, which no other answer contains.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `chain-unavailable`.
 * @source interface.md "Create order"
 */
export const createOrder = async (
  deps: Deps,
  call: Call,
  body: ParsedCreateOrderBody,
): Promise<CreateOrderAnswer> => {
  requireScope(call.actor, 'orders.create')

  const { projectId } = call.actor
  const orderId = createUuid(deps.randomBytes)
  const payment = readPaymentTerms(deps, body.payment)
  const items = checkInput(() => readLineItems(deps.config.namespace, body.lineItems))
  const recipient = readRecipient(body.recipient)
  const { locale = 'en-US', metadata, gift } = body

  const asked = { orderId, projectId, locale, metadata, recipient, payment, items }
  const { terms, watch } = await prepareQuote(deps, asked, true)
  const clientSecret = newSecret('cs', deps.randomBytes)

  return deps.db.transaction(async (tx) => {
    const deletedId = await holdTemplates(tx, projectId, terms.lineItems)
    if (deletedId !== undefined) throw new ServiceError('not-found', `Template ${deletedId} not found`)
    const nowMs = deps.now()
    const { order, effects } = transition(
      { ...newOrder(orderId, projectId, terms), ...(gift && { gift }) },
      { type: 'quoted', terms },
      nowMs,
    )
    await insertOrder(tx, order, { clientSecretHash: hashSecret(clientSecret), nowMs })
    if (watch) await watchTargets(tx, { orderId, ...watch }, nowMs)
    await enqueueEffects(deps, tx, order, effects)
    await emitOrderEvents(deps, tx, { before: undefined, after: order, createdAtMs: nowMs }, nowMs)
    const answer = { clientSecret, order: viewOrder(order, nowMs, audienceOf(call.actor)) }
    await call.complete(tx, { status: 201, body: answer })
    return answer
  })
}
