import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { wallets } from '#base/db/tables/index.js'
import { walletContext } from '#base/ports/vault.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { getOrCreateCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: ReturnType<typeof createFakeChain>
beforeEach(async () => {
  await clearDatabase(database.db)
  chain = createFakeChain({ now: Date.now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
})

const ownerOf = (user: string) => ({ projectId: world.projectId, userLocator: user })

describe('getOrCreateCustodialWallet', () => {
  test('default: an address whose key the vault keeps', async () => {
    const owner = ownerOf('email:ada@example.com')
    const { address } = await getOrCreateCustodialWallet(world.deps, chain.port, owner)
    const [row] = await database.db.select().from(wallets)
    const key = await world.deps.vault.decrypt(row?.encryptedKey ?? '', walletContext(row?.id ?? ''))
    expect(privateKeyToAddress(toHex(key))).toBe(address)
  })

  test('behavior: concurrent requests give one wallet; another user has another', async () => {
    const owner = ownerOf('email:bob@example.com')
    const many = await Promise.all(
      Array.from({ length: 5 }, () => getOrCreateCustodialWallet(world.deps, chain.port, owner)),
    )
    expect(new Set(many.map(({ address }) => address)).size).toBe(1)
    const other = await getOrCreateCustodialWallet(world.deps, chain.port, ownerOf('email:eve@example.com'))
    expect(other.address).not.toBe(many[0]?.address)
  })

  test('behavior: it is the user’s evm-mpc-wallet, whichever is created first', async () => {
    const create = (linkedUser: string) =>
      createWallet(world.deps, world.serverCall, { type: 'evm-mpc-wallet', linkedUser })
    const kept = await getOrCreateCustodialWallet(world.deps, chain.port, ownerOf('twitter:ada'))
    expect(await create('x:@Ada')).toMatchObject({ status: 200, body: { address: kept.address } })
    const { status, body } = await create('email:Bob@Example.com')
    expect(status).toBe(201)
    const again = await getOrCreateCustodialWallet(world.deps, chain.port, ownerOf('email:bob@example.com'))
    expect(again.address).toBe(body.address)
  })
})
