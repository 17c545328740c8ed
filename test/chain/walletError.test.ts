import {
  ChainMismatchError,
  HttpRequestError,
  InsufficientFundsError,
  SwitchChainError,
  TransactionExecutionError,
  UserRejectedRequestError,
} from 'viem'
import { baseSepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { classifyWalletError } from '../../src/chain/index.js'
import { payError } from '../../src/errors/index.js'

const inExecution = (cause: Error) => new TransactionExecutionError(cause as never, { account: null })

describe('classifyWalletError', () => {
  test.each([
    ['a refusal', new UserRejectedRequestError(new Error('no')), 'pay.rejected'],
    ['a wrapped refusal', inExecution(new UserRejectedRequestError(new Error('no'))), 'pay.rejected'],
    ['a bare provider refusal', { code: 4001, message: 'nein' }, 'pay.rejected'],
    ['a refusal over WalletConnect', { code: 5000 }, 'pay.rejected'],
    ['an unknown chain', new SwitchChainError(new Error('unknown')), 'pay.wrong-chain'],
    [
      'a chain that moved',
      new ChainMismatchError({ chain: baseSepolia, currentChainId: 1 }),
      'pay.wrong-chain',
    ],
    [
      'no gas money',
      inExecution(new InsufficientFundsError({ cause: new Error() as never })),
      'pay.insufficient-funds-for-gas',
    ],
    ['a node that is away', new HttpRequestError({ url: 'http://127.0.0.1:1' }), 'pay.chain-unavailable'],
    ['anything else', new Error('boom'), 'pay.wallet-failed'],
    ['not even an error', 'boom', 'pay.wallet-failed'],
  ])('parameters: %s', (_what, error, code) => {
    expect(classifyWalletError(error, 'base-sepolia').code).toBe(code)
  })

  test('behavior: an error of the library passes through', () => {
    const error = payError('pay.quote-expired', {})
    expect(classifyWalletError(error, 'base-sepolia')).toBe(error)
  })

  test('behavior: a cause that points at itself does not hang', () => {
    const error: Error & { cause?: unknown } = new Error('loop')
    error.cause = error
    expect(classifyWalletError(error, 'base-sepolia').code).toBe('pay.wallet-failed')
  })
})
