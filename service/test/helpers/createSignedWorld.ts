import { permit2Address } from 'kassa/engine'
import type { Authorization, CreateAuthorizationBody, Order } from 'kassa/schema'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  type LocalAccount,
  numberToHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { TestUsdc } from '#adapters/chains/evm/artifacts/TestUsdc.js'
import type { Config } from '#base/config/config.js'
import type { ChainPort } from '#base/ports/chain.js'
import { createAuthorization } from '#sale/authorizations/createAuthorization.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createOrderWorld } from './createOrderWorld.js'
import { createTestChain } from './createTestChain.js'
import { proposalOf, type SignTypedData, signAuthorization, signWith } from './signAuthorization.js'

const taken = ['eth', 'usdc', 'usdxm', 'usdt']
/** The price of one `tea`. @units base units of each token */
export const teaUnits = 30_000_000n

/** Who pays by a signature: an account with a key, or a contract that the test scripts. */
export type Signer = { address: Address; sign: SignTypedData }

/** A real chain with tokens of every kind, and buyers without coins. */
export const createSignedWorld = async () => {
  const chain = await createTestChain()
  const port = chain.open({ taken })
  await port.ready()
  const { client } = chain
  const helper = await chain.createPayer(10n ** 20n)

  const tokenOf = (currency: string): Address => {
    const { address } = port.currencies.find((known) => known.currency === currency) ?? {}
    if (address === undefined) throw new Error(`no token ${currency}`)
    return getAddress(address)
  }
  const sendAs = async (
    { sign }: Awaited<ReturnType<typeof chain.createPayer>>,
    call: { to: Address; data: Hex },
  ): Promise<Hex> => {
    const hash = await client.sendRawTransaction({ serializedTransaction: await sign(call) })
    await client.waitForTransactionReceipt({ hash })
    return hash
  }
  /** Sends a call of an account whose key the test lacks or does not use, and takes its coins away again. */
  const asOwner = async (owner: Address, to: Address, data: Hex): Promise<void> => {
    await client.impersonateAccount({ address: owner })
    await client.setBalance({ address: owner, value: 10n ** 18n })
    const parameters = [{ from: owner, to, data, gas: numberToHex(300_000) }] as const
    const hash: unknown = await client.request({ method: 'eth_sendTransaction', params: parameters as never })
    await client.waitForTransactionReceipt({ hash: hash as Hex })
    await client.setBalance({ address: owner, value: 0n })
    await client.stopImpersonatingAccount({ address: owner })
  }
  const mint = async (currency: string, to: Address, units: bigint): Promise<void> => {
    const data = encodeFunctionData({ ...TestUsdc, functionName: 'mint', args: [to, units] })
    await sendAs(helper, { to: tokenOf(currency), data })
  }

  return {
    ...chain,
    port,
    tokenOf,
    mint,
    /** Sends a call of a stranger, who pays the gas. */
    send: (call: { to: Address; data: Hex }) => sendAs(helper, call),
    balanceOf: (currency: string, owner: string): Promise<bigint> =>
      client.readContract({
        address: tokenOf(currency),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [getAddress(owner)],
      }),
    /** Creates a buyer who holds tokens and no coins. */
    createSigner: async (
      currencies: readonly string[] = ['usdc', 'usdxm'],
      units = 10n * teaUnits,
    ): Promise<Signer & { account: LocalAccount; key: Hex }> => {
      const key = generatePrivateKey()
      const account = privateKeyToAccount(key)
      for (const currency of currencies) await mint(currency, account.address, units)
      expect(await client.getBalance({ address: account.address })).toBe(0n)
      return { account, key, address: account.address, sign: signWith(account) }
    },
    /** Has an account let Permit2 move a token, by a transaction of its own. Its coins are taken away again. */
    approvePermit2: async (currency: string, owner: Address, units = 2n ** 256n - 1n): Promise<void> => {
      const args = [permit2Address, units] as const
      await asOwner(
        owner,
        tokenOf(currency),
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
      )
    },
    asOwner,
    /** Opens the shop on this chain. A change of the port simulates what happens to the process. */
    openShop: async (
      options: { config?: Partial<Config>; port?: Partial<ChainPort>; now?: () => number } = {},
    ) => {
      const { config, now = Date.now } = options
      const world = await createOrderWorld({
        db: chain.db,
        chains: [{ ...port, estimateRefundFee: async () => 0n, ...options.port }],
        now,
        config: { currencies: taken, ...config },
      })
      await world.createCollection({ id: 'tea' })
      const differing = async () => (await getLedger(world.deps)).differing
      return {
        ...world,
        buy: async (payer: Pick<Signer, 'address'>, currency = 'usdc'): Promise<Order> => {
          const payment = { method: 'base-sepolia', currency, payerAddress: payer.address }
          return (await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })).order
        },
        signFor: (order: Order, { address, sign }: Signer): Promise<CreateAuthorizationBody> =>
          signAuthorization(address, proposalOf(order), sign),
        bring: (orderId: string, body: CreateAuthorizationBody): Promise<Authorization> =>
          createAuthorization(world.deps, world.secretCall(orderId), { orderId, body }),
        /** Searches, runs the jobs, and asserts that every base unit is accounted for. */
        settle: async (orderId: string): Promise<Order> => {
          await world.look()
          expect(await differing()).toEqual([])
          await world.drain()
          expect(await differing()).toEqual([])
          return world.get(orderId)
        },
      }
    },
  }
}
