/** A payment that the sandbox wallet asks its owner to confirm. */
export type SandboxPayment = {
  /** The chain by the interface's name, such as `base-sepolia`. */
  chain: string
  from: string
  to: string
  /** A decimal string in whole units of `currency`. */
  amount: string
  /** In lower case. */
  currency: string
}
