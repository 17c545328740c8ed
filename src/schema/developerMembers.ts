/** What an API key is for: a server, or browsers. */
export const apiKeyKinds = ['server', 'client'] as const
/** Whether a key works: `expiring` is one that was rolled and still works for some time. */
export const apiKeyStatuses = ['active', 'expiring', 'revoked'] as const
/** Whether a webhook endpoint receives events. */
export const endpointStatuses = ['enabled', 'disabled'] as const
/** Where the delivery of an event to an endpoint stands. */
export const webhookDeliveryStatuses = ['pending', 'succeeded', 'failed'] as const
/** What a merchant can make of a payment link. */
export const paymentLinkChanges = ['active', 'deactivated'] as const
/** Whether a payment link sells. */
export const paymentLinkStatuses = [...paymentLinkChanges, 'ended', 'used-up'] as const

/** What an API key is for. */
export type ApiKeyKind = (typeof apiKeyKinds)[number]
/** Whether a key works. */
export type ApiKeyStatus = (typeof apiKeyStatuses)[number]
/** Whether a webhook endpoint receives events. */
export type EndpointStatus = (typeof endpointStatuses)[number]
/** Where the delivery of an event to an endpoint stands. */
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number]
/** Whether a payment link sells. */
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number]
