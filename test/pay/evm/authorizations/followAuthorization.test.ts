import {
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  numberToHex,
  toFunctionSelector,
} from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuthorization, createClient } from '../../../../src/api/index.js'
import { encodeTransfer } from '../../../../src/chain/evm/calls.js'
import {
  findAuthorization,
  followAuthorization,
} from '../../../../src/pay/evm/authorizations/followAuthorization.js'
import type { SentEvmAttempt } from '../../../../src/pay/evm/followTransaction.js'
import type { CreateAuthorizationBody } from '../../../../src/schema/index.js'
import type { AuthorizationKind } from '../../../../src/schema/orderMembers.js'
import {
  createAttempt,
  createScriptedNode,
  hashOf,
  payer,
  refuse,
  stranger,
} from '../../../helpers/scriptedNode.js'

const units = 5n
const deposit = stranger
const validBefore = 1_000n
const token = createAttempt().to

const attemptOf = (kind: AuthorizationKind, isSigned = true): SentEvmAttempt => ({
  ...createAttempt({
    data: encodeTransfer(deposit, units),
    valueWei: '0',
    nonce: undefined,
    txId: 'authorization:7',
  }),
  authorization: {
    id: 'authorization:7',
    kind,
    nonce: '0x0107',
    validBefore: `${validBefore}`,
    // The cast is deliberate: the service of these tests reads no body.
    ...(isSigned && { signed: {} as CreateAuthorizationBody }),
  },
})

const log = (fields: object = {}) => ({
  address: token,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: payer, to: deposit } }),
  data: encodeAbiParameters([{ type: 'uint256' }], [units]),
  transactionHash: hashOf('b'),
  ...fields,
})

/** A chain with a final block, and what its contracts know of the nonce. */
const openChain = () => {
  const node = createScriptedNode()
  const chain: {
    finalSeconds: bigint | undefined
    isUsed: boolean
    logs: object[]
    asked: { data: Hex; block: unknown }[]
  } = { finalSeconds: 2_000n, isUsed: false, logs: [], asked: [] }
  node.script.onRequest = (method, params) => {
    const [first, second] = params as [{ data: Hex }, unknown]
    if (method === 'eth_getLogs') return chain.logs
    if (method === 'eth_getBlockByNumber') {
      if (chain.finalSeconds === undefined) return refuse(method)
      return { number: '0x9', timestamp: numberToHex(chain.finalSeconds), transactions: [] }
    }
    if (method !== 'eth_call') return undefined
    chain.asked.push({ data: first.data, block: second })
    // The nonce is the eighth bit of its word at Permit2.
    return numberToHex(chain.isUsed ? (first.data.startsWith(bitmap) ? 1n << 7n : 1n) : 0n, { size: 32 })
  }
  return { node, chain }
}

const bitmap = toFunctionSelector('function nonceBitmap(address,uint256)')
const state = toFunctionSelector('function authorizationState(address,bytes32)')
const late = (): number => 3_000_000

describe.each([
  ['erc3009', state],
  ['permit2', bitmap],
  ['permit', bitmap],
] as const)('findAuthorization, %s', (kind, selector) => {
  const find = (open: ReturnType<typeof openChain>, now = late) =>
    findAuthorization({ config: open.node.config, now }, attemptOf(kind))

  test('default: the payment is found by the log of the token, whoever sent it', async () => {
    const open = openChain()
    open.chain.logs = [log()]
    expect(await find(open)).toEqual({ txId: hashOf('b'), hasOpenTransaction: false, isOver: false })
  })

  test('behavior: another amount, another payer and another token are not it', async () => {
    const open = openChain()
    const topics = encodeEventTopics({
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { from: stranger, to: deposit },
    })
    const data = encodeAbiParameters([{ type: 'uint256' }], [4n])
    open.chain.logs = [log({ topics }), log({ data }), log({ address: payer })]
    expect((await find(open)).txId).toBeUndefined()
  })

  test('behavior: it is over once the nonce is unused in a final block after its time', async () => {
    const open = openChain()
    expect(await find(open)).toEqual({ txId: undefined, hasOpenTransaction: false, isOver: true })
    expect(open.chain.asked).toEqual([{ data: expect.stringMatching(`^${selector}`), block: '0x9' }])
    if (kind !== 'erc3009') expect(open.chain.asked[0]?.data.slice(-64)).toBe('1'.padStart(64, '0'))
  })

  test.each<[string, object, () => number]>([
    ['its nonce is used, so that its log comes late', { isUsed: true }, late],
    ['no final block is past its time', { finalSeconds: 1_000n }, late],
    ['the node names no final block', { finalSeconds: undefined }, late],
    ['its time has not come', {}, () => 1_000_000],
  ])('behavior: it is not over while %s', async (_, facts, now) => {
    const open = openChain()
    Object.assign(open.chain, facts)
    expect((await find(open, now)).isOver).toBe(false)
  })

  test('error: a node that is away', async () => {
    const open = openChain()
    const { onRequest } = open.node.script
    open.node.script.onRequest = (method, params) =>
      method === 'eth_getLogs' || method === 'eth_blockNumber' ? refuse(method) : onRequest?.(method, params)
    await expect(find(open)).rejects.toThrow()
  })
})

describe('followAuthorization', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Follows a signed payment, before its time is over, at a service that answers as the test says. */
  const follow = (answer: () => Promise<Response>, attempt = attemptOf('erc3009')) => {
    const { node, chain } = openChain()
    const startMs = Date.now()
    const told: SentEvmAttempt[] = []
    const posts: number[] = []
    const client = createClient({
      baseUrl: 'http://service.test/api',
      fetch: () => {
        posts.push(Date.now() - startMs)
        return answer()
      },
    })
    let known = 0
    const wait = followAuthorization(
      {
        config: node.config,
        now: () => Date.now() - startMs,
        post: (orderId, body) => createAuthorization(client, { orderId, clientSecret: 'secret', body }),
      },
      attempt,
      { onMoved: (moved) => void told.push(moved as SentEvmAttempt), onKnown: () => void known++ },
    )
    const outcome = wait.promise.then(
      (txId) => txId,
      (error: { code: string }) => error.code,
    )
    return { chain, told, posts, wait, outcome, countKnown: () => known }
  }

  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  const answered = (fields: object) => () =>
    Promise.resolve(
      Response.json(
        { authorizationId: 'a', orderId: 'o', kind: 'erc3009', payerAddress: payer, ...fields },
        { status: 201 },
      ),
    )
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  test('default: what was posted is remembered before, and the transaction that the shop names after', async () => {
    const { chain, told, outcome, countKnown } = follow(answered({ status: 'pending', txId: hashOf('b') }))
    expect(told[0]?.authorization?.isPosted).toBe(true)
    await pass(10)
    expect(told.at(-1)).toMatchObject({ txId: hashOf('b'), authorization: { isPosted: true } })
    expect(countKnown()).toBe(1)
    chain.logs = [log()]
    await pass(100)
    expect(await outcome).toBe(hashOf('b'))
  })

  test('behavior: it is posted until the service has settled it, with pauses that grow', async () => {
    let status = 'pending'
    const { posts, wait } = follow(() => answered({ status })())
    await pass(60_000)
    expect(posts).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000, 45_000, 60_000])
    status = 'settled'
    await pass(60_000)
    expect(posts).toHaveLength(9)
    wait.stop()
  })

  test('behavior: a service that names no way back is asked for ten minutes, and then the buyer chooses', async () => {
    const { outcome, posts } = follow(away, {
      ...attemptOf('erc3009'),
      authorization: {
        ...attemptOf('erc3009').authorization,
        validBefore: '9999',
      } as SentEvmAttempt['authorization'],
    })
    await pass(9 * 60_000)
    expect(posts.length).toBeGreaterThan(30)
    await pass(2 * 60_000)
    expect(await outcome).toBe('pay.uncertain')
  })

  test('behavior: one that was never signed is not posted', async () => {
    const { posts, wait } = follow(away, attemptOf('erc3009', false))
    await pass(60_000)
    expect(posts).toEqual([])
    wait.stop()
  })

  test('behavior: nothing is told, and nothing posted, once it is stopped', async () => {
    const { posts, told, wait } = follow(answered({ status: 'pending', txId: hashOf('b') }))
    wait.stop()
    await pass(60_000)
    expect([posts.length, told.length]).toEqual([1, 1])
  })

  test.each([
    [{ status: 401 }, 'pay.signature-refused'],
    [{ status: 409 }, 'pay.order-changed'],
    [{ status: 422 }, 'pay.signature-refused'],
  ])('error: a refusal of what was never posted: %j', async ({ status }, code) => {
    const { outcome } = follow(() => Promise.resolve(Response.json({ message: 'no' }, { status })))
    await pass(10)
    expect(await outcome).toBe(code)
  })

  test('behavior: one that a page posted before is not called refused because it is turned away now', async () => {
    const attempt = attemptOf('erc3009')
    const posted = { ...attempt.authorization, isPosted: true } as SentEvmAttempt['authorization']
    let status = 403
    const { outcome, posts } = follow(() => Promise.resolve(Response.json({ message: 'no' }, { status })), {
      ...attempt,
      authorization: posted,
    })
    await pass(2_000)
    expect(posts).toHaveLength(2)
    // The service has looked for it, and does not have it.
    status = 422
    await pass(2_000)
    expect(await outcome).toBe('pay.signature-refused')
  })
})
