import { act, waitFor } from '@testing-library/react'
import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  isAddressEqual,
  parseAbi,
  recoverTypedDataAddress,
} from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { createClient, getCredential, getWallet, mintNft, waitForAction } from '../../src/api/index.js'
import { createWalletHandler } from '../../src/server/createWalletHandler.js'
import { createPasskey } from '../../src/wallet/evm/createPasskey.js'
import { useCreateWallet } from '../../src/wallet/useCreateWallet.js'
import { useTransaction } from '../../src/wallet/useTransaction.js'
import { useTransactions } from '../../src/wallet/useTransactions.js'
import { useWallet } from '../../src/wallet/useWallet.js'
import { useWalletTokens } from '../../src/wallet/useWalletTokens.js'
import { createAuthenticator } from '../helpers/authenticator.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { createUser, renderWalletHook } from './walletWorld.js'

const shop = inject('shop')
const merchant = createClient({ baseUrl: shop.baseUrl, apiKey: shop.serverKey })
const node = createPublicClient({ chain: baseSepolia, transport: http(shop.rpcUrl) })
const recipient = `0x${'7e'.repeat(20)}` as const
const abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])

beforeEach(() => {
  sessionStorage.clear()
  vi.stubGlobal('PublicKeyCredential', class {})
  const { credentials } = createAuthenticator()
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})

/** A browser in which a user is signed in at the shop. */
const signIn = (user: string) => {
  const handle = createWalletHandler({
    baseUrl: shop.baseUrl,
    apiKey: shop.serverKey,
    user: () => user,
    // Who tests here brings an account of their own.
    canCreate: () => true,
  })
  const browser = createShopBrowser(handle)
  return { ...browser, client: createClient({ baseUrl: '/api/wallet', fetch: browser.fetch }) }
}

const mintTo = async (email: string) => {
  const metadata = { name: 'Ticket', image: 'ipfs://picture', description: 'For one' }
  const body = { recipient: `email:${email}:base-sepolia`, metadata, reuploadLinkedFiles: false }
  const { actionId = '', onChain } = await mintNft(merchant, { collectionId: 'dunes', body })
  const { status, data } = await waitForAction(merchant, { actionId })
  expect(status).toBe('succeeded')
  return { contractAddress: onChain.contractAddress as Address, tokenId: BigInt(data.token?.tokenId ?? '') }
}

const transfer = (token: { contractAddress: Address; tokenId: bigint }, from: string, to: string) => ({
  address: token.contractAddress,
  functionName: 'safeTransferFrom',
  abi: [...abi],
  args: [from, to, token.tokenId],
})

const ownerOf = ({ contractAddress, tokenId }: { contractAddress: Address; tokenId: bigint }) =>
  node.readContract({ address: contractAddress, abi, functionName: 'ownerOf', args: [tokenId] })

test('default: bought by e-mail, seen, moved under a passkey, sent on', async () => {
  const email = `ada-${crypto.randomUUID()}@example.com`
  const token = await mintTo(email)
  const service = signIn(`email:${email}`)
  const { client } = service
  const { result } = renderWalletHook({ service }, () => ({
    tokens: useWalletTokens({ client, identifier: 'me:base-sepolia' }),
    kept: useWallet({ client, walletLocator: 'me:evm-mpc-wallet' }),
    create: useCreateWallet({ client }),
    keptSending: useTransaction({ client, walletLocator: 'me:evm-mpc-wallet' }),
    ownSending: useTransaction({ client, walletLocator: 'me:evm-smart-wallet', rpId: 'shop.example' }),
  }))

  await waitFor(() => expect(result.current.tokens.data).toHaveLength(1))
  const [seen] = result.current.tokens.data ?? []
  expect(seen).toMatchObject({ contractAddress: token.contractAddress, tokenId: String(token.tokenId) })
  expect(seen?.metadata.name).toBe('Ticket')
  await waitFor(() => expect(result.current.kept.data).toBeDefined())
  const kept = result.current.kept.data?.address ?? ''
  expect(await ownerOf(token)).toBe(kept)

  const { proof, ...claims } = await getCredential(client, { nftLocator: seen?.locator ?? '' })
  const { proofValue, eip712, ...options } = proof
  if (!eip712) throw new Error('nothing to check it by')
  const signer = await recoverTypedDataAddress({
    domain: eip712.domain,
    types: eip712.types as Record<string, { name: string; type: string }[]>,
    primaryType: eip712.primaryType,
    message: { ...claims, proof: options },
    signature: proofValue as Hex,
  })
  expect(isAddressEqual(signer, claims.issuer.id.split(':').at(-1) as Address)).toBe(true)
  expect(claims.credentialSubject.id).toBe(`did:pkh:eip155:84532:${kept}`)

  const adminSigner = await createPasskey({ name: email, rp: { id: 'shop.example' } })
  const own = await act(() =>
    result.current.create.mutateAsync({ type: 'evm-smart-wallet', config: { adminSigner } }),
  )
  expect(own).toMatchObject({ linkedUser: `email:${email}`, config: { adminSigner: { id: adminSigner.id } } })

  const chain = 'base-sepolia'
  await act(() => result.current.keptSending.send({ chain, call: transfer(token, kept, own.address) }))
  await waitFor(() => expect(result.current.keptSending.step).toMatchObject({ status: 'succeeded' }))
  expect(await ownerOf(token)).toBe(own.address)

  await act(() => result.current.ownSending.send({ chain, calls: [transfer(token, own.address, recipient)] }))
  await waitFor(() => expect(result.current.ownSending.step).toMatchObject({ status: 'succeeded' }))
  expect(isAddressEqual(await ownerOf(token), recipient)).toBe(true)
  await waitFor(() => expect(result.current.tokens.data).toEqual([]))

  const paths = service.answers.map(({ path }) => decodeURIComponent(path)).join('\n')
  expect(paths).not.toContain(email)
})

test('behavior: an account of the user’s own approves, through the connected wallet', async () => {
  const user = await createUser()
  const email = `eve-${crypto.randomUUID()}@example.com`
  const service = signIn(`email:${email}`)
  const { client } = service
  const walletLocator = 'me:evm-smart-wallet'
  const { result } = renderWalletHook({ service, user }, () => ({
    create: useCreateWallet(),
    sending: useTransaction({ walletLocator }),
    list: useTransactions({ walletLocator, query: { enabled: false } }),
  }))
  const adminSigner = { type: 'evm-keypair' as const, address: user.account.address }
  const wallet = await act(() =>
    result.current.create.mutateAsync({ type: 'evm-smart-wallet', config: { adminSigner } }),
  )
  expect(await getWallet(client, { walletLocator })).toEqual(wallet)
  const token = await mintTo(`no-one-${email}`)

  // The approval is not this wallet's to give, so it is refused before a signature is requested.
  const foreign = transfer(token, recipient, wallet.address)
  await act(() => result.current.sending.send({ chain: 'base-sepolia', calls: [foreign] }))
  expect(result.current.sending.step).toMatchObject({ error: { code: 'transaction.reverted' } })
  expect(user.countAsked()).toBe(0)

  const call = { to: recipient, value: '0', data: '0x' }
  await act(() => result.current.sending.send({ chain: 'base-sepolia', calls: [call, call] }))
  await waitFor(() => expect(result.current.sending.step).toMatchObject({ status: 'succeeded' }))
  expect(user.countAsked()).toBe(1)
  expect(await node.getCode({ address: wallet.address as Address })).toBeDefined()
  const { data } = await act(() => result.current.list.refetch())
  expect(data?.transactions).toMatchObject([{ status: 'success' }])
})

test("behavior: no user reaches another's wallet", async () => {
  const email = `ada-${crypto.randomUUID()}@example.com`
  await mintTo(email)
  const ada = await getWallet(signIn(`email:${email}`).client, { walletLocator: 'me:evm-mpc-wallet' })
  const { client } = signIn(`email:eve-${email}`)
  const asks = ['me:evm-mpc-wallet', ada.address, `email:${email}:evm-mpc-wallet`].map((walletLocator) =>
    getWallet(client, { walletLocator }).catch((error: { code: string }) => error.code),
  )
  expect(await Promise.all(asks)).toEqual(['api.not-found', 'api.bad-request', 'api.bad-request'])
})
