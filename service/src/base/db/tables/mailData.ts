/** The data of the e-mail about a minted token. */
export type NftMinted = {
  tokenName: string
  collectionName: string
  /** The merchant's name as the recipient knows it. Without it, the project's own name. */
  projectName?: string
  /** The URL of the picture for mail programs. Empty, or anything but http and https, means none. */
  imageUrl: string
  /** The chain's name in the interface. */
  chain: string
  contractAddress: string
  tokenId: string
  explorerUrl?: string
}

/**
 * The receipt that a payer gets, with amounts for people such as `0.02 ETH`. It leaves the shipping address out: a
 * client secret may change the e-mail address, and does not show the shipping address.
 */
export type OrderConfirmed = {
  lines: { name: string; amount: string }[]
  /** Empty if none is charged. */
  tax: string
  shipping: string
  total: string
  /** The name in the interface of the chain on which the payment arrived. */
  chain: string
  txId: string
  explorerUrl?: string
  orderId: string
}

/** The data of the e-mail about a delivered order. */
export type OrderDelivered = {
  items: NftMinted[]
  /** The giver and their note; absent if the recipient paid. */
  gift?: { giverName: string; note?: string }
}

/** The data of the e-mail about a refund by the merchant, or of a payment that was not captured. */
export type OrderRefunded = {
  /** For people, such as `0.02 ETH`. */
  refunded: string
  /** The merchant's words; absent without any. */
  reason?: string
  /** Whether the order ended without a delivery. */
  isVoided?: true
  chain: string
  txId: string
  explorerUrl?: string
  orderId: string
}

/**
 * The data of the e-mail about a shipment, or about one that was reported by mistake. It leaves the address out, as the
 * receipt does.
 */
export type OrderShipped = {
  /** The names of the line items. */
  shipped: string[]
  carrier: string
  /** Empty if there is none. */
  trackingNumber: string
  trackingUrl?: string
  /** Whether it was reported by mistake. */
  isCancelled?: true
  orderId: string
}

/** The data of one of the service's e-mails. */
export type MailData = NftMinted | OrderConfirmed | OrderDelivered | OrderRefunded | OrderShipped
