/** An error of the JSON-RPC interface, with the codes of a Solana node. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Refuses a parameter. */
export const invalidParams = (message: string): RpcError => new RpcError(-32602, `Invalid params: ${message}`)
