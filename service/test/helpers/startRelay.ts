import { once } from 'node:events'
import { createServer } from 'node:http'

/** Stands between an adapter and its node: sees each request before the node does, and may hold it back. */
export const startRelay = async (
  nodeUrl: string,
  before: (body: string) => Promise<void>,
  /** A status to answer with, in the node's place. */
  getRefusal: () => number | undefined = () => undefined,
) => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    await before(body)
    const refusal = getRefusal()
    if (refusal !== undefined) {
      response.writeHead(refusal).end()
      return
    }
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
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
