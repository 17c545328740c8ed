import type { Context } from 'hono'
import * as z from 'zod/mini'
import { readBody } from '#interface/http/readBody.js'
import { askNode } from './askNode.js'

const Request = z.looseObject({ method: z.string() })
const Requests = z.array(Request).check(z.maxLength(100))

/** The methods of EVM nodes, and those of Solana's. */
const readable = /^((eth|net|web3)_\w+|get[A-Z]\w+|isBlockhashValid|sendTransaction|simulateTransaction)$/
/** Methods of the node's own accounts, and methods that would stop its mining. */
const refused =
  /^eth_(sendTransaction|sendUnsignedTransaction|sign\w*|accounts|requestAccounts|mining|coinbase|submit\w+|setBlockchain\w*)$/

const id = (request: unknown): unknown =>
  typeof request === 'object' && request !== null && 'id' in request ? request.id : null

const refuse = (request: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id: id(request),
  error: { code, message },
})

const isAllowed = (method: string): boolean => readable.test(method) && !refused.test(method)

/** Forwards JSON-RPC to a local node: the methods of a public node, without those that control the node. */
export const proxyRpc = async (c: Context, rpcUrl: () => Promise<string>): Promise<Response> => {
  const body = await readBody(c)
  const parsed = z.safeParse(Array.isArray(body) ? Requests : Request, body)
  if (!parsed.success) return c.json(refuse(body, -32600, 'Invalid request'))
  const requests = Array.isArray(parsed.data) ? parsed.data : [parsed.data]
  const allowed = requests.filter(({ method }) => isAllowed(method))
  const answered = allowed.length ? await askNode(await rpcUrl(), allowed) : []
  const left = Array.isArray(answered) ? [...answered] : []
  // A node answers a batch in order. Requests that are not forwarded are answered in their place.
  const answers = requests.map((request) =>
    isAllowed(request.method)
      ? left.shift()
      : refuse(request, -32601, `The method ${request.method} is not available here`),
  )
  return c.json(Array.isArray(body) ? answers : answers[0])
}
