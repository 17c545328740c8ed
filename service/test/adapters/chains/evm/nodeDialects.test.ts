import { BalanceList, Wallet } from 'kassa/schema'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { ChainPort } from '#base/ports/chain.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { recipientAddress } from '../../../helpers/createOrderWorld.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { createTestService } from '../../../helpers/createTestService.js'
import { createTestSolana } from '../../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../../helpers/openBeforeAll.js'
import { type HttpServer, startHttpServer } from '../../../helpers/startHttpServer.js'

/** What a node answers in its own words: a status, and the text or the JSON-RPC answer without its id. */
type Words = { status?: number; text: string } | { status?: number; answer: object }

const fail = (code: number, message: string, status = 200): Words => ({
  status,
  answer: { error: { code, message } },
})

/** Providers and proxies, as they answer when they do not do what they were asked. */
const dialects: readonly (readonly [string, Words])[] = [
  ['status 500', { status: 500, text: 'Internal Server Error' }],
  ['status 500 with an error', fail(-32000, 'internal', 500)],
  ['status 500 with a result', { status: 500, answer: { result: '0x1' } }],
  ['status 502', { status: 502, text: '<html>Bad Gateway</html>' }],
  ['Cloudflare’s 522', { status: 522, text: 'error code: 522' }],
  ['status 529', fail(-32000, 'overloaded', 529)],
  ['status 403', { status: 403, text: 'Forbidden' }],
  ['status 404', { status: 404, text: 'Not Found' }],
  ['status 404 with an error', fail(-32000, 'unknown network', 404)],
  ['status 429', fail(429, 'Too Many Requests', 429)],
  ['null', { text: 'null' }],
  ['an empty object', { text: '{}' }],
  ['an empty list', { text: '[]' }],
  ['nothing', { text: '' }],
  ['a page', { text: '<html>' }],
  ['no result', { answer: {} }],
  ['an empty result', { answer: { result: {} } }],
  ['a node that lost a block', fail(-32000, 'header not found')],
  [
    'a node that pruned its state',
    fail(-32000, 'missing trie node 5f3a (path ) state 0x5f3a is not available'),
  ],
  ['a request that took too long', fail(-32000, 'request timed out')],
  ['a call that took too long', fail(-32000, 'execution aborted (timeout = 5s)')],
  ['an account without credits', fail(-32000, 'You have run out of credits')],
  ['a plan without the network', fail(-32600, 'BASE_SEPOLIA is not enabled for this app')],
  ['a resource that is not found', fail(-32001, 'Unable to complete the request at this time')],
  ['a limit of EIP-1474', fail(-32005, 'daily request count exceeded')],
  ['a limit with its status in the code', fail(-32429, 'slow down')],
  ['a public node without logs', fail(-32701, 'Please specify an address in your request')],
  ['a plan of dRPC', fail(35, 'not available on the free tier')],
  ['a method that is missing', fail(-32601, 'the method does not exist or is not available')],
  ['an internal error', fail(-32603, 'Internal error')],
  ['a code of its own', fail(-32099, 'no')],
]

const sends = /"method":"(?:eth_sendRawTransaction|sendTransaction)"/

type Asked = { id: number | string }

/** Writes an answer, or a list of answers, to requests. */
const write = (words: Words, body: string): string => {
  if ('text' in words) return words.text
  const asked = JSON.parse(body) as Asked | Asked[]
  const one = ({ id }: Asked) => ({ jsonrpc: '2.0', id, ...words.answer })
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

/** When a server speaks for its node, and whether the node still gets the request. */
type Speech = { words: Words; to: 'reads' | 'sends'; isPassedOn: boolean; times: number }

/** The node of this test, which a server before it may speak for. */
const startSpeaking = async (nodeUrl: string) => {
  let speech: Speech | undefined
  const ask = async (body: string) => {
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return answer.text()
  }
  const server: HttpServer = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const isMeant = speech && sends.test(body) === (speech.to === 'sends') && speech.times > 0
    response.setHeader('content-type', 'application/json')
    if (!speech || !isMeant) return void response.end(await ask(body))
    const { words, isPassedOn } = speech
    speech.times -= 1
    if (isPassedOn) await ask(body)
    response.writeHead(words.status ?? 200).end(write(words, body))
  })
  return {
    ...server,
    say: (next: Speech | undefined): void => {
      speech = next
    },
  }
}

const families = {
  evm: {
    name: 'base-sepolia' as const,
    coin: 'eth',
    walletType: 'evm-mpc-wallet',
    recipient: recipientAddress,
    open: async () => {
      const world = await createTestChain()
      return {
        database: world.database,
        url: await world.node.rpcUrl(),
        close: world.close,
        payer: (await world.createPayer()).address,
        openAt: (url: string) => world.open({ rpcUrl: async () => url }),
      }
    },
  },
  solana: {
    name: 'solana' as const,
    coin: 'sol',
    walletType: 'solana-mpc-wallet',
    recipient: 'BVpLVAtuEjYDqHVkbvBYAJcZBTwKc3FHjHKtRXQmSYyj',
    open: async () => {
      const world = await createTestSolana()
      return {
        database: world.database,
        url: world.node.rpcUrl,
        close: world.close,
        payer: (await world.createPayer()).address,
        openAt: (url: string) => world.open({ rpcUrl: async () => url }),
      }
    },
  },
} as const

describe.each(['evm', 'solana'] as const)('on %s', (family) => {
  const { name, coin, walletType, recipient, open } = families[family]
  const world = openBeforeAll<Awaited<ReturnType<typeof open>> & { close(): Promise<void> }>(open)
  const node = openBeforeAll(() => startSpeaking(world.url))
  const service = openBeforeAll(() => {
    const chains: ChainPort[] = [world.openAt(node.url)]
    return createTestService({ chains, database: world.database })
  })
  let wallet: Wallet
  beforeEach(() => node.say(undefined))

  const send = async (method: string, path: string, body?: object, key?: string) => {
    const response = await service.app.request(`/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-api-key': service.serverKey,
        ...(key && { 'x-idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { response, answer: (await response.json()) as unknown }
  }
  const pathOfBalances = () => `v1-alpha2/wallets/${wallet.address}/balances`
  const readBalance = () => send('GET', `${pathOfBalances()}?tokens=${coin},usdc`)
  const createOrder = () =>
    send('POST', '2022-06-09/orders', {
      recipient: { walletAddress: recipient },
      lineItems: { collectionLocator: 'kassa:tea' },
      payment: { method: name, currency: coin, payerAddress: world.payer },
    })
  /** Pays test tokens to the wallet, once for each idempotency key. */
  const fund = (key: string) => send('POST', pathOfBalances(), { amount: 1, token: 'usdc', chain: name }, key)
  const readTokens = async (): Promise<bigint> => {
    const [entry] = z.parse(BalanceList, (await send('GET', `${pathOfBalances()}?tokens=usdc`)).answer)
    return BigInt(entry?.balances.total ?? '0')
  }

  beforeAll(async () => {
    const { deps, projectId } = service
    await deps.chains.get(name)?.ready()
    const payments = { price: '0.01', currency: coin }
    const names = { name: 'Tea', description: 'Tea', imageUrl: 'ipfs://tea', symbol: 'TEA' }
    await deps.db.transaction((tx) =>
      insertCollection(tx, { projectId, id: 'tea', chain: name, ...names, payments }, deps.now()),
    )
    wallet = z.parse(Wallet, (await send('POST', '2022-06-09/wallets', { type: walletType })).answer)
  })

  test.each(dialects)('error: chain-unavailable, a read that is answered by %s', async (_, words) => {
    node.say({ words, to: 'reads', isPassedOn: false, times: Number.POSITIVE_INFINITY })
    for (const { response, answer } of await Promise.all([readBalance(), createOrder()])) {
      expect(response.status, JSON.stringify(answer)).toBe(503)
      expect(answer).toMatchObject({ message: expect.stringContaining(name) })
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    node.say(undefined)
    expect((await readBalance()).response.status).toBe(200)
    const { response, answer } = await createOrder()
    expect(response.status, JSON.stringify(answer)).toBe(201)
    expect(answer).toMatchObject({ order: { payment: { status: 'awaiting-payment' } } })
  })

  test.each(dialects)('behavior: a send that is answered by %s happens once', async (_, words) => {
    const before = await readTokens()
    // The node has the transaction and says otherwise, or says so and has it not.
    for (const isPassedOn of [true, false]) {
      const key = crypto.randomUUID()
      node.say({ words, to: 'sends', isPassedOn, times: 2 })
      for (;;) {
        const { response, answer } = await fund(key)
        if (response.status === 201) break
        expect(response.status, JSON.stringify(answer)).toBe(503)
      }
    }
    expect((await readTokens()) - before).toBe(2_000_000n)
  })
})
