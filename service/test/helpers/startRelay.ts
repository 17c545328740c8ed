import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Starts a relay between an adapter and its node, which sees each request before the node does and may hold
 * it back.
 */
export const startRelay = async (
  nodeUrl: string,
  before: (body: string) => Promise<void>,
  /** A status or a JSON-RPC error to return in the node's place. */
  getRefusal: (body: string) => number | { code: number; message: string } | undefined = () => undefined,
  /** Changes the node's answer. */
  alter: (body: string, answer: string) => string = (_, answer) => answer,
) => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    await before(body)
    const refusal = getRefusal(body)
    if (typeof refusal === 'object') {
      const asked = JSON.parse(body) as { id: number } | { id: number }[]
      const refuse = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, error: refusal })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(refuse) : refuse(asked)))
      return
    }
    if (refusal !== undefined) {
      response.writeHead(refusal).end()
      return
    }
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(alter(body, await answer.text()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
