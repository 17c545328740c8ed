import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { vi } from 'vitest'
import { readDelivered } from '../../../scripts/lib/delivered.mjs'
import { limits } from '../../limits.js'
import { findCommand, type Guide } from './guide.js'
import { startApp } from './strangersApp.js'

/** A sandbox's address and the keys that it printed. */
export type Service = { url: string; serverKey: string; clientKey: string }

/** Starts the sandbox as a guide has it started: in the app's folder, out of the app's own packages. */
export const startGuidesSandbox = async (folder: string, guide: Guide) => {
  const [, , ...args] = findCommand(guide, 'npx kassa-service sandbox').split(' ')
  const program = await startApp(folder, {
    name: 'sandbox',
    script: 'kassa-service/dist/bin.js',
    args,
    from: 24_000,
    path: '/health',
  })
  const readKey = (kind: string): string => {
    const key = new RegExp(`${kind} key\\s+(\\S+)`).exec(readFileSync(program.log, 'utf8'))?.[1]
    if (!key) throw new Error(`the sandbox has printed no ${kind} key`)
    return key
  }
  // It prints them once all that they open is there.
  const clientKey = await vi.waitFor(() => readKey('client'), limits.conditionMs)
  return { service: { url: program.url, serverKey: readKey('server'), clientKey }, program }
}

/** Pays on a page whose wallet confirms by itself, and waits for the delivery. */
export const payByTestWallet = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Pay \S*\d/ }).click()
  await page.getByText('Delivered. Thank you').first().waitFor()
}

/** Buys on the page of a guide, which keeps the order over a reload, and pays it. Returns the order's id. */
export const buyByTestWallet = async (page: Page): Promise<string> => {
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/orders'),
  )
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const { order } = await (await created).json()
  await page.getByRole('button', { name: /^Pay \S*\d/ }).waitFor()
  // The wallet connects again, and the order is still there.
  await page.reload()
  await payByTestWallet(page)
  return order.orderId
}

/** The owners of an order's tokens, as the chain itself names them. */
export const listOwners = async (service: Service, orderId: string): Promise<string[]> => {
  const delivered = await readDelivered({ serviceUrl: service.url, sandbox: service }, orderId)
  return delivered.map(({ owner }) => owner)
}
