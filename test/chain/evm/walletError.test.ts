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
import { isRevert, isUnknownChain, isUnsupported } from '../../../src/chain/evm/walletError.js'
import { classifyWalletError } from '../../../src/chain/index.js'
import { payError } from '../../../src/errors/index.js'

const named = (name: string) => Object.assign(new Error('no'), { name })

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
    ['an unknown chain, by code', { code: 4902 }, 'pay.wrong-chain'],
    ['a chain that the app lacks', named('ChainNotConfiguredError'), 'pay.wrong-chain'],
    ['a connector on another chain', named('ConnectorChainMismatchError'), 'pay.wrong-chain'],
    ['no connection', named('ConnectorNotConnectedError'), 'pay.not-connected'],
    ['no account', named('ConnectorAccountNotFoundError'), 'pay.not-connected'],
    ['a node that is slow', named('TimeoutError'), 'pay.chain-unavailable'],
    ['a wallet without a network', { code: 4900 }, 'pay.chain-unavailable'],
    ['a wallet without this network', { code: 4901 }, 'pay.chain-unavailable'],
    ['nothing', undefined, 'pay.wallet-failed'],
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

  test('behavior: what goes wrong in a wallet is named, and its error is kept as the cause', () => {
    const error = named('LedgerError')
    expect(classifyWalletError(error, 'base-sepolia')).toMatchObject({
      context: { reason: 'LedgerError' },
      cause: error,
    })
    expect(classifyWalletError({ code: 1 }, 'base-sepolia')).toMatchObject({
      context: { reason: 'unknown error' },
    })
    for (const cause of [{ code: 4902 }, named('ConnectorChainMismatchError')])
      expect(classifyWalletError(cause, 'base-sepolia')).toMatchObject({
        context: { expected: 'base-sepolia' },
        cause,
      })
  })
})

test.each([
  ['a node that ran the call', named('ExecutionRevertedError'), true],
  ['a contract', named('ContractFunctionRevertedError'), true],
  ['a code of a node', { cause: { code: 3 } }, true],
  ['a node that is away', named('HttpRequestError'), false],
])('isRevert: %s', (_what, error, expected) => {
  expect(isRevert(error)).toBe(expected)
})

test.each([
  ['at once', { code: 4902 }, true],
  ['inside an internal error', { cause: { code: -32603, data: { originalError: { code: 4902 } } } }, true],
  ['another internal error', { code: -32603, data: { originalError: { code: 4001 } } }, false],
  ['an internal error without data', { code: -32603, data: null }, false],
])('isUnknownChain: %s', (_what, error, expected) => {
  expect(isUnknownChain(error)).toBe(expected)
})

test.each([
  [4200, true],
  [-32601, true],
  [4001, false],
])('isUnsupported: code %i', (code, expected) => {
  expect(isUnsupported({ cause: { code } })).toBe(expected)
})
