import { createWebhookHandler, type WebhookEvent } from 'kassa/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { orderEvent, otherSecret, post, secret, sentAt, sign } from './signed.js'

const now = () => sentAt.getTime()

/** An endpoint, and what it was told. */
const listen = (options: Partial<Parameters<typeof createWebhookHandler>[0]> = {}) => {
  const heard: { event: WebhookEvent; id: string }[] = []
  const errors: unknown[] = []
  const handle = createWebhookHandler({
    secret,
    now,
    onEvent: (event, { id }) => void heard.push({ event, id }),
    onError: (error) => void errors.push(error),
    ...options,
  })
  return { handle, heard, errors }
}

afterEach(() => void vi.restoreAllMocks())

describe('createWebhookHandler', () => {
  test('default', async () => {
    const { handle, heard, errors } = listen()
    const answer = await handle(post(orderEvent))
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(heard).toEqual([{ event: orderEvent, id: 'msg_1' }])
    expect(errors).toEqual([])
  })

  test('behavior: answers once the event is handled, not before', async () => {
    const order: string[] = []
    const { handle } = listen({
      onEvent: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        order.push('handled')
      },
    })
    await handle(post(orderEvent)).then(() => order.push('answered'))
    expect(order).toEqual(['handled', 'answered'])
  })

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('error: 405 for %s', async (method) => {
    const { handle, heard } = listen()
    const answer = await handle(new Request('https://shop.example', { method, headers: sign('') }))
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(heard).toEqual([])
  })

  test('error: 400 for what is not signed by the secret, is too old or is no event', async () => {
    const { handle, heard, errors } = listen()
    const old = { at: new Date(sentAt.getTime() - 301_000) }
    const body = JSON.stringify(orderEvent)
    const requests = [
      new Request('https://shop.example', { method: 'POST', body }),
      post(body, sign(body, { by: otherSecret })),
      post(body, sign(body, old)),
      post('[]'),
    ]
    for (const request of requests) {
      const answer = await handle(request)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({ error: true, message: expect.any(String) })
    }
    expect(heard).toEqual([])
    expect(errors).toMatchObject([
      { code: 'webhook.headers-missing' },
      { code: 'webhook.signature-invalid' },
      { code: 'webhook.timestamp-invalid' },
      { code: 'webhook.body-invalid' },
    ])
  })

  test('error: 413 for what is too large', async () => {
    const { handle, heard } = listen({ maxBytes: 100 })
    expect((await handle(post(orderEvent))).status).toBe(413)
    expect(heard).toEqual([])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('the table is locked, password hunter2'))],
    [
      'throws at once',
      () => {
        throw new Error('hunter2')
      },
    ],
  ])('error: 500 without details when onEvent %s', async (_, onEvent) => {
    const { handle, errors } = listen({ onEvent })
    const answer = await handle(post(orderEvent))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('hunter2')
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('hunter2') })])
  })

  test('error: 500 when a webhook that onEvent itself verifies is refused', async () => {
    const { handle: inner } = listen()
    const { handle } = listen({
      onEvent: async () => {
        const answer = await inner(post(orderEvent, { 'webhook-id': 'msg_2' }))
        if (!answer.ok) throw new Error('refused')
      },
    })
    expect((await handle(post(orderEvent))).status).toBe(500)
  })

  test('error: 500 when the secret is none, so that nothing is lost', async () => {
    const { handle, errors } = listen({ secret: '' })
    expect((await handle(post(orderEvent))).status).toBe(500)
    expect(errors).toMatchObject([{ code: 'webhook.secret-invalid' }])
  })

  test('behavior: without onError the console hears of failures, not of strangers', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const failure = new Error('no')
    const { handle } = listen({ onError: undefined, onEvent: () => Promise.reject(failure) })
    await handle(post(orderEvent, { 'webhook-id': 'msg_2' }))
    expect(log).not.toHaveBeenCalled()
    await handle(post(orderEvent))
    expect(log).toHaveBeenCalledWith(expect.any(String), failure)
  })
})
