import type { KassaError } from '../../errors/index.js'
import { isKassaError } from '../../errors/KassaError.js'
import { payError } from '../../errors/payError.js'
import { causes, readProperty } from './causes.js'
import { isRejection } from './isRejection.js'

// EIP-1193: rejected, unauthorised, unsupported, disconnected, unknown chain. JSON-RPC: unknown method or
// invalid parameters. The others are WalletConnect's and ethers' codes for a rejection.
const refusals = [4001, 4100, 4200, 4902, 5000, -32601, -32602, 'ACTION_REJECTED']
const notAsked = [
  'ChainMismatchError',
  'ConnectorNotConnectedError',
  'ConnectorAccountNotFoundError',
  'InsufficientFundsError',
]

const has = (errors: unknown[], key: 'code' | 'name', values: readonly unknown[]): boolean =>
  errors.some((error) => values.includes(readProperty(error, key)))

/**
 * Whether a wallet certainly did not send: it refused or was never asked. Any other error, including an
 * internal one, may come after the payment was broadcast.
 */
export const isRefusal = (error: unknown): boolean => {
  const chained = causes(error)
  return has(chained, 'code', refusals) || has(chained, 'name', notAsked)
}

/**
 * Converts a wallet's or node's error to the library's. It reads the codes and names along the chain of
 * causes, never the text, which differs between wallets and languages.
 *
 * @param chain - The chain in use, by the interface's name.
 */
export const classifyWalletError = (error: unknown, chain: string): KassaError => {
  if (isKassaError(error)) return error
  const chained = causes(error)
  const options = { cause: error }
  if (isRejection(error)) return payError('pay.rejected', {}, options)
  if (has(chained, 'code', [4902]) || has(chained, 'name', ['ChainMismatchError', 'SwitchChainError'])) {
    return payError('pay.wrong-chain', { expected: chain }, options)
  }
  if (has(chained, 'name', ['ChainNotConfiguredError', 'ConnectorChainMismatchError'])) {
    return payError('pay.wrong-chain', { expected: chain }, options)
  }
  if (has(chained, 'name', ['InsufficientFundsError'])) {
    return payError('pay.insufficient-funds-for-gas', {}, options)
  }
  if (has(chained, 'name', ['ConnectorNotConnectedError', 'ConnectorAccountNotFoundError'])) {
    return payError('pay.not-connected', {}, options)
  }
  // 4900 and 4901: the wallet has lost its connection to the network.
  if (has(chained, 'name', ['HttpRequestError', 'TimeoutError']) || has(chained, 'code', [4900, 4901])) {
    return payError('pay.chain-unavailable', { chain }, options)
  }
  const outermost = chained[0]
  const reason = outermost instanceof Error ? outermost.name : 'unknown error'
  return payError('pay.wallet-failed', { reason }, options)
}

/** Whether a node ran a call and the contract reverted. */
export const isRevert = (error: unknown): boolean =>
  has(causes(error), 'name', ['ExecutionRevertedError', 'ContractFunctionRevertedError']) ||
  has(causes(error), 'code', [3])

/** Whether a wallet does not know the chain it was asked to switch to, so that it can be added. */
export const isUnknownChain = (error: unknown): boolean => {
  const chained = causes(error)
  // Some wallets nest their own error one level deeper, inside an internal one.
  const nested = chained.flatMap((cause) => {
    const data: unknown = readProperty(cause, 'data')
    return causes(readProperty(data, 'originalError'))
  })
  return has([...chained, ...nested], 'code', [4902])
}

/** Whether a wallet does not support a method, so that its owner was not asked. */
export const isUnsupported = (error: unknown): boolean => has(causes(error), 'code', [4200, -32601])
