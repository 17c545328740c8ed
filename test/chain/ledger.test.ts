import { describe, expect, test } from 'vitest'
import { createLedger, createMemoryStorage } from '../../src/chain/index.js'

const attempt = { orderId: 'one', chainId: 84532, payerAddress: '0xab', attemptedAtMs: 1 }

describe('createLedger', () => {
  test('default', () => {
    const storage = createMemoryStorage()
    createLedger(storage).put(attempt)
    expect(createLedger(storage).get('one')).toEqual(attempt)
  })

  test('behavior: one order does not see the attempt of another', () => {
    const ledger = createLedger(createMemoryStorage())
    ledger.put(attempt)
    expect(ledger.get('two')).toBeUndefined()
  })

  test('behavior: removed is gone', () => {
    const ledger = createLedger(createMemoryStorage())
    ledger.put({ ...attempt, txId: '0x1' })
    ledger.remove('one')
    expect(ledger.get('one')).toBeUndefined()
  })

  test.each(['{', 'null', '{"orderId":1}'])('behavior: %j in storage is no attempt', (text) => {
    const storage = createMemoryStorage()
    storage.setItem('kassa.attempt.one', text)
    expect(createLedger(storage).get('one')).toBeUndefined()
  })
})
