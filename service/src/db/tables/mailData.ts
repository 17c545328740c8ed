/** What the mail about a minted token tells of it. */
export type NftMinted = {
  tokenName: string
  collectionName: string
  /** Who the recipient knows it from; the project's own name where it is left out. */
  projectName?: string
  /** Where a mail program finds the picture; empty, or anything but http and https, means that there is none. */
  imageUrl: string
  /** The interface's name of the chain. */
  chain: string
  contractAddress: string
  tokenId: string
  explorerUrl?: string
}

/** What the confirmation of an order tells its payer: the receipt. Amounts are for people, such as `0.02 ETH`. */
export type OrderConfirmed = {
  lines: { name: string; amount: string }[]
  /** Empty where none is charged. */
  tax: string
  shipping: string
  total: string
  /** The interface's name of the chain that the payment came by. */
  chain: string
  txId: string
  explorerUrl?: string
  orderId: string
  /** Where the goods are shipped to, in one line; empty where nothing is shipped. */
  address: string
}

/** What the mail about a delivered order tells its recipient. */
export type OrderDelivered = {
  items: NftMinted[]
  /** Who gave it, and what they wrote; absent where the recipient paid. */
  gift?: { giverName: string; note?: string }
}

/** What the text of one of the service's mails is filled with. */
export type MailData = NftMinted | OrderConfirmed | OrderDelivered
