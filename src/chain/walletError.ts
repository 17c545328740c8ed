import { isKassaError, KassaError } from '../errors.js'

/** Every error along the chain of causes, the outermost first. */
const causes = (error: unknown): unknown[] => {
  const chain: unknown[] = []
  for (let next = error; next && !chain.includes(next) && chain.length < 16; ) {
    chain.push(next)
    next = typeof next === 'object' && 'cause' in next ? next.cause : undefined
  }
  return chain
}

/** The value of a property of something caught, whatever that is. */
const read = (error: unknown, key: 'code' | 'name'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined

const notAsked = ['ChainMismatchError', 'ConnectorNotConnectedError', 'ConnectorAccountNotFoundError']

const has = (errors: unknown[], key: 'code' | 'name', values: readonly unknown[]): boolean =>
  errors.some((error) => values.includes(read(error, key)))

/**
 * Whether a wallet that was asked to send has answered, and the answer is no: an error with a code, or one that
 * was raised before the wallet was asked. A connection that broke is no answer.
 */
export const isWalletAnswer = (error: unknown): boolean => {
  const chained = causes(error)
  if (has(chained, 'name', ['HttpRequestError', 'TimeoutError', 'WebSocketRequestError'])) return false
  // viem gives the code -1 to whatever had none.
  return (
    chained.some((cause) => {
      const code = read(cause, 'code')
      return (typeof code === 'number' && code !== -1) || typeof code === 'string'
    }) || has(chained, 'name', notAsked)
  )
}

/**
 * Says in the library's words what a wallet or a node said in its own. Reads the codes and names along the
 * chain of causes, never the text, which differs between wallets and languages.
 *
 * @param chain - The chain being used, by the interface's name.
 */
export const classifyWalletError = (error: unknown, chain: string): KassaError => {
  if (isKassaError(error)) return error
  const chained = causes(error)
  const options = { cause: error }
  // 4001 is EIP-1193's refusal by the user, 5000 is what WalletConnect answers for the same.
  if (has(chained, 'code', [4001, 5000, 'ACTION_REJECTED']))
    return new KassaError('pay.rejected', {}, options)
  if (has(chained, 'code', [4902]) || has(chained, 'name', ['ChainMismatchError', 'SwitchChainError'])) {
    return new KassaError('pay.wrong-chain', { expected: chain }, options)
  }
  if (has(chained, 'name', ['ChainNotConfiguredError', 'ConnectorChainMismatchError'])) {
    return new KassaError('pay.wrong-chain', { expected: chain }, options)
  }
  if (has(chained, 'name', ['InsufficientFundsError'])) {
    return new KassaError('pay.insufficient-funds-for-gas', {}, options)
  }
  if (has(chained, 'name', ['ConnectorNotConnectedError', 'ConnectorAccountNotFoundError'])) {
    return new KassaError('pay.not-connected', {}, options)
  }
  // 4900 and 4901: the wallet itself has lost its network.
  if (has(chained, 'name', ['HttpRequestError', 'TimeoutError']) || has(chained, 'code', [4900, 4901])) {
    return new KassaError('pay.chain-unavailable', { chain }, options)
  }
  const outermost = chained[0]
  const reason = outermost instanceof Error ? outermost.name : 'unknown error'
  return new KassaError('pay.wallet-failed', { reason }, options)
}
