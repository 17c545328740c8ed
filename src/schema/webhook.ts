import * as z from 'zod/mini'
import { ActionData } from './action.js'
import { except } from './except.js'
import { maybe } from './maybe.js'
import { type WebhookEventType, webhookEventTypes } from './members.js'
import { openObject } from './open.js'
import { Order } from './order.js'
import { Transaction } from './transaction.js'

declare const unknownType: unique symbol

/**
 * An event type that this version does not know. At run time it is any other string; for the compiler it is
 * distinct from the known ones, so that `switch (event.type)` narrows. Name a newer type with `'…' as
 * UnknownEventType`.
 */
export type UnknownEventType = `${string & { readonly [unknownType]: true }}`

/** The types of some areas, such as `orders`. */
const typesOf = <Area extends string>(...areas: Area[]) =>
  z.enum(
    webhookEventTypes.filter((type): type is Extract<WebhookEventType, `${Area}.${string}`> =>
      areas.some((area) => type.startsWith(`${area}.`)),
    ),
  )

const common = {
  /** The id of the action, the order or the transaction that it is about. */
  actionId: maybe(z.string()),
  /** ISO 8601. */
  startedAt: maybe(z.string()),
  /** ISO 8601; absent on failure. */
  completedAt: maybe(z.string()),
  /** URL of its subject. */
  resource: maybe(z.string()),
  /** The time of the event, in epoch milliseconds, the same in every delivery. */
  timestamp: maybe(z.number()),
}

/**
 * An event, as a webhook delivers it. `switch (event.type)` narrows `data`. An event of an unknown type is
 * kept, with `data` unknown.
 *
 * @source interface.md "Events"; answers.md "Webhooks"
 */
export const WebhookEvent = z.union([
  openObject({ type: typesOf('collections', 'nfts'), ...common, data: ActionData }),
  openObject({ type: typesOf('orders'), ...common, data: Order }),
  openObject({ type: typesOf('wallets'), ...common, data: Transaction }),
  openObject({
    type: except<UnknownEventType>(webhookEventTypes),
    ...common,
    data: z.optional(z.unknown()),
  }),
])
export type WebhookEvent = z.infer<typeof WebhookEvent>
