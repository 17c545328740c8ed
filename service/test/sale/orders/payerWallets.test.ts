import { beforeEach, expect, test } from 'vitest'
import { wallets } from '#base/db/tables/index.js'
import { createProject } from '#identity/projects/projects.js'
import { recheckFunds } from '#sale/payments/recheckFunds.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

const database = openBeforeAll(createTestDatabase)
let chain: FakeChain

beforeEach(() => {
  chain = createFakeChain({ now: Date.now })
  chain.state.funds = 'insufficient-funds-for-gas'
})

const openWorld = async (sponsorsGas: boolean) => {
  const config = { ...testConfig, sponsorsGas }
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now, config })
  await world.createCollection({ id: 'tea' })
  return world
}
const insertWallet = (projectId: string, type: 'evm-smart-wallet' | 'evm-mpc-wallet') =>
  database.db.insert(wallets).values({
    id: crypto.randomUUID(),
    projectId,
    type,
    address: payerAddress,
    signerType: 'evm-kassa-custodial',
    adminSigner: { type: 'evm-kassa-custodial', locator: `evm-kassa-custodial:${payerAddress}` },
    createdAt: new Date(),
  })
const tea = { lineItems: { collectionLocator: 'kassa:tea' } }
const ready = { status: 'awaiting-payment', preparation: { payerAddress } }
const poor = { status: 'crypto-payer-insufficient-funds-for-gas' }

test.each([
  ['evm-smart-wallet', true, ready],
  ['evm-smart-wallet', false, ready],
  ['evm-mpc-wallet', true, ready],
  ['evm-mpc-wallet', false, poor],
] as const)(
  'parameters: a payer that is an %s needs gas money unless others pay (sponsored: %s)',
  async (type, isSponsored, payment) => {
    const world = await openWorld(isSponsored)
    await insertWallet(world.projectId, type)
    expect((await world.create(tea)).order.payment).toMatchObject(payment)
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect((await world.create(tea)).order.payment).toMatchObject(payment)
  },
)

test("behavior: another project's wallet is an account like any other", async () => {
  const world = await openWorld(true)
  await insertWallet(await createProject(database.db, 'another'), 'evm-smart-wallet')
  expect((await world.create(tea)).order.payment).toMatchObject(poor)
})
