/** A sentence with placeholders: `With<'amount'>` is any string that contains `{amount}`. */
type With<Name extends string> = `${string}{${Name}}${string}`

/**
 * Every sentence of the parts in one language. They are plain strings, so that a server can pass them to a
 * client. `{name}` marks a placeholder, and a translation that misses one does not compile.
 */
export type Messages = {
  /** The language of these sentences, as a BCP 47 tag such as `de-DE`. */
  locale: string

  // The pay button.
  pay: With<'amount'>
  payAgain: string
  accept: With<'amount'>
  refresh: string
  stopped: string
  connectToPay: string
  notAvailable: string
  lacks: With<'currency'>
  lacksForFee: string
  paid: string
  paymentFailed: string

  // The current status.
  busy: string
  connecting: string
  switching: string
  checking: string
  sign: string
  confirming: string
  needsRecipient: string
  needsAddress: string
  needsEmail: string
  soldOut: string
  expired: string
  addFunds: string
  ready: string
  notPaid: string
  notFound: string
  delivering: string
  deliveredSome: With<'done'> & With<'count'>
  completed: string
  failed: string
  failedSome: With<'failed'> & With<'count'>
  returning: string
  refunded: With<'amount'>
  unknown: With<'status'>

  // The status of one line item.
  itemWaiting: string
  itemOnItsWay: string
  itemDelivered: string
  itemFailed: string
  itemUnavailable: string

  // Labels.
  order: string
  items: string
  subtotal: string
  tax: string
  shipping: string
  total: string
  receipt: string
  timeLeft: With<'time'>
  viewTransaction: string
  inWallet: string
  missing: string

  // Forms.
  email: string
  walletAddress: string
  recipient: string
  name: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  country: string
  optional: With<'label'>
  save: string
  required: string
  writeLike: With<'example'>
  tooLong: string
  invalid: string

  // The wallet and the payment method.
  payWith: string
  currencyOnChain: With<'currency'> & With<'chain'>
  connect: With<'wallet'>
  payFrom: With<'address'>
  otherWallet: string
  noWallet: string

  // Errors, for the buyer.
  unreachable: string
  refused: string
  wrongPayment: string
  priceChanged: With<'amount'>
  wrongAccount: With<'address'>
  wrongChain: With<'chain'>
  rejected: string
  reverted: string
  wouldRevert: string
  cancelled: string
  walletFailed: string
  uncertain: string
  underWay: string
  otherTab: string
  changed: string
  chainUnavailable: string
}
