import type { Transaction } from 'kassa/schema'
import { type Hex, numberToHex, parseSignature, serializeSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createTransactionWorld,
  friend,
  messageOf,
  type TransactionWorld,
} from '../../helpers/createTransactionWorld.js'

/** The order of secp256k1. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let world: TransactionWorld
beforeAll(async () => {
  world = await createTransactionWorld()
})
afterAll(() => world.close())

type Owned = Awaited<ReturnType<TransactionWorld['createOwnedWallet']>>

const approve = (wallet: Owned, id: string, approvals: unknown, status = 201) =>
  world.ask(status, 'POST', `${wallet.path}/${id}/approvals`, { approvals })
/** Submits an approval that is refused, and expects that it changed nothing. */
const refuse = async (wallet: Owned, { id }: Transaction, approvals: unknown, status: number) => {
  const before = await wallet.get(id)
  const answer = (await approve(wallet, id, approvals, status)) as { error: true; message: string }
  expect(answer.error).toBe(true)
  expect(await wallet.get(id)).toEqual(before)
  return answer.message
}

test('default: the signer’s approval makes it pending, and records its origin', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  const message = messageOf(created)
  const signature = await wallet.sign(message)
  const response = await world.send(
    'POST',
    `${wallet.path}/${created.id}/approvals`,
    { approvals: [{ signer: wallet.owner.address, signature }] },
    { 'user-agent': 'Browser/1 (Macintosh; Intel Mac OS X 10_15_7) Engine/2' },
  )
  expect(response.status).toBe(201)
  const approved = await response.json()
  expect(approved).toMatchObject({
    id: created.id,
    status: 'pending',
    onChain: { userOperation: { signature }, userOperationHash: message },
    approvals: {
      pending: [],
      required: 1,
      submitted: [
        {
          signer: wallet.owner.address,
          message,
          signature,
          submittedAt: expect.stringMatching(/Z$/),
          metadata: {
            userAgent: expect.stringContaining('Browser/1'),
            deviceInfo: 'Macintosh; Intel Mac OS X 10_15_7',
          },
        },
      ],
    },
  })
  expect(await wallet.get(created.id)).toEqual(approved)
  await wallet.run()
  expect(await wallet.get(created.id)).toMatchObject({ status: 'success', approvals: { pending: [] } })
})

test('parameters: signer: a locator may carry the type of the signer', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  const signature = await wallet.sign(messageOf(created))
  const friends = [{ signer: `evm-keypair:${friend}`, signature }]
  expect(await refuse(wallet, created, friends, 400)).toMatch(/^approvals\[0\]\.signer: not a signer/)
  const approvals = [{ signer: `evm-keypair:${wallet.owner.address}`, signature }]
  expect(await approve(wallet, created.id, approvals)).toMatchObject({
    approvals: { submitted: [{ signer: wallet.owner.address }] },
  })
})

test('error: input-invalid: an approval has only the fields of its kind', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  const approval = { signer: wallet.owner.address, signature: await wallet.sign(messageOf(created)) }
  expect(await refuse(wallet, created, [{ ...approval, note: 'x' }], 400)).toBe(
    'approvals[0].note: not a field that can be given here',
  )
})

test('error: input-invalid: a signature of something else', async () => {
  const [wallet, other] = [await world.createOwnedWallet(), await world.createOwnedWallet()]
  const [created, second, foreign] = [await wallet.create(), await wallet.create(), await other.create()]
  const signer = wallet.owner.address
  const stranger = privateKeyToAccount(generatePrivateKey())
  const good = (await wallet.sign(messageOf(created))) as Hex
  const { r, s, yParity } = parseSignature(good)
  const malleated = serializeSignature({
    r,
    s: numberToHex(curveOrder - BigInt(s), { size: 32 }),
    yParity: 1 - yParity,
  })
  const strangers = await stranger.signMessage({ message: { raw: messageOf(created) as Hex } })

  const signatures: unknown[] = [
    strangers,
    await wallet.sign(messageOf(second)),
    await wallet.sign(messageOf(foreign)),
    await wallet.owner.signMessage({ message: messageOf(created) }),
    malleated,
    `${good}00`,
    good.slice(0, -2),
    '0x',
    `0x${'0'.repeat(130)}`,
    `0x${'f'.repeat(130)}`,
    'sign',
    '',
    { r: '0x1', s: '0x1' },
    null,
  ]
  for (const signature of signatures) {
    expect(await refuse(wallet, created, [{ signer, signature }], 400)).toMatch(/^approvals\[0\]/)
  }
  expect(await refuse(wallet, created, [{ signer: stranger.address, signature: strangers }], 400)).toBe(
    `approvals[0].signer: not a signer of this transaction (${signer} is)`,
  )
  const twice = [good, good].map((signature) => ({ signer, signature }))
  expect(await refuse(wallet, created, twice, 400)).toBe(
    `approvals[1].signer: ${signer} can approve only once`,
  )
  for (const approvals of [[], {}, undefined, 'x', [{}], [{ signer }], [{ signature: good }]]) {
    expect(await refuse(wallet, created, approvals, 400)).toMatch(/^approvals/)
  }
  await approve(wallet, created.id, [{ signer, signature: good }])
})

test('error: input-invalid: the error of an approval names its field', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  const signer = wallet.owner.address
  const point = { r: '0x1', s: '0x1' }
  const metadata = { authenticatorData: '0x', clientDataJSON: '{}' }
  const faults: [unknown, RegExp][] = [
    [{ signer }, /^approvals\[0\]\.signature: required$/],
    [{ signature: '0x' }, /^approvals\[0\]\.signer: required$/],
    [{ signer, signature: 'sign' }, /^approvals\[0\]\.signature: expected 0x and whole bytes in hex$/],
    [{ signer, signature: 5 }, /^approvals\[0\]\.signature: /],
    [{ signer, signature: null }, /^approvals\[0\]\.signature: /],
    [{ signer, signature: { r: '0x1' }, metadata }, /^approvals\[0\]\.signature\.s: required$/],
    [{ signer, signature: point }, /^approvals\[0\]\.metadata: required$/],
    [
      { signer, signature: point, metadata: { ...metadata, authenticatorData: 'x' } },
      /^approvals\[0\]\.metadata\.authenticatorData: expected 0x and whole bytes in hex$/,
    ],
    ['x', /^approvals\[0\]: /],
  ]
  for (const [approval, message] of faults) {
    expect(await refuse(wallet, created, [approval], 400)).toMatch(message)
  }
  const good = { signer, signature: '0x' }
  expect(await refuse(wallet, created, [good, { signer }], 400)).toBe('approvals[1].signature: required')
  expect(await refuse(wallet, created, [], 400)).toBe('approvals: expected at least 1 approval')
  const many = Array.from({ length: 11 }, () => good)
  expect(await refuse(wallet, created, many, 400)).toBe('approvals: expected at most 10 approvals')
})

test('error: not-found: another wallet’s transaction, for any signer', async () => {
  const [wallet, other] = [await world.createOwnedWallet(), await world.createOwnedWallet()]
  const created = await wallet.create()
  const approvals = [{ signer: wallet.owner.address, signature: await wallet.sign(messageOf(created)) }]
  await approve(other, created.id, approvals, 404)
  await approve(wallet, '11111111-1111-4111-8111-111111111111', approvals, 404)
  await approve(wallet, "x' or 1=1", approvals, 404)
  expect(await wallet.get(created.id)).toMatchObject({ status: 'awaiting-approval' })
})

test('error: conflict: it was approved already; error: unprocessable: it has ended', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  const approvals = [{ signer: wallet.owner.address, signature: await wallet.sign(messageOf(created)) }]
  await approve(wallet, created.id, approvals)
  const strangers = approvals.map((approval) => ({ ...approval, signer: friend }))
  expect(await refuse(wallet, created, approvals, 409)).toMatch(/already/)
  expect(await refuse(wallet, created, strangers, 400)).toMatch(/not a signer/)
  await wallet.run()
  for (const approval of [approvals, strangers]) {
    expect(await refuse(wallet, created, approval, 422)).toMatch(/ended \(success\)/)
  }
})

test('error: unprocessable: a transaction that the service signs needs no approval', async () => {
  for (const type of ['evm-smart-wallet', 'evm-mpc-wallet']) {
    const kept = await world.createWallet({ type })
    const { id } = type === 'evm-smart-wallet' ? await kept.create() : await kept.createCall()
    for (const signer of [kept.wallet.config?.adminSigner?.locator, friend]) {
      const approvals = [{ signer, signature: `0x${'11'.repeat(65)}` }]
      expect(await world.ask(422, 'POST', `${kept.path}/${id}/approvals`, { approvals })).toMatchObject({
        message: expect.stringMatching(/no approval is needed/),
      })
    }
  }
})

test('error: unprocessable: an approval after the deadline', async () => {
  const wallet = await world.createOwnedWallet()
  const [created, other] = [await wallet.create(), await wallet.create()]
  await world.advance(3_590_000)
  expect((await wallet.approve(other.id, messageOf(other))).status).toBe(201)
  await world.advance(10_000)
  const approvals = [{ signer: wallet.owner.address, signature: await wallet.sign(messageOf(created)) }]
  expect(await refuse(wallet, created, approvals, 422)).toMatch(/too late .*create another/)
})

test('behavior: of concurrent approvals, one is accepted', async () => {
  const wallet = await world.createOwnedWallet()
  const { id, ...created } = await wallet.create()
  const message = messageOf({ id, ...created } as Transaction)
  const responses = await Promise.all(Array.from({ length: 8 }, () => wallet.approve(id, message)))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  await wallet.run()
  expect(world.fake.done.filter(({ hash }) => hash === message)).toHaveLength(1)
})
