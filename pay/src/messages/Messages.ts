/** The sentences of the page. Those of a checkout come from `kassa/locales`. */
export type Messages = {
  loading: string
  quantity: string
  /** Of one. */
  each: string
  buy: string
  opening: string
  missing: string
  deactivated: string
  ended: string
  usedUp: string
  askShop: string
  busy: string
  tooMany: string
  failed: string
  again: string
  newOrder: string
  toShop: string
  print: string
  scan: string
  testMode: string
  paid: string
  nextCustomer: string
  scanToPay: string
}
