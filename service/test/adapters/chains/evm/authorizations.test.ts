import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAuthorization } from 'kassa/engine'
import type { PreparedAuthorization } from 'kassa/schema'
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hashTypedData,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { TestUsdc } from '#adapters/chains/evm/artifacts/TestUsdc.js'
import { authorizationDeployments, create2Deployer } from '#adapters/chains/evm/connection/addresses.js'
import type { AuthorizationWrite } from '#base/ports/authorizations.js'
import type { ChainPort } from '#base/ports/chain.js'
import { compileContracts, sources } from '../../../../../scripts/contracts.mjs'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { openBeforeAll } from '../../../helpers/openBeforeAll.js'
import { signAuthorization, signWith } from '../../../helpers/signAuthorization.js'

const chain = openBeforeAll(createTestChain)
const units = 5_000_000n

/** Compiles the test token with a change of its source. */
const compileUsdc = (change: (source: string) => string): { abi: Abi; bytecode: Hex } => {
  const source = change(readFileSync(join(sources, 'TestUsdc.sol'), 'utf8'))
  const { 'TestUsdc.ts': text = '' } = compileContracts({ 'TestUsdc.sol': source }) as Record<string, string>
  const [, bytecode] = /bytecode: '(0x[0-9a-f]+)'/.exec(text) ?? []
  return { abi: TestUsdc.abi as Abi, bytecode: bytecode as Hex }
}

/** Opens the chain with a token at an address as `usdc`. */
const openWith = async (code: { abi: Abi; bytecode: Hex }): Promise<{ port: ChainPort; token: Address }> => {
  const payer = await chain.createPayer()
  const nonce = BigInt(await chain.client.getTransactionCount({ address: payer.address }))
  const token = getContractAddress({ from: payer.address, nonce })
  const raw = await payer.sign({ data: encodeDeployData(code) })
  const hash = await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await chain.client.waitForTransactionReceipt({ hash })
  const port = chain.open({ tokens: [{ currency: 'usdc', address: token, decimals: 6 }] })
  await port.ready()
  return { port, token }
}

const portOf = ({ authorizations }: ChainPort) => {
  if (!authorizations) throw new Error('the chain settles no authorizations')
  return authorizations
}

/** Prepares, signs and reads the payment of an order by an account without coins. */
const signOrder = async (port: ChainPort, token: Address) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const helper = await chain.createPayer()
  const data = encodeFunctionData({ ...TestUsdc, functionName: 'mint', args: [account.address, units] })
  const hash = await chain.client.sendRawTransaction({
    serializedTransaction: await helper.sign({ to: token, data }),
  })
  await chain.client.waitForTransactionReceipt({ hash })
  const payment = {
    orderId: crypto.randomUUID(),
    currency: 'usdc',
    units,
    payer: account.address,
    deadlineMs: Date.now() + 600_000,
  }
  const prepared = await port.preparePayment({ ...payment, isSponsored: true })
  const { sponsored } = prepared
  if (!sponsored) throw new Error('nothing was proposed')
  const body = await signAuthorization(account.address, sponsored.authorization, signWith(account))
  const read = await portOf(port).read({ ...payment, prepared: sponsored.authorization }, body, Date.now())
  if ('refused' in read) throw new Error(read.refused.message)
  const write: AuthorizationWrite = { ...payment, authorization: read.authorization }
  return { write, prepared, proposal: sponsored.authorization }
}

describe('the forms of a signed transfer', () => {
  const isBytes = (data: Hex): boolean => data.startsWith('0xcf092995')

  test.each([
    ['both', (source: string) => source, false],
    [
      'v, r and s alone',
      (source: string) =>
        source.replace(/bytes memory signature\n {4}\) public \{/, 'bytes memory signature\n    ) private {'),
      false,
    ],
    [
      'bytes alone',
      (source: string) =>
        source.replace(
          /bytes32 s\n {4}\) external \{\n {8}transferWith/,
          'bytes32 s\n    ) private {\n        transferWith',
        ),
      true,
    ],
  ])('behavior: a token that has %s', async (_, change, hasBytesAlone) => {
    const { port, token } = await openWith(compileUsdc(change))
    const { write } = await signOrder(port, token)
    expect(await portOf(port).simulate(write)).toMatchObject({ status: 'ready', fee: expect.any(BigInt) })
    const settled = await portOf(port).settle(`authorization:${write.orderId}:form`, write)
    if (settled.status === 'failed') throw new Error(settled.reason)
    const { input } = await chain.client.getTransaction({ hash: settled.txId as Hex })
    expect(isBytes(input)).toBe(hasBytesAlone)
    const deposit = port.paymentTarget(write) as Address
    const held = { address: token, ...TestUsdc, functionName: 'balanceOf', args: [deposit] } as const
    expect(await chain.client.readContract(held)).toBe(units)
  })
})

describe('one authorization', () => {
  let port: ChainPort
  let token: Address
  beforeAll(async () => {
    port = chain.open()
    await port.ready()
    token = port.currencies.find(({ currency }) => currency === 'usdc')?.address as Address
  })

  test('default: USDC is at its own address, and Permit2 at its', async () => {
    expect(token).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
    expect(authorizationDeployments.permit2.address).toBe('0x000000000022D473030F116dDEE9F6B43aC78BA3')
    expect(await chain.client.getCode({ address: authorizationDeployments.permit2.address })).toBeDefined()
    expect(create2Deployer).toBe('0x4e59b44847b379578588920cA78FbF26c0B4956C')
  })

  test('behavior: what is proposed is what the token verifies', async () => {
    const { proposal, write } = await signOrder(port, token)
    const { typedData } = writeAuthorization({
      kind: 'erc3009',
      chainId: 84_532,
      token,
      domain: { name: 'USDC', version: '2' },
      spender: token,
      payer: write.authorization.payer as Address,
      recipient: port.paymentTarget(write) as Address,
      units,
      validBefore: BigInt(write.authorization.validBefore),
      nonce: write.authorization.nonce as Hex,
    })
    const hashOf = (data: PreparedAuthorization['typedData']) => hashTypedData(data as never)
    expect(hashOf(proposal.typedData)).toBe(hashOf(typedData))
  })

  test('behavior: a payer without gas has something to sign, and one whose shop pays none has not', async () => {
    const { prepared, write } = await signOrder(port, token)
    expect(prepared.status).toBe('insufficient-funds-for-gas')
    const payment = { ...write, payer: write.authorization.payer, deadlineMs: Date.now() + 60_000 }
    expect(await port.preparePayment(payment)).toEqual({ status: 'insufficient-funds-for-gas' })
    const coin = { ...payment, currency: 'eth', units: 1n, isSponsored: true }
    expect(await port.preparePayment(coin)).toEqual({ status: 'insufficient-funds' })
  })

  test('behavior: settled under two keys, it moves the money once, and both succeed', async () => {
    const { write } = await signOrder(port, token)
    const { settle } = portOf(port)
    const one = await settle(`authorization:${write.orderId}:one`, write)
    const other = await settle(`authorization:${write.orderId}:other`, write)
    expect(one).toMatchObject({ status: 'succeeded' })
    expect(other).toEqual(one)
  })

  test('behavior: by two processes at once, it is sent once', async () => {
    const { write } = await signOrder(port, token)
    const beside = chain.open()
    await beside.ready()
    const key = `authorization:${write.orderId}:shared`
    const [one, other] = await Promise.all([
      portOf(port).settle(key, write),
      portOf(beside).settle(key, write),
    ])
    expect(one).toMatchObject({ status: 'succeeded' })
    expect(other).toEqual(one)
  })

  test('behavior: the nonce of another payment is no trace of this one', async () => {
    const { write } = await signOrder(port, token)
    const { settle, simulate } = portOf(port)
    await settle(`authorization:${write.orderId}:first`, write)
    // The same signature, said to pay another order.
    const stolen = { ...write, orderId: crypto.randomUUID() }
    expect(await simulate(stolen)).toMatchObject({
      status: 'refused',
      reason: 'invalid_exact_evm_nonce_already_used',
    })
    expect(await settle(`authorization:${stolen.orderId}:stolen`, stolen)).toMatchObject({ status: 'failed' })
  })

  test('error: a currency without signatures', async () => {
    const { write } = await signOrder(port, token)
    const payment = { ...write, payer: write.authorization.payer, deadlineMs: Date.now() + 60_000 }
    const body = {
      kind: 'erc3009' as const,
      payerAddress: payment.payer,
      domain: {},
      message: {},
      signature: '0x01',
    }
    await expect(portOf(port).read({ ...payment, currency: 'eth' }, body, Date.now())).rejects.toMatchObject({
      code: 'input-invalid',
    })
    expect(await portOf(port).read({ ...payment, currency: 'usdxm' }, body, Date.now())).toMatchObject({
      refused: { reason: 'unsupported_scheme' },
    })
  })
})
