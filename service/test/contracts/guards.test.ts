import { type ProposedTerms, permit2Address, writeAuthorization } from 'kassa/engine'
import type { TypedData } from 'kassa/schema'
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  padHex,
  parseSignature,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, describe, expect, test } from 'vitest'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { actors, type Contracts, createContracts, mintOf, termsOf } from '../helpers/createContracts.js'
import { openBeforeAll } from '../helpers/openBeforeAll.js'

const { owner, minter, buyer, stranger } = actors
const word = (value: number): Hex => padHex(toHex(value), { size: 32 })
const later = 2n ** 40n

const contracts = openBeforeAll(createContracts)

const nowSeconds = async () => (await contracts.client.getBlock()).timestamp
let count = 100
/** A reference that no other test uses. */
const fresh = () => word(++count)

describe('PaymentRouter', () => {
  const payOut = (orderRef: Hex, payoutId: Hex, to: Address, amount: bigint) => ({
    ...contracts.router,
    functionName: 'payOut',
    args: [orderRef, payoutId, to, amount],
  })
  const pay = (orderRef: Hex, deadline: bigint, value: bigint) => ({
    ...contracts.router,
    functionName: 'pay',
    args: [orderRef, deadline],
    value,
  })
  const balanceOf = (address: Address) => contracts.client.getBalance({ address })
  const read = (functionName: string, ...args: readonly unknown[]) =>
    contracts.read<bigint>({ ...contracts.router, functionName, args })
  /** Code that reverts every call. */
  const putRefusing = async () => {
    const address = privateKeyToAccount(generatePrivateKey()).address
    await contracts.client.setCode({ address, bytecode: '0x5f5ffd' })
    return address
  }

  test('behavior: a payment counts until the second of its deadline', async () => {
    const orderRef = fresh()
    const at = (await nowSeconds()) + 1_000n
    await contracts.client.setNextBlockTimestamp({ timestamp: at })
    await contracts.run(buyer, pay(orderRef, at, 5n))
    expect(await read('held', orderRef)).toBe(5n)
    await contracts.client.setNextBlockTimestamp({ timestamp: at + 1n })
    await expect(contracts.run(buyer, pay(orderRef, at, 5n))).rejects.toThrow()
    expect(await contracts.refusal(buyer, pay(orderRef, at - 10n, 5n))).toBe('QuoteExpired')
  })

  test('error: a payment of nothing', async () => {
    expect(await contracts.refusal(buyer, pay(fresh(), later, 0n))).toBe('NothingPaid')
  })

  test('behavior: payments of one order add up, and only they pay its payouts', async () => {
    const [mine, others] = [fresh(), fresh()]
    for (const amount of [30n, 70n]) await contracts.run(buyer, pay(mine, later, amount))
    await contracts.run(buyer, pay(others, later, 1_000n))
    const to = privateKeyToAccount(generatePrivateKey()).address
    expect(await contracts.refusal(owner, payOut(mine, fresh(), to, 101n))).toBe('MoreThanHeld')
    await contracts.run(owner, payOut(mine, fresh(), to, 60n))
    expect(await read('held', mine)).toBe(40n)
    expect(await contracts.refusal(owner, payOut(mine, fresh(), to, 41n))).toBe('MoreThanHeld')
    await contracts.run(owner, payOut(mine, fresh(), to, 40n))
    expect(await balanceOf(to)).toBe(100n)
    expect(await read('held', others)).toBe(1_000n)
  })

  test('behavior: one payout is paid once, however often it is requested', async () => {
    const [orderRef, payoutId] = [fresh(), fresh()]
    await contracts.run(buyer, pay(orderRef, later, 100n))
    await contracts.run(owner, payOut(orderRef, payoutId, buyer, 10n))
    expect(await contracts.refusal(owner, payOut(orderRef, payoutId, buyer, 10n))).toBe('AlreadyPaidOut')
    expect(await contracts.refusal(owner, payOut(orderRef, payoutId, stranger, 1n))).toBe('AlreadyPaidOut')
  })

  test('behavior: a payee that accepts its coins is credited nothing', async () => {
    const orderRef = fresh()
    const to = privateKeyToAccount(generatePrivateKey()).address
    await contracts.run(buyer, pay(orderRef, later, 10n))
    await contracts.run(owner, payOut(orderRef, fresh(), to, 10n))
    expect([await balanceOf(to), await read('claimable', to)]).toEqual([10n, 0n])
  })

  test('behavior: coins that a payee rejects wait for it, and it claims them once', async () => {
    const to = await putRefusing()
    const before = await read('totalCredits')
    for (const amount of [10n, 20n]) {
      const orderRef = fresh()
      await contracts.run(buyer, pay(orderRef, later, amount))
      await contracts.run(owner, payOut(orderRef, fresh(), to, amount))
    }
    expect([await read('claimable', to), await read('totalCredits')]).toEqual([30n, before + 30n])
    const receiver = privateKeyToAccount(generatePrivateKey()).address
    const claim = { ...contracts.router, functionName: 'claimTo', args: [receiver] }
    await contracts.client.setBalance({ address: to, value: 10n ** 18n })
    const kept = await balanceOf(contracts.router.to)
    await contracts.run(to, claim)
    expect(await balanceOf(contracts.router.to)).toBe(kept - 30n)
    expect([await read('claimable', to), await read('totalCredits')]).toEqual([0n, before])
    expect(await balanceOf(receiver)).toBe(30n)
    expect(await contracts.refusal(to, claim)).toBe('NothingCredited')
    expect(await balanceOf(contracts.router.to)).toBe(kept - 30n)
  })

  test('error: a credit that there never was, or that was sent already, is not sent', async () => {
    const [orderRef, payoutId, to] = [fresh(), fresh(), await putRefusing()]
    const send = { ...contracts.router, functionName: 'payOutCredit', args: [payoutId, stranger] }
    expect(await contracts.refusal(owner, send)).toBe('NothingCredited')
    await contracts.run(buyer, pay(orderRef, later, 10n))
    await contracts.run(owner, payOut(orderRef, payoutId, to, 10n))
    const before = await balanceOf(stranger)
    await contracts.run(owner, send)
    expect(await balanceOf(stranger)).toBe(before + 10n)
    expect(await contracts.refusal(owner, send)).toBe('NothingCredited')
  })

  test('error: too little gas to give the payee its share of it', async () => {
    const orderRef = fresh()
    const to = await putRefusing()
    await contracts.run(buyer, pay(orderRef, later, 10n))
    const call = payOut(orderRef, fresh(), to, 10n)
    expect(await contracts.refusal(owner, { ...call, gas: 150_000n })).toBe('TooLittleGas')
    expect(await contracts.refusal(owner, { ...call, gas: 300_000n })).toBeUndefined()
  })
})

describe('DepositFactory', () => {
  test('behavior: one payout is paid once, in tokens or in coins', async () => {
    const { deposits, token } = contracts
    const [orderRef, payoutId] = [fresh(), fresh()]
    const deposit = await contracts.read<Address>({
      ...deposits,
      functionName: 'depositAddress',
      args: [orderRef],
    })
    await contracts.run(stranger, { ...token, functionName: 'mint', args: [deposit, 100n] })
    await contracts.client.setBalance({ address: deposit, value: 100n })
    const to = privateKeyToAccount(generatePrivateKey()).address
    const tokens = (id: Hex) => ({
      ...deposits,
      functionName: 'payOut',
      args: [orderRef, id, token.to, to, 10n],
    })
    const coins = (id: Hex) => ({ ...deposits, functionName: 'payOutCoins', args: [orderRef, id, to, 10n] })
    await contracts.run(owner, tokens(payoutId))
    expect(await contracts.refusal(owner, tokens(payoutId))).toBe('AlreadyPaidOut')
    expect(await contracts.refusal(owner, coins(payoutId))).toBe('AlreadyPaidOut')
    // The deposit is deployed by now: it is used, not created again.
    const second = fresh()
    await contracts.run(owner, coins(second))
    expect(await contracts.refusal(owner, tokens(second))).toBe('AlreadyPaidOut')
    const held = await contracts.read({ ...token, functionName: 'balanceOf', args: [to] })
    expect([held, await contracts.client.getBalance({ address: to })]).toEqual([10n, 10n])
  })
})

describe.each(['single', 'copies', 'subscription'] as const)('collection, %s', (kind) => {
  type Collection = Awaited<ReturnType<Contracts['createCollection']>>
  const end = { expiresAt: later }
  const mint = ({ to, abi }: Collection, ...mints: readonly unknown[]) => ({
    to,
    abi,
    functionName: 'mint',
    args: [mints],
  })
  const update = ({ to, abi }: Collection, revision: bigint, change?: Parameters<typeof termsOf>[0]) => ({
    to,
    abi,
    functionName: 'update',
    args: [revision, termsOf(change)],
  })
  const updateToken = ({ to, abi }: Collection, tokenId: bigint, revision: bigint, uri = 'ipfs://new') => ({
    to,
    abi,
    functionName: 'updateToken',
    args: [tokenId, revision, uri, 0n],
  })
  const create = (change?: Parameters<typeof termsOf>[0]) => contracts.createCollection(kind, change)

  test('error: it is initialized a second time', async () => {
    const { to, abi } = await create()
    const again = { to, abi, functionName: 'initialize', args: [stranger, termsOf()] }
    expect(await contracts.refusal(stranger, again)).toBe('InvalidInitialization')
    expect(await contracts.refusal(minter, again)).toBe('InvalidInitialization')
  })

  test('behavior: the supply limit is reached and not passed, in one batch or in many', async () => {
    const collection = await create({ supplyLimit: 3n })
    const four = [1n, 2n, 3n, 4n].map((id) => mintOf(id, end))
    expect(await contracts.refusal(minter, mint(collection, ...four))).toBe('SupplyLimitReached')
    await contracts.run(minter, mint(collection, ...four.slice(0, 2)))
    expect(await contracts.refusal(minter, mint(collection, ...four.slice(2)))).toBe('SupplyLimitReached')
    await contracts.run(minter, mint(collection, ...four.slice(2, 3)))
    expect(await contracts.refusal(minter, mint(collection, mintOf(4n, end)))).toBe('SupplyLimitReached')
  })

  test('behavior: a limit may fall to the minted supply and not below, and 0 removes it', async () => {
    const collection = await create()
    await contracts.run(minter, mint(collection, mintOf(1n, end), mintOf(2n, end)))
    expect(await contracts.refusal(minter, update(collection, 1n, { supplyLimit: 1n }))).toBe(
      'SupplyLimitTooLow',
    )
    await contracts.run(minter, update(collection, 1n, { supplyLimit: 2n }))
    expect(await contracts.refusal(minter, mint(collection, mintOf(3n, end)))).toBe('SupplyLimitReached')
    await contracts.run(minter, update(collection, 2n, { supplyLimit: 0n }))
    expect(await contracts.refusal(minter, mint(collection, mintOf(3n, end)))).toBeUndefined()
  })

  test('behavior: terms of an older revision, or of the current one, are refused', async () => {
    const collection = await create()
    expect(await contracts.refusal(minter, update(collection, 0n))).toBe('StaleRevision')
    await contracts.run(minter, update(collection, 5n))
    for (const revision of [4n, 5n]) {
      expect(await contracts.refusal(minter, update(collection, revision))).toBe('StaleRevision')
    }
    expect(await contracts.refusal(minter, update(collection, 6n))).toBeUndefined()
  })

  test('behavior: a change of a token that is older, or of no token, is refused', async () => {
    const collection = await create()
    await contracts.run(minter, mint(collection, mintOf(1n, end)))
    expect(await contracts.refusal(minter, updateToken(collection, 1n, 0n))).toBe('StaleTokenRevision')
    const { to, abi } = collection
    const functionName = kind === 'copies' ? 'uri' : 'tokenURI'
    const readUri = () => contracts.read({ to, abi, functionName, args: [1n] })
    expect(await readUri()).toBe(mintOf(1n).uri)
    await contracts.run(minter, updateToken(collection, 1n, 3n))
    expect(await readUri()).toBe('ipfs://new')
    for (const revision of [2n, 3n]) {
      expect(await contracts.refusal(minter, updateToken(collection, 1n, revision))).toBe(
        'StaleTokenRevision',
      )
    }
    expect(await contracts.refusal(minter, updateToken(collection, 1n, 4n))).toBeUndefined()
    const missing = kind === 'copies' ? 'NoSuchToken' : 'ERC721NonexistentToken'
    expect(await contracts.refusal(minter, updateToken(collection, 9n, 1n))).toBe(missing)
  })

  test('behavior: a template’s limit is that of its first copy, independently of others', async () => {
    const collection = await create()
    const copy = (id: bigint, templateLimit: bigint, template = word(1)) =>
      mintOf(id, { ...end, template, templateLimit })
    await contracts.run(minter, mint(collection, copy(1n, 2n)))
    await contracts.run(minter, mint(collection, copy(2n, 9n)))
    expect(await contracts.refusal(minter, mint(collection, copy(3n, 9n)))).toBe('TemplateLimitReached')
    await contracts.run(minter, mint(collection, copy(3n, 0n, word(2)), copy(4n, 1n, word(2))))
    expect(await contracts.refusal(minter, mint(collection, mintOf(5n, end)))).toBeUndefined()
    const both = [copy(6n, 1n, word(3)), copy(7n, 1n, word(3))]
    expect(await contracts.refusal(minter, mint(collection, ...both))).toBe('TemplateLimitReached')
  })

  test('error: one mint twice, or to no address', async () => {
    const collection = await create()
    await contracts.run(minter, mint(collection, mintOf(1n, end)))
    // A non-transferable token cannot reach another address by a second mint either.
    const twice = { copies: 'AlreadyMinted', single: 'ERC721InvalidSender', subscription: 'NotTransferable' }[
      kind
    ]
    expect(await contracts.refusal(minter, mint(collection, mintOf(1n, end)))).toBe(twice)
    const receiver = kind === 'copies' ? 'ERC1155InvalidReceiver' : 'ERC721InvalidReceiver'
    expect(await contracts.refusal(minter, mint(collection, mintOf(2n, { ...end, to: zeroAddress })))).toBe(
      receiver,
    )
  })

  test('behavior: a royalty is at most the price, and the terms set its owner and share', async () => {
    const collection = await create({ royaltyBasisPoints: 10_000, owner: buyer })
    const { to, abi } = collection
    const royaltyOf = (price: bigint) =>
      contracts.read({ to, abi, functionName: 'royaltyInfo', args: [1n, price] })
    expect(await royaltyOf(2n ** 256n - 1n)).toEqual([buyer, 2n ** 256n - 1n])
    expect(await contracts.refusal(minter, update(collection, 1n, { royaltyBasisPoints: 10_001 }))).toBe(
      'RoyaltyTooHigh',
    )
    await contracts.run(minter, update(collection, 1n, { royaltyBasisPoints: 250, owner: stranger }))
    expect(await royaltyOf(10_039n)).toEqual([stranger, 250n])
    expect(await royaltyOf(30_040n)).toEqual([stranger, 751n])
    // The owner has no permissions: neither over the terms nor over minting.
    expect(await contracts.refusal(stranger, update(collection, 2n))).toBe('NotMinter')
    expect(await contracts.refusal(stranger, mint(collection, mintOf(1n, end)))).toBe('NotMinter')
  })

  test("behavior: a token is burned by its holder or the holder's approved operator, transferable or not", async () => {
    const collection = await create({ transferable: false })
    const { to, abi } = collection
    await contracts.run(minter, mint(collection, mintOf(1n, end), mintOf(2n, end)))
    const burn = (tokenId: bigint) => ({
      to,
      abi,
      functionName: 'burn',
      args: kind === 'copies' ? [buyer, tokenId, 1n] : [tokenId],
    })
    const minted = { to, abi, functionName: 'mintsOf', args: [[1n, 2n, 3n]] }
    if (kind !== 'copies') {
      expect(await contracts.read(minted)).toEqual([
        [true, true, false],
        [buyer, buyer, zeroAddress],
      ])
    }
    await contracts.run(buyer, burn(1n))
    expect(await contracts.refusal(buyer, burn(1n))).toBe(
      kind === 'copies' ? 'ERC1155InsufficientBalance' : 'ERC721NonexistentToken',
    )
    // A burned token is not minted again by mistake.
    expect(await contracts.refusal(minter, mint(collection, mintOf(1n, end)))).toBe(
      kind === 'copies' ? 'AlreadyMinted' : 'TokenBurned',
    )
    await contracts.run(buyer, { to, abi, functionName: 'setApprovalForAll', args: [stranger, true] })
    await contracts.run(stranger, burn(2n))
    const supports = (interfaceId: Hex) =>
      contracts.read({ to, abi, functionName: 'supportsInterface', args: [interfaceId] })
    expect(await supports('0x2a55205a')).toBe(true)
    expect(await supports('0xffffffff')).toBe(false)
    if (kind === 'copies') return
    // ERC-4906 and ERC-721.
    expect([await supports('0x49064906'), await supports('0x80ac58cd')]).toEqual([true, true])
    expect(await contracts.read(minted)).toEqual([
      [true, true, false],
      [zeroAddress, zeroAddress, zeroAddress],
    ])
  })

  test('behavior: tokens that stay with their holder', async () => {
    const collection = await create({ transferable: false })
    await contracts.run(minter, mint(collection, mintOf(1n, end)))
    const { to, abi } = collection
    const transfer = () => {
      const single = { functionName: 'transferFrom', args: [buyer, stranger, 1n] }
      const copies = { functionName: 'safeTransferFrom', args: [buyer, stranger, 1n, 1n, '0x'] }
      return contracts.refusal(buyer, { to, abi, ...(kind === 'copies' ? copies : single) })
    }
    expect(await transfer()).toBe('NotTransferable')
    await contracts.run(minter, update(collection, 1n, { transferable: true }))
    expect(await transfer()).toBe(kind === 'subscription' ? 'NotTransferable' : undefined)
    if (kind === 'copies') return
    const read = (functionName: string, ...args: readonly unknown[]) =>
      contracts.read({ to, abi, functionName, args })
    expect(await read('locked', 1n)).toBe(kind === 'subscription')
    expect(await read('supportsInterface', '0xb45a3c0e')).toBe(kind === 'subscription')
    for (const name of ['locked', 'tokenURI']) {
      expect(await contracts.refusal(stranger, { to, abi, functionName: name, args: [9n] })).toBe(
        'ERC721NonexistentToken',
      )
    }
  })
})

describe('Collection1155', () => {
  test("behavior: copies are counted, and the first one's token data stays", async () => {
    const { to, abi } = await contracts.createCollection('copies')
    const read = (functionName: string, ...args: readonly unknown[]) =>
      contracts.read({ to, abi, functionName, args })
    const first = mintOf(1n)
    const second = { ...mintOf(1n, { mintId: word(50) }), uri: 'ipfs://other' }
    expect(await read('exists', 1n)).toBe(false)
    await contracts.run(minter, { to, abi, functionName: 'mint', args: [[first, second]] })
    expect(await read('uri', 1n)).toBe(first.uri)
    expect(await read('balanceOf', buyer, 1n)).toBe(2n)
    expect(await read('totalSupply', 1n)).toBe(2n)
    expect(await read('exists', 1n)).toBe(true)
    expect(await read('areMinted', [word(50), word(51)])).toEqual([true, false])
  })
})

describe('Subscription721', () => {
  const create = async (expiresAt: bigint) => {
    const { to, abi } = await contracts.createCollection('subscription')
    await contracts.run(minter, { to, abi, functionName: 'mint', args: [[mintOf(1n, { expiresAt })]] })
    return { to, abi }
  }
  type Subscription = Awaited<ReturnType<typeof create>>
  const endOf = (subscription: Subscription) =>
    contracts.read<bigint>({ ...subscription, functionName: 'expiresAt', args: [1n] })
  const renew = { functionName: 'renewSubscription', args: [1n, 60n] }
  const cancel = { functionName: 'cancelSubscription', args: [1n] }

  test('behavior: it takes no payment', async () => {
    const subscription = await create(later)
    expect(await contracts.refusal(minter, { ...subscription, ...renew, value: 1n })).toBe('NoPaymentTaken')
    expect(await contracts.refusal(buyer, { ...subscription, ...cancel, value: 1n })).toBe('NoPaymentTaken')
  })

  test('behavior: time is added to its end, or to now if that has passed', async () => {
    const running = await create(later)
    await contracts.run(minter, { ...running, ...renew })
    expect(await endOf(running)).toBe(later + 60n)
    const over = await create(1n)
    await contracts.run(minter, { ...over, ...renew })
    expect(await endOf(over)).toBe((await nowSeconds()) + 60n)
  })

  test('behavior: its holder and the minter end it now, and an ended one stays as it was', async () => {
    for (const caller of [buyer, minter]) {
      const running = await create(later)
      await contracts.run(caller, { ...running, ...cancel })
      expect(await endOf(running)).toBe(await nowSeconds())
    }
    const over = await create(1n)
    await contracts.run(buyer, { ...over, ...cancel })
    expect(await endOf(over)).toBe(1n)
  })

  test('behavior: an update of a token moves its end, or keeps it', async () => {
    const subscription = await create(later)
    const change = (revision: bigint, end: bigint) => ({
      ...subscription,
      functionName: 'updateToken',
      args: [1n, revision, 'ipfs://new', end],
    })
    await contracts.run(minter, change(1n, 0n))
    expect(await endOf(subscription)).toBe(later)
    await contracts.run(minter, change(2n, later + 5n))
    expect(await endOf(subscription)).toBe(later + 5n)
  })

  test('error: one that does not exist', async () => {
    const subscription = await create(later)
    const calls = [
      { functionName: 'expiresAt', args: [9n] },
      { functionName: 'isRenewable', args: [9n] },
      { functionName: 'renewSubscription', args: [9n, 60n] },
      { functionName: 'cancelSubscription', args: [9n] },
    ]
    for (const call of calls) {
      expect(await contracts.refusal(minter, { ...subscription, ...call })).toBe('ERC721NonexistentToken')
    }
    const { to, abi } = subscription
    expect(await contracts.read({ to, abi, functionName: 'isRenewable', args: [1n] })).toBe(true)
    expect(await contracts.read({ to, abi, functionName: 'transferable' })).toBe(false)
    expect(await contracts.read({ to, abi, functionName: 'supportsInterface', args: ['0x8c65f84d'] })).toBe(
      true,
    )
  })
})

describe('SmartWallet', () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const batchMode: Hex = `0x01${'00'.repeat(31)}`
  const tuples = [
    {
      type: 'tuple[]',
      components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
    },
  ] as const
  const execute = (to: Address, calls: readonly (readonly [Address, bigint, Hex])[]) => ({
    ...contracts.wallet,
    to,
    functionName: 'execute',
    args: [batchMode, encodeAbiParameters(tuples, [calls])],
  })
  let salt = 0
  const create = async (signer: Hex = account.address): Promise<Address> => {
    const creation = { ...contracts.walletFactory, args: [signer, word(++salt)] }
    await contracts.run(stranger, { ...creation, functionName: 'create' })
    return contracts.read<Address>({ ...creation, functionName: 'walletAddress' })
  }
  beforeAll(() => contracts.client.setBalance({ address: entryPoint08Address, value: 10n ** 18n }))

  test('error: it is given another signer', async () => {
    const to = await create()
    const initialize = { ...contracts.wallet, to, functionName: 'initialize', args: [stranger] }
    expect(await contracts.refusal(stranger, initialize)).toBe('InvalidInitialization')
    expect(await contracts.refusal(to, initialize)).toBe('InvalidInitialization')
  })

  test('behavior: it is deployed once, and found the second time', async () => {
    const args = [account.address, word(++salt)]
    const creation = { ...contracts.walletFactory, args }
    for (let time = 0; time < 2; time++) {
      await contracts.run(stranger, { ...creation, functionName: 'create' })
    }
    const to = await contracts.read<Address>({ ...creation, functionName: 'walletAddress' })
    const signer = await contracts.read({ ...contracts.wallet, to, functionName: 'signer' })
    expect(signer).toBe(account.address.toLowerCase())
  })

  test('error: a call that would use up one of its nonces', async () => {
    const to = await create()
    const data = encodeFunctionData({ ...EntryPoint, functionName: 'incrementNonce', args: [7n] })
    for (const caller of [to, entryPoint08Address]) {
      const calls = [[entryPoint08Address, 0n, data]] as const
      expect(await contracts.refusal(caller, execute(to, calls))).toBe('NonceIncrementNotAllowed')
      const second = [[stranger, 0n, '0x'], ...calls] as const
      expect(await contracts.refusal(caller, execute(to, second))).toBe('NonceIncrementNotAllowed')
    }
    // The same call of another contract, and other calls of the EntryPoint, are allowed.
    expect(await contracts.refusal(to, execute(to, [[stranger, 0n, data]]))).toBeUndefined()
    expect(await contracts.refusal(to, execute(to, [[entryPoint08Address, 0n, '0x']]))).toBeUndefined()
  })

  /** The wallet's answer to the EntryPoint about an operation: 0 or 1, and until when it is valid. */
  const validate = async (to: Address, signature: Hex, nonce = 0n) => {
    const operation = {
      sender: to,
      nonce,
      initCode: '0x',
      callData: '0x',
      preVerificationGas: 0n,
      signature,
      accountGasLimits: zeroHash,
      gasFees: zeroHash,
      paymasterAndData: '0x',
    }
    const { result } = await contracts.client.simulateContract({
      account: entryPoint08Address,
      address: to,
      abi: contracts.wallet.abi,
      functionName: 'validateUserOp',
      args: [operation, word(77), 0n],
    })
    const packed = result as bigint
    return { isRefused: packed & ((1n << 160n) - 1n), until: (packed >> 160n) & ((1n << 48n) - 1n) }
  }

  test('behavior: its signer’s signature is valid until the time in the nonce', async () => {
    const to = await create()
    const signature = await account.signMessage({ message: { raw: word(77) } })
    expect(await validate(to, signature)).toEqual({ isRefused: 0n, until: 0n })
    expect(await validate(to, signature, 1_900_000_000n << 208n)).toEqual({
      isRefused: 0n,
      until: 1_900_000_000n,
    })
    const other = privateKeyToAccount(generatePrivateKey())
    const foreign = await other.signMessage({ message: { raw: word(77) } })
    expect(await validate(to, foreign)).toEqual({ isRefused: 1n, until: 0n })
    // A hash signed directly, instead of as a message, was not shown to the person who signed.
    expect(await validate(to, await account.sign({ hash: word(77) }))).toEqual({ isRefused: 1n, until: 0n })
    for (const broken of ['0x', signature.slice(0, -2), `${signature.slice(0, -2)}1f`] as Hex[]) {
      expect((await validate(to, broken)).isRefused).toBe(1n)
    }
  })

  test('behavior: the verifier of a passkey cannot sign in its place', async () => {
    // A signer of 84 bytes is a verifier's address and a public key. Here the verifier has a key of its own.
    const to = await create(`${account.address}${'11'.repeat(64)}`)
    for (const signature of [
      await account.signMessage({ message: { raw: word(77) } }),
      await account.sign({ hash: word(77) }),
    ]) {
      expect((await validate(to, signature)).isRefused).toBe(1n)
    }
  })

  test('behavior: a signer that delegates to a contract (EIP-7702) still signs', async () => {
    const to = await create()
    await contracts.client.setCode({ address: account.address, bytecode: '0x5f5ffd' })
    const signature = await account.signMessage({ message: { raw: word(77) } })
    expect((await validate(to, signature)).isRefused).toBe(0n)
    const other = privateKeyToAccount(generatePrivateKey())
    expect((await validate(to, await other.signMessage({ message: { raw: word(77) } }))).isRefused).toBe(1n)
    await contracts.client.setCode({ address: account.address, bytecode: '0x' })
  })

  test('behavior: a signature of the bare message is not the wallet’s', async () => {
    const to = await create()
    const hash = hashMessage('Sign in')
    const args = [hash, await account.sign({ hash })]
    const call = { ...contracts.wallet, to, functionName: 'isValidSignature', args }
    expect(await contracts.read(call)).toBe('0xffffffff')
  })
})

describe('PermitSpender', () => {
  const payer = privateKeyToAccount(generatePrivateKey())
  const recipient = actors.buyer
  const terms = (change: Partial<ProposedTerms> = {}): ProposedTerms => ({
    kind: 'permit',
    chainId: foundry.id,
    token: contracts.permitToken.to,
    domain: { name: 'Test', version: '1' },
    spender: spender.to,
    payer: payer.address,
    recipient,
    units: 100n,
    validBefore: later,
    nonce: fresh(),
    permitNonce: 0n,
    ...change,
  })
  let spender: { to: Address; abi: Abi }
  beforeAll(async () => {
    spender = await contracts.deployPermitSpender()
    const mint = { ...contracts.permitToken, functionName: 'mint', args: [payer.address, 10_000n] }
    await contracts.run(stranger, mint)
  })

  const sign = (data: TypedData | undefined): Promise<Hex> => payer.signTypedData(data as never)
  const balanceOf = (owner: Address) =>
    contracts.read<bigint>({ ...contracts.permitToken, functionName: 'balanceOf', args: [owner] })

  /** The call that brings what the payer signed, or something else in its place. */
  const bring = async (
    signed: ProposedTerms,
    change: { to?: Address; amount?: bigint; payer?: Address; validAfter?: bigint } = {},
  ) => {
    const { typedData, permit } = writeAuthorization(signed)
    const { r, s, v = 27n } = parseSignature(await sign(permit))
    const { to = signed.recipient, amount = signed.units, validAfter = signed.validAfter ?? 0n } = change
    const permitted = { token: signed.token, amount }
    return {
      ...spender,
      functionName: 'approveAndPay',
      args: [
        { value: signed.units, deadline: signed.validBefore, v: Number(v), r, s },
        { permitted, nonce: BigInt(signed.nonce), deadline: signed.validBefore },
        change.payer ?? payer.address,
        { to, validAfter },
        await sign(typedData),
      ],
    }
  }
  const nextPermit = () =>
    contracts.read<bigint>({ ...contracts.permitToken, functionName: 'nonces', args: [payer.address] })

  test('behavior: the money goes only where its payer signed it to go, whoever brings it', async () => {
    const signed = terms({ permitNonce: await nextPermit() })
    for (const change of [
      { to: stranger },
      { amount: 99n },
      { amount: 101n },
      { validAfter: 1n },
      { payer: stranger },
    ]) {
      expect(await contracts.refusal(stranger, await bring(signed, change))).toBeDefined()
    }
    const before = await balanceOf(recipient)
    await contracts.run(stranger, await bring(signed))
    expect(await balanceOf(recipient)).toBe(before + 100n)
    expect(await contracts.refusal(stranger, await bring(signed))).toBeDefined()
  })

  test('behavior: it pays from the second on that its payer signed', async () => {
    const at = (await nowSeconds()) + 1_000n
    const signed = terms({ permitNonce: await nextPermit(), validAfter: at })
    expect(await contracts.refusal(stranger, await bring(signed))).toBe('TooEarly')
    const call = await bring(signed)
    await contracts.client.setNextBlockTimestamp({ timestamp: at })
    await contracts.run(stranger, call)
  })

  test('behavior: a permit that was brought before stops no payment, and one that is void gives no allowance', async () => {
    const signed = terms({ permitNonce: await nextPermit() })
    const call = await bring(signed)
    const { r, s, v = 27n } = parseSignature(await sign(writeAuthorization(signed).permit))
    const args = [payer.address, permit2Address, signed.units, signed.validBefore, Number(v), r, s]
    await contracts.run(stranger, { ...contracts.permitToken, functionName: 'permit', args })
    await contracts.run(stranger, call)
    // The allowance is spent, and this permit is of a nonce that is used.
    const spent = terms({ permitNonce: 0n })
    expect(await contracts.refusal(stranger, await bring(spent))).toBeDefined()
  })
})
