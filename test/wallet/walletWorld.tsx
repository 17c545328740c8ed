import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { type Hex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createClient } from '../../src/api/index.js'
import type { EvmSmartWalletTransaction } from '../../src/schema/index.js'
import { WalletProvider } from '../../src/wallet/WalletProvider.js'
import { scriptedConnector } from '../helpers/scriptedConnector.js'
import { createScriptedWallet, ProviderError } from '../helpers/scriptedWallet.js'
import { transactionFixture, walletFixture } from '../helpers/walletFixtures.js'

export const walletLocator = 'me:evm-smart-wallet'

type Asked = { method: string; path: string; key: string | null; body: unknown }

const refuse = (status: number, text: string) => Response.json({ error: true, message: text }, { status })

/** Checks what an account signed as the service does. */
const isSigned = async (
  address: string,
  approval: { signer: string; signature: unknown },
  message: string,
): Promise<boolean> =>
  typeof approval.signature === 'string' &&
  approval.signer === address &&
  (await verifyMessage({
    address: address as Hex,
    message: { raw: message as Hex },
    signature: approval.signature as Hex,
  }).catch(() => false))

/** A wallet service whose one wallet has a signer, and of which a test says when transactions end. */
export const createWalletService = (signer: string, isCustodial = false) => {
  const asked: Asked[] = []
  const byKey = new Map<string, EvmSmartWalletTransaction>()
  const transactions = new Map<string, EvmSmartWalletTransaction>()
  let wallet = walletFixture
  const script: { onRequest?: (asked: Asked) => Promise<Response | undefined> } = {}
  /** Once a transaction has been done, whether or not its answer arrived. */
  const create = (key: string | null, body?: unknown): EvmSmartWalletTransaction => {
    const known = key ? byKey.get(key) : undefined
    if (known) return known
    const id = `transaction-${transactions.size + 1}`
    const asked = body as { params: EvmSmartWalletTransaction['params'] } | undefined
    const created = transactionFixture(signer, {
      id,
      ...(asked && { params: { ...asked.params, signer } }),
      ...(isCustodial && { status: 'pending' }),
    })
    transactions.set(id, created)
    if (key) byKey.set(key, created)
    return created
  }
  const answer = async ({ method, path, key, body }: Asked): Promise<Response> => {
    const [, id = '', action] = /\/transactions\/([^/]+)(?:\/(approvals))?$/.exec(path) ?? []
    if (path.endsWith('/nfts')) return Response.json([])
    if (method === 'POST' && path.endsWith('/transactions'))
      return Response.json(create(key, body), { status: 201 })
    const known = transactions.get(id)
    if (!known) return path.endsWith('smart-wallet') ? Response.json(wallet) : refuse(404, 'Not found')
    if (action === undefined) return Response.json(known)
    if (known.status !== 'awaiting-approval') return refuse(422, 'No approval is needed any more')
    const [approval] = (body as { approvals: [{ signer: string; signature: unknown }] }).approvals
    if (
      !(
        signer.startsWith('evm-passkey:') ||
        (await isSigned(signer, approval, known.onChain.userOperationHash))
      )
    )
      return refuse(400, 'approvals[0].signature: is not of the signer')
    transactions.set(id, { ...known, status: 'pending' })
    return Response.json(transactions.get(id), { status: 201 })
  }
  const client = createClient({
    baseUrl: 'http://wallet.test/api',
    timeoutMs: 2_000,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      const path = decodeURIComponent(new URL(String(input)).pathname)
      const key = new Headers(init?.headers).get('x-idempotency-key')
      const body: unknown = init?.body ? JSON.parse(String(init.body)) : undefined
      const one = { method: init?.method ?? 'GET', path, key, body }
      asked.push(one)
      return (await script.onRequest?.(one)) ?? answer(one)
    },
  })
  return {
    client,
    script,
    asked,
    transactions,
    create,
    /** From now on `me` is another user with another wallet. */
    signIn: (address: string) => {
      wallet = { ...walletFixture, address }
    },
    /** From now on transactions are created, and the answers to that lost. */
    loseAnswers: () => {
      script.onRequest = async ({ path, key }) => {
        if (!path.endsWith('/transactions')) return undefined
        create(key)
        throw new TypeError('connection lost')
      }
    },
    /** What was asked by POST, by the end of its path. */
    posts: (end: string) => asked.filter(({ method, path }) => method === 'POST' && path.endsWith(end)),
    end: (id: string, fields: Partial<EvmSmartWalletTransaction>) => {
      const known = transactions.get(id)
      if (known) transactions.set(id, { ...known, completedAt: '2026-01-01T00:01:00.000Z', ...fields })
    },
  }
}

export type WalletService = ReturnType<typeof createWalletService>

/** A user in a browser, with a connected wallet that signs, and an app around. */
export const createUser = async (options: { isConnected?: boolean } = {}) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet = createScriptedWallet({ account, chainId: baseSepolia.id, rpcUrls: {} })
  const sign: { answer: (raw: Hex) => Promise<unknown> } = {
    answer: (raw) => account.signMessage({ message: { raw } }),
  }
  wallet.script.onRequest = (method, params) =>
    method === 'personal_sign' ? sign.answer((params as [Hex])[0]) : undefined
  const config = createConfig({
    chains: [baseSepolia],
    connectors: [scriptedConnector(wallet)],
    transports: { [baseSepolia.id]: http('http://127.0.0.1:1') },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const [connector] = config.connectors
  if (!connector) throw new Error('no connector')
  if (options.isConnected !== false) await connect(config, { connector })
  return {
    account,
    wallet,
    sign,
    config,
    reject: () => {
      sign.answer = () => Promise.reject(new ProviderError(4001, 'User rejected'))
    },
    countAsked: () => wallet.asked.filter(({ method }) => method === 'personal_sign').length,
  }
}

type World = {
  service: Pick<WalletService, 'client'>
  user?: Awaited<ReturnType<typeof createUser>>
  queryClient?: QueryClient
}

/** Renders a hook as a shop's wallet page would, in StrictMode; without a user there is neither wagmi nor a provider. */
export const renderWalletHook = <Result,>({ service, user, queryClient }: World, useHook: () => Result) => {
  const queries = queryClient ?? new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => {
    const inner = user ? <WalletProvider client={service.client}>{children}</WalletProvider> : children
    const queried = <QueryClientProvider client={queries}>{inner}</QueryClientProvider>
    return user ? (
      <WagmiProvider config={user.config} reconnectOnMount={false}>
        {queried}
      </WagmiProvider>
    ) : (
      queried
    )
  }
  return { queries, ...renderHook(useHook, { wrapper, reactStrictMode: true }) }
}
