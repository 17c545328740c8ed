import { members, Transaction, WebhookEvent, type WebhookEventType } from 'kassa/schema'
import type * as z from 'zod/mini'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'

const summaries: Readonly<Record<WebhookEventType, string>> = {
  'collections.create.succeeded': 'A collection’s contract is on its chain',
  'collections.create.failed': 'A chain refused a collection’s contract',
  'collections.update.succeeded': 'A collection is changed',
  'collections.update.failed': 'A chain refused a change of a collection',
  'nfts.create.succeeded': 'A token is minted',
  'nfts.create.failed': 'A chain refused to mint a token',
  'nfts.update.succeeded': 'A token is changed',
  'nfts.delete.succeeded': 'A token is burned',
  'nfts.delete.failed': 'A token could not be burned',
  'orders.quote.created': 'An order has its first price',
  'orders.quote.updated':
    'An unpaid order was quoted again: at another price or other terms, or after its quote had expired',
  'orders.payment.succeeded': 'An order is paid, or the chain includes its payment again',
  'orders.payment.failed':
    'A payment does not pay for its order, or the chain has taken back the one that did, delivered or not',
  'orders.payment.captured': 'The merchant has captured the payment of an order',
  'orders.payment.voided': 'The merchant has voided the payment of an order. It is refunded',
  'orders.payment.expired': 'The payment of an order was not captured in time. It is refunded',
  'orders.delivery.initiated': 'The delivery of a paid order has begun',
  'orders.delivery.completed': 'All line items of an order are delivered',
  'orders.delivery.failed': 'A line item cannot be delivered. Its price is refunded',
  'orders.shipped': 'The merchant has marked line items of an order as shipped',
  'orders.shipment.cancelled': 'The merchant has taken back a shipment that was reported by mistake',
  'orders.refund.succeeded': 'A refund by the merchant reached its payer',
  'orders.refund.failed':
    'A refund by the merchant did not reach its payer: the chain refused every attempt, or the payer’s account rejected it and may claim it',
  'wallets.transaction.succeeded': 'A transaction of a wallet is on its chain',
  'wallets.transaction.failed': 'A transaction of a wallet failed',
}

const signature = [
  ['webhook-id', 'The id of the event, the same for every attempt, by which you recognise repetitions'],
  ['webhook-timestamp', 'When it was sent, in epoch seconds'],
  ['webhook-signature', '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, one for each secret'],
].map(([name, description]) => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
}))

type Member = (typeof WebhookEvent)['def']['options'][number]

const isOf = (member: Member, type: WebhookEventType): boolean =>
  [...(member._zod.propValues?.type ?? [])].includes(type)

const writeEvent = (type: WebhookEventType, components: Components): JsonSchema => {
  const member: z.ZodMiniType | undefined = WebhookEvent.def.options.find((one) => isOf(one, type))
  if (!member) throw new Error(`no event is of the type ${type}`)
  const schema = toJsonSchema(member, 'output', components)
  // Readers keep what they do not know of it; what we write is known.
  const data = type.startsWith('wallets.') && { data: toJsonSchema(Transaction, 'output', components) }
  return { ...schema, properties: { ...schema.properties, type: { const: type }, ...data } }
}

/** Describes what the service sends of its own accord, by the types of events. */
export const writeWebhooks = (components: Components): Record<string, unknown> =>
  Object.fromEntries(
    members.webhookEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: summaries[type],
          description:
            'Signed as Standard Webhooks, also under the names `svix-id`, `svix-timestamp` and `svix-signature`. Sent at least once.',
          tags: ['webhooks'],
          // A signature in its headers stands in for a key.
          security: [],
          parameters: signature,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: writeEvent(type, components) } },
          },
          responses: {
            '2XX': {
              description:
                'Received. With any other status, or without an answer within 15 s, the event is sent again later',
            },
          },
        },
      },
    ]),
  )
