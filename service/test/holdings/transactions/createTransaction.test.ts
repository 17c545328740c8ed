import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletTransactions } from '#base/db/tables/index.js'
import { confirmSession, createSessionFinder } from '#identity/console/sessions.js'
import { refusedData, revertingData } from '../../helpers/createFakeWallets.js'
import {
  createTransactionWorld,
  directCall,
  friend,
  messageOf,
  type TransactionWorld,
  walletsPath,
} from '../../helpers/createTransactionWorld.js'
import { openConsole } from '../../helpers/openConsole.js'

const sanctioned = '0x00000000000000000000000000000000000000ba'
const abi = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'uint256' }],
    outputs: [],
  },
]

let world: TransactionWorld
beforeAll(async () => {
  world = await createTransactionWorld({
    config: { sanctionedAddresses: new Set([sanctioned]) },
  })
})
afterAll(() => world.close())

const countRows = async () => (await world.deps.db.select().from(walletTransactions)).length
/** Requests a transaction that is refused, and expects that nothing was written. */
const refuse = async (path: string, body: unknown, status = 400) => {
  const before = await countRows()
  const answer = await world.ask(status, 'POST', path, body)
  expect(await countRows()).toBe(before)
  return answer as { error: unknown; message: string }
}
const base = { calls: [directCall()], chain: 'base-sepolia' }

test('default: a transaction with an external signer awaits its approval; one that the service signs is pending', async () => {
  const owned = await world.createOwnedWallet()
  const awaiting = await owned.create()
  expect(awaiting).toMatchObject({
    walletType: 'evm-smart-wallet',
    status: 'awaiting-approval',
    params: { ...base, signer: owned.owner.address },
    onChain: { userOperation: { signature: '0x' } },
    approvals: { pending: [{ signer: owned.owner.address }], submitted: [], required: 1 },
  })
  expect(awaiting.walletType === 'evm-smart-wallet' && awaiting.onChain.userOperationHash).toBe(
    messageOf(awaiting),
  )
  expect(messageOf(awaiting)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(awaiting.createdAt).toMatch(/^\d{4}-.*Z$/)
  expect(await owned.get(awaiting.id)).toEqual(awaiting)

  const kept = await world.createWallet()
  const signer = `evm-kassa-custodial:${kept.wallet.config?.adminSigner?.address}`
  const pending = await kept.create({
    calls: [{ address: friend, functionName: 'transfer', abi, args: [friend, '5'] }],
  })
  expect(pending).toMatchObject({
    status: 'pending',
    params: { signer },
    onChain: { userOperation: { nonce: '0x0', signature: '0x' } },
    approvals: { pending: [], submitted: [{ signer }], required: 1 },
  })

  const account = await world.createWallet({ type: 'evm-mpc-wallet' })
  const call = await account.createCall({ to: friend, data: '0x', value: '7' })
  expect(call).toMatchObject({
    walletType: 'evm-mpc-wallet',
    status: 'pending',
    params: { call: { to: friend, data: '0x', value: '7' }, chain: 'base-sepolia' },
    onChain: { call: { to: friend, data: '0x', value: '7' } },
  })
  expect(JSON.stringify(call)).not.toContain('userOperation')
})

test('behavior: a custodian’s operations are numbered in order, and others have separate channels', async () => {
  const nonceOf = (created: unknown) =>
    BigInt((created as { onChain: { userOperation: { nonce: string } } }).onChain.userOperation.nonce)
  const kept = await world.createWallet()
  const created = await Promise.all(Array.from({ length: 12 }, () => kept.create()))
  expect(created.map(nonceOf).sort((a, b) => Number(a - b))).toEqual(
    Array.from({ length: 12 }, (_, at) => BigInt(at)),
  )
  const owned = await world.createOwnedWallet()
  const awaiting = await Promise.all(Array.from({ length: 5 }, () => owned.create()))
  // The deadline is above the channel.
  expect(awaiting.map((one) => BigInt.asUintN(144, nonceOf(one) >> 64n)).sort()).toEqual([1n, 2n, 3n, 4n, 5n])
  expect(new Set(awaiting.map(messageOf)).size).toBe(5)
})

test('behavior: one idempotency key gives one transaction, byte for byte, even for concurrent requests', async () => {
  const kept = await world.createWallet()
  const post = () => world.send('POST', kept.path, { params: base }, { 'x-idempotency-key': 'once' })
  const bodies = await Promise.all((await Promise.all([post(), post(), post()])).map((one) => one.text()))
  expect(new Set(bodies).size).toBe(1)
  expect(await (await post()).text()).toBe(bodies[0])
  const other = await world.send(
    'POST',
    kept.path,
    { params: { ...base, chain: 'base' } },
    { 'x-idempotency-key': 'once' },
  )
  expect(other.status).toBe(409)
  expect(await world.ask(200, 'GET', kept.path)).toMatchObject({
    transactions: [JSON.parse(bodies[0] ?? '')],
  })
})

test('parameters: params: the error names its field', async () => {
  const { path } = await world.createWallet()
  const faults: [unknown, RegExp][] = [
    [{}, /^params: required/],
    [{ params: [] }, /^params: expected an object$/],
    [{ params: null }, /^params: required$/],
    [{ params: 'calls' }, /^params: expected an object$/],
    [{ params: {} }, /^params\.calls: required/],
    [{ params: { ...base, calls: [] } }, /^params\.calls: expected at least 1 call/],
    [{ params: { ...base, calls: 'x' } }, /^params\.calls: /],
    [{ params: { ...base, calls: [{}] } }, /^params\.calls\[0\]: expected \{address/],
    [
      { params: { ...base, calls: [directCall(), { ...directCall(), value: '-1' }] } },
      /^params\.calls\[1\]\.value: /,
    ],
    [
      { params: { ...base, calls: [{ to: friend, data: '0x1', value: '0' }] } },
      /^params\.calls\[0\]\.data: /,
    ],
    [{ params: { ...base, calls: [{ to: friend, data: '0x' }] } }, /^params\.calls\[0\]\.value: required/],
    [{ params: { ...base, calls: [{ transaction: 'x' }] } }, /^params\.calls\[0\]\.transaction: /],
    [{ params: { ...base, calls: [{ transaction: '0x02' }] } }, /^params\.calls\[0\]\.transaction: /],
    [
      { params: { ...base, calls: [{ address: friend, functionName: 'x', abi, args: [] }] } },
      /calls\[0\]\.functionName: /,
    ],
    [
      { params: { ...base, calls: [{ address: friend, functionName: 'transfer', abi, args: [1] }] } },
      /calls\[0\]\.args/,
    ],
    [
      { params: { ...base, calls: [{ address: friend, functionName: 'transfer', abi }] } },
      /calls\[0\]\.args: required/,
    ],
    [
      {
        params: {
          ...base,
          calls: [
            {
              address: friend,
              functionName: 'transfer',
              args: [friend, '5'],
              abi: abi.map((entry) => ({ ...entry, stateMutability: 'free' })),
            },
          ],
        },
      },
      /calls\[0\]\.abi\[0\]\.stateMutability: expected pure, view, nonpayable or payable$/,
    ],
    [{ params: { ...base, chain: 'base' } }, /^params\.chain: base is not enabled on this deployment/],
    [{ params: { ...base, chain: 'nowhere' } }, /^params\.chain: expected one of/],
    [{ params: { ...base, signer: friend } }, /^params\.signer: expected evm-kassa-custodial:/],
    [{ params: { ...base, more: 1 } }, /^params\.more: /],
    [
      { params: { call: {}, chain: 'base-sepolia' } },
      /^params: \{call, chain\} is the form of an evm-mpc-wallet; this evm-smart-wallet takes/,
    ],
    [
      { params: { transaction: 'abc' } },
      /^params: \{transaction, requiredSigners\?\} is the form of a solana-mpc-wallet; this evm-smart-wallet takes/,
    ],
  ]
  for (const [body, message] of faults) expect((await refuse(path, body)).message).toMatch(message)

  const account = await world.createWallet({ type: 'evm-mpc-wallet' })
  expect((await refuse(account.path, { params: base })).message).toMatch(/takes \{call, chain\}/)
  const call = { address: friend, functionName: 'transfer', abi, args: [1] }
  expect((await refuse(account.path, { params: { call, chain: 'base-sepolia' } })).message).toMatch(
    /^params\.call\.args/,
  )
  expect(
    (await refuse(account.path, { params: { call: { to: 'x', data: '0x' }, chain: 'base-sepolia' } }))
      .message,
  ).toMatch(/^params\.call\.to: /)
})

test('parameters: signer: an address in any case', async () => {
  const { create, owner } = await world.createOwnedWallet()
  expect(await create({ signer: owner.address.toLowerCase() })).toMatchObject({
    params: { signer: owner.address },
  })
})

test('parameters: signer: a locator may carry the type of the signer', async () => {
  const { create, owner } = await world.createOwnedWallet()
  for (const address of [owner.address, owner.address.toLowerCase()]) {
    expect(await create({ signer: `evm-keypair:${address}` })).toMatchObject({
      params: { signer: owner.address },
      approvals: { pending: [{ signer: owner.address }] },
    })
  }
})

test('error: not-found: another project’s wallet, an unknown one, and a transaction of another wallet', async () => {
  const [one, other] = [await world.createWallet(), await world.createWallet()]
  const { id } = await one.create()
  await refuse(`${walletsPath}/${friend}/transactions`, { params: base }, 404)
  await world.ask(404, 'GET', `${walletsPath}/${friend}/transactions`)
  await world.ask(404, 'GET', `${other.path}/${id}`)
  await world.ask(404, 'GET', `${one.path}/nothing`)
})

test('error: reverted: calls that revert in the simulation are refused with the reason', async () => {
  const kept = await world.createWallet()
  const form = {
    error: {
      reason: 'execution_reverted',
      message: 'The call reverted: Refused()',
      revert: { type: 'contract_call', reason: 'Refused()', reasonData: refusedData },
    },
    message: 'The transaction reverted during execution: Refused()',
  }
  expect(await refuse(kept.path, { params: { ...base, calls: [directCall(refusedData)] } }, 422)).toEqual(
    form,
  )
  const account = await world.createWallet({ type: 'evm-mpc-wallet' })
  const call = { to: friend, data: refusedData }
  expect(await refuse(account.path, { params: { call, chain: 'base-sepolia' } }, 422)).toEqual(form)
})

test('behavior: a revert links to the deployment’s simulator, if it has one and the call is alone', async () => {
  const simulationUrl = 'https://simulator.example/new?from={from}&to={to}&value={value}&data={data}&{other}'
  const chains = {
    'base-sepolia': { rpcUrl: undefined, confirmations: 1, nftContracts: [], tokens: [], simulationUrl },
  }
  const simulated = await createTransactionWorld({ config: { chains } })
  try {
    const linkOf = (from: string, value: string, data: string) =>
      `https://simulator.example/new?from=${from}&to=${friend}&value=${value}&data=${data}&{other}`
    const answerTo = (path: string, params: object) => simulated.ask(422, 'POST', path, { params })
    const kept = await simulated.createWallet()
    const chain = 'base-sepolia'
    const calls = [directCall(refusedData, friend, '7')]
    const simulationLink = linkOf(kept.address, '7', refusedData)
    expect(await answerTo(kept.path, { chain, calls })).toMatchObject({
      error: { revert: { reason: 'Refused()', simulationLink } },
    })
    const two = await answerTo(kept.path, { chain, calls: [...calls, ...calls] })
    expect(JSON.stringify(two)).not.toContain('simulator')
    const account = await simulated.createWallet({ type: 'evm-mpc-wallet' })
    const call = { to: friend, data: refusedData }
    expect(await answerTo(account.path, { chain, call })).toMatchObject({
      error: { revert: { simulationLink: linkOf(account.address, '0', refusedData) } },
    })
    const bad = await kept.create({ calls: [directCall(revertingData)] })
    await kept.run()
    expect(await kept.get(bad.id)).toMatchObject({
      status: 'failed',
      error: { revert: { simulationLink: linkOf(kept.address, '0', revertingData) } },
    })
  } finally {
    await simulated.close()
  }
})

test('error: unprocessable: nothing is sent to a sanctioned address, or to one among the arguments', async () => {
  const kept = await world.createWallet()
  const form = {
    error: {
      reason: 'sanctioned_wallet_address',
      message: expect.stringContaining(sanctioned),
    },
  }
  const to = { ...base, calls: [directCall('0x', sanctioned)] }
  expect(await refuse(kept.path, { params: to }, 422)).toMatchObject(form)
  const inside = { address: friend, functionName: 'transfer', abi, args: [sanctioned, '1'] }
  expect(await refuse(kept.path, { params: { ...base, calls: [inside] } }, 422)).toMatchObject(form)
})

test('error: chain-unavailable: a chain that is away is reported as such', async () => {
  const kept = await world.createWallet()
  world.chain.state.isAway = true
  try {
    await refuse(kept.path, { params: base }, 503)
  } finally {
    world.chain.state.isAway = false
  }
  await kept.create()
})

test('behavior: a session confirms anew before the service signs for a buyer', async () => {
  const browser = await openConsole(world)
  const own = await world.createOwnedWallet()
  const wallets = [await world.createWallet(), await world.createWallet({ type: 'evm-mpc-wallet' })]
  const call = { to: friend, data: '0x' }
  const bodies = [{ params: base }, { params: { call, chain: 'base-sepolia' } }]
  const send = async (at: number) => {
    const answer = await browser.request('POST', wallets[at]?.path ?? '', { body: bodies[at] })
    return { status: answer.status, text: await answer.text() }
  }
  const before = await countRows()
  for (const at of [0, 1]) {
    expect(await send(at)).toEqual({
      status: 403,
      text: expect.stringContaining('POST /console/account/confirmations'),
    })
  }
  expect(await countRows()).toBe(before)
  // Where the owner's own signature is needed, the service moves nothing alone.
  expect((await browser.request('POST', own.path, { body: bodies[0] })).status).toBe(201)
  await confirmSession(
    world.deps,
    await createSessionFinder(world.deps)(browser.cookie()?.split('=')[1] ?? ''),
  )
  expect([(await send(0)).status, (await send(1)).status]).toEqual([201, 201])
  await world.advance(5 * 60_000)
  expect([(await send(0)).status, (await send(1)).status]).toEqual([403, 403])
})
