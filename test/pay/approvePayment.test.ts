import { expect, test, vi } from 'vitest'
import { approvePayment } from '../../src/pay/approvePayment.js'
import type { PaymentToApprove } from '../../src/query.js'

// In a file of its own: a service in this process would lose its timers.
test('error: pay.vetoed by a check that does not answer for a minute', async () => {
  vi.useFakeTimers()
  try {
    const vetoed = approvePayment({ onBeforePay: () => new Promise(() => {}) }, {} as PaymentToApprove)
    const expected = { code: 'pay.vetoed', context: { reason: 'its own check took too long' } }
    const told = expect(vetoed).rejects.toMatchObject(expected)
    await vi.advanceTimersByTimeAsync(60_000)
    await told
  } finally {
    vi.useRealTimers()
  }
})
