/** A wallet's error, with a code of EIP-1193, EIP-1474 or EIP-3085. */
export class ProviderError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
