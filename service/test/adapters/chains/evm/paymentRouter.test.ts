import fc from 'fast-check'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  maxUint48,
  padHex,
  parseEther,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>
let refusing: Address[]
let payees: Address[]

beforeAll(async () => {
  world = await createTestChain()
  const newAddress = async () => (await world.createPayer(0n)).address
  refusing = await Promise.all([newAddress(), newAddress()])
  for (const address of refusing) {
    await world.client.setBalance({ address, value: parseEther('1') })
    // push0 push0 revert
    await world.client.setCode({ address, bytecode: '0x5f5ffd' })
    await world.client.impersonateAccount({ address })
  }
  payees = await Promise.all([newAddress(), newAddress()])
})
afterAll(() => world.close())

const idOf = (at: number): Hex => padHex(`0x${(at + 1).toString(16)}`, { size: 32 })

/** Deploys a router for this test, with its callers. */
const deploy = async () => {
  const account = world.operatorWallet.account
  const hash = await world.operatorWallet.sendTransaction({
    data: encodeDeployData({ ...PaymentRouter, args: [account.address] }),
  })
  const { contractAddress } = await world.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the router was not deployed')
  const contract = { address: contractAddress, ...PaymentRouter } as const
  /** Sends a call, and returns why it would revert, if it would. */
  const mined = async (simulated: Promise<{ request: object }>, send: () => Promise<Hex>) => {
    const refusal = await simulated.then(
      () => undefined,
      (error: Error) => /(?:Error|error): (\w+)\(/.exec(error.message)?.[1] ?? error.message,
    )
    if (refusal !== undefined) return refusal
    const { status } = await world.client.waitForTransactionReceipt({
      hash: await send(),
      pollingInterval: 10,
    })
    return status
  }
  const pay = async (order: number, value: bigint) => {
    const args = [idOf(order), maxUint48] as const
    const hash = await world.operatorWallet.writeContract({ ...contract, functionName: 'pay', args, value })
    await world.client.waitForTransactionReceipt({ hash })
  }
  const payOut = (input: { order: number; id: number; to: Address; units: bigint }) => {
    const args = [idOf(input.order), idOf(input.id), input.to, input.units] as const
    const call = { ...contract, functionName: 'payOut', args } as const
    return mined(world.client.simulateContract({ ...call, account }), () =>
      world.operatorWallet.writeContract({ ...call, gas: 400_000n }),
    )
  }
  const payOutCredit = (id: number, to: Address, from: Address = account.address) => {
    const call = { ...contract, functionName: 'payOutCredit', args: [idOf(id), to] } as const
    return mined(world.client.simulateContract({ ...call, account: from }), () =>
      world.operatorWallet.writeContract(call),
    )
  }
  const claimTo = (from: Address, to: Address) => {
    const call = { ...contract, functionName: 'claimTo', args: [to] } as const
    const send = () =>
      world.client.sendUnsignedTransaction({ from, to: contractAddress, data: encodeFunctionData(call) })
    return mined(world.client.simulateContract({ ...call, account: from }), send)
  }
  const read = {
    held: (order: number) =>
      world.client.readContract({ ...contract, functionName: 'held', args: [idOf(order)] }),
    credit: (id: number) =>
      world.client.readContract({ ...contract, functionName: 'credits', args: [idOf(id)] }),
    claimable: (of: Address) =>
      world.client.readContract({ ...contract, functionName: 'claimable', args: [of] }),
    totalCredits: () => world.client.readContract({ ...contract, functionName: 'totalCredits' }),
    balance: () => world.client.getBalance({ address: contractAddress }),
  }
  return { pay, payOut, payOutCredit, claimTo, ...read }
}

test('error: a stranger, and the payee itself, cannot send a credit elsewhere', async () => {
  const router = await deploy()
  const [payee = zeroAddress, other = zeroAddress] = refusing
  const [to = zeroAddress] = payees
  await router.pay(0, 10n)
  expect(await router.payOut({ order: 0, id: 0, to: payee, units: 10n })).toBe('success')
  for (const stranger of [payee, other, to]) {
    expect(await router.payOutCredit(0, to, stranger)).toBe('OwnableUnauthorizedAccount')
  }
  // A stranger cannot claim another payee's credit either.
  expect(await router.claimTo(other, to)).toBe('NothingCredited')
  expect(await router.credit(0)).toBe(10n)
  expect(await router.claimTo(payee, to)).toBe('success')
})

test('behavior: a payee with more credits than one claim closes claims again', async () => {
  const router = await deploy()
  const [payee = zeroAddress] = refusing
  const [to = zeroAddress] = payees
  await router.pay(0, 51n)
  for (let id = 0; id < 51; id++) await router.payOut({ order: 0, id, to: payee, units: 1n })
  const before = await world.client.getBalance({ address: to })
  expect(await router.claimTo(payee, to)).toBe('success')
  expect(await router.claimable(payee)).toBe(1n)
  expect(await router.claimTo(payee, to)).toBe('success')
  expect(await world.client.getBalance({ address: to })).toBe(before + 51n)
  expect(await router.claimTo(payee, to)).toBe('NothingCredited')
})

test('behavior: a claim that its receiver refuses leaves the credit unchanged', async () => {
  const router = await deploy()
  const [payee = zeroAddress, other = zeroAddress] = refusing
  await router.pay(0, 10n)
  await router.payOut({ order: 0, id: 0, to: payee, units: 10n })
  expect(await router.claimTo(payee, other)).toBe('FailedCall')
  expect(await router.payOutCredit(0, other)).toBe('FailedCall')
  expect(await router.claimable(payee)).toBe(10n)
})

type Step =
  | { type: 'pay'; order: number; units: number }
  | { type: 'payOut'; order: number; id: number; to: number; units: number }
  | { type: 'claim'; from: number; to: number }
  | { type: 'payOutCredit'; id: number; to: number }

const two = fc.integer({ min: 0, max: 1 })
const ids = fc.integer({ min: 0, max: 5 })
const units = fc.integer({ min: 1, max: 9 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('pay' as const), order: two, units }),
  fc.record({
    type: fc.constant('payOut' as const),
    order: two,
    id: ids,
    to: fc.integer({ min: 0, max: 3 }),
    units,
  }),
  fc.record({ type: fc.constant('claim' as const), from: two, to: two }),
  fc.record({ type: fc.constant('payOutCredit' as const), id: ids, to: two }),
)

test('behavior: for any sequence of payments, payouts and claims, payouts never exceed payments, and no payout happens twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 16 }), async (steps) => {
      const router = await deploy()
      const all = [...refusing, ...payees]
      const received = [0n, 0n]
      const held = [0n, 0n]
      const credits = new Map<number, { payee: number; units: bigint }>()
      const done = new Set<number>()
      const before = await Promise.all(payees.map((address) => world.client.getBalance({ address })))
      for (const step of steps) {
        if (step.type === 'pay') {
          await router.pay(step.order, BigInt(step.units))
          held[step.order] = (held[step.order] ?? 0n) + BigInt(step.units)
        } else if (step.type === 'payOut') {
          const { order, id, to, units } = step
          const result = await router.payOut({ order, id, to: all[to] ?? zeroAddress, units: BigInt(units) })
          const isTooMuch = BigInt(units) > (held[order] ?? 0n)
          expect(result).toBe(done.has(id) ? 'AlreadyPaidOut' : isTooMuch ? 'MoreThanHeld' : 'success')
          if (result !== 'success') continue
          done.add(id)
          held[order] = (held[order] ?? 0n) - BigInt(units)
          if (to < 2) credits.set(id, { payee: to, units: BigInt(units) })
          else received[to - 2] = (received[to - 2] ?? 0n) + BigInt(units)
        } else if (step.type === 'claim') {
          const mine = [...credits].filter(([, { payee }]) => payee === step.from)
          const sum = mine.reduce((total, [, credit]) => total + credit.units, 0n)
          expect(await router.claimable(all[step.from] ?? zeroAddress)).toBe(sum)
          await router.claimTo(all[step.from] ?? zeroAddress, payees[step.to] ?? zeroAddress)
          for (const [id] of mine) credits.delete(id)
          received[step.to] = (received[step.to] ?? 0n) + sum
        } else {
          const credit = credits.get(step.id)
          const result = await router.payOutCredit(step.id, payees[step.to] ?? zeroAddress)
          expect(result).toBe(credit ? 'success' : 'NothingCredited')
          received[step.to] = (received[step.to] ?? 0n) + (credit?.units ?? 0n)
          credits.delete(step.id)
        }
        const credited = [...credits.values()].reduce((total, credit) => total + credit.units, 0n)
        expect(await router.totalCredits()).toBe(credited)
        expect(await router.balance()).toBe((held[0] ?? 0n) + (held[1] ?? 0n) + credited)
      }
      const after = await Promise.all(payees.map((address) => world.client.getBalance({ address })))
      expect(after.map((balance, at) => balance - (before[at] ?? 0n))).toEqual(received)
    }),
    { numRuns: 12 },
  )
})
