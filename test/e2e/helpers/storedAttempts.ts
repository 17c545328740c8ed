import type { EvmPaymentAttempt } from 'kassa/chain'
import type { Page } from 'playwright'
import { expect } from 'vitest'

/** Waits until a page has learned from a node of the payment it was told of: it says "sent" before that. */
export const waitUntilSeen = async (page: Page, orderId: string): Promise<void> => {
  await expect
    .poll(async () => {
      const stored = await page.evaluate((key) => localStorage.getItem(key), `kassa.attempts.${orderId}`)
      const attempts: EvmPaymentAttempt[] = JSON.parse(stored ?? '[]')
      return attempts.at(-1)?.nonce
    })
    .toBeTypeOf('number')
}
