import {
  CallExecutionError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  encodeErrorResult,
  erc20Abi,
  type Hex,
  parseAbi,
  RpcRequestError,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { readRevert } from '../../../src/chain/evm/revert.js'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error QuoteExpired(uint256 deadline)',
  'error NothingPaid()',
  'error EnforcedPause()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error Unheard(uint256)',
])
const saying = (text: string): Hex => encodeErrorResult({ abi, errorName: 'Error', args: [text] })
const expired = encodeErrorResult({ abi, errorName: 'QuoteExpired', args: [1n] })

/** As viem reports it, when a node answers that a call reverts. */
const fromNode = (data: Hex): Error => {
  const cause = new RpcRequestError({
    body: {},
    url: 'http://127.0.0.1',
    error: { code: 3, message: 'execution reverted', data },
  })
  return new CallExecutionError(new ExecutionRevertedError({ cause, message: 'execution reverted' }), {})
}

describe('readRevert', () => {
  test('default', () => {
    expect(readRevert(fromNode(expired))).toBe('the quote had expired')
  })

  test.each<[string, Hex]>([
    ['it would pay nothing', encodeErrorResult({ abi, errorName: 'NothingPaid' })],
    ['the contract is paused', encodeErrorResult({ abi, errorName: 'EnforcedPause' })],
    [
      'the token balance is too low',
      encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [zeroAddress, 1n, 2n] }),
    ],
    [
      'the token allowance is too low',
      encodeErrorResult({ abi, errorName: 'ERC20InsufficientAllowance', args: [zeroAddress, 1n, 2n] }),
    ],
    [
      'the token does not accept this payer',
      encodeErrorResult({ abi, errorName: 'ERC20InvalidSender', args: [zeroAddress] }),
    ],
    [
      'the token does not accept this recipient',
      encodeErrorResult({ abi, errorName: 'ERC20InvalidReceiver', args: [zeroAddress] }),
    ],
    ['the token balance is too low', saying('ERC20: transfer amount exceeds balance')],
    ['the token has blocked this account', saying('Blacklistable: account is blacklisted')],
    ['the contract is paused', saying('Pausable: paused')],
    ['the contract failed (panic 0x11)', encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] })],
    ['the contract failed (panic 0x01)', encodeErrorResult({ abi, errorName: 'Panic', args: [1n] })],
    ['“not today”', saying('not today')],
    ['it gives no reason', saying('')],
    ['it gives no reason', encodeErrorResult({ abi, errorName: 'Unheard', args: [1n] })],
    ['it gives no reason', '0x'],
    ['it gives no reason', '0x08c379a0ff'],
    ['it gives no reason', '0x12345678'],
  ])('parameters: %s', (words, data) => {
    expect(readRevert(fromNode(data))).toBe(words)
  })

  test.each<[string, unknown]>([
    ['a bare provider error', { code: 3, message: 'no', data: expired }],
    ['an error within an error', { code: -32603, data: { originalError: { code: 3, data: expired } } }],
    ['data within data', { code: -32000, data: { data: expired } }],
    [
      'viem’s own decoder',
      new ContractFunctionRevertedError({ abi: erc20Abi, data: expired, functionName: 'transfer' }),
    ],
  ])('behavior: finds the data of %s', (_what, error) => {
    expect(readRevert(error)).toBe('the quote had expired')
    expect(readRevert(new Error('outer', { cause: error }))).toBe('the quote had expired')
  })

  test('behavior: what a contract says is shortened, on one line, and does not leave its quotes', () => {
    const said = readRevert(fromNode(saying(`” call\n\u202e\u0000“0800” ${'x'.repeat(3_000)}`)))
    expect(said).toMatch(/^“[^“”\n]*…”$/u)
    expect(said).not.toMatch(/\p{C}/u)
    expect([...said].length).toBeLessThanOrEqual(122)
    expect(readRevert(fromNode(saying('\u202e\u0000\n')))).toBe('it gives no reason')
  })

  test('behavior: data without end is not read', () => {
    expect(readRevert(fromNode(saying('x'.repeat(1_000_000))))).toBe('it gives no reason')
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a word', 'reverted'],
    ['an error without data', new Error('execution reverted')],
    [
      'something that points at itself',
      (() => {
        const error: { cause?: unknown; data?: unknown } = {}
        error.cause = error
        error.data = error
        return error
      })(),
    ],
    [
      'something that does not let itself be read',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
          has: () => true,
        },
      ),
    ],
  ])('behavior: %s gives no reason', (_what, error) => {
    expect(readRevert(error)).toBe('it gives no reason')
  })
})
