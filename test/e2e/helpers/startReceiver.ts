import { once } from 'node:events'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'

const Event = z.looseObject({ type: z.string(), actionId: z.string() })

/**
 * Starts a receiver of webhooks, which stores the verified ones by type and action, with their ids. Its
 * secret is set once it is known.
 */
export const startReceiver = async () => {
  const told = new Map<string, Set<string>>()
  const state = { secret: '', forged: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    try {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
      )
      const event = z.parse(Event, new Webhook(state.secret).verify(body, headers))
      const key = `${event.type} ${event.actionId}`
      told.set(key, (told.get(key) ?? new Set()).add(`${request.headers['webhook-id']}`))
      response.writeHead(200).end()
    } catch {
      state.forged++
      response.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
    told,
    state,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
