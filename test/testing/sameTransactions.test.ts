import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { test } from 'vitest'
import { createPasskey } from '../../service/test/helpers/createPasskey.js'
import type { Transaction, Wallet } from '../../src/schema/index.js'
import { type GivenPlace, hide, type Log, useTwoServices, type World } from './twoServices.js'

const wallets = '/2022-06-09/wallets'
const friend = '0x00000000000000000000000000000000000000f1'
const chain = 'base-sepolia'
const signatures = [
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function transferFrom(address from, address to, uint256 tokenId)',
] as const
const abi = parseAbi(signatures)
const owner = privateKeyToAccount(generatePrivateKey())
const nothing = { to: friend, value: '0', data: '0x' }

const compare = useTwoServices()

const transfer = ({ contractAddress, tokenId }: GivenPlace, from: string, to: string = friend) => ({
  address: contractAddress,
  functionName: 'safeTransferFrom',
  abi,
  args: [from, to, tokenId],
})

/** A wallet, and what it is asked. */
const open = async (world: World, log: Log, body: object) => {
  const made = await log.send(wallets, { method: 'POST', body })
  const { address } = made.body as Wallet
  const path = `${wallets}/${address}/transactions`
  const create = async (step: string, params: object) =>
    (await log.post(step, path, { params })).body as Transaction
  /** Follows a transaction to its end. */
  const follow = async (step: string, { id }: Transaction) => {
    for (;;) {
      const { body: seen } = await log.send(`${path}/${id}`)
      const transaction = seen as Transaction
      if (transaction.status !== 'pending') {
        log.log.push([step, hide(transaction)])
        return
      }
      await world.wait()
    }
  }
  return { address, path, create, follow }
}

const smart = (adminSigner: object) => ({ type: 'evm-smart-wallet', config: { adminSigner } })

test('behavior: a wallet that the service keeps sends a token on, once it is tried out', () =>
  compare(async (world, log) => {
    const { post, ask } = log
    const linkedUser = 'email:cleo@example.com'
    const token = await world.giveToken(linkedUser)
    const other = await world.giveToken(friend)
    const { address, path, create, follow } = await open(world, log, { type: 'evm-mpc-wallet', linkedUser })
    await create('no token', { chain, call: transfer({ ...token, tokenId: '424242' }, address) })
    await create('another’s token', { chain, call: transfer(other, friend, address) })
    await create('from another', { chain, call: transfer(token, friend) })
    await create('to the zero address', { chain, call: transfer(token, address, `0x${'0'.repeat(40)}`) })
    await create('coins it lacks', { chain, call: { to: friend, data: '0x', value: '5' } })
    const sent = await create('sent', { chain, call: transfer(token, address) })
    await follow('done', sent)
    await ask('gone', `${wallets}/${linkedUser}:${chain}/nfts`)
    await create('once more', { chain, call: transfer(token, address) })
    await world.setBalance(address, 10n ** 18n)
    await follow('coins', await create('coins', { chain, call: { to: friend, data: '0x', value: '5' } }))
    await ask('listed', path)
    await ask('one of them', `${path}?perPage=1&page=2`)
    await ask('none of them', `${path}?page=9`)
    await ask('a page', `${path}?page=x`)
    await ask('no such one', `${path}/00000000-0000-4000-8000-000000000000`)
    await ask('no id', `${path}/none`)
    await post('no approval', `${path}/${sent.id}/approvals`, {
      approvals: [{ signer: owner.address, signature: '0x' }],
    })
  }))

test('behavior: bodies that no wallet takes are refused in the same words', () =>
  compare(async (world, log) => {
    const { post, ask } = log
    const kept = await open(world, log, { type: 'evm-mpc-wallet' })
    const own = await open(world, log, smart({ type: 'evm-keypair', address: owner.address }))
    const place = { contractAddress: friend, tokenId: '1' }
    const call = transfer(place, own.address)
    await ask('nothing', own.path, { method: 'POST' })
    await post('empty', own.path, {})
    await own.create('no chain', { calls: [nothing] })
    await own.create('an unknown chain', { chain: 'nowhere', calls: [nothing] })
    await own.create('a chain not here', { chain: 'base', calls: [nothing] })
    await own.create('the other form', { chain, call: nothing })
    await kept.create('the form of a smart wallet', { chain, calls: [nothing] })
    await kept.create('half a call of an account', { chain, call: { to: friend } })
    await own.create('another signer', { chain, calls: [nothing], signer: friend })
    await own.create('two arguments', { chain, calls: [{ ...call, args: [own.address, friend] }] })
    await post('no wallet', `${wallets}/email:nobody@example.com:evm-mpc-wallet/transactions`, {})
    await ask('a browser', own.path, { headers: { 'x-api-key': world.clientKey } })
    await ask('a method', `${own.path}/x/approvals`)
  }))

test('behavior: an account approves what its smart wallet does', () =>
  compare(async (world, log) => {
    const { post, ask } = log
    const wallet = await open(world, log, smart({ type: 'evm-keypair', address: owner.address }))
    const [first, second] = [await world.giveToken(wallet.address), await world.giveToken(wallet.address)]
    const data = encodeFunctionData({
      abi,
      functionName: 'transferFrom',
      args: [wallet.address as Hex, friend, BigInt(second.tokenId)],
    })
    await wallet.create('a call that reverts', {
      chain,
      calls: [transfer(first, wallet.address), transfer(first, wallet.address)],
    })
    await wallet.create('coins it lacks', { chain, calls: [{ ...nothing, value: '7' }] })
    const calls = [transfer(first, wallet.address), { to: second.contractAddress, value: '0', data }]
    const created = await wallet.create('created', { chain, calls, signer: owner.address.toLowerCase() })
    const message = created.approvals?.pending?.[0]?.message as Hex
    const path = `${wallet.path}/${created.id}/approvals`
    const signature = await owner.signMessage({ message: { raw: message } })
    const stranger = privateKeyToAccount(generatePrivateKey())
    const foreign = await stranger.signMessage({ message: { raw: message } })
    const approve = (step: string, ...approvals: unknown[]) => post(step, path, { approvals })
    await ask('no body', path, { method: 'POST' })
    await post('empty', path, {})
    await approve('none')
    await approve('a stranger', { signer: stranger.address, signature: foreign })
    await approve('twice', { signer: owner.address, signature }, { signer: owner.address, signature })
    await approve('forged', { signer: owner.address, signature: foreign })
    await ask('waits', `${wallet.path}/${created.id}`)
    await approve('approved', { signer: owner.address.toLowerCase(), signature })
    await wallet.follow('done', created)
    await approve('too late', { signer: owner.address, signature })
    await ask('gone', `${wallets}/${chain}:${wallet.address}/nfts`)
    await ask('listed', wallet.path)
  }))

test('behavior: what no longer can be done when it is approved fails on its chain alike', () =>
  compare(async (world, log) => {
    const wallet = await open(world, log, smart({ type: 'evm-keypair', address: owner.address }))
    const token = await world.giveToken(wallet.address)
    const calls = [transfer(token, wallet.address)]
    const create = () => wallet.create('created', { chain, calls })
    for (const created of [await create(), await create()]) {
      const message = created.approvals?.pending?.[0]?.message as Hex
      const signature = await owner.signMessage({ message: { raw: message } })
      await log.post('approved', `${wallet.path}/${created.id}/approvals`, {
        approvals: [{ signer: owner.address, signature }],
      })
      await wallet.follow('done', created)
    }
  }))

test('behavior: a passkey approves what its smart wallet does', () =>
  compare(async (world, log) => {
    const passkey = createPasskey()
    const { publicKey } = passkey
    const wallet = await open(world, log, smart({ type: 'evm-passkey', id: 'test', publicKey }))
    const created = await wallet.create('created', { chain, calls: [nothing] })
    const message = created.approvals?.pending?.[0]?.message ?? ''
    const path = `${wallet.path}/${created.id}/approvals`
    const approve = (step: string, approval: unknown) => log.post(step, path, { approvals: [approval] })
    const good = passkey.approve(message)
    await approve('of an account', { signer: 'evm-passkey:test', signature: `0x${'12'.repeat(65)}` })
    await approve('another passkey', createPasskey().approve(message))
    // Of the two that are possible some devices give the greater one.
    await approve('approved', passkey.approve(message, { isHigh: true }))
    await approve('approved, by its twin', good)
    await wallet.follow('done', created)
  }))

test('behavior: the service signs for a smart wallet whose key it keeps', () =>
  compare(async (world, log) => {
    const wallet = await open(world, log, { type: 'evm-smart-wallet', linkedUser: 'userId:9' })
    const first = await wallet.create('first', { chain, calls: [nothing] })
    const second = await wallet.create('second', { chain, calls: [nothing, nothing] })
    await log.post('no approval', `${wallet.path}/${first.id}/approvals`, {
      approvals: [{ signer: owner.address, signature: '0x' }],
    })
    await wallet.follow('first done', first)
    await wallet.follow('second done', second)
  }))

test('behavior: a transaction is created once under a key, and waits an hour for its approval', () =>
  compare(async (world, log) => {
    const wallet = await open(world, log, smart({ type: 'evm-keypair', address: owner.address }))
    const key = { 'x-idempotency-key': `once ${wallet.address}` }
    const body = { params: { chain, calls: [nothing] } }
    const create = () => log.send(wallet.path, { method: 'POST', body, headers: key })
    const both = await Promise.all([create(), create()])
    const [first, again] = both.map((answer) => answer.body as Transaction)
    const { id, approvals } = first ?? {}
    log.log.push(['the same', again?.id === id])
    await log.post('another body', wallet.path, {}, key)
    await world.advance(3_600_000)
    const message = approvals?.pending?.[0]?.message as Hex
    const signature = await owner.signMessage({ message: { raw: message } })
    await log.post('too late', `${wallet.path}/${id}/approvals`, {
      approvals: [{ signer: owner.address, signature }],
    })
  }))
