import * as z from 'zod/mini'
import { ActionData } from './action.js'
import { type WebhookEventType, webhookEventTypes } from './members.js'
import { Order } from './order.js'
import { Transaction } from './transaction.js'

declare const unknownType: unique symbol

/**
 * The type of an event that this version does not know. Any other string at run time; for the compiler it is apart
 * from the known ones, so that `switch (event.type)` narrows. Name a newer type with `'…' as UnknownEventType`.
 */
export type UnknownEventType = `${string & { readonly [unknownType]: true }}`

const isKnown = (type: string): boolean => webhookEventTypes.some((known) => known === type)

// A cast on purpose: which strings these are is checked, and TypeScript has no type for the others of a list.
const UnknownEventType = z
  .string()
  .check(z.refine((type) => !isKnown(type), { abort: true })) as unknown as z.ZodMiniType<UnknownEventType>

/** The types of some areas, such as `orders`. */
const typesOf = <Area extends string>(...areas: Area[]) =>
  z.enum(
    webhookEventTypes.filter((type): type is Extract<WebhookEventType, `${Area}.${string}`> =>
      areas.some((area) => type.startsWith(`${area}.`)),
    ),
  )

const common = {
  /** The action, the order or the transaction that it is about. */
  actionId: z.optional(z.string()),
  /** ISO 8601. */
  startedAt: z.optional(z.string()),
  /** ISO 8601; absent on failure. */
  completedAt: z.optional(z.string()),
  /** URL of what it is about. */
  resource: z.optional(z.string()),
  /** When it was told, in epoch milliseconds. */
  timestamp: z.optional(z.number()),
}

/**
 * Something that happened, as a webhook tells it. `switch (event.type)` narrows `data`; an event of a type that
 * this version does not know is kept, with `data` unknown.
 *
 * @source interface.md "Events"; answers.md "Webhooks"
 */
export const WebhookEvent = z.union([
  z.looseObject({ type: typesOf('collections', 'nfts'), ...common, data: ActionData }),
  z.looseObject({ type: typesOf('orders'), ...common, data: Order }),
  z.looseObject({ type: typesOf('wallets'), ...common, data: Transaction }),
  z.looseObject({ type: UnknownEventType, ...common, data: z.optional(z.unknown()) }),
])
export type WebhookEvent = z.infer<typeof WebhookEvent>
