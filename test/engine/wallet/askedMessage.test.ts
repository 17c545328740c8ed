import { describe, expect, test } from 'vitest'
import { readOtherSigners } from '../../../src/engine/wallet/askedMessage.js'

const message = { hasLookupTables: false, signers: ['wallet', 'ada', 'bob'], usesNonce: () => false }
const asked = { isSigned: false, message }

describe('readOtherSigners', () => {
  test('default: those who sign beside the wallet', () => {
    expect(readOtherSigners('params.transaction', asked, 'wallet')).toEqual(['ada', 'bob'])
  })

  test.each([
    ['a signature', { ...asked, isSigned: true }, 'without signatures'],
    ['a message of another version', { ...asked, message: undefined }, 'version 0'],
    ['lookup tables', { ...asked, message: { ...message, hasLookupTables: true } }, 'lookup tables'],
    [
      'another fee payer',
      { ...asked, message: { ...message, signers: ['ada'] } },
      'fee payer wallet, not ada',
    ],
    ['a durable nonce', { ...asked, message: { ...message, usesNonce: () => true } }, 'durable nonce'],
  ])('error: %s', (_, given, fault) => {
    const read = () => readOtherSigners('params.transaction', given, 'wallet')
    expect(read).toThrow(/^params\.transaction: expected/)
    expect(read).toThrow(fault)
  })

  test('behavior: a message whose accounts are hidden is not asked for its nonce', () => {
    const usesNonce = (): boolean => {
      throw new Error('asked')
    }
    const hidden = { ...asked, message: { ...message, hasLookupTables: true, usesNonce } }
    expect(() => readOtherSigners('params.transaction', hidden, 'wallet')).toThrow('lookup tables')
  })
})
