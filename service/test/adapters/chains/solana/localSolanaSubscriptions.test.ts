import { once } from 'node:events'
import { Keypair, LAMPORTS_PER_SOL, NONCE_ACCOUNT_LENGTH, SystemProgram } from '@solana/web3.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { limits } from '../../../../../test/limits.js'
import { createWeb3Client } from '../../../helpers/createWeb3Client.js'

let client: Awaited<ReturnType<typeof createWeb3Client>>
beforeEach(async () => {
  client = await createWeb3Client()
})
afterEach(() => client.close())

/** Waits until a subscription of web3.js is open. It is not told of earlier blocks. */
const untilOpen = (id: number) =>
  new Promise<void>((resolve) => {
    const listen = Reflect.get(client.connection, '_onSubscriptionStateChange').bind(client.connection)
    listen(id, (state: string) => state === 'subscribed' && resolve())
  })

const eventually = (assertion: () => void) => vi.waitFor(assertion, limits.conditionMs)

const transfer = (lamports: number, toPubkey = Keypair.generate().publicKey) =>
  SystemProgram.transfer({ fromPubkey: client.payer.publicKey, toPubkey, lamports })

const createAccount = (account: Keypair, space: number) =>
  SystemProgram.createAccount({
    fromPubkey: client.payer.publicKey,
    newAccountPubkey: account.publicKey,
    lamports: LAMPORTS_PER_SOL,
    space,
    programId: SystemProgram.programId,
  })

test('default: onProgramAccountChange tells of the accounts that match its filters, once they are confirmed', async () => {
  const { connection, send, tick } = client
  const [wanted, other] = [Keypair.generate(), Keypair.generate()]
  const heard = vi.fn()
  const filters = [{ dataSize: NONCE_ACCOUNT_LENGTH }]
  const id = connection.onProgramAccountChange(SystemProgram.programId, heard, {
    commitment: 'confirmed',
    filters,
  })
  await untilOpen(id)
  await send([createAccount(wanted, NONCE_ACCOUNT_LENGTH), createAccount(other, 8)], [wanted, other])
  tick()
  expect(heard).not.toHaveBeenCalled()
  tick()
  await eventually(() => expect(heard).toHaveBeenCalledOnce())
  expect(heard.mock.calls[0]?.[0]).toMatchObject({
    accountId: wanted.publicKey,
    accountInfo: { lamports: LAMPORTS_PER_SOL, owner: SystemProgram.programId },
  })
  await send([transfer(1, wanted.publicKey)])
  tick(3)
  await eventually(() => expect(heard).toHaveBeenCalledTimes(2))
  expect(heard.mock.calls[1]?.[0].accountInfo.lamports).toBe(LAMPORTS_PER_SOL + 1)
  await connection.removeProgramAccountChangeListener(id)
})

test('default: onRootChange, onSlotChange and onSlotUpdate tell of slots', async () => {
  const { connection, tick } = client
  const [roots, slots, updates] = [vi.fn(), vi.fn(), vi.fn()]
  const ids = [
    connection.onRootChange(roots),
    connection.onSlotChange(slots),
    connection.onSlotUpdate(updates),
  ]
  await Promise.all(ids.map(untilOpen))
  const slot = await connection.getSlot('processed')
  tick()
  await eventually(() => expect(updates).toHaveBeenCalledTimes(3))
  expect(roots.mock.calls).toEqual([[slot - 7]])
  expect(slots.mock.calls).toEqual([[{ slot: slot + 1, parent: slot, root: slot - 7 }]])
  expect(updates.mock.calls.map(([update]) => [update.type, update.slot])).toEqual([
    ['completed', slot + 1],
    ['optimisticConfirmation', slot - 1],
    ['root', slot - 7],
  ])
  expect(updates.mock.calls[0]?.[0].timestamp).toBeGreaterThan(1_600_000_000_000)
})

test('default: onAccountChange, onLogs and onSignature tell of a transaction', async () => {
  const { connection, send, tick } = client
  const recipient = Keypair.generate().publicKey
  const [accounts, logs] = [vi.fn(), vi.fn()]
  const ids = [
    connection.onAccountChange(recipient, accounts, { commitment: 'confirmed', encoding: 'jsonParsed' }),
    connection.onLogs(recipient, logs, 'confirmed'),
  ]
  await Promise.all(ids.map(untilOpen))
  const signature = await send([transfer(LAMPORTS_PER_SOL, recipient)])
  const signed = vi.fn()
  connection.onSignature(signature, signed, 'confirmed')
  tick(2)
  await eventually(() => {
    expect(accounts).toHaveBeenCalledOnce()
    expect(logs).toHaveBeenCalledOnce()
    expect(signed).toHaveBeenCalledOnce()
  })
  expect(accounts.mock.calls[0]?.[0]).toMatchObject({ lamports: LAMPORTS_PER_SOL })
  expect(logs.mock.calls[0]?.[0]).toMatchObject({ signature, err: null })
})

test.each(['blockSubscribe', 'voteSubscribe'])('error: %s is off, as by default', async (method) => {
  const socket = new WebSocket(client.node.wsUrl)
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['all'] }))
  const [answer] = await once(socket, 'message')
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, error: { code: -32601 } })
  socket.close()
})

test('error: a filter that is none is refused when the subscription is opened', async () => {
  const socket = new WebSocket(client.node.wsUrl)
  await once(socket, 'open')
  const params = [SystemProgram.programId.toBase58(), { filters: [{ size: 1 }] }]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'programSubscribe', params }))
  const [answer] = await once(socket, 'message')
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, error: { code: -32602 } })
  client.tick()
  socket.close()
})

test('behavior: an account that has become too long for base58 is told of in base64', async () => {
  const account = Keypair.generate()
  const socket = new WebSocket(client.node.wsUrl)
  await once(socket, 'open')
  const params = [account.publicKey.toBase58(), { encoding: 'base58', commitment: 'processed' }]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
  await once(socket, 'message')
  await client.send([createAccount(account, 200)], [account])
  const [told] = await once(socket, 'message')
  expect(JSON.parse(String(told)).params.result.value.data[1]).toBe('base64')
  socket.close()
})
