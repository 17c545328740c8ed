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
  /** Instead of `pay` for an order that costs nothing. */
  claim: string
  payAgain: string
  accept: With<'amount'>
  refresh: string
  stopped: string
  connectToPay: string
  /** Instead of `connectToPay` while a wallet is connected whose account is not the payer. */
  choosePayer: string
  notAvailable: string
  lacks: With<'currency'>
  lacksForFee: string
  paid: string
  claimed: string
  /** In place of a price of zero. */
  free: string
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
  needsRefund: string
  soldOut: string
  tooFew: With<'count'>
  expired: string
  addFunds: string
  notPaid: string
  notFound: string
  delivering: string
  claimedDelivering: string
  waitingForShop: string
  notConfirmed: string
  deliveredSome: With<'done'> & With<'count'>
  completed: string
  failed: string
  failedSome: With<'failed'> & With<'count'>
  partPaid: With<'amount'>
  returning: string
  refunded: With<'amount'>
  /** Why it was sent back, after `refunded`. */
  causeUnderpaid: string
  causeExpired: string
  causeUnknown: string
  causeOverpaid: string
  causeDuplicate: string
  causeUndelivered: string
  causeRequested: string
  causeVoided: string
  causeCaptureExpired: string
  refundHeld: With<'amount'>
  refundBelowFee: With<'amount'>
  refundSoon: With<'amount'>
  refundFromContract: With<'amount'>
  refundsTo: With<'address'>
  unknown: With<'status'>

  // The status of one line item.
  itemWaiting: string
  itemOnItsWay: string
  itemHeld: string
  itemDelivered: string
  itemShipped: With<'carrier'>
  itemFailed: string
  itemUnavailable: string
  itemsLeft: With<'count'>

  // The rules of a sale.
  opensIn: With<'time'>
  saleLater: string
  saleEnded: string
  notInPhase: string
  recipientRefuses: string
  saleEndsIn: With<'time'>
  saleEndsAt: With<'date'>
  /** Instead of `notInPhase` if the phase is known, and beside a line item of such a phase. */
  forList: With<'phase'>
  phaseSoldOut: string
  limitWallet: With<'max'>
  limitEmail: With<'max'>
  limitPayer: With<'max'>
  /** Instead of `limitLeft` beside limits that say whom they count. */
  leftForYou: With<'count'>
  promotionWrong: string
  tooMany: string
  limitReached: string
  limitLeft: With<'max'> & With<'count'>

  // Labels.
  order: string
  items: string
  subtotal: string
  discount: string
  tax: string
  shipping: string
  total: string
  receipt: string
  timeLeft: With<'time'>
  viewTransaction: string
  viewMint: string
  viewPayment: string
  viewRefund: string
  trackParcel: string
  inWallet: string
  missing: string
  /** What is left to pay after a part of the price. */
  remaining: string
  networkFee: string
  /** In its place where the shop pays it. */
  noNetworkFee: string

  // Forms.
  email: string
  walletAddress: string
  refundAddress: string
  recipient: string
  name: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  country: string
  promotionCode: string
  promotionEnded: string
  optional: With<'label'>
  save: string
  goesTo: With<'recipient'>
  /** Opens the form of what stands before it. */
  change: string
  sendRefund: string
  required: string
  writeLike: With<'example'>
  tooLong: string
  invalid: string

  // The wallet and the payment method.
  payWith: string
  currencyOnChain: With<'currency'> & With<'chain'>
  connect: With<'wallet'>
  chooseAccount: With<'address'>
  otherWallet: string
  noWallet: string
  connectFailed: string

  // Payments from a wallet that is not connected.
  transfer: string
  scan: With<'amount'> & With<'chain'>
  openInWallet: string
  network: string
  amount: string
  address: string
  copyAmount: string
  copyAddress: string
  copied: string
  transferExact: With<'amount'> & With<'chain'>
  transferCall: string
  transferBusy: string

  // Errors, for the buyer.
  unreachable: string
  refused: string
  wrongPayment: string
  notPossible: string
  priceChanged: With<'amount'>
  wrongAccount: With<'address'>
  wrongChain: With<'chain'>
  rejected: string
  reverted: string
  wouldRevert: string
  cancelled: string
  tooLate: string
  /** The shop was to send a payment and pay its network fee. */
  notSponsored: string
  walletFailed: string
  uncertain: string
  underWay: string
  otherTab: string
  changed: string
  chainUnavailable: string
}
