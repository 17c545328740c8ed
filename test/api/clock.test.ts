import { describe, expect, test } from 'vitest'
import { createClient, getOrder, getServiceTime } from '../../src/api/index.js'

/** A client whose service answers with another time after a delay. */
const askAt = async (serviceMs: number | undefined) => {
  const client = createClient({
    baseUrl: 'http://service.test/api',
    fetch: async () => {
      const headers = serviceMs === undefined ? {} : { date: new Date(serviceMs).toUTCString() }
      return new Response('{}', { status: 404, headers })
    },
  })
  await getOrder(client, { orderId: '1' }).catch(() => undefined)
  return client
}

const minutes = 60_000
/** Answers tell whole seconds, and a test takes its time. */
const toMinutes = (ms: number): number => Math.round(ms / minutes)

describe('getServiceTime', () => {
  test.for([-7, 12])('behavior: a device that is %s minutes ahead or behind', async (ahead) => {
    const client = await askAt(Date.now() - ahead * minutes)
    expect(toMinutes(Date.now() - getServiceTime(client, Date.now()))).toBe(ahead)
  })

  test('behavior: a slow answer, which proves nothing, leaves what is known', async () => {
    let aheadMs = 7 * minutes
    let waitMs = 0
    const client = createClient({
      baseUrl: 'http://service.test/api',
      fetch: async () => {
        const date = new Date(Date.now() - aheadMs).toUTCString()
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        return new Response('{}', { status: 404, headers: { date } })
      },
    })
    const ask = () => getOrder(client, { orderId: '1' }).catch(() => undefined)
    await ask()
    waitMs = 1_500
    await ask()
    expect(toMinutes(Date.now() - getServiceTime(client, Date.now()))).toBe(7)
    // The device's clock was put right.
    aheadMs = 0
    waitMs = 0
    await ask()
    expect(toMinutes(Date.now() - getServiceTime(client, Date.now()))).toBe(0)
  })

  test('behavior: a second more or less is no wrong clock', async () => {
    const client = await askAt(Date.now())
    const nowMs = Date.now()
    expect(getServiceTime(client, nowMs)).toBe(nowMs)
  })

  test('behavior: a service that does not tell the time is taken to have the device’s', async () => {
    const client = await askAt(undefined)
    expect(getServiceTime(client, 5)).toBe(5)
  })
})
