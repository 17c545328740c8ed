/** A sentence with a place for each name: `With<'tokenName'>` is any string that holds `{tokenName}`. */
type With<Name extends string> = `${string}{${Name}}${string}`

/** Every sentence of the service's e-mails, in one language. A translation that forgets what is filled in does not compile. */
export type MailTexts = {
  /** What arrived: the subject, and the first line. */
  subject: With<'tokenName'>
  /** Where it is now. */
  kept: With<'projectName'>
  nothingToDo: string
  collection: string
  network: string
  token: string
  contract: string
  /** What the link to the chain's explorer says. */
  view: string
  /** The subject and the first line of an order's confirmation. */
  orderSubject: With<'projectName'>
  paid: string
  /** The subject and the first line of a delivery of several items. */
  orderArrived: string
  giftFrom: With<'giverName'>
  tax: string
  shipping: string
  total: string
  transaction: string
  order: string
  viewTransaction: string
  /** The subject and the first line of a refund by the merchant. */
  refundSubject: With<'projectName'>
  refundSent: With<'amount'>
  tokensStay: string
  /** The subject and the first line about a shipment. */
  shippedSubject: With<'projectName'>
  shippedWith: With<'carrier'>
  /** The subject and the first line about a shipment that was reported by mistake. */
  notShippedSubject: With<'projectName'>
  notShipped: string
  contents: string
  trackingNumber: string
  track: string
}
