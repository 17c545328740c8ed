/**
 * A request for a payment from a wallet that is not connected to the page. It was checked against the order.
 *
 * @units `units` is in base units of `currency`; `amount` is the same as a decimal string in whole units.
 */
export type TransferRequest = {
  /** The request as an address to scan or open: `ethereum:…` (EIP-681) or `solana:…` (Solana Pay). */
  uri: string
  /** The chain by the interface's name. */
  chain: string
  /** Undefined on Solana. */
  chainId: number | undefined
  /**
   * The order's own deposit address, to which the amount may also be sent by hand. Undefined where only a payment
   * made from `uri` names the order.
   */
  address: string | undefined
  amount: string
  /** In lower case. */
  currency: string
  units: bigint
}
