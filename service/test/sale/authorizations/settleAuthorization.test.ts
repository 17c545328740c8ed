import { eq } from 'drizzle-orm'
import { permit2Address } from 'kassa/engine'
import type { CreateAuthorizationBody, Order } from 'kassa/schema'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  serializeErc6492Signature,
  stringToHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { PermitSpender } from '#adapters/chains/evm/artifacts/PermitSpender.js'
import { TestUsdc } from '#adapters/chains/evm/artifacts/TestUsdc.js'
import { authorizationDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { authorizations } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { settleAuthorization } from '#sale/authorizations/settleAuthorization.js'
import { refreshOrder } from '#sale/orders/requoteOrder.js'
import { createSignedWorld, type Signer, teaUnits } from '../../helpers/createSignedWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { futureWallet, hungryWallet, turningWallet } from '../../helpers/scriptedWallets.js'

const world = openBeforeAll(createSignedWorld)

type Shop = Awaited<ReturnType<typeof world.openShop>>
type Json = Record<string, unknown>

const rowOf = async (orderId: string) => {
  const [row] = await world.db.select().from(authorizations).where(eq(authorizations.orderId, orderId))
  if (!row) throw new Error(`no authorization of ${orderId}`)
  return row
}

/** Asserts that an order was paid once and delivered, and that the whole price left its address. */
const expectDelivered = async (shop: Shop, order: Order, currency = 'usdc', amount = '30') => {
  const { orderId } = order
  const done = await shop.settle(orderId)
  expect(done).toMatchObject({
    phase: 'completed',
    payment: { status: 'completed', received: { amount } },
  })
  expect(done.lineItems.map(({ delivery }) => delivery.status)).toEqual(['completed'])
  const deposit = world.port.paymentTarget({ orderId, currency })
  expect(await world.balanceOf(currency, deposit)).toBe(0n)
  return done
}

/** Signs other data than what an order proposes. */
const signOther = async (
  shop: Shop,
  order: Order,
  signer: Signer,
  change: { domain?: Json; message?: Json },
): Promise<CreateAuthorizationBody> => {
  const changed = structuredClone(order)
  const authorization = changed.payment.preparation?.authorization as {
    typedData: { domain: Json; message: Json }
  }
  Object.assign(authorization.typedData.domain, change.domain)
  Object.assign(authorization.typedData.message, change.message)
  return shop.signFor(changed, signer)
}

/** A contract that pays, whose signature is any bytes. */
const contractSigner = (address: Address, signature: Hex = '0x1234'): Signer => ({
  address,
  sign: async () => signature,
})

const placeWallet = async (code: Hex): Promise<Address> => {
  const address: Address = `0x${keccak256(stringToHex(`${code}${Math.random()}`)).slice(-40)}`
  await world.client.setCode({ address, bytecode: code })
  await world.mint('usdc', address, teaUnits)
  return address
}

describe.each([
  ['erc3009', 'usdc'],
  ['permit', 'usdxm'],
  ['permit2', 'usdt'],
] as const)('%s in %s', (kind, currency) => {
  const open = async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner([currency])
    if (kind === 'permit2') await world.approvePermit2(currency, signer.address)
    return { shop, signer }
  }

  test('default: a buyer without coins pays, and gets the goods', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    expect(order.payment).toMatchObject({
      status: 'crypto-payer-insufficient-funds-for-gas',
      gas: 'shop',
      preparation: { authorization: { kind } },
    })
    const treasury = await world.balanceOf(currency, world.operator)
    const answer = await shop.bring(order.orderId, await shop.signFor(order, signer))
    expect(answer).toMatchObject({ kind, payerAddress: signer.address, txId: expect.any(String) })
    const done = await expectDelivered(shop, order, currency)
    expect(done.payment.received).toMatchObject({ txId: answer.txId, payerAddress: signer.address })
    expect(await world.balanceOf(currency, world.operator)).toBe(treasury + teaUnits)
    expect(await world.balanceOf(currency, signer.address)).toBe(9n * teaUnits)
    expect(await world.client.getBalance({ address: signer.address })).toBe(0n)
  })

  test('behavior: the same one again is answered from its record, and on the chain it is void', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    const body = await shop.signFor(order, signer)
    const answer = await shop.bring(order.orderId, body)
    await expectDelivered(shop, order, currency)
    expect(await shop.bring(order.orderId, body)).toMatchObject({ txId: answer.txId, status: 'settled' })
    const { to, data } = await world.client
      .getTransaction({ hash: answer.txId as Hex })
      .then(({ to, input }) => ({ to, data: input }))
    await expect(world.client.call({ to, data })).rejects.toThrow()
    expect(await world.balanceOf(currency, signer.address)).toBe(9n * teaUnits)
  })

  test('behavior: whoever brings it first, the order is paid once', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    const body = await shop.signFor(order, signer)
    await deployPermitSpender(shop, kind)
    const hash = await world.send(callOf(order, body, signer.address))
    const answer = await shop.bring(order.orderId, body)
    expect(answer).toMatchObject({ status: 'settled', txId: hash })
    await expectDelivered(shop, order, currency)
    expect(await world.balanceOf(currency, signer.address)).toBe(9n * teaUnits)
  })

  test('behavior: a process killed between the broadcast and the answer sends no second one', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    const body = await shop.signFor(order, signer)
    const port = world.port.authorizations
    if (!port) throw new Error('no port')
    const { chains } = shop.deps
    const dying: ChainPort = {
      ...world.port,
      authorizations: {
        ...port,
        settle: (key, write, options) => {
          const onSent = () => {
            throw new Error('killed')
          }
          return port.settle(key, write, { ...options, onSent })
        },
      },
    }
    shop.deps.chains = { ...chains, get: () => dying }
    expect(await shop.bring(order.orderId, body)).toMatchObject({ status: 'pending' })
    shop.deps.chains = chains
    await settleAuthorization(shop.deps, (await rowOf(order.orderId)).id)
    const row = await rowOf(order.orderId)
    expect(row).toMatchObject({ status: 'settled', attempt: 1 })
    expect(await shop.bring(order.orderId, body)).toMatchObject({ status: 'settled', txId: row.txId })
    await expectDelivered(shop, order, currency)
    expect(await world.balanceOf(currency, signer.address)).toBe(9n * teaUnits)
  })

  test('error: a signature of someone else', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    const stranger = await world.createSigner([])
    const body = await shop.signFor(order, { address: signer.address, sign: stranger.sign })
    const reason = kind === 'erc3009' ? 'invalid_exact_evm_payload_signature' : 'invalid_permit2_signature'
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({ detail: { reason } })
    expect(await world.balanceOf(currency, signer.address)).toBe(10n * teaUnits)
    // What was refused may be brought again, with the right signature.
    await shop.bring(order.orderId, await shop.signFor(order, signer))
    await expectDelivered(shop, order, currency)
  })

  test('error: a payer whose money is gone', async () => {
    const { shop, signer } = await open()
    const order = await shop.buy(signer, currency)
    const body = await shop.signFor(order, signer)
    const balance = await world.balanceOf(currency, signer.address)
    await takeTokens(currency, signer.address, balance)
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'insufficient_funds' },
    })
    await world.mint(currency, signer.address, teaUnits)
    await shop.bring(order.orderId, body)
    await expectDelivered(shop, order, currency)
  })
})

/** Has a payment by Permit2 be simulated, before which the service deploys its contract. */
const deployPermitSpender = async (shop: Shop, kind: string): Promise<void> => {
  if (kind === 'erc3009') return
  const signer = await world.createSigner(['usdxm'])
  const order = await shop.buy(signer, 'usdxm')
  await shop.bring(order.orderId, await shop.signFor(order, signer))
  await shop.settle(order.orderId)
}

/** The call by which a stranger brings what a payer signed. */
const callOf = (
  { orderId, payment: { currency = '' } }: Order,
  { kind, message, signature, permit }: CreateAuthorizationBody,
  payer: Address,
): { to: Address; data: Hex } => {
  const text = (value: unknown) => BigInt(String(value))
  if (kind === 'erc3009') {
    const args = [
      payer,
      world.port.paymentTarget({ orderId, currency }) as Address,
      text(message.value),
      text(message.validAfter),
      text(message.validBefore),
      message.nonce as Hex,
      signature as Hex,
    ] as const
    return {
      to: world.tokenOf(currency),
      data: encodeFunctionData({ ...TestUsdc, functionName: 'transferWithAuthorization', args }),
    }
  }
  const witness = message.witness as { to: Address; validAfter: string }
  const permitted = message.permitted as { token: Address; amount: string }
  const payment = [
    {
      permitted: { token: permitted.token, amount: text(permitted.amount) },
      nonce: text(message.nonce),
      deadline: text(message.deadline),
    },
    payer,
    { to: witness.to, validAfter: 0n },
    signature as Hex,
  ] as const
  const to = authorizationDeployments.permitSpender.address
  if (!permit)
    return { to, data: encodeFunctionData({ ...PermitSpender, functionName: 'pay', args: payment }) }
  const bytes = permit.signature.slice(2)
  const approval = {
    value: text(permit.message.value),
    deadline: text(permit.message.deadline),
    v: Number.parseInt(bytes.slice(128, 130), 16),
    r: `0x${bytes.slice(0, 64)}`,
    s: `0x${bytes.slice(64, 128)}`,
  } as const
  const data = encodeFunctionData({
    ...PermitSpender,
    functionName: 'approveAndPay',
    args: [approval, ...payment],
  })
  return { to, data }
}

const takeTokens = async (currency: string, owner: Address, units: bigint): Promise<void> => {
  const data = encodeFunctionData({
    ...TestUsdc,
    functionName: 'transfer',
    args: [world.operator, units],
  })
  await world.asOwner(owner, world.tokenOf(currency), data)
}

describe('what was signed', () => {
  test.each([
    ['another domain', { domain: { name: 'USD Coin' } }, 'invalid_exact_evm_token_name_mismatch'],
    ['another chain', { domain: { chainId: 8453 } }, 'invalid_network'],
    ['another token', { domain: { verifyingContract: permit2Address } }, 'invalid_payment_requirements'],
    [
      'too little',
      { message: { value: `${teaUnits - 1n}` } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'another recipient',
      { message: { to: permit2Address } },
      'invalid_exact_evm_payload_recipient_mismatch',
    ],
    [
      'too late',
      { message: { validBefore: '9999999999' } },
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'too early',
      { message: { validAfter: '9999999998' } },
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    ['another nonce', { message: { nonce: `0x${'7'.repeat(64)}` } }, 'invalid_payload'],
  ])('error: %s', async (_, change, reason) => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdc'])
    const order = await shop.buy(signer)
    const body = await signOther(shop, order, signer, change)
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({ detail: { reason } })
    expect(await world.balanceOf('usdc', signer.address)).toBe(10n * teaUnits)
    await shop.bring(order.orderId, await shop.signFor(order, signer))
    await expectDelivered(shop, order)
  })

  test('error: signed for another order', async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdc'])
    const [one, other] = [await shop.buy(signer), await shop.buy(signer)]
    const body = await shop.signFor(one, signer)
    await expect(shop.bring(other.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'invalid_exact_evm_payload_recipient_mismatch' },
    })
    await shop.bring(one.orderId, body)
    await expectDelivered(shop, one)
    expect(await shop.settle(other.orderId)).toMatchObject({ phase: 'payment' })
  })

  test('error: cancelled on the chain', async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdc'])
    const order = await shop.buy(signer)
    const body = await shop.signFor(order, signer)
    const domain = body.domain as Json
    const signature = await signer.sign({
      domain,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: signer.address, nonce: body.message.nonce },
    })
    const args = [signer.address, body.message.nonce as Hex, signature] as const
    const data = encodeFunctionData({ ...TestUsdc, functionName: 'cancelAuthorization', args })
    await world.send({ to: world.tokenOf('usdc'), data })
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'invalid_exact_evm_nonce_already_used' },
    })
    // A new quote has a new nonce.
    const again = await refreshOrder(
      { ...shop.deps, now: () => Date.now() + 1_000 },
      shop.secretCall(order.orderId),
      {
        orderId: order.orderId,
      },
    )
    await shop.bring(order.orderId, await shop.signFor(again, signer))
    await expectDelivered(shop, order)
  })

  test('error: an allowance that vanished', async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdt'])
    await world.approvePermit2('usdt', signer.address)
    const order = await shop.buy(signer, 'usdt')
    const body = await shop.signFor(order, signer)
    await world.approvePermit2('usdt', signer.address, 0n)
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'permit2_allowance_required' },
    })
    const { payment } = await shop.buy(signer, 'usdt')
    expect(payment).toMatchObject({ gas: 'payer' })
    await world.approvePermit2('usdt', signer.address)
    await shop.bring(order.orderId, body)
    await expectDelivered(shop, order, 'usdt')
  })

  test('behavior: a permit that was brought before does not matter', async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdxm'])
    const order = await shop.buy(signer, 'usdxm')
    const body = await shop.signFor(order, signer)
    const call = callOf(order, body, signer.address)
    const { permit } = body
    if (!permit) throw new Error('no permit')
    const bytes = permit.signature.slice(2)
    const args = [
      signer.address,
      permit2Address,
      BigInt(String(permit.message.value)),
      BigInt(String(permit.message.deadline)),
      Number.parseInt(bytes.slice(128, 130), 16),
      `0x${bytes.slice(0, 64)}`,
      `0x${bytes.slice(64, 128)}`,
    ] as const
    const data = encodeFunctionData({ ...TestUsdc, functionName: 'permit', args })
    await world.send({ to: world.tokenOf('usdxm'), data })
    expect(call.to).toBe(authorizationDeployments.permitSpender.address)
    await shop.bring(order.orderId, body)
    await expectDelivered(shop, order, 'usdxm')
  })
})

describe('wallets that are contracts', () => {
  test('behavior: their signatures are theirs to judge (ERC-1271)', async () => {
    const shop = await world.openShop()
    const wallet = contractSigner(await placeWallet(turningWallet))
    const order = await shop.buy(wallet)
    await shop.bring(order.orderId, await shop.signFor(order, wallet))
    await expectDelivered(shop, order)
    expect(await world.balanceOf('usdc', wallet.address)).toBe(0n)
  })

  test('behavior: one that is not deployed yet is deployed first (ERC-6492)', async () => {
    const shop = await world.openShop()
    const { address, factory, factoryData } = futureWallet(turningWallet)
    await world.mint('usdc', address, 2n * teaUnits)
    const signature = serializeErc6492Signature({ address: factory, data: factoryData, signature: '0x1234' })
    const wallet = contractSigner(address, signature)
    for (const at of [0, 1]) {
      // The second time, it is there.
      expect((await world.client.getCode({ address })) !== undefined).toBe(at === 1)
      const order = await shop.buy(wallet)
      await shop.bring(order.orderId, await shop.signFor(order, wallet))
      await expectDelivered(shop, order)
    }
  })

  test('error: one that changes its answer after the simulation pays nothing, and can pay later', async () => {
    const shop = await world.openShop()
    const address = await placeWallet(turningWallet)
    const wallet = contractSigner(address)
    const order = await shop.buy(wallet)
    const body = await shop.signFor(order, wallet)
    const { client } = world
    await client.setAutomine(false)
    const bringing = shop.bring(order.orderId, body)
    await expect.poll(async () => (await rowOf(order.orderId)).txId).toBeTruthy()
    // Its turn comes before the payment in the block.
    await client.setStorageAt({ address, index: 0, value: `0x${'0'.repeat(63)}1` })
    await client.mine({ blocks: 1 })
    await client.setAutomine(true)
    expect(await bringing).toMatchObject({ status: 'failed', txId: expect.any(String) })
    expect(await world.balanceOf('usdc', address)).toBe(teaUnits)
    expect(await shop.settle(order.orderId)).toMatchObject({ phase: 'payment' })
    await client.setStorageAt({ address, index: 0, value: `0x${'0'.repeat(64)}` })
    const again = await refreshOrder(
      { ...shop.deps, now: () => Date.now() + 1_000 },
      shop.secretCall(order.orderId),
      {
        orderId: order.orderId,
      },
    )
    await shop.bring(order.orderId, await shop.signFor(again, wallet))
    await expectDelivered(shop, order)
  })

  test('error: one that refuses', async () => {
    const shop = await world.openShop()
    const address = await placeWallet(turningWallet)
    await world.client.setStorageAt({ address, index: 0, value: `0x${'0'.repeat(63)}1` })
    const wallet = contractSigner(address)
    const order = await shop.buy(wallet)
    const body = await shop.signFor(order, wallet)
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'invalid_exact_evm_payload_signature' },
    })
  })

  test('error: one that takes more gas than the operator pays', async () => {
    const shop = await world.openShop()
    const wallet = contractSigner(await placeWallet(hungryWallet))
    const order = await shop.buy(wallet)
    const body = await shop.signFor(order, wallet)
    await expect(shop.bring(order.orderId, body)).rejects.toMatchObject({
      detail: { reason: 'invalid_exact_evm_transaction_simulation_failed' },
      message: /^it needs \d+ gas, more than the 500000 a transaction may use/,
    })
    expect(await world.balanceOf('usdc', wallet.address)).toBe(teaUnits)
  })

  test('behavior: no transaction has more gas than the operator pays', async () => {
    const shop = await world.openShop()
    const signer = await world.createSigner(['usdxm'])
    const order = await shop.buy(signer, 'usdxm')
    const { txId } = await shop.bring(order.orderId, await shop.signFor(order, signer))
    const { gas } = await world.client.getTransaction({ hash: txId as Hex })
    expect(gas).toBeLessThanOrEqual(500_000n)
    await expectDelivered(shop, order, 'usdxm')
  })
})

test('behavior: two different ones at once: one pays', async () => {
  const shop = await world.openShop()
  const signer = await world.createSigner(['usdc'])
  const order = await shop.buy(signer)
  const body = await shop.signFor(order, signer)
  await world.approvePermit2('usdc', signer.address)
  const other = await shop.buy(signer, 'usdc')
  expect(other.payment.preparation).toMatchObject({ authorization: { kind: 'erc3009' } })
  // The same payment by another kind.
  const permit2 = permit2BodyOf(order, body, signer)
  const results = await Promise.allSettled([
    shop.bring(order.orderId, body),
    permit2.then((one) => shop.bring(order.orderId, one)),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
  await expectDelivered(shop, order)
  expect(await world.balanceOf('usdc', signer.address)).toBe(9n * teaUnits)
})

/** The payment of a signed transfer, signed for Permit2. */
const permit2BodyOf = async (
  { orderId }: Order,
  { message }: CreateAuthorizationBody,
  signer: Signer,
): Promise<CreateAuthorizationBody> => {
  const domain = { name: 'Permit2', chainId: world.port.chainId, verifyingContract: permit2Address }
  const data = {
    domain,
    types: {
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'witness', type: 'Witness' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      Witness: [
        { name: 'to', type: 'address' },
        { name: 'validAfter', type: 'uint256' },
      ],
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: world.tokenOf('usdc'), amount: message.value },
      spender: authorizationDeployments.permitSpender.address,
      nonce: `${BigInt(message.nonce as string)}`,
      deadline: message.validBefore,
      witness: { to: world.port.paymentTarget({ orderId, currency: 'usdc' }), validAfter: '0' },
    },
  }
  return {
    kind: 'permit2',
    payerAddress: signer.address,
    domain,
    message: data.message,
    signature: await signer.sign(data),
  }
}

test('behavior: a price change while one is on its way', async () => {
  let eth = '3000'
  const shop = await world.openShop()
  shop.deps.rates = { read: async () => ({ usd: { usdc: '1', eth }, isAway: () => false }) }
  const signer = await world.createSigner(['usdc'])
  const order = await shop.buy(signer)
  const { client } = world
  await client.setAutomine(false)
  const bringing = shop.bring(order.orderId, await shop.signFor(order, signer))
  await expect.poll(async () => (await rowOf(order.orderId)).txId).toBeTruthy()
  eth = '6000'
  const dearer = await refreshOrder(shop.deps, shop.secretCall(order.orderId), { orderId: order.orderId })
  expect(dearer.quote.totalPrice).toMatchObject({ amount: '60' })
  await client.mine({ blocks: 1 })
  await client.setAutomine(true)
  expect(await bringing).toMatchObject({ txId: expect.any(String) })
  await expectDelivered(shop, order)
  expect(await world.balanceOf('usdc', signer.address)).toBe(9n * teaUnits)
})

test('behavior: a payment by a transaction beside a signed one goes back', async () => {
  const shop = await world.openShop()
  const signer = await world.createSigner(['usdc'])
  const order = await shop.buy(signer)
  await shop.bring(order.orderId, await shop.signFor(order, signer))
  const deposit = world.port.paymentTarget({ orderId: order.orderId, currency: 'usdc' }) as Address
  const data = encodeFunctionData({ ...TestUsdc, functionName: 'transfer', args: [deposit, teaUnits] })
  await world.asOwner(signer.address, world.tokenOf('usdc'), data)
  const done = await expectDelivered(shop, order, 'usdc', '60')
  expect(done.payment.refunded).toMatchObject({ amount: '30', causes: ['duplicate'] })
  expect(await world.balanceOf('usdc', signer.address)).toBe(9n * teaUnits)
})

test('behavior: the operator alone pays, and no more than what the chain asks', async () => {
  const shop = await world.openShop()
  const signer = await world.createSigner(['usdc'])
  const order = await shop.buy(signer)
  const { txId } = await shop.bring(order.orderId, await shop.signFor(order, signer))
  const { from, to } = await world.client.getTransaction({ hash: txId as Hex })
  expect(from.toLowerCase()).toBe(world.operator.toLowerCase())
  expect(to?.toLowerCase()).toBe(world.tokenOf('usdc').toLowerCase())
  await expectDelivered(shop, order)
})
