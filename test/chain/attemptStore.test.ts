import { describe, expect, test } from 'vitest'
import { createMemoryStorage, createPaymentAttemptStore, type PaymentAttempt } from '../../src/chain/index.js'

const attempt: PaymentAttempt = {
  id: 'first',
  orderId: 'one',
  chainId: 84532,
  payerAddress: '0x2222222222222222222222222222222222222222',
  to: '0x1111111111111111111111111111111111111111',
  data: '0x',
  valueWei: '12',
  attemptedAtMs: 1,
}
const second: PaymentAttempt = { ...attempt, id: 'second', attemptedAtMs: 2, fromBlock: '7', txId: '0x1' }
const key = 'kassa.attempts.one'

describe('createPaymentAttemptStore', () => {
  test('default', () => {
    const storage = createMemoryStorage()
    const attemptStore = createPaymentAttemptStore(storage)
    attemptStore.put(attempt)
    attemptStore.put(second)
    expect(createPaymentAttemptStore(storage).list('one')).toEqual([attempt, second])
  })

  test('behavior: what is known of an attempt is replaced, in its place', () => {
    const attemptStore = createPaymentAttemptStore(createMemoryStorage())
    attemptStore.put(attempt)
    attemptStore.put(second)
    attemptStore.put({ ...attempt, nonce: 3 })
    expect(attemptStore.list('one')).toEqual([{ ...attempt, nonce: 3 }, second])
  })

  test('behavior: what a buyer signed for the shop to send survives a reload, if it is whole', () => {
    const storage = createMemoryStorage()
    const authorization = {
      id: 'a',
      kind: 'erc3009',
      nonce: '0x01',
      validBefore: '9',
      isPosted: true,
    } as const
    createPaymentAttemptStore(storage).put({ ...attempt, authorization })
    expect(createPaymentAttemptStore(storage).list('one')).toEqual([{ ...attempt, authorization }])
    for (const validBefore of ['soon', '-1', 9]) {
      storage.setItem(key, JSON.stringify([{ ...attempt, authorization: { ...authorization, validBefore } }]))
      expect(createPaymentAttemptStore(storage).list('one')).toEqual([])
    }
  })

  test('behavior: one order does not see the attempts of another', () => {
    const attemptStore = createPaymentAttemptStore(createMemoryStorage())
    attemptStore.put(attempt)
    expect(attemptStore.list('two')).toEqual([])
  })

  test('behavior: one attempt is removed, the other stays', () => {
    const attemptStore = createPaymentAttemptStore(createMemoryStorage())
    attemptStore.put(attempt)
    attemptStore.put(second)
    attemptStore.remove(attempt)
    expect(attemptStore.list('one')).toEqual([second])
  })

  test('behavior: cleared is gone, from the storage too', () => {
    const storage = createMemoryStorage()
    const attemptStore = createPaymentAttemptStore(storage)
    attemptStore.put(attempt)
    attemptStore.put(second)
    attemptStore.clear('one')
    expect(attemptStore.list('one')).toEqual([])
    expect(storage.getItem(key)).toBeNull()
  })

  test.each(['{', 'null', '{"orderId":1}', '[null,{},"attempt"]'])(
    'behavior: %j in storage is no attempt',
    (text) => {
      const storage = createMemoryStorage()
      storage.setItem(key, text)
      expect(createPaymentAttemptStore(storage).list('one')).toEqual([])
    },
  )

  test('behavior: a record that cannot be read does not hide the others', () => {
    const storage = createMemoryStorage()
    storage.setItem(
      key,
      JSON.stringify([attempt, { ...second, to: 'nowhere' }, { ...second, valueWei: '-1' }]),
    )
    const attemptStore = createPaymentAttemptStore(storage)
    expect(attemptStore.list('one')).toEqual([attempt])
    // Another version of the page wrote it, and will read it again.
    attemptStore.remove(attempt)
    expect(JSON.parse(storage.getItem(key) ?? '')).toHaveLength(2)
    attemptStore.clear('one')
    expect(storage.getItem(key)).toBeNull()
  })

  test('behavior: an address without a checksum can be read', () => {
    const attemptStore = createPaymentAttemptStore(createMemoryStorage())
    const unchecked = { ...attempt, to: `0x${'aB'.repeat(20)}` } as const
    attemptStore.put(unchecked)
    expect(attemptStore.list('one')).toEqual([unchecked])
  })

  test('behavior: what is forgotten is not added to', () => {
    const attemptStore = createPaymentAttemptStore(createMemoryStorage())
    attemptStore.put(attempt)
    expect(attemptStore.update(attempt, (known) => ({ ...known, nonce: 4 }))).toEqual({
      ...attempt,
      nonce: 4,
    })
    attemptStore.remove(attempt)
    expect(attemptStore.update(attempt, (known) => ({ ...known, nonce: 5 }))).toBeUndefined()
    expect(attemptStore.list('one')).toEqual([])
  })

  test('behavior: an attempt that the storage does not take is kept as long as the page', () => {
    const full = {
      ...createMemoryStorage(),
      setItem: () => {
        throw new Error('full')
      },
    }
    const attemptStore = createPaymentAttemptStore(full)
    attemptStore.put(attempt)
    attemptStore.put(second)
    expect(attemptStore.list('one')).toEqual([attempt, second])
    attemptStore.clear('one')
    expect(attemptStore.list('one')).toEqual([])
  })

  test('behavior: a storage that cannot be read holds nothing', () => {
    const shut = {
      ...createMemoryStorage(),
      getItem: () => {
        throw new Error('shut')
      },
    }
    expect(createPaymentAttemptStore(shut).list('one')).toEqual([])
  })
})
