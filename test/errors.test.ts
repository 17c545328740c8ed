import { expect, test } from 'vitest'
import { isKassaError, payError } from '../src/errors/index.js'
import { errorCodes } from './helpers/errorCodes.js'

const rejected = () => payError('pay.rejected', {}, { cause: new Error('User denied') })

test('default', () => {
  const error = rejected()
  expect(error).toMatchObject({
    name: 'KassaError',
    code: 'pay.rejected',
    context: {},
    retryable: true,
    docs: 'kassa/errors/pay.rejected.md',
    cause: { message: 'User denied' },
  })
  expect(isKassaError(error)).toBe(true)
})

test('parameters: code', () => {
  const error: unknown = payError('pay.wrong-account', { expected: '0xA', connected: '0xB' })
  expect(isKassaError(error, 'pay.rejected')).toBe(false)
  if (!isKassaError(error, 'pay.wrong-account')) throw new Error('not recognised by its code')
  expect(error.context.expected).toBe('0xA')
  expect(error.message).toContain('0xB')
})

test('behavior: an error of another copy of the package is recognised', () => {
  class Foreign extends Error {
    override readonly name = 'KassaError'
    readonly code = 'pay.rejected'
  }
  expect(isKassaError(new Foreign(), 'pay.rejected')).toBe(true)
})

test('behavior: nothing else is taken for one', () => {
  for (const other of [undefined, null, 'KassaError', { name: 'KassaError', code: 'x' }, new Error('x')])
    expect(isKassaError(other)).toBe(false)
})

test('behavior: every code is an area and a problem', () => {
  for (const code of errorCodes)
    expect(code).toMatch(
      /^(config|input|api|action|cart|passkey|pay|transaction|wallet|webhook)\.[a-z]+(-[a-z]+)*$/,
    )
})
