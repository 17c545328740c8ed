import { buffer } from 'node:stream/consumers'
import { ipfsCid } from './ipfsCid.js'
import { type HttpServer, startHttpServer } from './startHttpServer.js'

export type TestIpfsNode = HttpServer & {
  /** The identifiers of the files that it received, in order. */
  kept: string[]
  authorizations: (string | undefined)[]
  /** Answers the next requests with this status instead. */
  failWith(status: number, times: number): void
  /** The identifier to return for every file. */
  misname(hash: string): void
  /** Resets all of the above. */
  forget(): void
}

const fileIn = (contentType: string, body: Buffer): Buffer => {
  const boundary = /boundary=(\S+)/.exec(contentType)?.[1] ?? ''
  const start = body.indexOf('\r\n\r\n') + 4
  return body.subarray(start, body.lastIndexOf(`\r\n--${boundary}--`))
}

/** Answers the one call of a Kubo node's RPC that pins a file, and computes the identifier independently. */
export const startIpfsNode = async (): Promise<TestIpfsNode> => {
  const kept: string[] = []
  const authorizations: (string | undefined)[] = []
  let failure = { status: 500, times: 0 }
  let wrongHash: string | undefined
  const server = await startHttpServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://node')
    const body = await buffer(request)
    authorizations.push(request.headers.authorization)
    if (failure.times > 0) {
      failure.times -= 1
      return response.writeHead(failure.status).end('out of order')
    }
    const isUnderstood =
      request.method === 'POST' &&
      pathname === '/api/v0/add' &&
      searchParams.get('cid-version') === '1' &&
      searchParams.get('raw-leaves') === 'true' &&
      searchParams.get('chunker') === 'size-262144' &&
      searchParams.get('pin') === 'true'
    if (!isUnderstood) return response.writeHead(400).end()
    const file = fileIn(request.headers['content-type'] ?? '', body)
    const hash = wrongHash ?? ipfsCid(file)
    kept.push(hash)
    response.end(`${JSON.stringify({ Name: 'file', Hash: hash, Size: String(file.length) })}\n`)
  })
  return {
    ...server,
    kept,
    authorizations,
    failWith: (status, times) => {
      failure = { status, times }
    },
    misname: (hash) => {
      wrongHash = hash
    },
    forget: () => {
      for (const list of [server.asked, kept, authorizations]) list.length = 0
      failure = { status: 500, times: 0 }
      wrongHash = undefined
    },
  }
}
