import { eq } from 'drizzle-orm'
import { type Hex, hexToBytes, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { sponsoredGas } from '#base/db/tables/sponsoredGas.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterEach(() => world.db.delete(chainTransactions).where(eq(chainTransactions.signedTransaction, '0x')))
afterAll(() => world.close())

const chain = 'base-sepolia'
const agoMs = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const rowOf = (key: string) => eq(chainTransactions.key, `${chain}:${key}`)
const readRow = async (key: string) => (await world.db.select().from(chainTransactions).where(rowOf(key)))[0]
const change = (key: string, to: Partial<typeof chainTransactions.$inferInsert>) =>
  world.db.update(chainTransactions).set(to).where(rowOf(key))
const coinsOf = (address: Hex) => world.client.getBalance({ address })

/** Creates an account with coins, and the recipient of its transfers. */
const createAccount = async () => {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const to = privateKeyToAccount(generatePrivateKey()).address
  await world.client.setBalance({ address, value: 10n ** 18n })
  const send = (key: string, value = 1n) => {
    const call = { to, value, data: '0x' }
    const input = { privateKey: hexToBytes(privateKey), call, isSponsored: false }
    return requireCalls(world.chain).send(key, input)
  }
  return { address, to, send }
}

/** Inserts a transaction of a new sender. No node would accept its bytes. */
const addRow = async (row: Partial<typeof chainTransactions.$inferInsert>) => {
  const sender = privateKeyToAccount(generatePrivateKey()).address
  const key = `${chain}:${crypto.randomUUID()}`
  const bytes = { signedTransaction: '0x', txId: generatePrivateKey(), nonce: 0 }
  await world.db.insert(chainTransactions).values({ key, chain, sender, ...bytes, status: 'signed', ...row })
  return sender
}

/** A request to a node, and the sender whose transactions it counts, if it is such a request. */
type Asked = { method: string; counted: string | undefined }

const readAsked = (body: string): Asked & { id: number } => {
  const { id, method, params = [] } = JSON.parse(body) as { id: number; method: string; params?: unknown[] }
  const counted = method === 'eth_getTransactionCount' ? String(params[0]).toLowerCase() : undefined
  return { id, method, counted }
}

const failure = { code: -32603, message: 'internal error' }

/** Opens another process of a remote chain that records whose transactions it asks its node to count. */
const openWatched = async (
  options: {
    before?: (asked: Asked) => Promise<void>
    isFailing?: (asked: Asked) => boolean
    /** The transaction count that the node reports for a sender. */
    count?: (sender: string) => number | undefined
  } = {},
) => {
  const { before = async () => {}, isFailing = () => false, count = () => undefined } = options
  const asked: string[] = []
  const logged: { fields: object; message: string }[] = []
  const relay = await startRelay(
    await world.node.rpcUrl(),
    (body) => before(readAsked(body)),
    (body) => {
      const { counted } = readAsked(body)
      if (counted !== undefined) asked.push(counted)
      return isFailing(readAsked(body)) ? failure : undefined
    },
    (body, answer) => {
      const { id, counted } = readAsked(body)
      const sent = counted === undefined ? undefined : count(counted)
      return sent === undefined ? answer : JSON.stringify({ jsonrpc: '2.0', id, result: numberToHex(sent) })
    },
  )
  const warn = (fields: object, message: string) => logged.push({ fields, message })
  const log = { info: () => {}, warn, error: () => {} }
  const port = world.open({ rpcUrl: async () => relay.url, isLocal: false, log })
  await port.ready()
  asked.length = 0
  return { port, asked, logged, close: relay.close }
}

test('default: the operator is checked first, then accounts, several at once', async () => {
  const senders = await Promise.all(
    Array.from({ length: 20 }, () => addRow({ status: 'succeeded', endedAt: new Date() })),
  )
  let open = 0
  let most = 0
  const ofAccounts = new Set(senders.map((sender) => sender.toLowerCase()))
  const watched = await openWatched({
    before: async ({ counted }) => {
      if (counted === undefined || !ofAccounts.has(counted)) return
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 20))
      open--
    },
    count: (sender) => (ofAccounts.has(sender) ? 1 : undefined),
  })
  await watched.port.recover()
  expect(watched.asked[0]).toBe(world.operator.toLowerCase())
  expect(watched.asked.filter((sender) => ofAccounts.has(sender)).sort()).toEqual([...ofAccounts].sort())
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
  await watched.close()
})

test('behavior: only accounts are checked whose transactions a chain may lack', async () => {
  const rows = {
    late: { createdAt: agoMs(2) },
    waitedFor: {},
    justEnded: { status: 'succeeded', endedAt: agoMs(1), createdAt: agoMs(60 * 48) },
    ended: { status: 'succeeded', endedAt: agoMs(60), createdAt: agoMs(60) },
    longEnded: { status: 'succeeded', endedAt: agoMs(60 * 25), createdAt: agoMs(60 * 25) },
    givenUp: { status: 'reverted', createdAt: agoMs(1) },
  } as const
  const names = new Map<string, string>()
  for (const [name, row] of Object.entries(rows)) names.set((await addRow(row)).toLowerCase(), name)
  const watched = await openWatched({ count: (sender) => (names.has(sender) ? 1 : undefined) })
  const namesAsked = () => watched.asked.splice(0).flatMap((sender) => names.get(sender) ?? [])
  await watched.port.recover()
  expect(new Set(namesAsked())).toEqual(new Set(['late', 'justEnded', 'ended']))
  // While no final block is lost, transactions that ended earlier stay.
  await watched.port.recover()
  expect(new Set(namesAsked())).toEqual(new Set(['late', 'justEnded']))
  await watched.close()
})

test('behavior: if a final block is lost, transactions that ended long before are checked too', async () => {
  const account = await createAccount()
  const snapshot = await world.client.snapshot()
  const watched = await openWatched()
  const sent = await account.send('lost')
  await change('lost', { endedAt: agoMs(60), createdAt: agoMs(60) })
  await watched.port.recover()
  watched.asked.length = 0
  await watched.port.recover()
  expect(watched.asked).not.toContain(account.address.toLowerCase())
  await world.client.revert({ id: snapshot })
  expect(await coinsOf(account.to)).toBe(0n)
  await watched.port.recover()
  await expect.poll(() => coinsOf(account.to)).toBe(1n)
  // No process waits for it, so the recovery records its end.
  await watched.port.recover()
  expect(await readRow('lost')).toMatchObject({ status: 'succeeded', txId: sent.txId })
  await watched.close()
})

test('behavior: an account whose check fails does not stop the others', async () => {
  const [one, other] = [await createAccount(), await createAccount()]
  const snapshot = await world.client.snapshot()
  await Promise.all([one.send('one'), other.send('other')])
  await world.client.revert({ id: snapshot })
  let isFailing = true
  const watched = await openWatched({
    isFailing: ({ counted }) => isFailing && counted === one.address.toLowerCase(),
  })
  await watched.port.recover()
  await expect.poll(() => coinsOf(other.to)).toBe(1n)
  expect(await coinsOf(one.to)).toBe(0n)
  expect(watched.logged).toContainEqual({
    fields: expect.objectContaining({ sender: one.address, count: 1 }),
    message: expect.stringContaining('trying again'),
  })
  isFailing = false
  await watched.port.recover()
  await expect.poll(() => coinsOf(one.to)).toBe(1n)
  await watched.close()
})

test('behavior: accounts are checked even if the check of the operator fails', async () => {
  const account = await createAccount()
  const snapshot = await world.client.snapshot()
  await account.send('alone')
  await world.client.revert({ id: snapshot })
  let isFailing = false
  const watched = await openWatched({
    isFailing: ({ counted }) => isFailing && counted === world.operator.toLowerCase(),
  })
  isFailing = true
  await expect(watched.port.recover()).rejects.toMatchObject({ code: 'chain-unavailable' })
  await expect.poll(() => coinsOf(account.to)).toBe(1n)
  await watched.close()
})

test('error: a node that fails for one account after another is not asked further', async () => {
  const senders = await Promise.all(Array.from({ length: 40 }, () => addRow({ createdAt: agoMs(2) })))
  const ofAccounts = new Set(senders.map((sender) => sender.toLowerCase()))
  let isFailing = true
  const watched = await openWatched({
    // Also for the accounts of other tests: one that succeeds ends the row of failures.
    isFailing: ({ counted }) =>
      isFailing && counted !== undefined && counted !== world.operator.toLowerCase(),
    count: (sender) => (ofAccounts.has(sender) ? 1 : undefined),
  })
  await expect(watched.port.recover()).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(new Set(watched.asked.filter((sender) => ofAccounts.has(sender))).size).toBeLessThan(40)
  isFailing = false
  watched.asked.length = 0
  await watched.port.recover()
  expect(new Set(watched.asked.filter((sender) => ofAccounts.has(sender)))).toEqual(ofAccounts)
  await watched.close()
})

test.each(['succeeded', 'reverted'])(
  'behavior: a transaction that a lagging node does not show ends again as before: %s',
  async (status) => {
    const account = await createAccount()
    const key = `behind:${status}`
    // Passes while gas is free, as in an estimate.
    if (status === 'reverted') {
      await world.client.setCode({ address: account.to, bytecode: '0x3a600557005b5f5ffd' })
    }
    await account.send(key, status === 'reverted' ? 0n : 1n)
    // As described by a process that knows the contract's errors.
    const error = { reason: 'execution_reverted', message: 'better words' }
    if (status === 'reverted') await change(key, { revertReason: JSON.stringify(error) })
    const before = await readRow(key)
    expect(before?.status).toBe(status)
    const sent = await account.send(key)
    // Reopened before its gas was recorded.
    await world.db.delete(sponsoredGas).where(eq(sponsoredGas.key, `${chain}:${key}`))
    const ofAccount = account.address.toLowerCase()
    let isBehind = true
    const watched = await openWatched({
      count: (sender) => (isBehind && sender === ofAccount ? 0 : undefined),
      isFailing: ({ method }) => isBehind && method === 'eth_getTransactionReceipt',
    })
    await watched.port.recover()
    expect(await readRow(key)).toMatchObject({ status: 'signed', blockNumber: null })
    isBehind = false
    await watched.port.recover()
    expect(await readRow(key)).toEqual({ ...before, endedAt: expect.any(Date) })
    // Its spending is recorded too, so the next call waits for nothing.
    const spent = await world.db
      .select()
      .from(sponsoredGas)
      .where(eq(sponsoredGas.key, `${chain}:${key}`))
    expect(spent).toHaveLength(1)
    expect(await account.send(key)).toEqual(sent)
    await watched.close()
  },
)

test("behavior: the same holds for the operator's transactions", async () => {
  const { to } = await createAccount()
  await world.chain.wallets.fund('gift', { currency: 'eth', units: 5n, recipient: to })
  const before = await readRow('gift')
  let isBehind = false
  const watched = await openWatched({
    count: (sender) => (isBehind && sender === world.operator.toLowerCase() ? before?.nonce : undefined),
    isFailing: ({ method }) => isBehind && method === 'eth_getTransactionReceipt',
  })
  isBehind = true
  await expect(watched.port.recover()).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(await readRow('gift')).toMatchObject({ status: 'signed', blockNumber: null })
  isBehind = false
  await watched.port.recover()
  expect(await readRow('gift')).toEqual({ ...before, endedAt: expect.any(Date) })
  await watched.close()
})

test('behavior: a transaction that landed after its sender was checked is not reopened', async () => {
  const ofOperator = eq(chainTransactions.sender, world.operator)
  const readAll = () =>
    world.db.select().from(chainTransactions).where(ofOperator).orderBy(chainTransactions.nonce)
  const before = await readAll()
  expect(before.length).toBeGreaterThan(0)
  let isFirst = true
  const watched = await openWatched({
    count: (sender) => {
      if (sender !== world.operator.toLowerCase() || !isFirst) return undefined
      isFirst = false
      return 0
    },
  })
  expect(isFirst).toBe(false)
  expect(await readAll()).toEqual(before)
  await watched.close()
})
