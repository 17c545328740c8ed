/** The kinds of entries of an order's timeline. */
export const timelineKinds = ['created', 'quote', 'payment', 'refund', 'shipment', 'mail', 'webhook'] as const
/** The kind of an entry of an order's timeline. */
export type TimelineKind = (typeof timelineKinds)[number]
