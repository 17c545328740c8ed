/** An attempt to connect a wallet, and what begins it. */
export type Connecting = {
  isPending: boolean
  isError: boolean
  error: unknown
  connect(): void
}
